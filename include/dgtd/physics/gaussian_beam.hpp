#pragma once
// A Gaussian beam in a lossless medium.
#include <utility>

#include "dgtd/base/vec3.hpp"

namespace dgtd::physics {

/// Fields of a wave at a point: amplitudes (V/m, H times the impedance of vacuum), delay (s), and how much earlier a
/// component is (s).
struct WaveAtPoint {
  Vec3 electric, magnetic;
  double delay = 0;
  Vec3 electric_lead{}, magnetic_lead{};
};

// A. E. Siegman, Lasers (1986), sec. 17.1: at a distance z behind the focus and r from the axis
//   E = E0 w0 / w exp(-r^2 / w^2) cos(w t - k z - k r^2 / (2 R) + atan(z / z_R)),
//   w = w0 sqrt(1 + (z / z_R)^2),   1 / R = z / (z^2 + z_R^2),   z_R = k w0^2 / 2.
struct GaussianBeam {
  Vec3 focus, direction;     // m; unit length
  double waist;              // w0, m
  double slowness;           // of the phase, s/m
  double angular_frequency;  // rad/s

  /// z and r^2 of a point.
  std::pair<double, double> place(const Vec3& x) const;
  double rayleigh_length() const { return 0.5 * slowness * angular_frequency * waist * waist; }
  double radius(double z) const;  // w, m
  /// Over that at the focus.
  double amplitude(double z, double square_of_r) const;
  /// s, later than at the focus.
  double delay(double z, double square_of_r) const;
  /// The earliest that a plane across the axis at z has anything above a thousandth of its largest amplitude, s.
  double earliest(double z) const;

  /// The field of a beam with E along `polarisation` and Z0 H along `magnetic` on its axis, for E0 = 1. Its divergence
  /// is zero to first order in 1 / (k w0).
  WaveAtPoint field(const Vec3& x, const Vec3& polarisation, const Vec3& magnetic) const;
};

}  // namespace dgtd::physics
