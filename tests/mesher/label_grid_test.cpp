// Distances, pieces and layers of a grid of tissues.
#include "mesher/label_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace dgtd::mesher {
namespace {

LabelGrid grid_of(const std::array<int, 3>& size, const Vec3& spacing) {
  LabelGrid g{size, spacing, {}, {}};
  g.tissue.assign(std::size_t(size[0]) * size[1] * size[2], 0);
  return g;
}

template <class Tissue>
void fill(LabelGrid& g, const Tissue& tissue) {
  for (int k = 0; k < g.size[2]; ++k)
    for (int j = 0; j < g.size[1]; ++j)
      for (int i = 0; i < g.size[0]; ++i)
        g.tissue[g.at(i, j, k)] = static_cast<std::uint8_t>(tissue(g.centre(i, j, k)));
}

TEST(LabelGrid, DistancesAreTheSmallestOfAll) {
  const LabelGrid g = grid_of({9, 7, 5}, {1, 2, 0.5});
  std::mt19937 random(1);
  std::vector<std::uint8_t> mark(g.voxels(), 0);
  for (int n = 0; n < 6; ++n) mark[random() % mark.size()] = 1;
  const std::vector<float> found = distance_to(mark, g);
  for (int k = 0; k < 5; ++k)
    for (int j = 0; j < 7; ++j)
      for (int i = 0; i < 9; ++i) {
        double least = 1e9;
        for (int c = 0; c < 5; ++c)
          for (int b = 0; b < 7; ++b)
            for (int a = 0; a < 9; ++a)
              if (mark[g.at(a, b, c)]) least = std::min(least, norm(g.centre(i, j, k) - g.centre(a, b, c)));
        EXPECT_NEAR(found[g.at(i, j, k)], least, 1e-5);
      }
  EXPECT_TRUE(std::isinf(distance_to(std::vector<std::uint8_t>(g.voxels(), 0), g)[0]));
}

TEST(LabelGrid, IslandsAreGivenToTheirSurroundings) {
  LabelGrid g = grid_of({20, 20, 20}, {1, 1, 1});
  // A ball of 1 with a cavity of 0 and a drop of 2; a second, smaller ball of 1.
  fill(g, [](const Vec3& x) {
    if (norm(x - Vec3{8, 8, 8}) < 1.2) return 0;
    if (norm(x - Vec3{12, 8, 8}) < 1.2) return 2;
    return norm(x - Vec3{10, 10, 10}) < 7 || norm(x - Vec3{18, 18, 18}) < 1 ? 1 : 0;
  });
  const Pieces before = find_pieces(g);
  EXPECT_EQ(before.tissue.size(), 5u);
  remove_islands(g, 20);
  const Pieces after = find_pieces(g);
  ASSERT_EQ(after.tissue.size(), 3u);  // the largest piece of each tissue stays
  EXPECT_EQ(after.tissue[0], 0);
  const std::vector<double> v = volumes(g, 3);
  EXPECT_GT(v[2], 0);
  EXPECT_EQ(g.tissue[g.at(8, 8, 8)], 1);
}

TEST(LabelGrid, ThinPartsAreRemovedAndThickOnesStay) {
  LabelGrid g = grid_of({40, 20, 20}, {1, 1, 1});
  // A cube of 10 with a plate of thickness 2 beside it.
  fill(g, [](const Vec3& x) {
    const bool cube = std::abs(x.x - 10) < 5 && std::abs(x.y - 10) < 5 && std::abs(x.z - 10) < 5;
    const bool plate = x.x > 15 && x.x < 35 && std::abs(x.y - 10) < 5 && std::abs(x.z - 10) < 1;
    return cube || plate ? 1 : 0;
  });
  remove_thin_parts(g, 1, 4);
  EXPECT_EQ(g.tissue[g.at(30, 10, 10)], 0);
  EXPECT_EQ(g.tissue[g.at(10, 10, 10)], 1);
  const double left = volumes(g, 2)[1];
  EXPECT_GT(left, 0.85 * 1000);  // edges and corners of the cube are rounded
  EXPECT_LT(left, 1.03 * 1000);
}

// Two cubes with a thin rod between them, which is removed and comes back thicker; a third cube never was connected.
TEST(LabelGrid, WhatWasOnePieceIsConnectedAgain) {
  LabelGrid g = grid_of({50, 20, 40}, {1, 1, 1});
  fill(g, [](const Vec3& x) {
    const auto cube = [&](const Vec3& c) {
      return std::abs(x.x - c.x) < 5 && std::abs(x.y - c.y) < 5 && std::abs(x.z - c.z) < 5;
    };
    const bool rod = x.x > 10 && x.x < 40 && std::abs(x.y - 10) < 1 && std::abs(x.z - 10) < 1;
    return cube({10, 10, 10}) || cube({40, 10, 10}) || cube({10, 10, 30}) || rod ? 1 : 2;
  });
  const auto pieces = [&] {
    const Pieces p = find_pieces(g);
    return std::count(p.tissue.begin(), p.tissue.end(), 1);
  };
  const LabelGrid before = g;
  EXPECT_EQ(pieces(), 2);
  remove_thin_parts(g, 1, 4);
  EXPECT_EQ(pieces(), 3);
  reconnect(g, before, 1, 4, 20);
  EXPECT_EQ(pieces(), 2);
  int across = 0;  // voxels of the tube in a plane
  for (int k = 0; k < 20; ++k)
    for (int j = 0; j < 20; ++j) across += g.tissue[g.at(25, j, k)] == 1;
  EXPECT_GE(across, 8);
  EXPECT_LE(across, 21);
}

// Two tissues in contact: a layer of the given thickness comes between them.
TEST(LabelGrid, TissuesAreKeptApart) {
  LabelGrid g = grid_of({30, 10, 10}, {1, 1, 1});
  fill(g, [](const Vec3& x) { return x.x < 15 ? 1 : 2; });
  keep_apart(g, 3, 1, 2, 4);
  for (int i = 0; i < 30; ++i) EXPECT_EQ(g.tissue[g.at(i, 5, 5)], i < 11 ? 1 : i < 15 ? 3 : 2) << i;
}

// The shell is along the exterior, not along a cavity.
TEST(LabelGrid, ShellIsSplitOff) {
  LabelGrid g = grid_of({40, 40, 40}, {1, 1, 1});
  const Vec3 middle{20, 20, 20};
  fill(g, [&](const Vec3& x) { return norm(x - middle) < 15 && norm(x - middle) > 5 ? 1 : 0; });
  split_shell(g, 2, 1, 3);
  const std::vector<double> v = volumes(g, 3);
  const double sphere = 4.0 / 3 * std::acos(-1);
  EXPECT_NEAR(v[2] / (sphere * (15 * 15 * 15 - 12 * 12 * 12)), 1, 0.1);  // half a voxel of 3
  EXPECT_EQ(g.tissue[g.at(20 + 6, 20, 20)], 1);
}

}  // namespace
}  // namespace dgtd::mesher
