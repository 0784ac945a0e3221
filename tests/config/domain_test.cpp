// The domain of a case that methods on tetrahedra and on grids read alike.
#include <algorithm>
#include <cmath>

#include "config/case_fixture.hpp"

namespace dgtd::config {
namespace {

using DomainOfCase = CaseFile;

// A ball and a box of metal; what is appended begins on line 23.
const std::string bodies =
    "[time]\nperiods = 2\nfrequency = 1e9\n[material.wax]\neps_r = 2\n[material.tin]\nconductor = perfect\n"
    "[shape.ball]\ntype = sphere\nmaterial = wax\nradius = 0.1\ncentre = 0 0 0.1\n"
    "[shape.plate]\ntype = box\nmaterial = tin\nsize = 0.2 0.4 0.1\ncentre = 0 0 -0.1\n[mesh]\nratio = 1.5\n"
    "[grid]\nspacing = 0.03\npml = 7\n";

const Boundary* boundary_named(const Case& c, const std::string& name) {
  const auto found =
      std::find_if(c.boundaries.begin(), c.boundaries.end(), [&](const Boundary& b) { return b.name == name; });
  return found == c.boundaries.end() ? nullptr : &*found;
}

void expect_near(const Vec3& a, const Vec3& b) { EXPECT_LT(norm(a - b), 1e-12) << a.x << ' ' << a.y << ' ' << a.z; }

TEST_F(DomainOfCase, IsThatOfShapesOnTetrahedra) {
  const Case c = read(bodies + "[domain]\nmargin = 0.05\n");
  EXPECT_EQ(c.mesh.generator, Mesh::Generator::shapes);
  EXPECT_EQ(c.mesh.ratio, 1.5);
  EXPECT_EQ(c.mesh.per_wavelength, 4);  // of order 2
  EXPECT_EQ(c.mesh.per_circle, 12);
  for (const char* curved : {"full", "mean"}) {
    std::string text = bodies + "[domain]\nmargin = 0.05\n";
    text.replace(text.find("ratio = 1.5"), 0, std::string("curved = ") + curved + "\n");
    EXPECT_EQ(read(text).mesh.per_circle, 6);
    text.replace(text.find("ratio = 1.5"), 0, "per_circle = 9\n");
    EXPECT_EQ(read(text).mesh.per_circle, 9);
  }
  expect_near(*c.domain.origin, {-0.15, -0.25, -0.2});
  expect_near(*c.domain.size, {0.3, 0.5, 0.45});
  EXPECT_EQ(c.domain.background, "vacuum");
  EXPECT_EQ(c.materials.back().name, "vacuum");
  ASSERT_NE(boundary_named(c, "tin"), nullptr);
  EXPECT_EQ(boundary_named(c, "tin")->type, Boundary::Type::pec);
  ASSERT_NE(boundary_named(c, "*"), nullptr);
  EXPECT_EQ(boundary_named(c, "*")->type, Boundary::Type::cpml);
}

TEST_F(DomainOfCase, IsFilledByCellsOnGrids) {
  const Case c = read("[solver]\nmethod = fdtd3d\norder = 3\n" + bodies +
                      "[domain]\nmargin = 0.05\nbackground = wax\n[boundary.zmin]\ntype = pec\n[boundary.*]\n"
                      "type = cpml\nthickness = 0.3\n");
  // 0.3 m are 10 cells of 30 mm, 0.5 m 17 and 0.45 m 15; there is no layer below z.
  EXPECT_EQ(c.grid.cells, (std::array<std::int64_t, 3>{24, 31, 22}));
  EXPECT_NEAR(c.grid.spacing.y, 0.5 / 17, 1e-15);
  expect_near(c.grid.origin, {-0.15 - 7 * 0.03, -0.25 - 7 * 0.5 / 17, -0.2});
  EXPECT_EQ(c.grid.background, "wax");
  EXPECT_EQ(c.domain, Domain());
  EXPECT_EQ(c.mesh, Mesh());
}

// A difference reaches as far as its first shape, an intersection as far as both; a wire by its radius.
TEST_F(DomainOfCase, IsAroundWhatShapesMakeTogether) {
  const std::string parts =
      "[time]\nperiods = 2\nfrequency = 1e9\n[material.wax]\neps_r = 2\n[domain]\nmargin = 0.1\n"
      "[shape.a]\ntype = box\nsize = 1 1 1\n[shape.b]\ntype = box\nsize = 1 1 1\ncentre = 0.5 0.5 0.5\n[shape.s]\nmaterial = wax\n";
  const auto ends = [&](const std::string& type) {
    const Case c = read(parts + type);
    EXPECT_FALSE(c.shapes.back().extent);
    return std::pair(*c.domain.origin, *c.domain.origin + *c.domain.size);
  };
  const auto expect = [&](const std::string& type, const Vec3& low, const Vec3& high) {
    const auto [from, to] = ends(type);
    expect_near(from, low - Vec3{0.1, 0.1, 0.1});
    expect_near(to, high + Vec3{0.1, 0.1, 0.1});
  };
  expect("type = union\nshapes = a b\n", {-0.5, -0.5, -0.5}, {1, 1, 1});
  expect("type = difference\nshapes = a b\n", {-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5});
  expect("type = intersection\nshapes = a b\n", {0, 0, 0}, {0.5, 0.5, 0.5});
  expect("type = union\nshapes = a b\n[shape.w]\ntype = wire\nmaterial = wax\nradius = 0.1\npath = -2 0 0, 0 0 0, 0 0 3\n",
         {-2, -0.5, -0.5}, {1, 1, 3});
}

// The text of the resolved case gives the same case, which has neither margins nor, on grids, a domain.
TEST_F(DomainOfCase, IsTheSameInTheResolvedCase) {
  for (const std::string method : {"dgtd", "fdtd3d"}) {
    Case c = read("[solver]\nmethod = " + method + "\n" + bodies + "[domain]\nmargin_wavelengths = 0.5\n");
    write("again.cfg", resolved_text(c));
    Case again = read_case("again.cfg", {}, app::methods());
    EXPECT_EQ(resolved_text(c).substr(resolved_text(c).find('[')),
              resolved_text(again).substr(resolved_text(again).find('[')));
    EXPECT_EQ(resolved_text(c).find("margin"), std::string::npos);
    EXPECT_EQ(resolved_text(c).find("[domain]") == std::string::npos, method == "fdtd3d");
  }
}

// 0.15 m is half a wavelength at 1 GHz. The sphere is about the middle of the bodies' box, 0 0 0.025; the farthest
// points are those of the metal's corners.
TEST_F(DomainOfCase, MayBeASphereOnTetrahedra) {
  const Case c = read(bodies + "[domain]\nshape = sphere\nmargin_wavelengths = 0.5\n");
  const double farthest = 0.125 + norm(Vec3{0.1, 0.2, 0.05}), wave = 299792458.0 / 1e9;
  EXPECT_NEAR(c.domain.size->x, 2 * (farthest + 0.5 * wave), 1e-12);
  expect_near(*c.domain.origin + 0.5 * *c.domain.size, {0, 0, 0.025});
  EXPECT_EQ(message("[solver]\nmethod = fdtd3d\n" + bodies + "[domain]\nshape = sphere\nsize = 1\n"),
            "head.cfg:26: domain.shape = sphere: is of method dgtd; fdtd3d has box");
}

TEST_F(DomainOfCase, MistakesHaveOneLine) {
  EXPECT_EQ(message(bodies + "[domain]\n"), "head.cfg: domain.size is required (1 or 3 numbers > 0, m; or domain.margin, m, or "
                             "domain.margin_wavelengths around all shapes)");
  EXPECT_EQ(message(bodies + "[domain]\nmargin = 1\nsize = 1\n"), "head.cfg:24: domain.margin = 1: only one of margin and size may be given, and domain.size is at head.cfg:25");
  EXPECT_EQ(message(bodies + "[domain]\nsize = 1 2 3\nshape = sphere\n"),
            "head.cfg:24: domain.size = 1 2 3: must be one number, the diameter, where shape = sphere");
  EXPECT_EQ(message(bodies + "[domain]\nsize = 1\nbackground = tin\n"),
            "head.cfg:25: domain.background = tin: material.tin is a perfect conductor; the background must be another");
  for (const std::string key : {"cells = 3 3 3", "origin = 0 0 0", "background = wax"})
    EXPECT_EQ(message("[solver]\nmethod = fdtd3d\n" + bodies + key + "\n[domain]\nsize = 1\n"),
              "head.cfg:25: grid." + key + ": goes with no [domain], which has size, origin and background");
  EXPECT_EQ(message(bodies + "[domain]\nmargin = 1\n[shape.s]\ntype = stl\nmaterial = wax\nfile = a.stl\n"),
            "head.cfg:25: shape.s: its extent is known only when its file is read: domain.size is required in place of "
            "a margin");
  EXPECT_EQ(message(minimal + "[domain]\nsize = 1\n"),
            "head.cfg: section [domain]: belongs to mesh.generator = shapes");
  EXPECT_EQ(message(bodies + "[domain]\nsize = 1\n", {"mesh.generator=shapes", "mesh.file=a.msh"}),
            "--set mesh.file=a.msh: belongs to a mesh from a file; that of shapes is kept in the user's cache");
}

}  // namespace
}  // namespace dgtd::config
