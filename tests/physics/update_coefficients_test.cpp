#include <gtest/gtest.h>

#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/physics/update_coefficients.hpp"

namespace dgtd::physics {
namespace {

constexpr double dt = 2e-12;

// (1 + s) E' = (1 - s) E + c0 dt / eps_r curl H,  s = sigma dt / (2 eps);  H alike with mu and sigma_m.
TEST(UpdateCoefficients, HoldConductionByTheMeanOfOldAndNewValue) {
  const Medium m{.permittivity = 4, .permeability = 2, .conductivity = 3, .magnetic_conductivity = 5e4};
  const auto [Ca, Cb, Da, Db] = update_coefficients(m, dt);
  const double s = 3 * dt / (2 * 4 * vacuum_permittivity), t = 5e4 * dt / (2 * 2 * vacuum_permeability);
  EXPECT_NEAR((1 + s) * Ca, 1 - s, 1e-15);
  EXPECT_NEAR((1 + s) * Cb, speed_of_light * dt / 4, 1e-15 * speed_of_light * dt);
  EXPECT_NEAR((1 + t) * Da, 1 - t, 1e-15);
  EXPECT_NEAR((1 + t) * Db, speed_of_light * dt / 2, 1e-15 * speed_of_light * dt);
}

TEST(UpdateCoefficients, OfALosslessMediumLeaveTheOldValueAsItIs) {
  const auto [Ca, Cb, Da, Db] = update_coefficients({.permittivity = 3, .permeability = 5}, dt);
  EXPECT_EQ(Ca, 1);
  EXPECT_EQ(Da, 1);
  EXPECT_EQ(Cb, speed_of_light * dt / 3);
  EXPECT_EQ(Db, speed_of_light * dt / 5);
}

// With exp(-i w t) the recursion has J = Y E, p = w dt / 2 (docs/theory.md, Powers),
//   Y (exp(-i p) - Ja exp(i p) + i Jc / (2 sin p)) = Jb - i exp(i p) Jc Jd / (2 sin p).
// With the conductivity of poles that is -i w / c0 times their permittivity, up to a few halves of p^2.
TEST(UpdateCoefficients, OfPolesAreTheirPermittivityAtLowFrequency) {
  const std::complex<double> i(0, 1);
  for (const Pole& pole :
       {Pole{Pole::Type::drude, 2e9, 0, 3e9, 0}, Pole{Pole::Type::lorentz, 3e9, 2e9, 4e8, 0},
        Pole{Pole::Type::debye, 5, 0, 0, 1e-10}, Pole{Pole::Type::critical_point, 2, 2.2e9, 6e8, 0, -0.7},
        Pole{Pole::Type::critical_point, -1, 3e9, 2e9, 0, 0.4}}) {
    const auto [Ja, Jb, Jc, Jd] = pole_coefficients(pole, dt);
    const double omega = 2e9, p = 0.5 * omega * dt;
    const std::complex<double> of_charge = i * Jc / (2 * std::sin(p));
    std::complex<double> admittance =
        (Jb - of_charge * std::exp(i * p) * Jd) / (std::exp(-i * p) - Ja * std::exp(i * p) + of_charge);
    const double conductivity = conductivity_of_pole(pole);  // over eps0
    admittance += conductivity / speed_of_light * std::cos(p);
    const std::complex<double> expected =
        -i * omega / speed_of_light * (permittivity(Medium{.poles = {pole}}, omega) - 1.0);
    EXPECT_LT(std::abs(admittance - expected),
              2 * p * p * (std::abs(expected) + std::abs(conductivity) / speed_of_light))
        << int(pole.type);
  }
}

// psi is the convolution of the derivative with -sigma exp(-(sigma + alpha) t): of a constant it becomes
// -sigma / (sigma + alpha).
TEST(UpdateCoefficients, OfALayerSumAConstantToItsLimit) {
  const double conductivity = 3e10, shift = 1e9;
  const auto [b, c] = layer_coefficients(conductivity, shift, dt);
  EXPECT_DOUBLE_EQ(b, std::exp(-(conductivity + shift) * dt));
  EXPECT_NEAR(c / (1 - b), -conductivity / (conductivity + shift), 1e-14);
}

}  // namespace
}  // namespace dgtd::physics
