#pragma once
// Contents of the cells of a volume grid that determine the kernel of a pass for them
// (steps/passes/volume_kernel_list.hpp). Planes are counted from the lowest stored one on (VolumeTables).
#include <array>
#include <vector>

#include "dgtd/fdtd/discretisation.hpp"
#include "dgtd/fdtd/kernels/volume_view.hpp"

namespace dgtd::fdtd {

/// Cells that a task computes with, first <= cell < end along each axis.
struct VolumeRegion {
  int first[3], end[3];
};

class VolumeContents {
 public:
  /// Properties that a tile of cells (TileBatch) may have: media other than the common one; losses.
  static constexpr char own_media = 1, lossy = 2;
  using CellsOfAxes = std::array<std::vector<bool>, 3>;  // [axis][cell]

  /// layered, damped: whether a cell is in an absorbing layer, in an adiabatic absorber along an axis. row_groups:
  /// numbers in a word of a pass.
  VolumeContents(const GridLayout& layout, CellsOfAxes layered, CellsOfAxes damped, int row_groups);

  int cells(int axis) const { return static_cast<int>(layered_[static_cast<std::size_t>(axis)].size()); }
  bool layered(int axis, int cell) const;
  /// Whether one of the cells first <= cell < end is.
  bool layered(int axis, int first, int end) const { return any_of(layered_, axis, first, end); }
  /// Whether an adiabatic absorber reaches into the region.
  bool damped(const VolumeRegion& region) const;

  // Tiles lie in layers along z, with one below and one above the block's for planes of its neighbours.
  int layer_of_plane(int plane) const { return (plane - layout_.below + tile_cells(2)) / tile_cells(2); }
  int first_plane_of(int layer) const { return (layer - 1) * tile_cells(2) + layout_.below; }
  char& in_tile(int layer, int tile_y, int tile_x) { return in_tile_[index(layer, tile_y, tile_x)]; }
  char& in_tile(const Tile& tile);
  /// Media without losses have Cb, not classes, in passes of so many steps.
  void use_Cb(int steps);
  /// Tiles may keep the table of classes.
  void use_few_classes() { few_classes_ = true; }

  /// Whether a tile of the region has it.
  bool has(const VolumeRegion& region, char what) const;
  /// First and end of the planes of the region whose tiles have it; equal or descending: there is none.
  std::pair<int, int> planes_with(char what, const VolumeRegion& region) const;
  /// Whether media of the region, other than the common one, have Cb.
  bool has_Cb(const VolumeRegion& region) const;
  /// That of the kernel which serves the region. sourced: with sources or ports; ports: with edges of ports.
  VolumeTileContent served(const VolumeRegion& region, bool sourced, bool ports = false) const;

  /// Time of a task that computes so many planes, of which the region has those in the grid; in multiples of the time
  /// of an empty plane, as measured on an H200, that of layers in half precision by instructions
  /// (docs/notebook/2026-11-23-grids-several-steps-per-pass.md).
  double time_of(const VolumeTileContent& content, const VolumeRegion& region, int planes) const;

 private:
  std::size_t index(int layer, int tile_y, int tile_x) const {
    return static_cast<std::size_t>((layer * layout_.tiles[1] + tile_y) * layout_.tiles[0] + tile_x);
  }
  static bool any_of(const CellsOfAxes& cells, int axis, int first, int end);
  VolumeTileContent served(const VolumeTileContent& content) const;
  double time_of_plane(const VolumeTileContent& content) const;

  const GridLayout& layout_;
  const CellsOfAxes layered_, damped_;
  const int row_groups_;
  bool few_classes_ = false;                    // TileMedia
  bool uses_Cb_ = false, Cb_by_plane_ = false;  // VolumeTileContent::by_plane
  std::vector<char> in_tile_;                   // [layer][y][x]
};

}  // namespace dgtd::fdtd
