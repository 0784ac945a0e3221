#pragma once
// Owners of the cells of a box of cubes: recursive bisection, so that any number of ranks
// works and every rank finds the owner of any cell by itself.
#include <array>
#include <cstdint>

namespace dgtd::mesh {

using Cell = std::array<std::int64_t, 3>;

/// Cells [low, high) along each axis.
struct CellBlock {
  Cell low, high;
  std::int64_t count() const;
};

/// The block of one rank. The longest axis of the remaining block is cut (the last one of equals,
/// which keeps ids near each other), in the ratio of the ranks on both sides. Needs ranks <= cells.
CellBlock block_of_rank(const Cell& cells, int ranks, int rank);

/// The owner of a cell.
int rank_of_cell(const Cell& cells, int ranks, const Cell& cell);

}  // namespace dgtd::mesh
