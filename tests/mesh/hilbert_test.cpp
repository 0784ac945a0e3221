#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <map>

#include "mesh/compact/hilbert.hpp"

namespace dgtd::mesh {
namespace {

// Definition of the curve: it meets every cell of the lattice once, and goes from cell to adjacent cell.
TEST(Hilbert, MeetsEveryCellOnceAndStepsToNeighbours) {
  constexpr int bits = 4, edge = 1 << bits;
  std::map<std::uint64_t, std::array<int, 3>> cells;
  for (int x = 0; x < edge; ++x)
    for (int y = 0; y < edge; ++y)
      for (int z = 0; z < edge; ++z) cells[hilbert_position(x, y, z, bits)] = {x, y, z};
  ASSERT_EQ(cells.size(), static_cast<std::size_t>(edge * edge * edge));
  EXPECT_EQ(cells.rbegin()->first, cells.size() - 1);
  for (std::uint64_t i = 1; i < cells.size(); ++i) {
    int distance = 0;
    for (int axis = 0; axis < 3; ++axis) distance += std::abs(cells[i][axis] - cells[i - 1][axis]);
    EXPECT_EQ(distance, 1) << "at position " << i;
  }
}

TEST(Hilbert, CubeHoldsItsCorners) {
  const HilbertCube cube({-1, -1, -1}, {1, 0, 1});
  EXPECT_EQ(cube.position({-1, -1, -1}), 0u);
  EXPECT_LT(cube.position({1, 1, 1}), std::uint64_t{1} << 63);
  EXPECT_EQ(cube.position({1, 0, 1}), cube.position({1, 0, 1 - 1e-9}));
}

TEST(Hilbert, EqualPositionsAscendInNumber) {
  const auto order = along_hilbert_curve(3, HilbertCube({0, 0, 0}, {1, 1, 1}), [](std::int64_t i) {
    return i == 1 ? Vec3{0, 0, 0} : Vec3{0.9, 0.9, 0.9};
  });
  EXPECT_EQ(order, (std::vector<std::int64_t>{1, 0, 2}));
}

}  // namespace
}  // namespace dgtd::mesh
