#pragma once
// Sources on a grid as lists of additions to field components.
#include <vector>

#include "dgtd/fdtd/engine.hpp"
#include "dgtd/physics/source.hpp"

namespace dgtd::fdtd {

/// Additions to E after its half step and to H after its own (at E's time); those of E take the time of the half step's
/// middle.
struct DiscreteSource {
  std::vector<SourceList> lists;  // those of E before those of H
  double power_bound = 0;         // W, of incident fields; infinite for currents in an absorbing layer and hard
                                  // sources; others are watched by their work
};

/// A current dipole, J dV = moment f(t), spread linearly over the nearest components along each axis; or a uniform
/// current along a line of nodes, of the same moment.
/// Throws Error (bad_input) outside the grid.
template <class Real>
DiscreteSource discrete_dipole(const Discretisation<Real>& d, const physics::Source& source);

/// E along one axis at one place, the nearest to the position: amplitude f(t) and nothing else. Its work is not known,
/// and its power has no bound. Throws Error (bad_input) outside the grid and on metal.
template <class Real>
DiscreteSource discrete_hard_source(const grid::Setup& setup, const Discretisation<Real>& d,
                                    const physics::Source& source);

/// Planes of nodes that may launch a wave: not on the grid's ends.
inline bool is_inside(const grid::Setup& setup, int axis, std::int64_t node) {
  return node > 0 && node < setup.grid.cells(axis);
}

/// Box of a plane wave: nodes of the grid around the total field; a face on or beyond the grid's end has no
/// additions.
struct TotalFieldBox {
  std::array<std::int64_t, 3> first, last;
};
/// The source's box, or one that keeps four cells from the absorbing layers. Throws Error where it is empty.
TotalFieldBox total_field_box(const grid::Setup& setup, const physics::Source& source);

/// A plane wave on the surface of its box (total field inside, scattered field outside; Taflove, Hagness
/// 2005, sec. 5.6). Time zero: its front reaches the box. Delays and amplitudes are those of the grid's own plane
/// wave at the carrier frequency in the background, so that little leaks.
template <class Real>
DiscreteSource discrete_plane_wave(const grid::Setup& setup, const Discretisation<Real>& d,
                                   const physics::Source& source);

/// A current sheet on the nodes nearest to its plane, in the background: waves to both sides, or, with a direction, to
/// one by an electric and a magnetic current. Time zero: its earliest point starts. A NumPy profile is complex: its
/// parts in phase and in quadrature are two lists with waveforms of their own, in the media that the sheet crosses.
/// Throws Error (bad_input) for a sheet outside the grid and for a profile that cannot be read.
template <class Real>
std::vector<DiscreteSource> discrete_sheet(const grid::Setup& setup, const Discretisation<Real>& d,
                                           const physics::Source& source);

/// A paraxial Gaussian beam, launched one way from a plane of nodes across the largest component of its direction, in
/// the background; curvature and Gouy phase are delays at the carrier frequency. Throws Error (bad_input) for a plane
/// outside the grid and for a beam that absorbing layers beside it would cut.
template <class Real>
DiscreteSource discrete_gaussian_beam(const grid::Setup& setup, const Discretisation<Real>& d,
                                      const physics::Source& source);

/// Discrete sources of a source of any type: one per waveform.
template <class Real>
std::vector<DiscreteSource> discrete_source(const grid::Setup& setup, const Discretisation<Real>& d,
                                            const physics::Source& source);

}  // namespace dgtd::fdtd
