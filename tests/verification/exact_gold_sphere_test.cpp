// The exact sphere where Re eps < 0: a gold sphere at optical frequencies, against the series of homogeneous spheres,
// which reports show and which is independent of it.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "dgtd/base/constants.hpp"
#include "dgtd/physics/medium.hpp"
#include "dgtd/physics/sphere_series.hpp"
#include "support/exact_layered_sphere.hpp"

namespace dgtd::exact {
namespace {

constexpr double radius = 40e-9;  // m

TEST(GoldSphere, HasTheEfficienciesOfTheMieSeries) {
  for (const double wavelength : {300e-9, 400e-9, 520e-9, 700e-9, 1000e-9, 1200e-9}) {
    const double frequency = speed_of_light / wavelength, omega = 2 * pi * frequency;
    const Complex eps = physics::permittivity({.poles = physics::gold_poles()}, omega);
    ASSERT_LT(eps.real(), 0);
    const LayeredSphere sphere({{radius, eps.real(), omega * vacuum_permittivity * eps.imag()}}, frequency);
    const auto series = physics::sphere_cross_sections(radius, {.poles = physics::gold_poles()}, frequency);
    const double digit = 1e-11 * (series.absorption + series.scattering);
    EXPECT_NEAR(sphere.extinction_cross_section(), series.absorption + series.scattering, digit) << wavelength;
    EXPECT_NEAR(sphere.scattering_cross_section(), series.scattering, digit) << wavelength;
    EXPECT_NEAR(sphere.absorption_cross_section(), series.absorption, digit) << wavelength;
  }
}

// Small spheres, x = k a = 0.01: the dipole terms (Bohren and Huffman, chapter 5), to x^2. A perfect conductor has an
// electric dipole of 1 and a magnetic one of -1/2, an efficiency of 10/3 x^4; eps = mu scatters nothing backwards but
// has both dipoles, an efficiency of 2 * 8/3 x^4 ((eps - 1) / (eps + 2))^2.
TEST(SphereSeries, OfSmallSpheresIsThatOfDipoles) {
  const double a = 0.01, frequency = 0.01 * speed_of_light / (2 * pi * a), x4 = 1e-8, area = pi * a * a;
  const auto conductor = physics::sphere_cross_sections(a, {.perfect_conductor = true}, frequency);
  EXPECT_NEAR(conductor.scattering / (area * x4), 10.0 / 3, 1e-3);
  EXPECT_NEAR(conductor.absorption / (area * x4), 0, 1e-6);
  const auto both = physics::sphere_cross_sections(a, {.permittivity = 3, .permeability = 3}, frequency);
  EXPECT_NEAR(both.scattering / (area * x4), 16.0 / 3 * std::pow(2.0 / 5, 2), 1e-3);
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
