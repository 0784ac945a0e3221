// The optimiser on a cube of two regions whose inner points are in bad places.
#include "mesher/improve.hpp"

#include <gtest/gtest.h>

#include <random>

#include "dgtd/mesh/tetrahedron.hpp"

namespace dgtd::mesher {
namespace {

constexpr int n = 6;

/// n^3 cubes of edge 1, six tetrahedra each, regions 1 (x < n/2) and 2; inner points are moved at random, those of the
/// plane between the regions in the plane.
Tetrahedra disturbed_cube(double by) {
  Tetrahedra mesh;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> shift(-by, by);
  const auto at = [](int i, int j, int k) { return (k * (n + 1) + j) * (n + 1) + i; };
  for (int k = 0; k <= n; ++k)
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= n; ++i) {
        Vec3 p{double(i), double(j), double(k)};
        const bool inner = i > 0 && j > 0 && k > 0 && i < n && j < n && k < n;
        if (inner) p += Vec3{i == n / 2 ? 0 : shift(random), shift(random), shift(random)};
        mesh.points.push_back(p);
      }
  const int orders[6][3] = {{1, 2, 4}, {2, 1, 4}, {1, 4, 2}, {4, 1, 2}, {2, 4, 1}, {4, 2, 1}};
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        for (const auto& order : orders) {
          int corner = 0;
          std::array<std::int32_t, 4> c{at(i, j, k)};
          for (int s = 0; s < 3; ++s) {
            corner |= order[s];
            c[s + 1] = at(i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2));
          }
          if (mesh::Tetrahedron::at(mesh.points, c).signed_volume() < 0) std::swap(c[0], c[1]);
          mesh.corners.push_back(c);
          mesh.region.push_back(i < n / 2 ? 1 : 2);
        }
  return mesh;
}

double volume(const Tetrahedra& mesh, int region) {
  double sum = 0;
  for (std::size_t t = 0; t < mesh.corners.size(); ++t) {
    const double v = mesh::Tetrahedron::at(mesh.points, mesh.corners[t]).signed_volume();
    EXPECT_GT(v, 0);
    if (mesh.region[t] == region) sum += v;
  }
  return sum;
}

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
