// Unions, differences and intersections of bodies: points, lines, boxes and surfaces.
#include "dgtd/grid/combined.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "dgtd/base/constants.hpp"
#include "dgtd/grid/turned.hpp"
#include "grid/volume_by_lines.hpp"
#include "support/error_message.hpp"

namespace dgtd::grid {
namespace {

using geometry::Combination;

Shape box(const Vec3& centre, const Vec3& size) {
  return {.type = Shape::Type::box, .centre = centre, .size = size};
}
Shape ball(const Vec3& centre, double radius) {
  return {.type = Shape::Type::sphere, .centre = centre, .radius = radius};
}
Shape solid(std::shared_ptr<const Solid> s) { return {.type = Shape::Type::solid, .solid = std::move(s)}; }

// A cube with a bore, half a ball, two overlapping balls of one operand beside a box, a torus cut by a box.
struct Example {
  const char* name;
  Combination combination;
  std::vector<std::vector<Shape>> operands;
  double volume;
};
std::vector<Example> examples() {
  const Shape bore{.type = Shape::Type::cylinder, .radius = 0.3, .axis = {1, 0, 0}, .height = 3};
  // Balls of radius r at the distance d have 4/3 pi r^3 (1 - 3 d / (4 r) + d^3 / (16 r^3)) in common.
  const double r = 0.5, d = 0.6, one = 4 * pi / 3 * r * r * r,
               common = one * (1 - 3 * d / (4 * r) + d * d * d / (16 * r * r * r));
  return {{"bored", Combination::subtract, {{box({}, {1, 1, 1})}, {bore}}, 1 - pi * 0.09},
          {"half", Combination::intersect, {{ball({}, r)}, {box({0, 0, 1}, {4, 4, 2})}}, one / 2},
          {"lens", Combination::intersect, {{ball({}, r)}, {ball({0.6, 0, 0}, r)}}, common},
          {"three", Combination::unite, {{ball({}, r), ball({0.6, 0, 0}, r)}, {box({3, 0, 0}, {1, 1, 1})}}, 2 * one - common + 1},
          {"two cuts", Combination::subtract, {{ball({}, r)}, {box({0, 0, 1}, {4, 4, 2})}, {box({1, 0, 0}, {2, 4, 4})}}, one / 4},
          {"ring", Combination::intersect, {{solid(make_torus({0.5, 0.2}, {}, {0, 0, 1}))}, {box({1, 0, 0}, {2, 4, 4})}},
           pi * pi * 0.5 * 0.04}};
}

TEST(Combined, LinesHaveTheVolume) {
  for (const auto& [name, combination, operands, volume] : examples())
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(volume_by_lines(*combine(combination, operands), axis, 200), volume, 2e-3 * volume) << name << axis;
}

// Lines and points agree, their ends are on the surface, and boxes that are covered by all or none are.
TEST(Combined, LinesPointsAndBoxesAgree) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> along(-1.1, 1.6), share(-1, 1);
  for (const auto& [name, combination, operands, volume] : examples()) {
    const auto body = combine(combination, operands);
    int covers[3] = {};
    for (int k = 0; k < 3000; ++k) {
      const Vec3 x{along(random), along(random), along(random)};
      for (int axis = 0; axis < 3; ++axis) {
        std::vector<Interval> pieces;
        body->add_crossings(x, axis, 1e9, pieces);
        bool within = false;
        for (const Interval& t : pieces) {
          within = within || (t.low < 0 && 0 < t.high);
          for (const double end : {t.low, t.high}) {
            Vec3 foot = x;
            foot[axis] += end;
            EXPECT_NEAR(body->surface_near(foot).distance, 0, 1e-9) << name;
          }
        }
        EXPECT_EQ(within, body->inside(x)) << name << axis;
      }
      EXPECT_EQ(body->surface_near(x).distance <= 0, body->inside(x)) << name;
      const Vec3 half{0.03, 0.02, 0.04};
      const Cover cover = body->cover_of_box(x, half);
      ++covers[static_cast<int>(cover)];
      for (int p = 0; p < 8; ++p) {
        const Vec3 at = x + Vec3{share(random) * half.x, share(random) * half.y, share(random) * half.z};
        if (cover == Cover::all) { EXPECT_TRUE(body->inside(at)) << name; }
        if (cover == Cover::none) { EXPECT_FALSE(body->inside(at)) << name; }
      }
    }
    EXPECT_GT(covers[static_cast<int>(Cover::none)], 1000) << name;
    if (std::string(name) != "ring") { EXPECT_GT(covers[static_cast<int>(Cover::all)], 5) << name; }
  }
}

TEST(Combined, ShapesThatAreApartHaveNothingInCommon) {
  EXPECT_EQ(message([] { combine(Combination::intersect, {{ball({}, 0.4)}, {ball({1, 0, 0}, 0.4)}}); }),
            "nothing is in all of its shapes");
}

}  // namespace
}  // namespace dgtd::grid
