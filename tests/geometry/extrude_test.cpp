// Walls that lean, against exact volumes and places.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dgtd/geometry/polygon.hpp"
#include "support/error_message.hpp"

namespace dgtd::geometry {
namespace {

constexpr double deg = std::numbers::pi / 180;

Ring rectangle(double x, double y, double width, double height) {
  return {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
}
Ring reversed(Ring ring) { return {ring.rbegin(), ring.rend()}; }

TEST(Extrude, WallsLean) {
  // A frame 10 x 8 with an opening 4 x 2: walls of 45 degrees and height 0.5 take half a metre of all edges.
  const Polygon frame{rectangle(0, 0, 10, 8), {reversed(rectangle(3, 3, 4, 2))}};
  const Extrusion body = extrude({frame}, 1, 1.5, 45 * deg);
  EXPECT_EQ(body.bottom, std::vector<Polygon>{frame});
  EXPECT_NEAR(area(body.bottom), 80 - 8, 1e-12);
  EXPECT_NEAR(area(body.top), 9 * 7 - 5 * 3, 1e-12);
  EXPECT_NEAR(body.top[0].outer[0][0], 0.5, 1e-12);
  EXPECT_NEAR(area(extrude({frame}, 1, 1.5, 135 * deg).top), 11 * 9 - 3 * 1, 1e-12);
  EXPECT_EQ(extrude({frame}, 1, 1.5, 90 * deg).top, std::vector<Polygon>{frame});
  // An edge across (1, 1) moves by the same distance along its normal.
  const Extrusion oblique = extrude({{{{0, 0}, {4, 0}, {0, 4}}, {}}}, 0, 0.1, 45 * deg);
  const Point a = oblique.top[0].outer[1];
  EXPECT_NEAR((a[0] + a[1] - 4) / std::sqrt(2), -0.1, 1e-12);
  EXPECT_NEAR(a[1], 0.1, 1e-12);
  const Ring middle = at_height(oblique.bottom[0].outer, oblique.top[0].outer, 0.5);
  EXPECT_NEAR(middle[0][0], 0.05, 1e-12);
}

TEST(Extrude, WallsThatMeetAreRefused) {
  EXPECT_EQ(message([] { extrude({{rectangle(0, 0, 1, 4), {}}}, 0, 0.6, 45 * deg); }),
            "the edge at x = 0 m, y = 0 m vanishes below the upper end");
  // A waist of 1 between two lobes closes before any edge vanishes.
  const Ring waist{{0, 0}, {10, 0}, {10, 4}, {5.5, 4}, {5.5, 6}, {10, 6}, {10, 10}, {0, 10}, {0, 6}, {4.5, 6}, {4.5, 4}, {0, 4}};
  EXPECT_EQ(message([&] { extrude({{waist, {}}}, 0, 0.4, 45 * deg); }), "no error");
  EXPECT_NE(message([&] { extrude({{waist, {}}}, 0, 0.6, 45 * deg); }).find("meet below the upper end"), std::string::npos);
  // Neighbours that grow towards each other.
  EXPECT_NE(message([&] { extrude({{rectangle(0, 0, 1, 1), {}}, {rectangle(1.5, 0, 1, 1), {}}}, 0, 0.3, 135 * deg); })
                .find("meet below the upper end"),
            std::string::npos);
}

}  // namespace
}  // namespace dgtd::geometry
