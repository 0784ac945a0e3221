// Layers outside of a mesh's surfaces: they fill what they should, fit together, and are refused elsewhere.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "ball_as_global_mesh.hpp"
#include "dgtd/mesh/tetrahedron.hpp"
#include "mesh/generate/add_layers.hpp"
#include "mesh/compact/face_adjacency.hpp"
#include "small_meshes.hpp"

namespace dgtd::mesh {
namespace {

using testing::ball_as_global_mesh, testing::box_as_global_mesh;

const std::array<std::int64_t, 3> cells{3, 4, 5};
const Vec3 size{1, 0.8, 1.5};

GlobalMesh box() { return box_as_global_mesh(cells, size); }

/// The box with all sides in one surface group.
GlobalMesh box_in_one_group() {
  GlobalMesh mesh = box();
  mesh.surface_names = {"outer"};
  std::fill(mesh.triangle_group.begin(), mesh.triangle_group.end(), std::uint16_t{0});
  return mesh;
}

double volume(const GlobalMesh& mesh, const std::string& group) {
  double sum = 0;
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e)
    if (mesh.volume_names.at(mesh.tetrahedron_group[e]) == group)
      sum += Tetrahedron::at(mesh.vertices, mesh.tetrahedra[e]).volume();
  return sum;
}

std::map<std::string, double> areas(const GlobalMesh& mesh) {
  std::map<std::string, double> sums;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto [a, b, c] = mesh.triangles[t];
    const Vec3 &p = mesh.vertices[a], &q = mesh.vertices[b], &r = mesh.vertices[c];
    sums[mesh.surface_names[mesh.triangle_group[t]]] += 0.5 * norm(cross(q - p, r - p));
  }
  return sums;
}

void expect_kept(const GlobalMesh& mesh, const GlobalMesh& before) {
  EXPECT_TRUE(std::equal(before.vertices.begin(), before.vertices.end(), mesh.vertices.begin()));
  EXPECT_TRUE(std::equal(before.tetrahedra.begin(), before.tetrahedra.end(), mesh.tetrahedra.begin()));
  EXPECT_TRUE(
      std::equal(before.tetrahedron_group.begin(), before.tetrahedron_group.end(), mesh.tetrahedron_group.begin()));
}

std::string complaint(const GlobalMesh& mesh, const std::vector<AddedLayers>& layers) {
  return testing::message_of([&] { add_layers(mesh, layers); });
}

TEST(AddLayers, FillALargerBoxWithItsEdgesAndCorners) {
  const GlobalMesh before = box_in_one_group();
  const GlobalMesh mesh = add_layers(before, {{"outer", 2, 0.3}});
  EXPECT_NO_THROW(check(mesh));
  expect_kept(mesh, before);
  // The strata cover the squares and all edges and corners: those of a larger box.
  EXPECT_EQ(mesh.tetrahedra.size(), 6u * 7 * 8 * 9);
  EXPECT_EQ(mesh.vertices.size(), 8u * 9 * 10);
  EXPECT_EQ(mesh.volume_names, (std::vector<std::string>{"box", "box (layer)"}));
  const double inside = 1 * 0.8 * 1.5, all = 1.6 * 1.4 * 2.1;
  EXPECT_NEAR(volume(mesh, "box"), inside, 1e-12);
  EXPECT_NEAR(volume(mesh, "box (layer)"), all - inside, 1e-12);
  EXPECT_NEAR(areas(mesh).at("outer"), 2 * (1.6 * 1.4 + 1.6 * 2.1 + 1.4 * 2.1), 1e-12);
  for (const auto& corners : mesh.tetrahedra)
    EXPECT_GT(Tetrahedron::at(mesh.vertices, corners).volume(), 0.9 * 0.15 * 0.15 * 0.15 / 6);
}

