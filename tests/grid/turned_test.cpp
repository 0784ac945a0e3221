// Turned bodies, cones and tori on grids: exact volumes, points, lines, boxes and normals.
#include "dgtd/grid/turned.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "dgtd/base/constants.hpp"
#include "dgtd/grid/shapes.hpp"
#include "grid/volume_by_lines.hpp"
#include "support/error_message.hpp"

namespace dgtd::grid {
namespace {

using geometry::Turn;

constexpr double deg = pi / 180;

struct Example {
  const char* name;
  std::shared_ptr<const Solid> solid;
  double volume;
};

// An L in place of the prism, which is not convex.
std::vector<Example> examples() {
  const Vec3 centre{0.1, -0.2, 0.05}, oblique = Vec3{1, 2, -0.5} / norm(Vec3{1, 2, -0.5});
  const Turn turn{oblique, 40 * deg};
  const std::vector<std::array<double, 2>> letter{{-0.5, -0.4}, {0.6, -0.4}, {0.6, -0.1}, {0, -0.1}, {0, 0.5}, {-0.5, 0.5}};
  return {{"box", make_turned_box(centre, {0.8, 0.5, 1.1}, turn), 0.8 * 0.5 * 1.1},
          {"ellipsoid", make_turned_ellipsoid(centre, {0.7, 0.3, 0.5}, turn), 4 * pi / 3 * 0.7 * 0.3 * 0.5},
          {"prism", make_turned_prism(letter, 1, centre, 0.7, turn), 0.7 * (1.1 * 0.3 + 0.5 * 0.6)},
          {"cone", make_cone({0.6, 0, 1}, centre, oblique), pi / 3 * 0.36},
          {"stump", make_cone({0.2, 0.5, 0.8}, centre, {0, -1, 0}), pi * 0.8 / 3 * (0.04 + 0.1 + 0.25)},
          {"torus", make_torus({0.5, 0.2}, centre, oblique), 2 * pi * pi * 0.5 * 0.04},
          {"upright torus", make_torus({0.5, 0.3}, centre, {0, 0, 1}), 2 * pi * pi * 0.5 * 0.09}};
}

// Lines through the middles of a raster: each is exact, and the error of their sum that of the midpoint rule.
TEST(Turned, LinesHaveTheVolume) {
  for (const auto& [name, solid, volume] : examples()) {
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(volume_by_lines(*solid, axis, 200), volume, 1e-3 * volume) << name << axis;
  }
}

// Lines end on the surface, which the bounds touch, and points between the ends are inside.
TEST(Turned, LinesEndOnTheSurface) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> along(-1.1, 1.1);
  for (const auto& [name, solid, volume] : examples()) {
    const Bounds box = solid->bounds();
    Vec3 low{9, 9, 9}, high{-9, -9, -9};
    int several = 0;
    for (int k = 0; k < 3000; ++k) {
      const Vec3 x{along(random), along(random), along(random)};
      for (int axis = 0; axis < 3; ++axis) {
        std::vector<Interval> pieces;
        solid->add_crossings(x, axis, 1e9, pieces);
        several += pieces.size() > 1;
        bool within = false;
        for (const Interval& t : pieces) {
          within = within || (t.low < 0 && 0 < t.high);
          Vec3 middle = x;
          middle[axis] += 0.5 * (t.low + t.high);
          EXPECT_TRUE(solid->inside(middle)) << name;
          for (const double end : {t.low, t.high}) {
            Vec3 foot = x;
            foot[axis] += end;
            EXPECT_NEAR(solid->surface_near(foot).distance, 0, 1e-9) << name;
            for (int a = 0; a < 3; ++a) low[a] = std::min(low[a], foot[a]), high[a] = std::max(high[a], foot[a]);
          }
        }
        EXPECT_EQ(within, solid->inside(x)) << name << axis;
      }
    }
    for (int a = 0; a < 3; ++a) {
      EXPECT_GT(low[a], box.low[a] - 1e-12) << name;
      EXPECT_LT(high[a], box.high[a] + 1e-12) << name;
      EXPECT_LT(low[a], box.low[a] + 0.1) << name;
      EXPECT_GT(high[a], box.high[a] - 0.1) << name;
    }
    EXPECT_EQ(several > 0, std::string(name).find("torus") != std::string::npos || std::string(name) == "prism") << name;
  }
}

TEST(Turned, BoxesHoldWhatTheirPointsHold) {
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> along(-1, 1), small(0.01, 0.15), part(-0.999, 0.999);
  for (const auto& [name, solid, volume] : examples()) {
    int all = 0, none = 0;
    for (int k = 0; k < 4000; ++k) {
      const Vec3 x{along(random), along(random), along(random)}, half{small(random), small(random), small(random)};
      const Cover cover = solid->cover_of_box(x, half);
      all += cover == Cover::all, none += cover == Cover::none;
      for (int p = 0; p < 10 && cover != Cover::part; ++p)
        EXPECT_EQ(solid->inside(x + Vec3{part(random) * half.x, part(random) * half.y, part(random) * half.z}),
                  cover == Cover::all)
            << name;
    }
    EXPECT_GT(all, 8) << name;
    EXPECT_GT(none, 1000) << name;
  }
}

// A small step along the normal from a point of the surface leads out of the body, by its length. Away from edges.
TEST(Turned, NormalsPointOutwards) {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> along(-1, 1);
  for (const auto& [name, solid, volume] : examples())
    for (int k = 0; k < 2000; ++k) {
      const Vec3 x{along(random), along(random), along(random)};
      std::vector<Interval> pieces;
      solid->add_crossings(x, 0, 1e9, pieces);
      if (pieces.empty()) continue;
      const Vec3 foot = x + Vec3{pieces[0].low, 0, 0};
      const Surface s = solid->surface_near(foot);
      EXPECT_NEAR(norm(s.normal), 1, 1e-12) << name;
      EXPECT_LT(s.normal.x, 1e-6) << name;  // the line comes from below
      constexpr double step = 1e-4;
      EXPECT_NEAR(solid->surface_near(foot + step * s.normal).distance, step, 2e-7) << name;
      EXPECT_FALSE(solid->inside(foot + step * s.normal)) << name;
    }
}

// Shares of the cells of a grid, as media have them.
TEST(Turned, CellsHaveTheVolume) {
  for (const auto& [name, solid, volume] : examples()) {
    Shape body;
    body.type = Shape::Type::solid;
    body.solid = solid;
    body.material = 1;
    const Scene scene({body}, 0);
    constexpr double h = 0.08;
    double sum = 0;
    for (int i = -14; i < 14; ++i)
      for (int j = -14; j < 14; ++j)
        for (int k = -14; k < 14; ++k) {
          const auto m = scene.mixture(Vec3{(i + 0.5) * h, (j + 0.5) * h, (k + 0.5) * h}, {h, h, h});
          sum += (m.first == 1 ? 1 - m.share_of_second : 0) + (m.second == 1 ? m.share_of_second : 0);
        }
    EXPECT_NEAR(sum * h * h * h, volume, 3e-3 * volume) << name;
  }
}

TEST(Turned, BodiesHaveAVolume) {
  EXPECT_EQ(message([] { make_cone({0, 0, 1}, {}, {0, 0, 1}); }), "a cone of radii 0 and 0 m and height 1 m has no volume");
  EXPECT_EQ(message([] { make_torus({1, 1}, {}, {0, 0, 1}); }),
            "a torus of radius 1 m needs a tube_radius above 0 and below that, and it is 1 m");
}

}  // namespace
}  // namespace dgtd::grid
