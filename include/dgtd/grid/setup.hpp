#pragma once
// The problem on a Cartesian grid, before it is discretised: the grid, its boundaries and its materials.
#include <array>
#include <vector>

#include "dgtd/grid/cartesian_grid.hpp"
#include "dgtd/grid/media.hpp"
#include "dgtd/physics/boundary.hpp"

namespace dgtd::grid {

using physics::BoundaryKind;

struct Setup {
  CartesianGrid grid;
  std::array<BoundaryKind, 6> sides{
      BoundaryKind::pec, BoundaryKind::pec, BoundaryKind::pec, BoundaryKind::pec,
      BoundaryKind::pec, BoundaryKind::pec};  // xmin xmax ymin … zmax; bloch: periodic with a bloch_phase
  int axes = 3;  // fields vary along the first of x, y, z; the others have one cell, are periodic, and count a metre
  int components = 6;                          // of E and H that are not zero everywhere
  int layer_cells = 10;                        // of an absorbing side
  std::vector<Material> materials;             // at least one; the first is the background
  std::array<double, 3> bloch_phase{0, 0, 0};  // of periodic axes: u(x + L) = exp(i phase) u(x), rad
  double courant = 0.95;                       // time step over its largest stable value

  /// m; 1 along axes that the fields do not vary along.
  double length(int axis) const { return axis < axes ? grid.nodes(axis).back() - grid.origin[axis] : 1; }
  /// Whether waves leave the grid there, and how many cells that takes.
  bool is_open(int side) const { return physics::absorbs(sides[side]); }
  int cells_of_layer(int side) const { return sides[side] == BoundaryKind::cpml ? layer_cells : 0; }
  bool has_bloch_phase() const { return bloch_phase[0] != 0 || bloch_phase[1] != 0 || bloch_phase[2] != 0; }
  std::array<bool, 3> periodic() const {
    return {sides[0] == BoundaryKind::periodic, sides[2] == BoundaryKind::periodic, sides[4] == BoundaryKind::periodic};
  }
};

}  // namespace dgtd::grid
