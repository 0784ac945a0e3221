#pragma once
// Spectra of the power through planes and closed boxes.
#include <array>
#include <string>
#include <vector>

#include "dgtd/fdtd/engine.hpp"
#include "dgtd/fdtd/power.hpp"
#include "dgtd/physics/monitors.hpp"

namespace dgtd::fdtd {

/// A surface's samples on this rank: exact Poynting sums of the scheme, for E_c H_a and -E_a H_c are at the same places
/// of a face with normal b (a, b, c cyclic) once H is averaged over both sides.
struct FluxSurface {
  solver::SurfacePairs pairs;
  SpectrumSamples samples;  // of the pairs, in the fields
};

/// Faces lie on the nodes nearest to the monitor's; those on or beyond the grid's end are left out, which
/// suits symmetry planes. Throws Error (bad_input) where nothing is left.
template <class Real>
FluxSurface flux_surface(const Discretisation<Real>& d, const physics::Flux& flux);

/// The faces of a box; those on the grid's end, and where this rank has no part of them, are empty.
template <class Real>
std::array<FluxSurface, 6> box_faces(const Discretisation<Real>& d, const NodeBox& box);

}  // namespace dgtd::fdtd
