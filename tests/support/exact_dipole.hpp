#pragma once
// Hertzian dipole (point current) in vacuum, time-harmonic: in free space, or at the centre of a
// sphere on which the first-order Silver-Mueller condition n x E = Z0 n x (H x n) is imposed.
#include <optional>

#include "dgtd/base/vec3.hpp"
#include "support/complex_field.hpp"

namespace dgtd::exact {

/// The current is moment cos(omega t) along direction. With k the wave number, rho = k |x - position|
/// and theta the angle from direction, the field is the electric multipole of order one,
///   H_phi = i k^2 moment / (4 pi) sin(theta) v(rho) / rho,   v = xi_1 + B psi_1,
/// outgoing and standing part. B = 0 in free space. On the sphere with rho = a the condition
/// E_theta = Z0 H_phi, which is -i v' = v, gives
///   B = -(xi_1 + i xi_1') / (psi_1 + i psi_1') = -2 exp(2ia) / (exp(2ia) + 2a^2 - 2ia - 1).
/// The Wronskian of psi_1 and xi_1 makes the radiated power (1 + Re B) times that in free space:
///   P / P_free = 1 - Re[2 exp(2ia) / (exp(2ia) + 2a^2 - 2ia - 1)],   about 1 - cos(2a) / a^2.
struct Dipole {
  Vec3 position;                           // m
  Vec3 direction{0, 0, 1};                 // unit length
  double moment = 1;                       // A m, peak
  double frequency = 1;                    // Hz
  std::optional<double> absorbing_radius;  // m, of the Silver-Mueller sphere around position

  double wave_number() const;       // rad/m
  double free_space_power() const;  // W: Z0 k^2 moment^2 / (12 pi)
  double power() const;             // W, where absorbing_radius is set: what the source gives
  ComplexField field(const Vec3& x) const;
};

}  // namespace dgtd::exact
