// Rotations of shapes: what other keys can say is said by them.
#include <fmt/format.h>

#include "config/case_fixture.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/config/shape_extent.hpp"

namespace dgtd::config {
namespace {

class RotationOfShapes : public CaseFile {
 protected:
  Shape shape(const std::string& lines) {
    return read("[solver]\nmethod = fdtd3d\n[grid]\ncells = 21 22 23\nspacing = 0.001\n[time]\nsteps = 3\n"
                "[material.glass]\n[shape.s]\nmaterial = glass\n" + lines).shapes.at(0);
  }
  static void expect_near(const Vec3& a, const Vec3& b) { EXPECT_LT(norm(a - b), 1e-15); }
};

TEST_F(RotationOfShapes, QuarterTurnsSwapTheAxes) {
  const Shape box = shape("type = box\nsize = 1 2 3\nrotation = 0 0 1 90 deg\n");
  EXPECT_FALSE(box.rotation);
  EXPECT_EQ(box.size, (Vec3{2, 1, 3}));
  EXPECT_EQ(shape("type = box\nsize = 1 2 3\nrotation = 5 0 0 -90 deg\n").size, (Vec3{1, 3, 2}));
  EXPECT_EQ(shape("type = box\nsize = 1 2 3\nrotation = 1 1 1 120 deg\n").size, (Vec3{3, 1, 2}));
  EXPECT_EQ(shape("type = ellipsoid\nradii = 1 2 3\nrotation = 0 1 0 270 deg\n").radii, (Vec3{3, 2, 1}));
  const Shape prism = shape("type = prism\nheight = 1\npoints = 0 0, 4 0, 0 3\nrotation = 1 0 0 90 deg\n");
  EXPECT_FALSE(prism.rotation);
  EXPECT_EQ(prism.axis, (Vec3{0, -1, 0}));  // z has gone to -y, x stayed, y is z: z and x of the corners
  EXPECT_EQ(prism.points, (std::vector<std::array<double, 2>>{{0, 0}, {0, 4}, {3, 0}}));
}

TEST_F(RotationOfShapes, ShapesWithAnAxisAreGivenItsDirection) {
  for (const std::string type : {"cylinder\nheight = 1", "cone\nheight = 1", "torus\ntube_radius = 0.1"}) {
    const Shape s = shape("type = " + type + "\nradius = 0.2\naxis = 0 0 2\nrotation = 0 1 0 30 deg\n");
    EXPECT_FALSE(s.rotation) << type;
    expect_near(s.axis, {0.5, 0, std::sqrt(0.75)});
  }
  const Shape prism = shape("type = prism\nheight = 1\npoints = 0 0, 4 0, 0 3\nrotation = 0 0 -1 -30 deg\n");
  EXPECT_FALSE(prism.rotation);
  EXPECT_NEAR(prism.points[1][0], 4 * std::sqrt(0.75), 1e-15);
  EXPECT_NEAR(prism.points[1][1], 2, 1e-15);
}

TEST_F(RotationOfShapes, OthersKeepTheirs) {
  const Shape box = shape("type = box\nsize = 1 2 3\nrotation = 0 0 2 30 deg\n");
  ASSERT_TRUE(box.rotation);
  EXPECT_EQ(box.rotation->axis, (Vec3{0, 0, 1}));
  EXPECT_NEAR(box.rotation->angle, pi / 6, 1e-15);
  const double c = std::sqrt(0.75), s = 0.5;
  expect_near(reach_of(box).high, {0.5 * (c + 2 * s), 0.5 * (s + 2 * c), 1.5});
  for (const FaceLine& line : lines_of(box, 0, false, 0)) EXPECT_FALSE(line.flat);
  EXPECT_EQ(round_cell(box, 0), 0.5);
  const Shape egg = shape("type = ellipsoid\nradii = 1 2 3\nrotation = 0 0 1 30 deg\n");
  EXPECT_NEAR(reach_of(egg).high.x, std::sqrt(c * c + 4 * s * s), 1e-15);
  const Shape prism = shape("type = prism\nheight = 2\npoints = 0 0, 4 0, 0 3\nrotation = 0 1 0 30 deg\n");
  ASSERT_TRUE(prism.rotation);
  EXPECT_NEAR(reach_of(prism).high.x, 4 * c + s, 1e-15);
  EXPECT_NEAR(reach_of(prism).low.z, 4 * s + c, 1e-15);
  EXPECT_NEAR(reach_of(prism).any, std::hypot(4, 1), 1e-15);
}

// The angle may be an expression of parameters, and the axis has no unit.
TEST_F(RotationOfShapes, AnglesMayBeParameters) {
  const Case c = read("[parameters]\ntilt = 20 deg\n[solver]\nmethod = fdtd3d\n[grid]\ncells = 21 22 23\nspacing = 0.001\n"
                      "[time]\nsteps = 3\n[material.glass]\n[shape.s]\nmaterial = glass\ntype = box\nsize = 1 2 3\n"
                      "rotation = 1 1 0 2*tilt\n");
  ASSERT_TRUE(c.shapes[0].rotation);
  EXPECT_NEAR(c.shapes[0].rotation->angle, 40 * pi / 180, 1e-15);
  EXPECT_NEAR(norm(c.shapes[0].rotation->axis), 1, 1e-15);
}

TEST_F(RotationOfShapes, RoundShapesReachAsFarAsTheyDo) {
  const Shape cone = shape("type = cone\nradius = 3\nheight = 4\naxis = 0 0 -1\ncentre = 0 0 1\n");
  EXPECT_EQ(reach_of(cone).low, (Vec3{3, 3, 2}));
  EXPECT_EQ(reach_of(cone).high, (Vec3{3, 3, 2}));
  const auto lines = lines_of(cone, 2, false, 0);  // the tip is below, and no plane
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_FALSE(lines[0].flat);
  EXPECT_TRUE(lines[1].flat);
  const Shape torus = shape("type = torus\nradius = 3\ntube_radius = 1\naxis = 0 1 0\n");
  EXPECT_EQ(reach_of(torus).high, (Vec3{4, 1, 4}));
  EXPECT_EQ(shape("type = cone\nradius = 3\ntop_radius = 3\nheight = 4\n").type, Shape::Type::cylinder);
}

// In the plane alone.
TEST_F(RotationOfShapes, TurnAboutZInTwoDimensions) {
  const std::string plane =
      "[solver]\nmethod = fdtd2d\n[grid]\ncells = 21 22\nspacing = 0.001\n[time]\nsteps = 3\n[material.glass]\n[shape.s]\n"
      "material = glass\ntype = box\nsize = 0.01 0.002\nrotation = ";
  EXPECT_TRUE(read(plane + "0 0 1 30 deg\n").shapes[0].rotation);
  EXPECT_EQ(message(plane + "1 0 0 30 deg\n"),
            "head.cfg:13: shape.s.rotation = 1 0 0 30 deg: must be about z, 0 0 1 ANGLE, where method = fdtd2d");
}

}  // namespace
}  // namespace dgtd::config
