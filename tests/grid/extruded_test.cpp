// Extruded polygons on grids: exact volumes, points, lines, boxes and normals.
#include "dgtd/grid/extruded.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "dgtd/grid/shapes.hpp"
#include "grid/volume_by_lines.hpp"
#include "support/error_message.hpp"

namespace dgtd::grid {
namespace {

using geometry::Extrusion;
using geometry::Polygon;
using geometry::Ring;

constexpr double deg = std::numbers::pi / 180;

// An L with a hole in its foot, and a triangle beside it.
std::vector<Polygon> letters() {
  return {{{{0, 0}, {6, 0}, {6, 2}, {2.5, 2}, {2.5, 5}, {0, 5}}, {{{3.5, 0.5}, {3.5, 1.5}, {5, 1.5}, {5, 0.5}}}},
          {{{4, 3}, {7, 3}, {4, 6.5}}, {}}};
}

// With walls of slope d per unit of height the area is A - L d + ... of a polygon: of the extrusions here Simpson's rule
// is exact, since the area is quadratic in the height.
double volume(const Extrusion& body) {
  const auto at = [&](double share) {
    double sum = 0;
    for (std::size_t p = 0; p < body.bottom.size(); ++p) {
      Polygon middle{geometry::at_height(body.bottom[p].outer, body.top[p].outer, share), {}};
      for (std::size_t h = 0; h < body.bottom[p].holes.size(); ++h)
        middle.holes.push_back(geometry::at_height(body.bottom[p].holes[h], body.top[p].holes[h], share));
      sum += geometry::area(middle);
    }
    return sum;
  };
  return (body.high - body.low) / 6 * (at(0) + 4 * at(0.5) + at(1));
}

Shape shape_of(const Extrusion& body) {
  Shape s;
  s.type = Shape::Type::solid;
  s.solid = make_extruded(body);
  s.material = 1;
  return s;
}

Extrusion upright() { return geometry::extrude(letters(), -0.3, 0.9, 90 * deg); }
Extrusion leaning() { return geometry::extrude(letters(), -0.3, 0.9, 80 * deg); }
Extrusion widening() { return geometry::extrude(letters(), -0.3, 0.9, 96 * deg); }

// Lines through the middles of a raster: the error of the mean is that of the midpoint rule across edges.
TEST(Extruded, LinesHaveTheVolume) {
  for (const Extrusion& body : {upright(), leaning(), widening()}) {
    const auto solid = make_extruded(body);
    const double exact = volume(body);
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(volume_by_lines(*solid, axis, 300), exact, 0.005 * exact) << axis;
  }
}

TEST(Extruded, PointsAgreeWithLinesAndBoxes) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> along(-1, 8), small(0.01, 0.4);
  for (const Extrusion& body : {upright(), leaning(), widening()}) {
    const auto solid = make_extruded(body);
    int all = 0, none = 0;
    for (int k = 0; k < 4000; ++k) {
      const Vec3 x{along(random), along(random), along(random) / 4};
      const bool inside = solid->inside(x);
      for (int axis = 0; axis < 3; ++axis) {
        std::vector<Interval> pieces;
        solid->add_crossings(x, axis, 1e9, pieces);
        EXPECT_EQ(std::any_of(pieces.begin(), pieces.end(), [](const Interval& t) { return t.low < 0 && 0 < t.high; }),
                  inside)
            << axis;
      }
      const Vec3 half{small(random), small(random), small(random)};
      const Cover cover = solid->cover_of_box(x, half);
      all += cover == Cover::all, none += cover == Cover::none;
      if (cover == Cover::part) continue;
      for (int c = 0; c < 8; ++c)
        EXPECT_EQ(solid->inside(x + Vec3{(c & 1 ? 0.999 : -0.999) * half.x, (c & 2 ? 0.999 : -0.999) * half.y,
                                         (c & 4 ? 0.999 : -0.999) * half.z}),
                  cover == Cover::all);
    }
    EXPECT_GT(all, 20);
    EXPECT_GT(none, 1000);
  }
}

TEST(Extruded, SurfacesAndEdgesBelongToIt) {
  const auto solid = make_extruded(upright());
  for (const Vec3& x : {Vec3{0, 0, 0}, {6, 2, 0.9}, {3, 2, -0.3}, {3.5, 1, 0}, {5.5, 1, 0.5}, {4, 6.5, 0}})
    EXPECT_TRUE(solid->inside(x));
  for (const Vec3& x : {Vec3{4, 1, 0}, {3, 2.1, 0}, {1, 1, 0.91}, {-0.1, 1, 0}}) EXPECT_FALSE(solid->inside(x));
  EXPECT_EQ(message([] { make_extruded({}); }), "a layout without height or polygons");
}

// A step of h along the normal crosses the surface at the distance.
TEST(Extruded, NormalsPointOutOfLeaningWalls) {
  const auto solid = make_extruded(leaning());
  const double slope = 1 / std::tan(80 * deg);
  const Vec3 x{-0.05, 2.5, 0};  // beside the wall x = slope (z + 0.3)
  const Surface s = solid->surface_near(x);
  EXPECT_NEAR(s.normal.x, -std::sin(80 * deg), 1e-12);
  EXPECT_NEAR(s.normal.y, 0, 1e-12);
  EXPECT_NEAR(s.normal.z, std::cos(80 * deg), 1e-12);
  EXPECT_NEAR(s.distance, (0.05 + 0.3 * slope) * std::sin(80 * deg), 1e-12);
  // In the hole the wall leans the other way; under the lid it is the lid.
  const Surface hole = solid->surface_near({3.6, 1, 0});
  EXPECT_NEAR(hole.normal.x, std::sin(80 * deg), 1e-12);
  EXPECT_GT(hole.distance, 0);
  const Surface lid = solid->surface_near({1.25, 1.2, 0.85});
  EXPECT_NEAR(lid.normal.z, 1, 1e-12);
  EXPECT_NEAR(lid.distance, -0.05, 1e-12);
}

// Shares of the cells of a grid, as media have them.
TEST(Extruded, CellsHaveTheVolume) {
  for (const auto& [body, tolerance] : {std::pair{upright(), 2e-3}, {leaning(), 2e-3}}) {
    const Scene scene({shape_of(body)}, 0);
    constexpr double h = 0.25;
    double sum = 0;
    for (int i = -4; i < 36; ++i)
      for (int j = -4; j < 36; ++j)
        for (int k = -4; k < 8; ++k) {
          const auto m = scene.mixture(Vec3{(i + 0.5) * h, (j + 0.5) * h, (k + 0.5) * h}, {h, h, h});
          sum += (m.first == 1 ? 1 - m.share_of_second : 0) + (m.second == 1 ? m.share_of_second : 0);
        }
    const double exact = volume(body);
    EXPECT_NEAR(sum * h * h * h, exact, tolerance * exact);
  }
}

// Many walls: as many points as before take about as long.
TEST(Extruded, ManyPolygonsAreAsked) {
  std::vector<Polygon> many;
  for (int i = 0; i < 100; ++i)
    for (int j = 0; j < 100; ++j) {
      const double x = 2 * i, y = 2 * j;
      many.push_back({{{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}}, {}});
    }
  const auto solid = make_extruded(geometry::extrude(many, 0, 1, 90 * deg));
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> along(0, 199);
  int inside = 0;
  for (int k = 0; k < 40000; ++k) {
    const Vec3 x{along(random), along(random), 0.5};
    EXPECT_EQ(solid->inside(x), std::fmod(x.x, 2) <= 1 && std::fmod(x.y, 2) <= 1);
    EXPECT_LT(std::abs(solid->surface_near(x).distance), 1);
    inside += solid->inside(x);
  }
  EXPECT_NEAR(inside, 10000, 500);
}

}  // namespace
}  // namespace dgtd::grid
