#pragma once
// The problem on a Cartesian grid, before it is discretised: the grid, its boundaries and its materials.
#include <array>
#include <vector>

#include "dgtd/grid/cartesian_grid.hpp"
#include "dgtd/grid/media.hpp"
#include "dgtd/physics/boundary.hpp"

namespace dgtd::grid {

/// A conductivity that rises in front of a metal wall as the power `order` of the depth.
struct AdiabaticLayer {
  double length = 0;  // m
  int order = 3;
  double reflection = 1e-3;  // of the amplitude, from the wall, at normal incidence in the background
};

struct Setup {
  CartesianGrid grid;
  std::array<physics::BoundaryKind, 6> sides{
      physics::BoundaryKind::pec, physics::BoundaryKind::pec, physics::BoundaryKind::pec, physics::BoundaryKind::pec,
      physics::BoundaryKind::pec, physics::BoundaryKind::pec};  // xmin xmax ymin … zmax; bloch: periodic with a
                                                                // bloch_phase
  int axes = 3;  // fields vary along the first of x, y, z; the others have one cell, are periodic, and count a metre
  int components = 6;                          // of E and H that are not zero everywhere
  int layer_cells = 10;                        // of an absorbing side
  std::array<AdiabaticLayer, 6> adiabatic{};   // of sides of that kind
  std::vector<physics::Medium> materials;      // at least one; the first is the background
  std::array<double, 3> bloch_phase{0, 0, 0};  // of periodic axes: u(x + L) = exp(i phase) u(x), rad
  double least_permittivity = 1e300;           // of media that are no materials (PermittivityMedia)
  int margin = 0;  // planes along z that blocks also store of their neighbours, for passes of several steps; if there
                   // are any, blocks are cut along z alone

  /// m; 1 along axes that the fields do not vary along.
  double length(int axis) const { return axis < axes ? grid.nodes(axis).back() - grid.origin[axis] : 1; }
  /// Whether waves leave the grid there, and how many cells that takes.
  bool is_open(int side) const { return physics::absorbs(sides[side]); }
  int cells_of_layer(int side) const {
    if (sides[side] == physics::BoundaryKind::cpml) return layer_cells;
    if (sides[side] != physics::BoundaryKind::adiabatic) return 0;
    const auto& d = grid.spacing[side / 2];
    double rest = (1 - 1e-6) * adiabatic[static_cast<std::size_t>(side)].length;
    std::size_t cells = 0;
    for (; cells < d.size() && rest > 0; ++cells) rest -= side % 2 == 0 ? d[cells] : d[d.size() - 1 - cells];
    return static_cast<int>(cells);
  }
  bool has_bloch_phase() const { return bloch_phase[0] != 0 || bloch_phase[1] != 0 || bloch_phase[2] != 0; }
  std::array<bool, 3> periodic() const {
    return {sides[0] == physics::BoundaryKind::periodic, sides[2] == physics::BoundaryKind::periodic,
            sides[4] == physics::BoundaryKind::periodic};
  }
};

}  // namespace dgtd::grid
