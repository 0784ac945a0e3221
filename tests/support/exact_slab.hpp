#pragma once
// Exact waves of a slab of one medium, in a guide or at normal incidence in open space.
#include <complex>

namespace exact_waves {

/// Amplitudes relative to the wave that comes in, at reference planes on the slab's faces, for times exp(i omega t).
struct SlabWaves {
  std::complex<double> reflected, transmitted;
};

/// outside, inside: phase constants, rad/m, with which wave impedances fall; depth in m. At a face
/// r = (outside - inside) / (outside + inside), and waves between the faces are a geometric series (D. M. Pozar,
/// Microwave Engineering, secs. 2.3, 3.3; Born and Wolf, 7.6.1):
///   reflected = r (1 - p^2) / (1 - r^2 p^2),   transmitted = (1 - r^2) p / (1 - r^2 p^2),   p = exp(-i inside depth).
inline SlabWaves slab(double outside, double inside, double depth) {
  const double r = (outside - inside) / (outside + inside);
  const std::complex<double> p = std::polar(1.0, -inside * depth), divisor = 1.0 - r * r * p * p;
  return {r * (1.0 - p * p) / divisor, (1 - r * r) * p / divisor};
}

}  // namespace exact_waves
