// The optimiser on a cube of two regions whose inner points are in bad places.
#include "mesher/improve.hpp"

#include <gtest/gtest.h>

#include "cube_of_tetrahedra.hpp"

namespace dgtd::mesher {
namespace {

constexpr int n = 6;

/// Regions 1 (x < n/2) and 2; the points of the plane between them are moved in it.
Tetrahedra disturbed_cube(double by) {
  return testing::cube_of_tetrahedra(n, by, [](int i, int, int) { return i < n / 2 ? 1 : 2; });
}

using testing::volume;

double worst_shape(const Tetrahedra& mesh) {
  double worst = 1;
  for (const auto& c : mesh.corners) worst = std::min(worst, mesh::Tetrahedron::at(mesh.points, c).shape().shape);
  return worst;
}

// Volumes stay to rounding: the plane between the regions and the cube's faces, edges and corners are kept.
TEST(Improve, RaisesTheWorstShapeAndKeepsSurfaces) {
  Tetrahedra mesh = disturbed_cube(0.34);
  const double before = worst_shape(mesh);
  Exterior exterior;
  exterior.form = FromLabels::Exterior::box;
  exterior.centre = {n / 2.0, n / 2.0, n / 2.0};
  exterior.half = exterior.centre;
  const std::function<int(const Vec3&)> region = [](const Vec3& x) { return x.x < n / 2.0 ? 1 : 2; };
  ImproveGoal goal;
  goal.inradius = 0.1;
  goal.slowness = {1, 1, 1};
  goal.shape = 0.3;
  const ImproveResult result = improve(mesh, goal, exterior, region);
  EXPECT_LT(before, 0.1);
  EXPECT_LT(result.worst_before, 0.4);
  EXPECT_GT(result.bad_before, 40);
  EXPECT_EQ(result.bad_after, 0);
  EXPECT_GE(result.worst_after, 1);
  EXPECT_GT(worst_shape(mesh), 0.3);
  EXPECT_NEAR(volume(mesh, 1), n * n * n / 2.0, 1e-3);  // the plane is known by bisection
  EXPECT_NEAR(volume(mesh, 1) + volume(mesh, 2), n * n * n, 1e-9);
}

// The optimiser ends after the work that it may do, with the same result every time, and says so.
TEST(Improve, EndsAfterSoMuchWork) {
  Exterior exterior;
  exterior.form = FromLabels::Exterior::box;
  exterior.centre = exterior.half = {n / 2.0, n / 2.0, n / 2.0};
  const std::function<int(const Vec3&)> region = [](const Vec3& x) { return x.x < n / 2.0 ? 1 : 2; };
  ImproveGoal goal;
  goal.inradius = 0.2;  // more than these elements can have
  goal.slowness = {1, 1, 1};
  goal.shape = 0.9;
  goal.effort = 100;
  int lines = 0;
  goal.progress = [&](const std::string& line) {
    ++lines;
    EXPECT_EQ(line.substr(0, 33), "improvement: pass 1 of at most 12");
  };
  Tetrahedra mesh = disturbed_cube(0.34), again = mesh;
  const ImproveResult result = improve(mesh, goal, exterior, region);
  EXPECT_TRUE(result.ended_by_effort);
  EXPECT_GT(result.effort, 100);
  EXPECT_LT(result.effort, 250);  // one element's operations are not parted
  EXPECT_GT(result.bad_after, 0);
  EXPECT_GT(lines, 0);
  EXPECT_NEAR(volume(mesh, 1) + volume(mesh, 2), n * n * n, 1e-9);
  improve(again, goal, exterior, region);
  EXPECT_EQ(again.points, mesh.points);
  EXPECT_EQ(again.corners, mesh.corners);
}

// Regions 1 and 2 with one tetrahedron of the other one each: it is given back, a large piece is not.
TEST(Improve, SmallPiecesAreAbsorbed) {
  Tetrahedra mesh = disturbed_cube(0);
  const std::vector<std::uint8_t> regions = mesh.region;
  mesh.region[0] = 2;
  mesh.region.back() = 3;
  EXPECT_EQ(absorb_pieces(mesh, 0.5), 1);  // the only piece of 3 stays
  mesh.region.back() = regions.back();
  EXPECT_EQ(mesh.region, regions);
}

}  // namespace
}  // namespace dgtd::mesher
