// Absorbing layers of conductivities of E and H along them.
#include "dgtd/physics/absorbing_layer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <vector>

#include "dgtd/base/constants.hpp"

namespace dgtd::physics {
namespace {

constexpr double w = 2 * pi * 1e9, wavelength = speed_of_light / 1e9;
double decibel(const LayerProfile& profile, int strata, double wavelengths, double degrees) {
  const double thickness = wavelengths * wavelength;
  return 20 * std::log10(reflection(rates_of_strata(profile, strata, thickness, speed_of_light), thickness / strata,
                                    speed_of_light, w, degrees * pi / 180));
}

// A mirror behind the layer would send back exp(-2 S d / v).
TEST(AbsorbingLayer, RatesHaveTheProfilesIntegral) {
  for (const int power : {1, 2, 3}) {
    const auto rates = rates_of_strata({power, 1e-3}, 7, 0.7, 2e8);
    EXPECT_NEAR(std::accumulate(rates.begin(), rates.end(), 0.0) * 0.1, std::log(1e3) * 2e8 / 2, 1e-6);
    EXPECT_TRUE(std::is_sorted(rates.begin(), rates.end()));
    EXPECT_GT(rates.front(), 0);
  }
}

// The thickness of a layer of which the case says nothing, for a frequency and bands, in strata that resolve the
// highest frequency.
TEST(AbsorbingLayer, OfTheUsualThicknessReflectsLittleInAnyBand) {
  constexpr double wavelengths = 1.75;
  for (const double band : {1.0, 1.5, 2.0, 1 / 0.3})
    for (const double per_wavelength : {4, 6, 15}) {
      const int strata = static_cast<int>(std::ceil(wavelengths * per_wavelength * band));
      const double thickness = wavelengths * wavelength;
      const auto profile = best_profile(strata, thickness, speed_of_light, std::vector{w, w * band});
      const auto rates = rates_of_strata(profile, strata, thickness, speed_of_light);
      for (const double degrees : layer_angles)
        for (const double frequency : {w, w * band})
          EXPECT_LT(reflection(rates, thickness / strata, speed_of_light, frequency, degrees * pi / 180),
                    std::pow(10, -36.5 / 20))
              << band << " " << per_wavelength << " " << degrees;
    }
}

// Without losses only the end reflects: tan^2(angle / 2), as the Silver-Mueller condition. A layer has none at normal
// incidence.
TEST(AbsorbingLayer, ReflectsAsItsEndDoesWithoutLosses) {
  const std::vector<double> none(4, 1e-30);
  for (const double angle : {0.3, 0.8, 1.2})
    EXPECT_NEAR(reflection(none, 0.03, speed_of_light, w, angle), std::pow(std::tan(angle / 2), 2), 1e-12);
  EXPECT_LT(decibel({2, 0.1}, 8, 1, 0), -250);
}

// A homogeneous layer has one solution.
TEST(AbsorbingLayer, DoesNotDependOnTheNumberOfEqualStrata) {
  const std::vector<double> few(5, 3e9), many(500, 3e9);
  for (const double angle : {0.0, 0.5, 1.2})
    EXPECT_NEAR(reflection(few, 0.02, speed_of_light, w, angle), reflection(many, 0.0002, speed_of_light, w, angle),
                1e-12);
}

// Measured by an independent program in the scheme's exact discrete solution with ky (P2, six elements per wavelength):
// -41, -36, -34 dB at 30, 45, 60 degrees, worst of five elements -21, of twenty -61. The elements add an error of their
// own.
TEST(AbsorbingLayer, HasTheReflectionMeasuredInElements) {
  EXPECT_NEAR(decibel({2, 0.1}, 8, 8 / 6.0, 45), -36, 2);
  EXPECT_NEAR(decibel({2, 0.1}, 8, 8 / 6.0, 60), -34, 1);
  EXPECT_NEAR(decibel({1, 0.1}, 5, 5 / 6.0, 60), -21, 1);
  EXPECT_NEAR(decibel({2, 1e-5}, 20, 20 / 6.0, 60), -61, 1);
}

TEST(AbsorbingLayer, BestProfileIsAsGoodAsThoseOfTheSearch) {
  for (const auto& [strata, wavelengths, worst] :
       {std::tuple{5, 5 / 6.0, -20.0}, {8, 8 / 6.0, -33.5}, {15, 2.5, -55.0}}) {
    const double thickness = wavelengths * wavelength;
    const LayerProfile best = best_profile(strata, thickness, speed_of_light, std::vector{w});
    for (const double angle : layer_angles) EXPECT_LT(decibel(best, strata, wavelengths, angle), worst) << strata;
  }
}

}  // namespace
}  // namespace dgtd::physics
