#include "dgtd/grid/cartesian_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "dgtd/base/error.hpp"

namespace dgtd::grid {

std::vector<double> CartesianGrid::nodes(int axis) const {
  std::vector<double> x{origin[axis]};
  for (const double d : spacing[axis]) x.push_back(x.back() + d);
  return x;
}

std::int64_t CartesianGrid::nearest_node(int axis, double at) const {
  const auto x = nodes(axis);
  const auto above = std::lower_bound(x.begin(), x.end(), at);
  if (above == x.begin()) return 0;
  if (above == x.end()) return cells(axis);
  return (above - x.begin()) - (at - *(above - 1) < *above - at ? 1 : 0);
}

std::int64_t CartesianGrid::cell_at(int axis, double at) const {
  const auto x = nodes(axis);
  return std::clamp<std::int64_t>(std::upper_bound(x.begin(), x.end(), at) - x.begin() - 1, 0, cells(axis) - 1);
}

void check_inside(const CartesianGrid& grid, const Vec3& point, const std::string& what, int axes) {
  std::string text;
  for (int a = 0; a < axes; ++a) text += fmt::format(" {}", point[a]);
  for (int a = 0; a < axes; ++a) {
    const auto x = grid.nodes(a);
    if (point[a] < x.front() || point[a] > x.back())
      throw Error(fmt::format("{} ={} lies outside the grid, whose {} goes from {} to {} m", what, text, "xyz"[a],
                              x.front(), x.back()));
  }
}

std::array<int, 3> arrange_ranks(const std::array<std::int64_t, 3>& cells, int ranks) {
  std::array<int, 3> best{0, 0, 0};
  double least = std::numeric_limits<double>::max();
  for (int z = 1; z <= ranks; ++z) {
    if (ranks % z != 0) continue;
    for (int y = 1; y <= ranks / z; ++y) {
      if (ranks / z % y != 0) continue;
      const std::array<int, 3> n{ranks / z / y, y, z};
      if (n[0] > cells[0] || n[1] > cells[1] || n[2] > cells[2]) continue;
      const double area = double(n[0] - 1) * cells[1] * cells[2] + double(n[1] - 1) * cells[0] * cells[2] +
                          double(n[2] - 1) * cells[0] * cells[1];
      if (area > least) continue;  // of equal ones the last: whole planes lie together in memory
      least = area;
      best = n;
    }
  }
  if (best[0] == 0)
    throw Error(
        fmt::format("grid: {} ranks for {} x {} x {} cells; use fewer ranks", ranks, cells[0], cells[1], cells[2]));
  return best;
}

Block block_of_rank(const CartesianGrid& grid, const std::array<bool, 3>& periodic, int rank, int ranks, bool along_z) {
  const auto n =
      along_z ? std::array<int, 3>{1, 1, ranks} : arrange_ranks({grid.cells(0), grid.cells(1), grid.cells(2)}, ranks);
  const std::array<int, 3> at{rank % n[0], rank / n[0] % n[1], rank / n[0] / n[1]};
  const int stride[3] = {1, n[0], n[0] * n[1]};
  Block block;
  for (int a = 0; a < 3; ++a) {
    block.first[a] = grid.cells(a) * at[a] / n[a];
    block.cells[a] = static_cast<int>(grid.cells(a) * (at[a] + 1) / n[a] - block.first[a]);
    if (at[a] > 0) block.lower[a] = rank - stride[a];
    else if (periodic[a]) block.lower[a] = rank + (n[a] - 1) * stride[a];
    if (at[a] < n[a] - 1) block.upper[a] = rank + stride[a];
    else if (periodic[a]) block.upper[a] = rank - (n[a] - 1) * stride[a];
  }
  return block;
}

}  // namespace dgtd::grid
