#pragma once
// One axis of the grid as the kernels need it: distances across walls and absorbing layers.
#include <vector>

#include "dgtd/fdtd/discretisation.hpp"

namespace dgtd::fdtd {

/// At global positions -1 to cells + 1; E stands on nodes across the axis, H between them.
struct GlobalAxis {
  std::vector<double> spacing;                             // [cells + 1] m; a magnetic wall's extra layer included
  std::vector<double> electric_inverse, magnetic_inverse;  // [cells] 1/m; 0 where a wall holds the field at zero
  std::vector<double> electric_conductivity,
      magnetic_conductivity;                           // [cells] conductivity of the layer over eps0, 1/s; 0 outside
  std::vector<double> electric_alpha, magnetic_alpha;  // [cells] frequency shift of the layer, 1/s
  std::vector<double> node_loss, centre_loss;  // [cells] of E there: an adiabatic layer's conductivity over eps, 1/s
};

/// Cells along an axis with the extra layer that carries E on an upper magnetic wall.
std::int64_t stored_cells(const grid::Setup& setup, int axis);
GlobalAxis make_axis(const grid::Setup& setup, int axis);

}  // namespace dgtd::fdtd
