#include "dgtd/physics/cavity_mode.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "dgtd/base/constants.hpp"

namespace dgtd::physics {
namespace {

Vec3 wave_vector(const CavityMode& c) {
  assert(std::count(c.mode.begin(), c.mode.end(), 0) <= 1);
  return {c.mode[0] * pi / c.size.x, c.mode[1] * pi / c.size.y, c.mode[2] * pi / c.size.z};
}

// Unit vector A with k . A = 0, which makes e free of divergence.
Vec3 polarisation(const Vec3& k) {
  int axis = 2;
  for (int i : {1, 0})
    if (k[i] < k[axis]) axis = i;
  Vec3 a;
  a[axis] = 1;
  a -= k * (k[axis] / dot(k, k));
  return a / norm(a);
}

}  // namespace

// Jackson, Classical Electrodynamics, 3rd ed., section 8.7: omega = c k in a closed cavity.
double CavityMode::angular_frequency() const {
  return speed_of_light / std::sqrt(permittivity * permeability) * norm(wave_vector(*this));
}

// Balanis, Advanced Engineering Electromagnetics, section 8.3 (rectangular cavities):
// e_i = A_i cos(k_i x_i) times the sines of the two other axes; tangential e vanishes on the walls.
Vec3 CavityMode::electric(Vec3 x, double t) const {
  const Vec3 k = wave_vector(*this), a = polarisation(k);
  const Vec3 s{std::sin(k.x * x.x), std::sin(k.y * x.y), std::sin(k.z * x.z)};
  const Vec3 c{std::cos(k.x * x.x), std::cos(k.y * x.y), std::cos(k.z * x.z)};
  return std::cos(angular_frequency() * t) * Vec3{a.x * c.x * s.y * s.z, a.y * s.x * c.y * s.z, a.z * s.x * s.y * c.z};
}

// Faraday's law, mu dH/dt = -curl E, with (curl e)_i = (k x A)_i sin(k_i x_i) times the cosines of
// the two other axes: h = -curl e / (mu omega).
Vec3 CavityMode::magnetic(Vec3 x, double t) const {
  const Vec3 k = wave_vector(*this), b = cross(k, polarisation(k));
  const Vec3 s{std::sin(k.x * x.x), std::sin(k.y * x.y), std::sin(k.z * x.z)};
  const Vec3 c{std::cos(k.x * x.x), std::cos(k.y * x.y), std::cos(k.z * x.z)};
  const double omega = angular_frequency();
  const double factor = -std::sin(omega * t) / (permeability * vacuum_permeability * omega);
  return factor * Vec3{b.x * s.x * c.y * c.z, b.y * c.x * s.y * c.z, b.z * c.x * c.y * s.z};
}

}  // namespace dgtd::physics
