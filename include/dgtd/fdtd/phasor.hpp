#pragma once
// Fourier sums of whole fields.
#include "dgtd/parallel/array.hpp"

namespace dgtd::fdtd {

/// Sums at one frequency, [3][reals] each.
template <class Real>
struct Phasor {
  double angular_frequency;                            // rad/s
  parallel::Array<Real> electric_real, electric_imag;  // V/m
  parallel::Array<Real> magnetic_real, magnetic_imag;  // times the impedance of vacuum, V/m
};

}  // namespace dgtd::fdtd
