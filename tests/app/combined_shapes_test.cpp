// Unions, differences, intersections and wires on both methods, as a user gives them.
#include <gtest/gtest.h>

#include <fstream>

#include "app/program.hpp"

namespace {

constexpr const char* text = R"([time]
steps = 30
[material.wax]
eps_r = 3
[material.tin]
conductor = perfect
[source.d]
type = dipole
position = 0.075 0 0
direction = 0 0 1
waveform = modulated-gaussian
frequency = 2e9
bandwidth = 1e9
[boundary.*]
type = pec
[domain]
size = 0.2
[solver]
order = 1
[output]
fields = none
report_pictures = off
)";

class CombinedShapes : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = work("combined_shapes");
    std::ofstream(directory_ / "case.cfg") << text;
  }
  Outcome run(const std::string& method, const std::string& shapes) const {
    std::ofstream(directory_ / "case.cfg") << text << shapes;
    return shell("XDG_CACHE_HOME=" + directory_.string() + " " + dgtd_program() + " " +
                 (directory_ / "case.cfg").string() + " --set solver.method=" + method +
                 (method == "dgtd" ? " --set mesh.per_wavelength=6" : " --set grid.spacing=0.01") +
                 " --set output.directory=" + (directory_ / "out").string());
  }
  std::string fields(const std::string& method, const std::string& shapes) const {
    const auto outcome = run(method, shapes);
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    return summary(directory_ / "out")["fields_hash"].dump();
  }

  fs::path directory_;
};

std::string box(const std::string& name, const std::string& size, const std::string& centre, const std::string& more = "") {
  return "[shape." + name + "]\ntype = box\nsize = " + size + "\ncentre = " + centre + "\n" + more;
}

// On a grid a box of two boxes, one that is cut from a larger one, and one that two have in common, have its fields to the
// bit; among tetrahedra the fields differ with the mesh, and the operands of none are bodies.
TEST_F(CombinedShapes, AreTheBodiesThatTheyMake) {
  const std::string wax = "material = wax\n", whole = box("s", "0.08 0.04 0.04", "0 0 0", wax),
                    left = box("a", "0.04 0.04 0.04", "-0.02 0 0"), right = box("b", "0.06 0.04 0.04", "0.01 0 0"),
                    large = box("a", "0.12 0.04 0.04", "0.02 0 0"), rest = box("b", "0.06 0.06 0.06", "0.07 0 0"),
                    high = box("b", "0.08 0.16 0.04", "0 0 0");
  const auto made = [&](const std::string& type) { return "[shape.s]\ntype = " + type + "\nshapes = a b\n" + wax; };
  const std::string on_grid = fields("fdtd3d", whole);
  EXPECT_EQ(fields("fdtd3d", left + right + made("union")), on_grid);
  EXPECT_EQ(fields("fdtd3d", large + rest + made("difference")), on_grid);
  EXPECT_EQ(fields("fdtd3d", large + high + made("intersection")), on_grid);
  EXPECT_NE(fields("fdtd3d", left + right + made("intersection")), on_grid);
  for (const char* const type : {"union", "difference", "intersection"}) {
    const auto outcome = run("dgtd", large + rest + made(type) + box("c", "0.02 0.02 0.02", "-0.07 0.07 0", wax));
    EXPECT_EQ(outcome.code, 0) << outcome.output;
  }
}

