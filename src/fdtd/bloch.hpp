#pragma once
// Bloch's condition on periodic axes, u(x + L) = exp(i phase) u(x): fields are complex, held as two real fields, and
// what passes a side of the grid is turned.
#include <cmath>

#include "dgtd/fdtd/engine.hpp"

namespace dgtd::fdtd {

/// The ghosts of a half step that lie beyond the grid's end on this rank, with their turns.
template <class Real>
GhostPhases bloch_phases(const grid::Setup& setup, const Discretisation<Real>& d, HalfStep half);

/// A list with its entries times the cosine (sine) of the Bloch phase at their places, phase_a (x_a - origin_a) / L_a.
template <class Real>
SourceTermList bloch_part(const grid::Setup& setup, const Discretisation<Real>& d, const SourceTermList& list,
                          bool electric, bool imaginary);

/// real + i imag <- (cosine + i sine) (real + i imag).
template <class Real>
struct ApplyBlochPhase {
  Real *real, *imag;
  const std::uint64_t* index;
  const Real *cosine, *sine;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const std::uint64_t n = index[i];
    const Real a = real[n], b = imag[n];
    real[n] = cosine[i] * a - sine[i] * b;
    imag[n] = sine[i] * a + cosine[i] * b;
  }
};

}  // namespace dgtd::fdtd
