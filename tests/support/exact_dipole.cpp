#include "support/exact_dipole.hpp"

#include <cmath>

#include "dgtd/base/constants.hpp"
#include "support/exact_radial.hpp"

namespace dgtd::exact {
namespace {

constexpr Complex i{0, 1};

// Standing part B of the field between the dipole and the absorbing sphere (derived in the header).
Complex standing_part(const Dipole& dipole) {
  if (!dipole.absorbing_radius) return 0;
  const double a = dipole.wave_number() * *dipole.absorbing_radius;
  const Complex turn = std::exp(2.0 * i * a);
  return -2.0 * turn / (turn + 2 * a * a - 2.0 * i * a - 1.0);
}

}  // namespace

double Dipole::wave_number() const { return 2 * pi * frequency / speed_of_light; }

// Jackson, Classical Electrodynamics, 3rd ed., (9.24), with |p| = moment / omega.
double Dipole::free_space_power() const { return vacuum_impedance * std::pow(wave_number() * moment, 2) / (12 * pi); }

double Dipole::power() const { return free_space_power() * (1 + standing_part(*this).real()); }

// H_phi as in the header; E = i Z0 / k curl H: E_r = 2 i Z0 C cos(theta) v / rho^2 and
// E_theta = -i Z0 C sin(theta) v' / rho with C = i k^2 moment / (4 pi).
ComplexField Dipole::field(const Vec3& x) const {
  const Vec3 offset = x - position, outward = offset / norm(offset);
  const double rho = wave_number() * norm(offset), cosine = dot(direction, outward);
  const RadialFunctions xi = outgoing_functions(1, rho), psi = regular_functions(1, rho);
  const Complex b = standing_part(*this);
  const Complex v = xi.value[1] + b * psi.value[1], v_slope = xi.derivative[1] + b * psi.derivative[1];
  const Complex scale = i * wave_number() * wave_number() * moment / (4 * pi);
  const Vec3 azimuthal = cross(direction, outward), polar = cosine * outward - direction;  // times sin(theta)
  const auto complex = [](const Vec3& a) { return Eigen::Vector3cd(a.x, a.y, a.z); };
  return {
      i * vacuum_impedance * scale * (2 * cosine * v / (rho * rho) * complex(outward) - v_slope / rho * complex(polar)),
      scale * v / rho * complex(azimuthal)};
}

}  // namespace dgtd::exact
