// Rotations, and distances of cones and tori.
#include "dgtd/geometry/turn.hpp"

#include <gtest/gtest.h>

#include "dgtd/base/constants.hpp"
#include "dgtd/geometry/revolution.hpp"
#include "dgtd/geometry/turn_after.hpp"

namespace dgtd::geometry {
namespace {

constexpr double deg = pi / 180;

TEST(Turn, FollowsTheRightHand) {
  EXPECT_EQ(Rotation({{0, 0, 1}, 90 * deg})({1, 0, 0}), (Vec3{0, 1, 0}));
  EXPECT_EQ(Rotation({{1, 0, 0}, 90 * deg})({0, 1, 0}), (Vec3{0, 0, 1}));
  EXPECT_EQ(Rotation({{0, 1, 0}, -270 * deg})({0, 0, 3}), (Vec3{3, 0, 0}));
  const Vec3 turned = Rotation({{0, 0, 1}, 30 * deg})({2, 0, 7});
  EXPECT_NEAR(turned.x, std::sqrt(3.0), 1e-15);
  EXPECT_NEAR(turned.y, 1, 1e-15);
  EXPECT_EQ(turned.z, 7);
}

TEST(Turn, QuarterTurnsAreExact) {
  for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, -1, 0}, Vec3{0, 0, 1}})
    for (const double angle : {-360.0, -90.0, 90.0, 180.0, 270.0}) {
      EXPECT_TRUE(Rotation({axis, angle * deg}).permutes_axes());
      EXPECT_EQ(Rotation({axis, angle * deg}).is_nothing(), angle == -360);
    }
  EXPECT_TRUE(Rotation({Vec3{1, 1, 1} / std::sqrt(3.0), 120 * deg}).permutes_axes());
  EXPECT_FALSE(Rotation({{0, 0, 1}, 89.999 * deg}).permutes_axes());
}

TEST(Turn, IsUndone) {
  const Rotation r({Vec3{1, -2, 2} / 3, 1.1});
  const Vec3 v{0.3, 5, -2};
  EXPECT_NEAR(norm(r.back(r(v)) - v), 0, 1e-14);
  EXPECT_NEAR(norm(r(v)), norm(v), 1e-14);
  EXPECT_NEAR(norm(r(Vec3{1, -2, 2}) - Vec3{1, -2, 2}), 0, 1e-14);
  for (const Vec3& to : {Vec3{0, 0, 1}, Vec3{0, 0, -1}, Vec3{1, 0, 0}, Vec3{0.6, 0, -0.8}})
    EXPECT_NEAR(norm(Rotation::of_z_to(to)({0, 0, 1}) - to), 0, 1e-15);
}

// Also where both make a half turn, whose matrix is symmetric.
TEST(Turn, FollowsAnotherOne) {
  const Turn first{Vec3{1, -2, 2} / 3, 1.1}, second{{0, 1, 0}, 2.0};
  const Vec3 v{1, 2, 3};
  EXPECT_NEAR(norm(Rotation(turn_after(first, second))(v) - Rotation(second)(Rotation(first)(v))), 0, 1e-14);
  for (const Vec3& axis : {Vec3{0, 0, 1}, Vec3{0, -1, 0}, Vec3{1, -2, 2} / 3})
    for (const double angle : {1e-6, 0.5, 90 * deg, 2.5, 180 * deg - 1e-7, 180 * deg}) {
      const Turn found = turn_after({axis, 0.25 * angle}, {axis, 0.75 * angle});
      EXPECT_NEAR(found.angle, angle, 1e-14);
      EXPECT_NEAR(std::abs(dot(found.axis, axis)), 1, 1e-14) << angle;
      EXPECT_NEAR(norm(Rotation(found)(v) - Rotation({axis, angle})(v)), 0, 1e-13) << angle;
    }
  EXPECT_EQ(turn_after({{0, 0, 1}, 90 * deg}, {{0, 0, 1}, -90 * deg}), Turn{});
  EXPECT_EQ(turn_after({{0, 0, 1}, 30 * deg}, {{0, 0, 1}, 100 * deg}).axis, (Vec3{0, 0, 1}));
}

TEST(Revolution, DistancesAreThoseOfTheProfile) {
  const Cone cone{3, 0, 4};  // its mantle leans by 3 over 4
  EXPECT_NEAR(cone.surface(-2.5, 1).distance, 0.5, 1e-15);
  EXPECT_NEAR(cone.surface(0, 1.5).distance, 0, 1e-15);
  EXPECT_NEAR(cone.surface(0, 4).distance, 2.5 * 0.8, 1e-15);
  EXPECT_NEAR(cone.surface(0, 4).along, 0.6, 1e-15);
  EXPECT_NEAR(cone.surface(0, 4).across, 0.8, 1e-15);
  EXPECT_NEAR(cone.reach(1), 2, 1e-15);
  EXPECT_NEAR(cone.reach(0), 3, 1e-15);
  EXPECT_NEAR(cone.reach(-0.6), 1.2 + 3 * 0.8, 1e-15);
  const Torus torus{5, 1};
  EXPECT_NEAR(torus.surface(0, 0).distance, 4, 1e-15);
  EXPECT_NEAR(torus.surface(3, 9).distance, 4, 1e-15);
  EXPECT_NEAR(torus.surface(0, 5).distance, -1, 1e-15);
  EXPECT_NEAR(torus.reach(1), 1, 1e-15);
  EXPECT_NEAR(torus.reach(0.6), 5, 1e-15);
}

}  // namespace
}  // namespace dgtd::geometry
