#pragma once
// The plane of a current sheet and its place in the grid.
#include <array>
#include <vector>

#include "dgtd/grid/setup.hpp"
#include "dgtd/physics/source.hpp"
#include "fdtd/discretisation/grid_wave.hpp"
#include "fdtd/sources/equivalent_currents.hpp"

namespace dgtd::fdtd {

/// Common part of all sheets: a plane of nodes inside the grid, and the waves of the background across it.
struct SheetFace {
  int normal;               // axis
  std::array<int, 2> axes;  // of the plane, in the order x, y, z
  Face face;                // the whole plane
  bool two_sided;
  double at_node;  // m along the normal
  double spacing;  // m of the cells above it

  /// +1, or -1 for waves that leave downwards.
  double way() const { return face.upper ? -1 : 1; }
};

/// Throws Error (bad_input) for a plane on or beyond the grid's end.
SheetFace sheet_face(const grid::Setup& setup, const physics::Source& source);

/// The background's wave along the sheet's normal with this polarisation.
GridWave wave_of(const grid::Setup& setup, const SheetFace& sheet, const physics::Source& source,
                 const Vec3& polarisation, double time_step);

/// By how much the current of a two-sided sheet exceeds that of a wave to one side, which is 1. A uniform sheet
/// J_s = -2 E0 f(t) / Z launches E0 f(t) to both sides. On the grid the field of a wave a half cell beside the sheet is
/// turned by k d / 2, so that the current is 2 E0 cos(k d / 2) / Z, with k at the carrier frequency.
double current_factor(const SheetFace& sheet, const physics::Source& source, double slowness);

/// Sources of a sheet whose profile is a NumPy file (field_profile.hpp): in phase and, unless it is zero, in
/// quadrature.
template <class Real>
std::vector<DiscreteSource> discrete_field_sheet(const grid::Setup& setup, const Discretisation<Real>& d,
                                                 const physics::Source& source, const SheetFace& sheet);

}  // namespace dgtd::fdtd