TEST(AddLayers, OfSidesDifferAndEndAtTheOthers) {
  const GlobalMesh before = box();
  const GlobalMesh mesh = add_layers(before, {{"xmin", 8, 0.4}, {"xmax", 3, 0.2}, {"ymax", 4, 0.5}});
  EXPECT_NO_THROW(check(mesh));
  expect_kept(mesh, before);
  EXPECT_EQ(mesh.tetrahedra.size(), 6u * (3 + 11) * (4 + 4) * 5);
  EXPECT_NEAR(volume(mesh, "box") + volume(mesh, "box (layer)"), 1.6 * 1.3 * 1.5, 1e-12);
  const auto area = areas(mesh);
  for (const auto& [name, expected] : std::map<std::string, double>{{"xmin", 1.3 * 1.5},
                                                                    {"xmax", 1.3 * 1.5},
                                                                    {"ymin", 1.6 * 1.5},
                                                                    {"ymax", 1.6 * 1.5},
                                                                    {"zmin", 1.6 * 1.3},
                                                                    {"zmax", 1.6 * 1.3}})
    EXPECT_NEAR(area.at(name), expected, 1e-12) << name;
  // Each group's triangles are where its name says.
  const auto reach = [&](const std::string& name, int axis) {
    double low = 1e9, high = -1e9;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      if (mesh.surface_names[mesh.triangle_group[t]] == name)
        for (const auto v : mesh.triangles[t]) {
          low = std::min(low, mesh.vertices[v][axis]);
          high = std::max(high, mesh.vertices[v][axis]);
        }
    return std::pair{low, high};
  };
  EXPECT_EQ(reach("xmin", 0), (std::pair{-0.4, -0.4}));
  EXPECT_EQ(reach("xmax", 0), (std::pair{1.2, 1.2}));
  EXPECT_EQ(reach("ymin", 1), (std::pair{0.0, 0.0}));
  EXPECT_EQ(reach("ymax", 1), (std::pair{1.3, 1.3}));
  EXPECT_EQ(reach("zmin", 2), (std::pair{0.0, 0.0}));
}

TEST(AddLayers, TakeTheGroupOfTheElementBehind) {
  GlobalMesh before = box();
  before.volume_names = {"air", "ground"};
  for (std::size_t e = 0; e < before.tetrahedra.size(); ++e) {
    const auto centre = Tetrahedron::at(before.vertices, before.tetrahedra[e]).centroid();
    before.tetrahedron_group[e] = centre.z < 0.6;  // a plane between cells
  }
  const GlobalMesh mesh = add_layers(before, {{"zmin", 1, 0.1}, {"xmax", 2, 0.3}});
  EXPECT_NO_THROW(check(mesh));
  EXPECT_EQ(std::set(mesh.volume_names.begin(), mesh.volume_names.end()),
            (std::set<std::string>{"air", "ground", "air (layer)", "ground (layer)"}));
  EXPECT_NEAR(volume(mesh, "air (layer)"), 0.3 * 0.8 * 0.9, 1e-12);
  EXPECT_NEAR(volume(mesh, "ground (layer)"), 0.3 * 0.8 * 0.6 + 1.3 * 0.8 * 0.1, 1e-12);
}

TEST(AddLayers, OfThicknessZeroHaveTheMeanEdge) {
  // Sides of x have rectangles of 0.2 x 0.3, cut by a diagonal: 4 x 6 edges along y, 5 x 5 along z, 4 x 5 diagonals.
  const double mean = (24 * 0.2 + 25 * 0.3 + 20 * std::hypot(0.2, 0.3)) / 69;
  const GlobalMesh mesh = add_layers(box(), {{"xmin", 2, 0}, {"xmax", 2, 0}});
  EXPECT_NEAR(volume(mesh, "box (layer)"), 4 * mean * 0.8 * 1.5, 1e-12);
}

// Sides of x have a mean edge of 0.28 m.
TEST(AddLayers, HaveAsManyStrataAsTheMeanEdgeOrTheStratumGives) {
  const auto strata = [](const AddedLayers& layers) {
    const GlobalMesh before = box(), mesh = add_layers(before, {layers});
    EXPECT_NEAR(volume(mesh, "box (layer)"), layers.thickness * 0.8 * 1.5, 1e-12);
    return (mesh.tetrahedra.size() - before.tetrahedra.size()) / (3 * 2 * 4 * 5);
  };
  EXPECT_EQ(strata({"xmin", 1, 0.6, 0.01}), 3);  // the edge is larger
  EXPECT_EQ(strata({"xmin", 1, 0.6, 0.3}), 2);   // and no third one by rounding
  EXPECT_EQ(strata({"xmin", 4, 0.6, 0.3}), 4);
  // Sides of one surface group have the same number, though their edges differ.
  const GlobalMesh before = box_in_one_group(), mesh = add_layers(before, {{"outer", 1, 1.2, 0.01}});
  const std::size_t all = (3 + 8) * (4 + 8) * (5 + 8) * 6;  // four strata on each side: the mean is 0.316 m
  EXPECT_EQ(mesh.tetrahedra.size(), all);
}

TEST(AddLayers, OfATriangleThatIsListedTwiceAreMadeOnce) {
  GlobalMesh before = box();
  before.triangles.push_back(before.triangles.front());
  before.triangle_group.push_back(before.triangle_group.front());
  const std::string surface = before.surface_names[before.triangle_group.front()];
  const GlobalMesh mesh = add_layers(before, {{surface, 1, 0.1}});
  EXPECT_NO_THROW(check(mesh));
}

