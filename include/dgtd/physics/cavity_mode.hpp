#pragma once
// Standing wave of a closed box with perfectly conducting walls: initial field and exact solution.
#include <array>

#include "dgtd/base/vec3.hpp"

namespace dgtd::physics {

/// A mode with (m, n, p) half waves along x, y, z of the box [0, size]; at most one of them is zero.
/// E(t) = e cos(omega t) and H(t) = h sin(omega t), so all the energy is electric at t = 0.
/// The amplitude of E is 1 V/m. Its polarisation is normal to the wave vector and as near as can be
/// to the axis with the smallest wave number (the last one of equals): for (1, 1, 0)
/// E_z = sin(pi x / a) sin(pi y / b) cos(omega t).
struct CavityMode {
  std::array<int, 3> mode{1, 1, 0};
  Vec3 size{1, 1, 1};                         // m
  double permittivity = 1, permeability = 1;  // relative

  double angular_frequency() const;       // rad/s
  Vec3 electric(Vec3 x, double t) const;  // V/m
  Vec3 magnetic(Vec3 x, double t) const;  // A/m
};

}  // namespace dgtd::physics
