// Volumes that are kept by moving the surfaces between regions: a cube of region 2 in a cube of region 1.
#include "mesher/keep_volumes.hpp"

#include <gtest/gtest.h>

#include "cube_of_tetrahedra.hpp"

namespace dgtd::mesher {
namespace {

constexpr int n = 6;

/// n^3 cubes, of which the innermost eight are region 2, and where they are.
struct CubeInCube {
  Tetrahedra mesh = testing::cube_of_tetrahedra(n, 0, [](int i, int j, int k) {
    const auto inner = [](int c) { return c == 2 || c == 3; };
    return inner(i) && inner(j) && inner(k) ? 2 : 1;
  });
  std::vector<Vec3> before = mesh.points;
  Exterior exterior{FromLabels::Exterior::box, {n / 2.0, n / 2.0, n / 2.0}, 0, {n / 2.0, n / 2.0, n / 2.0}};
  ImproveGoal goal;

  CubeInCube() {
    goal.inradius = 0.05;
    goal.slowness = {1, 1, 1};
    goal.shape = 0.3;
  }
  std::int64_t keep(double wanted, double reach) { return keep_volumes(mesh, {{0, 0, wanted}, reach}, goal, exterior); }
  double farthest() const {
    double most = 0;
    for (std::size_t v = 0; v < before.size(); ++v) most = std::max(most, norm(mesh.points[v] - before[v]));
    return most;
  }
};

TEST(KeepVolumes, MovesASurfaceUntilItHoldsItsVolume) {
  for (const double wanted : {7.5, 8.0, 8.8}) {
    CubeInCube cube;
    const std::int64_t moved = cube.keep(wanted, 0.3);
    EXPECT_EQ(moved, wanted == 8.0 ? 0 : 26);  // 3^3 points of the inner cube but for the one inside
    EXPECT_NEAR(testing::volume(cube.mesh, 2), wanted, 1e-3 * wanted);
    EXPECT_NEAR(testing::volume(cube.mesh, 1) + testing::volume(cube.mesh, 2), n * n * n, 1e-9);
    // By one distance d to both sides of an edge of length 2, (2 + 2 d)^3 = wanted, and along edges and corners up to
    // sqrt(3) of it.
    EXPECT_LT(cube.farthest(), 1.2 * std::sqrt(3) * std::abs(std::cbrt(wanted) / 2 - 1) + 1e-12);
  }
}

// Volumes that only large displacements of surfaces would restore stay as they are.
TEST(KeepVolumes, MovesNoVertexBeyondItsReach) {
  CubeInCube cube;
  constexpr double reach = 0.1, longest_mean_edge = 1.5;  // edges are 1, sqrt(2) and sqrt(3)
  cube.keep(14, reach);
  EXPECT_GT(testing::volume(cube.mesh, 2), 8.5);
  EXPECT_LT(cube.farthest(), reach * longest_mean_edge);
}

// Volumes of two regions that touch, both wrong: the surface between them moves as well as those to the rest.
TEST(KeepVolumes, OfTwoRegionsAtOnce) {
  CubeInCube cube;
  for (std::size_t t = 0; t < cube.mesh.corners.size(); ++t) {
    double x = 0;
    for (const int v : cube.mesh.corners[t]) x += 0.25 * cube.mesh.points[v].x;
    if (cube.mesh.region[t] == 2 && x > 3) cube.mesh.region[t] = 3;
  }
  cube.goal.slowness = {1, 1, 1, 1};
  keep_volumes(cube.mesh, {{0, 0, 4.3, 3.8}, 0.3}, cube.goal, cube.exterior);
  EXPECT_NEAR(testing::volume(cube.mesh, 2), 4.3, 4.3e-3);
  EXPECT_NEAR(testing::volume(cube.mesh, 3), 3.8, 3.8e-3);
}

}  // namespace
}  // namespace dgtd::mesher
