#pragma once
// The cells of a rank's block whose material, that at the cell's centre, is a tissue, as runs along x.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dgtd/grid/cartesian_grid.hpp"
#include "dgtd/grid/media.hpp"
#include "dgtd/solver/region_spectra.hpp"

namespace dgtd::grid {

class TissueCells {
 public:
  /// In a box of the grid. tissue: [materials]; axes: along which the fields vary. Grid, block and media outlive the
  /// object. Threads take layers of planes.
  TissueCells(const CartesianGrid& grid, const Block& block, const Media& media, std::vector<bool> tissue,
              const solver::NodeBox& box, int axes);

  std::size_t count() const { return entries_.back(); }
  /// Around the cells; first > last without any.
  const solver::NodeBox& around() const { return around_; }
  /// Their numbers in the block, x fastest, ascending; their materials; their volumes, m^3 (m^2 or m where the fields
  /// vary along fewer axes): [count()] each. Threads take runs.
  void list(std::span<std::size_t> cells, std::span<std::uint16_t> materials, std::span<double> volumes) const;
  /// Number in the whole grid, x fastest, and centre (m) of any cell of the block.
  std::int64_t global_number(std::size_t cell) const;
  Vec3 centre(std::size_t cell) const;

 private:
  struct Run {
    std::int64_t first;  // number of its first cell in the block, x fastest
    std::int32_t cells;
    std::uint16_t material;
  };
  std::array<std::int64_t, 3> at(std::size_t number) const;  // cell of the grid
  std::vector<Run> runs_of_planes(int first, int end) const;

  const CartesianGrid& grid_;
  const Block& block_;
  const Media& media_;
  std::vector<bool> tissue_;  // [materials]
  int axes_;
  std::array<std::int64_t, 3> low_{}, high_{};  // cells of the grid: this block's part of the box
  solver::NodeBox around_;
  std::array<std::vector<double>, 3> x_;  // [nodes] m
  std::vector<Run> runs_;                 // ascending
  std::vector<std::size_t> entries_;      // [runs + 1] cells before each
};

}  // namespace dgtd::grid