// As a whole, by a quarter about a point: the boxes that it is then made of, with the places that they have then. Twice by a
// half of that is the same but for rounding.
TEST_F(CombinedShapes, TurnAsAWhole) {
  const std::string wax = "material = wax\n", of = "type = difference\nshapes = a b\n",
                    large = box("a", "0.08 0.04 0.03", "0.02 0.01 0"), rest = box("b", "0.06 0.02 0.06", "0.05 0 0"),
                    turned = box("a", "0.04 0.08 0.03", "0 0.01 0") + box("b", "0.02 0.06 0.06", "0.01 0.04 0");
  for (const char* const method : {"fdtd3d", "dgtd"}) {
    const std::string expected = fields(method, turned + "[shape.s]\n" + of + wax);
    EXPECT_EQ(fields(method, large + rest + "[shape.s]\n" + of + wax + "rotation = 0 0 1 90 deg\ncentre = 0.01 0 0\n"), expected)
        << method;
    EXPECT_NE(fields(method, large + rest + "[shape.s]\n" + of + wax), expected) << method;
  }
  const std::string wire = "[shape.w]\ntype = wire\nmaterial = tin\nradius = 0.002\npath = ",
                    inner = "[shape.i]\n" + of, outer = "[shape.c]\ntype = sphere\nradius = 0.01\ncentre = 0 0.05 0\n"
                                                         "[shape.s]\ntype = union\nshapes = i c\nrotation = 1 1 0 45 deg\n";
  EXPECT_EQ(fields("fdtd3d", wire + "0 -0.05 0, 0 0.02 0, -0.04 0.02 0\n"),
            fields("fdtd3d", wire + "-0.05 0 0, 0.02 0 0, 0.02 0.04 0\nrotation = 0 0 1 90 deg\n"));
  const auto nested = run("dgtd", large + rest + inner + "rotation = 0 0 1 45 deg\n" + outer + wax);
  EXPECT_EQ(nested.code, 0) << nested.output;
  expect_bad_input(run("fdtd3d", large + rest + inner + wax + "[shape.s]\ntype = intersection\nshapes = a b\nrotation = 0 0 1 45 deg\n" + wax),
                   "shape.s.rotation: shape.a is a part of other shapes too, which do not turn\n");
  expect_bad_input(run("dgtd", large + rest + "[shape.s]\n" + of + wax + "centre = 0.01 0 0\n"),
                   "shape.s.centre = 0.01 0 0: belongs to all types without a file (wires and "
                   "combinations only with a rotation)\n");
}

// A wire of two pieces at right angles: on a grid the edges on its axis.
TEST_F(CombinedShapes, WiresAreBent) {
  const std::string wire = "[shape.w]\ntype = wire\nmaterial = tin\nradius = 0.002\npath = -0.05 0 0, 0.02 0 0, 0.02 0.04 0\n";
  const auto piece = [](const std::string& name, const std::string& centre, const std::string& axis, const std::string& height) {
    return "[shape." + name + "]\ntype = cylinder\nmaterial = tin\nradius = 0.002\ncentre = " + centre + "\naxis = " + axis +
           "\nheight = " + height + "\n";
  };
  EXPECT_EQ(fields("fdtd3d", wire),
            fields("fdtd3d", piece("p", "-0.015 0 0", "1 0 0", "0.07") + piece("q", "0.02 0.02 0", "0 1 0", "0.04")));
  const auto outcome = run("dgtd", wire);
  EXPECT_EQ(outcome.code, 0) << outcome.output;
}

TEST_F(CombinedShapes, MistakesAreOneLine) {
  const std::string apart = box("a", "0.02 0.02 0.02", "0 0 0") + box("b", "0.02 0.02 0.02", "0.05 0 0") +
                            "[shape.s]\ntype = intersection\nshapes = a b\nmaterial = wax\n",
                    inside = box("a", "0.02 0.02 0.02", "0 0 0") + box("b", "0.04 0.04 0.04", "0 0 0") +
                             "[shape.s]\ntype = difference\nshapes = a b\nmaterial = wax\n";
  for (const char* const method : {"fdtd3d", "dgtd"})
    expect_bad_input(run(method, apart), "shape.s: nothing is in all of its shapes\n");
  expect_bad_input(run("dgtd", inside), "body s: nothing is left of it\n");
  expect_bad_input(run("fdtd3d", inside), "shape.s: has no effect: no field component is in it");
}

}  // namespace