TEST(AddLayers, OutsideOfASphereAreShells) {
  const Vec3 centre{0.3, -0.2, 0.1};
  const GlobalMesh before = ball_as_global_mesh(4, 2, centre);
  const GlobalMesh mesh = add_layers(before, {{"absorbing", 3, 0.6}});
  EXPECT_NO_THROW(check(mesh));
  expect_kept(mesh, before);
  EXPECT_EQ(mesh.tetrahedra.size(), before.tetrahedra.size() + 3 * 3 * 6 * 2 * 64);
  EXPECT_EQ(mesh.triangles.size(), before.triangles.size());
  for (const auto& triangle : mesh.triangles)
    for (const auto v : triangle) EXPECT_NEAR(norm(mesh.vertices[v] - centre), 2.6, 1e-12);
  // Elements between two polyhedra that are similar: the volumes are as the cubes of the radii.
  const double ball = volume(before, "air");
  EXPECT_NEAR(volume(mesh, "air (layer)"), ball * (std::pow(2.6 / 2, 3) - 1), 1e-12 * ball);
  for (std::size_t e = before.tetrahedra.size(); e < mesh.tetrahedra.size(); ++e)
    EXPECT_GT(Tetrahedron::at(mesh.vertices, mesh.tetrahedra[e]).volume(), 0.001);
}

TEST(AddLayers, OutsideOfAHalfSphereEndAtTheSymmetryPlane) {
  const GlobalMesh before = ball_as_global_mesh(4, 1, {0, 0, 0}, true);
  const GlobalMesh mesh = add_layers(before, {{"absorbing", 2, 0.5}});
  EXPECT_NO_THROW(check(mesh));
  EXPECT_NEAR(areas(mesh).at("symmetry"), 1.5 * 1.5 * areas(before).at("symmetry"), 1e-12);
  EXPECT_NEAR(areas(mesh).at("absorbing"), 1.5 * 1.5 * areas(before).at("absorbing"), 1e-12);
}

TEST(AddLayers, AreRefusedInAPartOfASide) {
  GlobalMesh mesh = box();
  mesh.surface_names.push_back("port");
  const auto first = std::find(mesh.triangle_group.begin(), mesh.triangle_group.end(), 1);
  *first = 6;
  const auto [a, b, c] = ascending(mesh.triangles[first - mesh.triangle_group.begin()]);
  const Vec3 middle = (mesh.vertices[a] + mesh.vertices[b] + mesh.vertices[c]) / 3;
  const std::string face =
      fmt::format("face (vertices {} {} {}, centre {:.6g} {:.6g} {:.6g})", a, b, c, middle.x, middle.y, middle.z);
  EXPECT_EQ(complaint(mesh, {{"xmax", 2, 0.1}}),
            "box.msh: side xmax of the mesh is in surface group \"xmax\", which has layers, and " + face +
                " of it in \"port\", which has none; a whole side has the same layers");
  EXPECT_NE(complaint(mesh, {{"xmax", 2, 0.1}, {"port", 2, 0.2}}).find("which has others; a whole side"),
            std::string::npos);
  EXPECT_NO_THROW(check(add_layers(mesh, {{"xmax", 2, 0.1}, {"port", 2, 0.1}})));
}

TEST(AddLayers, AreRefusedOutsideOfOtherSurfaces) {
  GlobalMesh mesh = box();
  for (Vec3& p : mesh.vertices) p.x += 0.1 * p.y;  // slanted
  const std::string message = complaint(mesh, {{"xmax", 2, 0.1}});
  EXPECT_EQ(message.substr(0, message.find(" face")), "box.msh: surface group \"xmax\", which has layers:");
  EXPECT_EQ(message.substr(message.find(") is") + 2),
            "is on no side of the mesh's bounding box, and the surfaces with layers are not one sphere; layers can be "
            "added outside of whole sides of a box along the axes, or of a sphere");
  mesh = ball_as_global_mesh(3, 1, {0, 0, 0});
  mesh.vertices[mesh.triangles[0][0]] *= 1 + 1e-5;
  EXPECT_NE(complaint(mesh, {{"absorbing", 2, 0.1}}).find("not one sphere"), std::string::npos);
  mesh.vertices[mesh.triangles[0][0]] *= 1 / (1 + 1e-5);
  EXPECT_NO_THROW(add_layers(mesh, {{"absorbing", 2, 0.1}}));
}

