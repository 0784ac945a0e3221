// The media of components of E at the surface of a metal.
#include "dgtd/grid/scene_media.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace dgtd::grid {
namespace {

const std::vector<physics::Medium> materials{physics::Medium{}, {1, 1, 0, 0, physics::gold_poles()}};
constexpr int gold = 1;

/// Component along an axis of the grid of whole metres whose edge starts at a node.
LocalMedium electric(const Media& media, const Vec3& node, int axis) {
  Vec3 middle = node;
  middle[axis] += 0.5;
  return media.electric(middle, middle, {1, 1, 1}, axis);
}

SceneMedia film(double low, double high) {
  Shape box;
  box.centre = {0, 0, (low + high) / 2}, box.size = {100, 100, high - low}, box.material = gold;
  return {Scene({box}, 0), materials, true};
}

void expect_whole(const LocalMedium& m, int material) {
  EXPECT_EQ(m.second, -1);
  EXPECT_EQ(m.material, material);
}

void expect_series(const LocalMedium& m, double gap) {
  EXPECT_EQ(m.material, gold);
  EXPECT_EQ(m.second, 0);
  EXPECT_NEAR(m.share_of_second, gap, 1e-12);
}

// Across a film the share of the gap beside it counts, a quarter at least; along it the nodes.
TEST(Metal, OfAFilm) {
  const SceneMedia media = film(-2.6, 3.9);
  expect_whole(electric(media, {0, 0, 3}, 0), gold);
  expect_whole(electric(media, {0, 0, 4}, 0), 0);
  expect_whole(electric(media, {0, 0, -2}, 0), gold);
  expect_whole(electric(media, {0, 0, -3}, 1), 0);
  expect_series(electric(media, {0, 0, 3}, 2), 0.25);
  expect_series(electric(media, {0, 0, -3}, 2), 0.4);
  expect_whole(electric(media, {0, 0, 2}, 2), gold);
  expect_whole(electric(media, {0, 0, 4}, 2), 0);
}

// A surface through nodes is the metal's, from both sides and to rounding.
TEST(Metal, HasTheNodesOnItsSurface) {
  const double rounding = 1e-12;
  for (const double aside : {-rounding, 0.0, rounding}) {
    const SceneMedia media = film(-2 + aside, 3 + aside);
    for (const double z : {-2.0, 3.0}) expect_whole(electric(media, {0, 0, z}, 0), gold);
    expect_whole(electric(media, {0, 0, -2}, 2), gold);
    expect_whole(electric(media, {0, 0, 2}, 2), gold);
    expect_whole(electric(media, {0, 0, -3}, 2), 0);
    expect_whole(electric(media, {0, 0, 3}, 2), 0);
  }
}

// Between two nodes, each with its share; but not a gap of less than a quarter.
TEST(Metal, KeepsGapsAndSheetsBetweenNodes) {
  expect_series(electric(film(0.2, 0.6), {0, 0, 0}, 2), 0.6);
  expect_whole(electric(film(0.2, 0.3), {0, 0, 0}, 2), 0);
  Shape below, above;
  below.centre = {0, 0, -5 + 0.2}, above.centre = {0, 0, 5 + 0.7};
  below.size = above.size = {100, 100, 10};
  below.material = above.material = gold;
  expect_series(electric(SceneMedia(Scene({below, above}, 0), materials, true), {0, 0, 0}, 2), 0.5);
  above.centre.z = 5 + 0.3;
  expect_whole(electric(SceneMedia(Scene({below, above}, 0), materials, true), {0, 0, 0}, 2), gold);
}

// At an angle an edge is metal between two nodes of the metal, and is not where it leaves it.
TEST(Metal, OfABallHasNoLooseEnds) {
  constexpr int reach = 10;
  const Vec3 centre{0.23, 0.41, 0.37};
  Shape ball;
  ball.type = Shape::Type::sphere, ball.centre = centre, ball.radius = 7.3, ball.material = gold;
  const SceneMedia media(Scene({ball}, 0), materials, true);
  int loose = 0, in_series = 0;
  for (int k = -reach; k <= reach; ++k)
    for (int j = -reach; j <= reach; ++j)
      for (int i = -reach; i <= reach; ++i) {
        int metal = 0, series = 0;
        for (int axis = 0; axis < 3; ++axis)
          for (const int side : {-1, 0}) {
            Vec3 from{double(i), double(j), double(k)};
            from[axis] += side;
            const LocalMedium m = electric(media, from, axis);
            metal += m.second < 0 && m.material == gold;
            series += m.second >= 0;
            if (m.second < 0) continue;
            Vec3 middle = from;
            middle[axis] += 0.5;
            const Vec3 normal = middle - centre;
            EXPECT_GE(std::abs(normal[axis]), 0.8 * norm(normal));
            EXPECT_GE(m.share_of_second, 0.25);
          }
        loose += metal == 1 && series == 0;
        in_series += series;
      }
  EXPECT_EQ(loose, 0);
  EXPECT_GT(in_series, 100);
}

// Without a Drude pole the permittivity need not be negative: other dispersive media have the material of the place.
TEST(Metal, IsWhatHasADrudePole) {
  std::vector<physics::Medium> others = materials;
  others[gold].poles = {{physics::Pole::Type::debye, 3, 0, 0, 1e-12}};
  Shape ball;
  ball.type = Shape::Type::sphere, ball.radius = 7.45, ball.material = gold;
  const Vec3 node{4, 6, 0};  // 7.21; the edge's middle 7.5, its end 7.8
  expect_whole(electric(SceneMedia(Scene({ball}, 0), others, true), node, 0), 0);
  ball.radius = 7.55;
  expect_whole(electric(SceneMedia(Scene({ball}, 0), others, true), node, 0), gold);
  expect_whole(electric(SceneMedia(Scene({ball}, 0), materials, true), node, 0), 0);
}

}  // namespace
}  // namespace dgtd::grid
