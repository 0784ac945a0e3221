// Measures of tetrahedra whose exact values are known.
#include "dgtd/mesh/tetrahedron.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace dgtd::mesh {
namespace {

constexpr double rounding = 1e-15;

// Four corners of the cube of edge 1: edges sqrt(2), volume 1 / 3, faces sqrt(3) / 2, hence r = 3 V / S = 1 / sqrt(12).
const Tetrahedron regular{{{{0, 0, 0}, {1, 1, 0}, {0, 1, 1}, {1, 0, 1}}}};
// Three edges of length 1 at right angles: V = 1 / 6, S = (3 + sqrt(3)) / 2.
const Tetrahedron corner{{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};

TEST(TetrahedronMeasures, OfTheRegularOne) {
  EXPECT_DOUBLE_EQ(regular.signed_volume(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(regular.longest_edge(), std::sqrt(2.0));
  EXPECT_NEAR(regular.shape().inradius, 1 / std::sqrt(12.0), rounding);
  EXPECT_NEAR(regular.shape().shape, 1, rounding);
  for (int f = 0; f < 4; ++f) EXPECT_DOUBLE_EQ(regular.face_area(f), std::sqrt(3.0) / 2);
  EXPECT_EQ(regular.centroid(), (Vec3{0.5, 0.5, 0.5}));
}

TEST(TetrahedronMeasures, OfARightAngledOne) {
  const double inradius = 1 / (3 + std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(corner.signed_volume(), 1.0 / 6);
  EXPECT_DOUBLE_EQ(corner.longest_edge(), std::sqrt(2.0));
  EXPECT_NEAR(corner.shape().inradius, inradius, rounding);
  EXPECT_NEAR(corner.shape().shape, 2 * std::sqrt(3.0) * inradius, rounding);
  EXPECT_DOUBLE_EQ(corner.face_area(0), std::sqrt(3.0) / 2);  // opposite the right angles
  for (int f = 1; f < 4; ++f) EXPECT_DOUBLE_EQ(corner.face_area(f), 0.5);
}

// Every edge is the longest one once.
TEST(TetrahedronMeasures, FindTheLongestEdge) {
  for (const auto& [a, b] : edge_corners) {
    Tetrahedron t = corner;
    t.corners[a] = {0, 0, -10}, t.corners[b] = {0, 0, 10};
    EXPECT_DOUBLE_EQ(t.longest_edge(), 20) << a << b;
  }
}

TEST(TetrahedronMeasures, AreNegativeForAnInvertedOne) {
  const Tetrahedron inverted =
      Tetrahedron::at(std::vector<Vec3>(corner.corners.begin(), corner.corners.end()), std::array{1, 0, 2, 3});
  EXPECT_DOUBLE_EQ(inverted.signed_volume(), -1.0 / 6);
  EXPECT_DOUBLE_EQ(inverted.volume(), 1.0 / 6);
  EXPECT_NEAR(inverted.shape().inradius, -corner.shape().inradius, rounding);
  EXPECT_NEAR(inverted.shape().shape, -corner.shape().shape, rounding);
}

TEST(TetrahedronMeasures, AreZeroForFlatOnes) {
  const Tetrahedron plane{{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}}}, point{};
  for (const Tetrahedron& flat : {plane, point}) {
    EXPECT_EQ(flat.volume(), 0);
    EXPECT_EQ(flat.shape().inradius, 0);
    EXPECT_EQ(flat.shape().shape, 0);
  }
}

}  // namespace
}  // namespace dgtd::mesh
