#pragma once
// Cartesian grids with one list of spacings an axis, and their distribution over ranks in blocks.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::grid {

struct CartesianGrid {
  std::array<std::vector<double>, 3> spacing;  // [cells of the axis] m
  Vec3 origin;                                 // lower corner, m

  std::int64_t cells(int axis) const { return static_cast<std::int64_t>(spacing[axis].size()); }
  std::int64_t cells() const { return cells(0) * cells(1) * cells(2); }
  /// [cells + 1] coordinates of an axis' nodes, m.
  std::vector<double> nodes(int axis) const;
  /// Index of the node of an axis nearest to a coordinate (m); an end node outside the grid.
  std::int64_t nearest_node(int axis, double at) const;
  /// Index of the cell of an axis that holds a coordinate (m); an end cell outside the grid.
  std::int64_t cell_at(int axis, double at) const;
};

/// Throws Error (bad_input) for a point (m) outside the grid along one of the first `axes` axes: "WHAT = X Y Z lies
/// outside the grid, ...".
void check_inside(const CartesianGrid& grid, const Vec3& point, const std::string& what, int axes = 3);

/// A rank's cells: a box of the grid.
struct Block {
  std::array<std::int64_t, 3> first{};  // global index of the first cell
  std::array<int, 3> cells{};
  std::array<int, 3> lower{-1, -1, -1};  // rank of the block below, along an axis; -1: the grid ends
  std::array<int, 3> upper{-1, -1, -1};  // and above. A periodic axis does not end
};

/// Ranks an axis: of all ways to arrange them the one with the least area between blocks.
/// Throws Error (bad_input) where there are more ranks than the grid can feed.
std::array<int, 3> arrange_ranks(const std::array<std::int64_t, 3>& cells, int ranks);

/// along_z: all ranks one above the other along z, in place of the arrangement with the least area.
Block block_of_rank(const CartesianGrid& grid, const std::array<bool, 3>& periodic, int rank, int ranks,
                    bool along_z = false);

}  // namespace dgtd::grid
