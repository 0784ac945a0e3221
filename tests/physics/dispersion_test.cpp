#include <gtest/gtest.h>

#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/physics/medium.hpp"
#include "support/error_message.hpp"

namespace dgtd::physics {
namespace {

using Complex = std::complex<double>;
using Type = Pole::Type;

Complex permittivity(double eps_infinity, double conductivity, const std::vector<Pole>& poles, double omega) {
  return permittivity(Medium{.permittivity = eps_infinity, .conductivity = conductivity, .poles = poles}, omega);
}

double at_wavelength(double nanometres) { return 2 * pi * speed_of_light / (nanometres * 1e-9); }

void expect_near(Complex computed, Complex expected, double relative) {
  EXPECT_LT(std::abs(computed - expected), relative * std::abs(expected)) << computed << " instead of " << expected;
}

// Closed forms at frequencies where a term is purely real, purely imaginary or both alike.
TEST(Dispersion, TermsHaveTheirSpecialValues) {
  const Pole lorentz{Type::lorentz, 3e15, 2e15, 5e13, 0}, debye{Type::debye, 70, 0, 0, 8e-12};
  expect_near(permittivity(1, 0, {lorentz}, 2e15), Complex(1, 9e30 / (2e15 * 5e13)), 1e-14);  // at resonance
  expect_near(permittivity(1, 0, {lorentz}, 2e7), 1 + 9.0 / 4, 1e-9);  // static; Im / Re ~ omega Gamma / omega_0^2
  expect_near(permittivity(1, 0, {{Type::drude, 3e15, 0, 0, 0}}, 6e15), 1 - 0.25, 1e-14);  // collisionless
  expect_near(permittivity(1, 0, {{Type::drude, 3e15, 7e15, 6e15, 0}}, 6e15), Complex(1 - 0.125, 0.125),
              1e-14);                                                               // no resonance
  expect_near(permittivity(4, 0, {debye}, 1 / 8e-12), Complex(4 + 35, 35), 1e-14);  // omega tau = 1
  expect_near(permittivity(2, 0.5, {}, 1e9), Complex(2, 0.5 / (1e9 * vacuum_permittivity)), 1e-14);
}

// Far below its collision rate a Drude metal is a conductor with sigma = eps0 omega_p^2 / Gamma; the
// remainder is of the relative order omega / Gamma.
TEST(Dispersion, DrudeIsAConductorAtLowFrequency) {
  const double strength = 1e16, damping = 1e14, omega = 1e6;
  const double sigma = vacuum_permittivity * strength * strength / damping;
  expect_near(permittivity(1, 0, {{Type::drude, strength, 0, damping, 0}}, omega), permittivity(1, sigma, {}, omega),
              2 * omega / damping);
}

// The same fit as A. D. Rakic et al., Appl. Opt. 37 (1998) 5271, Tables 1 and 2, have it: omega_p = 9.03 eV,
// strengths f, damping and resonance in eV. Four digits of the frequencies are known, hence 1e-3.
TEST(Dispersion, GoldIsTheFitOfRakic) {
  constexpr double electronvolt = 1.602176634e-19 / 1.054571817e-34;  // rad/s
  struct Line {
    double f, damping, resonance;
  };
  std::vector<Pole> poles;
  for (const Line& line : {Line{0.760, 0.053, 0}, Line{0.024, 0.241, 0.415}, Line{0.010, 0.345, 0.830},
                           Line{0.071, 0.870, 2.969}, Line{0.601, 2.494, 4.304}, Line{4.384, 2.214, 13.32}})
    poles.push_back({Type::lorentz, std::sqrt(line.f) * 9.03 * electronvolt, line.resonance * electronvolt,
                     line.damping * electronvolt, 0});
  for (double wavelength = 300; wavelength <= 1200; wavelength += 10)
    expect_near(permittivity(1, 0, physics::gold_poles(), at_wavelength(wavelength)),
                permittivity(1, 0, poles, at_wavelength(wavelength)), 1e-3);
}

TEST(Dispersion, GoldIsAPassiveMetal) {
  EXPECT_NO_THROW(check_passive("gold", {.poles = physics::gold_poles()}, at_wavelength(1200), at_wavelength(300)));
  for (double wavelength = 300; wavelength <= 1200; wavelength += 10)
    EXPECT_LT(permittivity(1, 0, physics::gold_poles(), at_wavelength(wavelength)).real(), 0) << wavelength;
}

// The pair of terms as it is printed, and a Lorentz pole: phi = 0 and w0^2 = Omega^2 + Gamma^2, wp^2 = 2 A Omega^2 with
// twice the damping.
TEST(Dispersion, CriticalPointsAreTheirTwoTerms) {
  constexpr Complex i(0, 1);
  const double A = 0.7, resonance = 3e15, phase = -0.9, damping = 6e14;
  for (const double omega : {1e13, 2.7e15, 3e15, 8e16})
    expect_near(permittivity(1.2, 0, {{Type::critical_point, A, resonance, damping, 0, phase}}, omega),
                1.2 + A * resonance *
                          (std::exp(i * phase) / (resonance - omega - i * damping) +
                           std::exp(-i * phase) / (resonance + omega + i * damping)),
                1e-13);
  const double width = 1e15;
  expect_near(
      permittivity(1, 0, {{Type::critical_point, A, resonance, width, 0, 0}}, 2e15),
      permittivity(1, 0, {{Type::lorentz, std::sqrt(2 * A) * resonance, std::hypot(resonance, width), 2 * width, 0}},
                   2e15),
      1e-13);
}

// A. Vial, T. Laroche, Appl. Phys. B 93 (2008) 139, gold from 200 to 1000 nm.
const Medium gold_of_vial{.permittivity = 1.1431,
                          .poles = {{Type::drude, 1.3202e16, 0, 1.0805e14, 0},
                                    {Type::critical_point, 0.26698, 3.8711e15, 4.4642e14, 0, -1.2371},
                                    {Type::critical_point, 3.0834, 4.1684e15, 2.3555e15, 0, -1.0968}}};

// Between the measurements of P. B. Johnson, R. W. Christy, Phys. Rev. B 6 (1972) 4370, at 1.88, 2.01 and 1.76 eV:
// (n + i k)^2 = (0.14 + 3.697 i)^2, (0.21 + 3.272 i)^2, (0.13 + 4.103 i)^2. The fit is one of a few percent.
TEST(Dispersion, CriticalPointsOfVialAreGold) {
  constexpr double electronvolt = 1.602176634e-19 / 1.054571817e-34;  // rad/s
  for (const auto& [energy, n] : {std::pair{1.88, Complex(0.14, 3.697)}, std::pair{2.01, Complex(0.21, 3.272)},
                                  std::pair{1.76, Complex(0.13, 4.103)}})
    expect_near(physics::permittivity(gold_of_vial, energy * electronvolt), n * n, 0.06);
}

// The sum of the Drude pole and both critical points is passive, none of the critical points is by itself.
TEST(Dispersion, CriticalPointsArePassiveAsASum) {
  EXPECT_NO_THROW(check_critical_points("gold", gold_of_vial));
  Medium without = gold_of_vial;
  without.poles.erase(without.poles.begin());
  const std::string text = dgtd::message([&] { check_critical_points("gold", without); });
  EXPECT_EQ(text.rfind("material 'gold': the sum of its poles has omega Im eps = -", 0), 0u) << text;
  EXPECT_NE(text.find("rad/s: it must not be negative at any frequency (a passive material)"), std::string::npos)
      << text;
  // sin(phi) > 0: d < 0
  const std::string active = dgtd::message([&] {
    check_critical_points("paint", {.poles = {{Type::critical_point, 0.5, 2e15, 1e14, 0, 0.1}}});
  });
  EXPECT_EQ(active,
            "material 'paint': the sum of its poles has omega Im eps = -1.99667e+14 rad/s at high frequencies: it must "
            "not be negative at any frequency (a passive material)");
  EXPECT_NO_THROW(check_critical_points("paint", {.conductivity = 2e14 * vacuum_permittivity,
                                                  .poles = {{Type::critical_point, 0.5, 2e15, 1e14, 0, 0.1}}}));
  // A band without gain around the sources does not suffice, and media without critical points are not asked.
  EXPECT_NO_THROW(check_critical_points("paint", {.poles = {{Type::lorentz, 1e14, 2e15, -1e13, 0}}}));
}

// In a leap-frog with f dt > 2 a resonance gives power away above w_d = 2 sqrt(c f / d) / (f dt).
TEST(Dispersion, CriticalPointsArePassiveInTheStepsOfAGrid) {
  const Medium medium{.poles = {{Type::critical_point, 1, 1e14, 2e15, 0, -0.2}}};
  EXPECT_NO_THROW(check_critical_points("glass", medium, 1e-17));
  const std::string text = dgtd::message([&] { check_critical_points("glass", medium, 4e-15); });
  EXPECT_NE(text.find(", with the time step of 4e-15 s; decrease solver.cfl_fraction: it must not"), std::string::npos)
      << text;
}

std::string message(double eps_infinity, double conductivity, const std::vector<Pole>& poles, double lowest,
                    double highest) {
  const Medium medium{.permittivity = eps_infinity, .conductivity = conductivity, .poles = poles};
  return dgtd::message([&] { check_passive("paint", medium, lowest, highest); });
}

TEST(Dispersion, ActiveMaterialsAreRefused) {
  EXPECT_EQ(
      message(2, -8.8541878128e-3, {}, 1e9, 4e9),
      "material 'paint': permittivity 2 -1i at 1e+09 rad/s: the imaginary part must not be negative between 1e+09 and "
      "4e+09 rad/s (a passive material)");
  EXPECT_EQ(
      message(1, 0, {{Type::lorentz, 2e15, 4e15, -1e9, 0}}, 1e15, 1e16),  // a line far narrower than the band's samples
      "material 'paint': permittivity 1 -1e+06i at 4e+15 rad/s: the imaginary part must not be negative between 1e+15 "
      "and "
      "1e+16 rad/s (a passive material)");
  const Pole gain{Type::debye, -2, 0, 0, 1e-12};
  EXPECT_NE(message(4, 0, {gain}, 1e11, 1e13), "no error");
  EXPECT_EQ(message(4, 0, {gain, {Type::debye, 3, 0, 0, 1e-12}}, 1e11, 1e13), "no error");  // only the sum counts
  EXPECT_EQ(message(4, 0, {{Type::lorentz, 2e15, 4e15, 0, 0}}, 1e15, 1e16), "no error");    // lossless
}

TEST(Dispersion, PassiveIsAskedInTheBandOnly) {
  const std::vector<Pole> poles{{Type::lorentz, 1e14, 2e15, -1e13, 0}, {Type::drude, 5e15, 0, 1e14, 0}};
  EXPECT_EQ(message(1, 0, poles, 1e14, 1e15), "no error");
  EXPECT_NE(message(1, 0, poles, 1e14, 3e15), "no error");
}

}  // namespace
}  // namespace dgtd::physics
