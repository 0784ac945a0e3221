#pragma once
// Memory layout of the fields on a rank's block of cells, and the tiles that kernels work on.
//
// Yee's lattice: E_x at (i+1/2, j, k), H_x at (i, j+1/2, k+1/2), the others alike. Component arrays are
// [k][j][i], i fastest, with one ghost layer on each side: indices -1 to cells. E at index `cells` and H
// at index -1 belong to the neighbouring block, or say what the wall is. Along axes that the fields do not vary along
// strides are 0: the one layer is its own neighbour, and differences there are exactly 0. H is stored times the
// impedance of vacuum, so that E and H are of one size (V/m). Blocks of passes of several steps also have planes of
// the blocks below and above along z: indices -below to cells + above - 1.
#include <cstdint>

#include "dgtd/base/host_device.hpp"

namespace dgtd::fdtd {

DGTD_HOST_DEVICE constexpr int tile_cells(int axis) { return axis == 0 ? 32 : 8; }
inline constexpr int cells_of_tile = 32 * 8 * 8;
inline constexpr int cells_of_tile_plane = 32 * 8;

struct GridLayout {
  int cells[3] = {0, 0, 0};  // owned
  int tiles[3] = {0, 0, 0};
  std::int64_t row = 0,
               plane = 0;    // reals from j to j + 1, from k to k + 1; 0 along axes that the fields do not vary along
  std::int64_t reals = 0;    // of a component
  int below = 0, above = 0;  // planes of the neighbours along z

  GridLayout() = default;
  GridLayout(int nx, int ny, int nz, int axes = 3, int planes_below = 0, int planes_above = 0)
      : cells{nx, ny, nz}, below(planes_below), above(planes_above) {
    for (int a = 0; a < 3; ++a) tiles[a] = (cells[a] + tile_cells(a) - 1) / tile_cells(a);
    const auto layers = [&](int a) { return a < axes ? std::int64_t{tile_cells(a)} * tiles[a] + 2 : 1; };
    const std::int64_t of_row =
        std::int64_t{tile_cells(0)} * (tiles[0] + 1);  // the first 32 hold the ghosts of this row and the one before
    const std::int64_t of_plane = of_row * layers(1);
    row = axes > 1 ? of_row : 0;
    plane = axes > 2 ? of_plane : 0;
    reals = of_plane * (layers(2) + below + above) + tile_cells(0);
  }
  DGTD_HOST_DEVICE std::int64_t index(int i, int j, int k) const {
    return (k + 1 + below) * plane + (j + 1) * row + tile_cells(0) + i;
  }
  /// Planes of a component's array, from index -1 - below on.
  int stored_planes() const { return tile_cells(2) * tiles[2] + 2 + below + above; }
  /// The cell at a place in a component's array.
  struct Cell {
    int i, j, k;
  };
  Cell cell_at(std::int64_t place) const {
    const std::int64_t at = place - index(0, 0, -below);
    const auto k = plane > 0 ? at / plane : 0, j = row > 0 ? (at - k * plane) / row : 0;
    return {static_cast<int>(at - k * plane - j * row), static_cast<int>(j), static_cast<int>(k) - below};
  }
  DGTD_HOST_DEVICE std::int64_t stride(int axis) const { return axis == 0 ? 1 : axis == 1 ? row : plane; }
};

/// A box of up to 32 x 8 x 8 cells. What only some tiles have is stored by slots, [slot][…][cells_of_tile].
struct Tile {
  int first[3];         // its first cell
  int layer[3];         // absorbing layers' sums along x, y, z of its first plane (HalfStepView::layer); -1: none
  int layer_stride[3];  // from a plane's to the next one's
  int layer_lanes[2];   // of a row, those from the first to before the last lie in a layer along x
  int classes;          // slot of the classes of its cells; -1: all cells are of medium_class
  int medium_class;
  int poles;       // slot of the polarisation currents; -1: none
  int damped = 0;  // 1: some of its cells are in an adiabatic absorber
};

}  // namespace dgtd::fdtd
