#include "dgtd/physics/sphere_series.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "dgtd/base/constants.hpp"

namespace dgtd::physics {

namespace {

using Complex = std::complex<double>;

// psi_n'(z) / psi_n(z), n = 0 ... order, downwards, where the recurrence is stable: any start far above both the order
// and |z| is forgotten.
std::vector<Complex> logarithmic_derivatives(int order, Complex z) {
  const int start = std::max(order, static_cast<int>(std::abs(z))) + 16 + static_cast<int>(std::sqrt(100 * std::abs(z)));
  std::vector<Complex> values(static_cast<std::size_t>(order) + 1);
  Complex value = 0;
  for (int n = start; n > 0; --n) {
    const Complex ratio = double(n) / z;
    value = ratio - 1.0 / (value + ratio);  // of n - 1
    if (n - 1 <= order) values[static_cast<std::size_t>(n - 1)] = value;
  }
  return values;
}

}  // namespace

CrossSections sphere_cross_sections(double radius, const Medium& medium, double frequency) {
  const double omega = 2 * pi * frequency, wave_number = omega / speed_of_light, x = wave_number * radius;
  const int order = static_cast<int>(x + 4.05 * std::cbrt(x) + 2);  // W. J. Wiscombe, Appl. Opt. 19 (1980) 1505
  const double mu = medium.permeability;
  const Complex m = medium.perfect_conductor ? 1 : std::sqrt(mu * permittivity(medium, omega));
  const auto inside = logarithmic_derivatives(order, m * x);
  const auto psi = [x](int n) { return x * std::sph_bessel(static_cast<unsigned>(n), x); };
  const auto xi = [x](int n) {
    return x * Complex(std::sph_bessel(static_cast<unsigned>(n), x), std::sph_neumann(static_cast<unsigned>(n), x));
  };
  double scattering = 0, extinction = 0;
  for (int n = 1; n <= order; ++n) {
    const Complex psi_n = psi(n), psi_before = psi(n - 1), xi_n = xi(n), xi_before = xi(n - 1);
    const auto coefficient = [&](Complex admittance) {
      const Complex at_surface = admittance + n / x;
      return (at_surface * psi_n - psi_before) / (at_surface * xi_n - xi_before);
    };
    const Complex slope = inside[static_cast<std::size_t>(n)];
    // On a perfect conductor tangential E is zero: infinite admittance of the magnetic multipoles.
    const Complex a = coefficient(medium.perfect_conductor ? 0 : mu * slope / m);
    const Complex b = medium.perfect_conductor ? psi_n / xi_n : coefficient(m * slope / mu);
    scattering += (2 * n + 1) * (std::norm(a) + std::norm(b));
    extinction += (2 * n + 1) * std::real(a + b);
  }
  const double unit = 2 * pi / (wave_number * wave_number);
  return {unit * (extinction - scattering), unit * scattering};
}

}  // namespace dgtd::physics
