// The exact sphere where Re eps < 0: a gold sphere at optical frequencies, against an independent Mie series.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "dgtd/base/constants.hpp"
#include "dgtd/physics/medium.hpp"
#include "support/exact_layered_sphere.hpp"

namespace dgtd::exact {
namespace {

constexpr double radius = 40e-9;  // m

struct Efficiencies {
  double extinction, scattering;
};

// C. F. Bohren and D. R. Huffman, Absorption and Scattering of Light by Small Particles (1983): (4.88) for a_n and
// b_n with the logarithmic derivative D_n of (4.89), by downward recurrence; (4.61) and (4.62) over pi radius^2.
Efficiencies mie_series(double x, Complex m) {
  constexpr int orders = 12, start = 60;
  std::vector<Complex> d(start + 1);
  for (int n = start; n > 0; --n) {
    const Complex ratio = double(n) / (m * x);
    d[n - 1] = ratio - 1.0 / (d[n] + ratio);
  }
  const auto psi = [x](int n) { return x * std::sph_bessel(n, x); };
  const auto xi = [x](int n) { return x * Complex(std::sph_bessel(n, x), std::sph_neumann(n, x)); };
  Efficiencies q{0, 0};
  for (int n = 1; n <= orders; ++n) {
    const Complex electric = d[n] / m + n / x, magnetic = m * d[n] + n / x;
    const Complex a = (electric * psi(n) - psi(n - 1)) / (electric * xi(n) - xi(n - 1));
    const Complex b = (magnetic * psi(n) - psi(n - 1)) / (magnetic * xi(n) - xi(n - 1));
    q.extinction += 2 / (x * x) * (2 * n + 1) * std::real(a + b);
    q.scattering += 2 / (x * x) * (2 * n + 1) * (std::norm(a) + std::norm(b));
  }
  return q;
}

TEST(GoldSphere, HasTheEfficienciesOfTheMieSeries) {
  for (const double wavelength : {300e-9, 400e-9, 520e-9, 700e-9, 1000e-9, 1200e-9}) {
    const double frequency = speed_of_light / wavelength, omega = 2 * pi * frequency;
    const Complex eps = physics::permittivity({.poles = physics::gold_poles()}, omega);
    ASSERT_LT(eps.real(), 0);
    const LayeredSphere sphere({{radius, eps.real(), omega * vacuum_permittivity * eps.imag()}}, frequency);
    const Efficiencies q = mie_series(2 * pi * radius / wavelength, std::sqrt(eps));
    const double area = pi * radius * radius, digit = 1e-11 * q.extinction;
    EXPECT_NEAR(sphere.extinction_cross_section() / area, q.extinction, digit) << wavelength;
    EXPECT_NEAR(sphere.scattering_cross_section() / area, q.scattering, digit) << wavelength;
    EXPECT_NEAR(sphere.absorption_cross_section() / area, q.extinction - q.scattering, digit) << wavelength;
  }
}

// A coat of the same metal in two pieces: absorption in the layers adds up, and Re eps < 0 on both sides.
TEST(GoldSphere, OfTwoLayersIsOneSphere) {
  const double frequency = speed_of_light / 520e-9, omega = 2 * pi * frequency;
  const Complex eps = physics::permittivity({.poles = physics::gold_poles()}, omega);
  const double sigma = omega * vacuum_permittivity * eps.imag();
  const SpherePowers whole = LayeredSphere({{radius, eps.real(), sigma}}, frequency).powers();
  const SpherePowers cut =
      LayeredSphere({{radius / 2, eps.real(), sigma}, {radius, eps.real(), sigma}}, frequency).powers();
  EXPECT_NEAR(cut.absorbed_in_layer[0] + cut.absorbed_in_layer[1], whole.absorbed, 1e-12 * whole.absorbed);
  EXPECT_GT(cut.absorbed_in_layer[0], 0);
}

// Far below the wavelength: extinction 4 x Im((eps - 1) / (eps + 2)), largest where Re eps = -2 (BH (5.7)-(5.11)).
// The next term is of the relative order x^2.
TEST(GoldSphere, ResonatesAsADipoleWhenSmall) {
  const Complex eps(-2, 0.3);
  const double x = 1e-4, frequency = x * speed_of_light / (2 * pi);
  const LayeredSphere sphere({{1, eps.real(), 2 * pi * frequency * vacuum_permittivity * eps.imag()}}, frequency);
  const double expected = 4 * x * std::imag((eps - 1.0) / (eps + 2.0));
  EXPECT_NEAR(sphere.extinction_cross_section() / pi, expected, 1e-6 * expected);
}

}  // namespace
}  // namespace dgtd::exact
