#pragma once
// A node's step. The wave equation with losses, (6) of Tartarini and Massaro 2011,
//   lap psi - mu eps d2 psi/dt2 - mu sigma d psi/dt = 0,
// by central differences, with a = mu eps / dt^2, s = mu sigma / (2 dt), b = 1 / d^2, and L the sum of neighbours minus
// the node:
//   (a + s) psi^{n+1} = 2 a psi^n - (a - s) psi^{n-1} + b L psi^n
// (what (5) and (7) should say: docs/theory.md). It is computed as its increments v = psi^{n+1} - psi^n,
//   v <- Ca v + Cb L psi,   psi <- psi + v,   Ca = (a - s) / (a + s),   Cb = b / (a + s),
// which lose fewer digits where a wavelength has many nodes. Sums of two neighbours come first, and fused
// multiply-adds are explicit: every executor and every schedule rounds alike.
#include <cmath>

#include "dgtd/hpf/kernels/plane_view.hpp"

namespace dgtd::hpf {

DGTD_HOST_DEVICE float multiply_add(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return ::fmaf(a, b, c);
#else
  return __builtin_fmaf(a, b, c);
#endif
}
DGTD_HOST_DEVICE double multiply_add(double a, double b, double c) {
#if defined(__CUDA_ARCH__)
  return ::fma(a, b, c);
#else
  return __builtin_fma(a, b, c);
#endif
}

/// L psi: `along` is the sum of the two neighbours along y, `across` of those along x.
template <bool coupled, class Real>
DGTD_HOST_DEVICE Real difference(Real psi, Real along, Real across, Real ratio, Real centre) {
  if constexpr (coupled) return multiply_add(centre, psi, multiply_add(ratio, along, across));
  else return multiply_add(centre, psi, along);
}

template <bool lossy, class Real>
DGTD_HOST_DEVICE Real new_increment(Real increment, Real difference, Real Cb, Real Ca) {
  if constexpr (lossy) return multiply_add(Cb, difference, Ca * increment);
  else return multiply_add(Cb, difference, increment);
}

/// Mur 1981, (15), for a wall node, from its inner neighbour after the step (psi and its increment) and its own psi
/// before:
///   psi_0^{n+1} = psi_1^n + k (psi_1^{n+1} - psi_0^n),   k = (c dt - d) / (c dt + d)
/// as an increment of psi_0, with psi_1^n = psi_1^{n+1} - v_1.
template <class Real>
DGTD_HOST_DEVICE Real mur_increment(Real wall_psi, Real inner_psi, Real inner_increment, Real factor) {
  const Real d = inner_psi - wall_psi;
  return multiply_add(factor, d, d - inner_increment);
}

}  // namespace dgtd::hpf
