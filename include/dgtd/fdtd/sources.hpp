#pragma once
// Sources on a grid as lists of additions to field components.
#include <vector>

#include "dgtd/fdtd/engine.hpp"

namespace dgtd::fdtd {

/// Additions to E after its half step (at the half step's middle) and to H after its own (at E's time).
struct SourceLists {
  physics::WaveformShape shape;
  std::vector<DriveList> electric, magnetic;
  double power_bound = 0;          // W; infinite where none is known, as for a dipole near matter
};

/// A current dipole, J dV = moment f(t), spread linearly over the nearest components along each axis.
/// Throws Error (bad_input) outside the grid.
template <class Real>
SourceLists dipole_lists(const Discretisation<Real>& d, const config::Source& source);

/// Where a plane wave is: nodes of the grid around the total field; a face on or beyond the grid's end has no additions.
struct TotalFieldBox {
  std::array<std::int64_t, 3> first, last;
};
/// The source's box, or one that keeps four cells from the absorbing layers. Throws Error where it is empty.
TotalFieldBox total_field_box(const Setup& setup, const config::Source& source);

/// A plane wave on the surface of its box (total field inside, scattered field outside; Taflove, Hagness
/// 2005, sec. 5.6). Time zero: its front reaches the box. Delays and amplitudes are those of the grid's own plane
/// wave at the carrier frequency, so that little leaks. permittivity and permeability: of the background.
template <class Real>
SourceLists plane_wave_lists(const Setup& setup, const Discretisation<Real>& d, const config::Source& source, double permittivity, double permeability);

}  // namespace dgtd::fdtd
