#pragma once
// The cells of a rank's block whose material, that at the cell's centre, has a density, as runs along x.
#include <array>
#include <cstdint>
#include <vector>

#include "grid_scene.hpp"
#include "dgtd/dosimetry/sar.hpp"

namespace dgtd::app {

class TissueCells {
 public:
  /// In a box of the grid. axes: along which the fields vary.
  TissueCells(const grid::CartesianGrid& grid, const grid::Block& block, const GridScene& scene,
              const fdtd::NodeBox& box, int axes);

  std::size_t count() const { return entries_.back(); }
  /// Around the cells; first > last without any.
  const fdtd::NodeBox& around() const { return around_; }
  /// listed, group, volume, element_id and centroid of the exposure, of the length count(); mean_square_field gets this
  /// length. Threads take runs. The exposure refers to this object.
  void list(dosimetry::Exposure& exposure) const;

 private:
  struct Run {
    std::int64_t first;  // number of its first cell in the block, x fastest
    std::int32_t cells;
    std::uint16_t material;
  };
  std::array<std::int64_t, 3> at(std::size_t number) const;  // cell of the grid
  std::vector<Run> runs_of_planes(int first, int end) const;
  void find_materials(const std::array<std::int64_t, 3>& low, const std::array<std::int64_t, 3>& high,
                      std::uint16_t* material) const;

  const grid::CartesianGrid& grid_;
  const grid::Block& block_;
  const GridScene& scene_;
  int axes_;
  std::array<std::int64_t, 3> low_{}, high_{};  // cells of the grid: this block's part of the box
  fdtd::NodeBox around_;
  std::vector<double> x_[3];          // [nodes] m
  std::vector<Run> runs_;             // ascending
  std::vector<std::size_t> entries_;  // [runs + 1] cells before each
};

}  // namespace dgtd::app