TEST(AddLayers, AreRefusedInsideOfACavity) {
  // Shell between two spheres, with layers in the inner one.
  GlobalMesh mesh = ball_as_global_mesh(4, 1, {0, 0, 0});
  const auto inside = [&](const auto& corners) {
    return std::all_of(corners.begin(), corners.end(), [&](auto v) { return norm(mesh.vertices[v]) < 0.51; });
  };
  std::vector<std::array<std::int64_t, 4>> shell;
  std::map<std::array<std::int64_t, 3>, int> faces;  // of the elements that are left out
  for (const auto& corners : mesh.tetrahedra) {
    if (!inside(corners)) {
      shell.push_back(corners);
      continue;
    }
    for (std::size_t f = 0; f < 4; ++f) {
      std::array<std::int64_t, 3> face{corners[(f + 1) % 4], corners[(f + 2) % 4], corners[(f + 3) % 4]};
      std::sort(face.begin(), face.end());
      ++faces[face];
    }
  }
  for (const auto& [face, count] : faces)
    if (count == 1) {
      mesh.triangles.push_back(face);
      mesh.triangle_group.push_back(1);
    }
  mesh.tetrahedra = shell;
  mesh.tetrahedron_group.assign(shell.size(), 0);
  ASSERT_NO_THROW(check(mesh));
  const std::string message = complaint(mesh, {{"symmetry", 2, 0.1}});
  EXPECT_NE(message.find("of radius 0.5 m, and element "), std::string::npos) << message;
  EXPECT_NE(message.find("is outside of it; a sphere with layers has the whole mesh inside"), std::string::npos);
}

TEST(AddLayers, AreRefusedWithDifferentPartsOfASphere) {
  GlobalMesh mesh = ball_as_global_mesh(2, 1, {0, 0, 0});
  mesh.triangle_group.back() = 1;
  EXPECT_NE(complaint(mesh, {{"absorbing", 2, 0.1}, {"symmetry", 3, 0.1}})
                .find("ball.msh: surface groups \"absorbing\" and \"symmetry\" are parts of one sphere and have "
                      "different layers at face (vertices "),
            std::string::npos);
}

TEST(AddLayers, AreRefusedWhereTheyAreNotMeant) {
  EXPECT_EQ(complaint(box(), {{"top", 2, 0.1}}),
            "box.msh: no triangle is in surface group \"top\", which has layers; groups are \"xmin\", \"xmax\", "
            "\"ymin\", \"ymax\", \"zmin\", \"zmax\"");
  EXPECT_EQ(complaint(box(), {{"xmax", -1, 0.1}}), "box.msh: -1 strata outside of surface \"xmax\"; at least 0");
  EXPECT_EQ(complaint(box(), {{"xmax", 1, -0.1}}),
            "box.msh: layers -0.1 m thick outside of surface \"xmax\"; a positive number, or 0 for the mean edge per "
            "stratum");
  EXPECT_EQ(complaint(box(), {{"xmax", 1, 0.1}, {"xmax", 1, 0.1}}),
            "box.msh: surface \"xmax\" has layers twice; once at most");
  GlobalMesh mesh = box();
  mesh.volume_names = {"air (layer)"};
  EXPECT_EQ(complaint(mesh, {{"xmax", 1, 0.1}}),
            "box.msh: volume group \"air (layer)\": names that end in \" (layer)\" are those of added layers; name it "
            "otherwise");
}

// The message is that of the mesh without layers.
TEST(AddLayers, SayWhatIsWrongWithTheBoundary) {
  GlobalMesh mesh = box();  // without ymin, where strata outside of xmax end
  std::vector<std::array<std::int64_t, 3>> triangles;
  std::vector<std::uint16_t> groups;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    if (mesh.triangle_group[t] != 2) {
      triangles.push_back(mesh.triangles[t]);
      groups.push_back(mesh.triangle_group[t]);
    }
  mesh.triangles = triangles;
  mesh.triangle_group = groups;
  EXPECT_NE(complaint(mesh, {{"xmax", 1, 0.1}}).find("is in no surface group; name it in Gmsh"), std::string::npos);
  mesh = box();
  mesh.triangles.push_back({0, 3, 100});  // three corners of ymin
  mesh.triangle_group.push_back(2);
  ASSERT_NE(testing::message_of([&] { check(mesh); }).find("is not a face of any tetrahedron"), std::string::npos);
  EXPECT_NE(complaint(mesh, {{"ymin", 1, 0.1}}).find("is not a face of any tetrahedron"), std::string::npos);
}

TEST(AddLayers, NamesOfGroups) {
  EXPECT_TRUE(is_layer_name("air (layer)"));
  EXPECT_FALSE(is_layer_name("air"));
  EXPECT_FALSE(is_layer_name("(layer)"));
  EXPECT_EQ(without_layer_suffix("air (layer)"), "air");
  EXPECT_EQ(without_layer_suffix("air"), "air");
}

}  // namespace
}  // namespace dgtd::mesh
