// Figures of an antenna from its intensities.
#include "dgtd/observers/antenna.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "dgtd/base/constants.hpp"

namespace dgtd::observers {
namespace {

// [thetas][phis] of a function of theta and phi, with its exact integral.
template <class Function>
Intensities intensities(int thetas, int phis, double radiated, const Function& u) {
  Intensities all{thetas, phis, {}, radiated};
  for (int t = 0; t < thetas; ++t)
    for (int p = 0; p < phis; ++p) all.values.push_back(u(pi * t / (thetas - 1), 2 * pi * p / phis));
  return all;
}

// sin^2 theta has the integral 8 pi / 3, hence the directivity 3/2; half of it is at 45 and 135 degrees.
TEST(Antenna, AShortDipoleHasItsGainAndBeam) {
  const auto u = intensities(181, 360, 8 * pi / 3, [](double theta, double) { return std::pow(std::sin(theta), 2); });
  const AntennaFigures a = antenna_figures(u, 10, 16);
  EXPECT_NEAR(a.directivity, 1.5, 1e-12);
  EXPECT_NEAR(a.gain, 4 * pi / 10, 1e-12);
  EXPECT_NEAR(a.realised_gain, 4 * pi / 16, 1e-12);
  EXPECT_NEAR(a.radiation_efficiency, 8 * pi / 30, 1e-12);
  EXPECT_NEAR(a.total_efficiency, 8 * pi / 48, 1e-12);
  EXPECT_NEAR(a.accepted_share, 10 / 16.0, 1e-12);
  EXPECT_FALSE(a.absorbed_share);
  EXPECT_NEAR(a.theta, pi / 2, 1e-12);
  EXPECT_NEAR(*a.front_to_back, 1, 1e-12);
  EXPECT_NEAR(*a.beam_theta, pi / 2, 1e-12);
  EXPECT_FALSE(a.beam_phi);  // the same all around
}

// (a, i b) draws an ellipse with the axes a and b, in any frame and at any phase; 30 dB keep ten digits.
TEST(Antenna, AnEllipseHasItsAxialRatio) {
  using Complex = std::complex<double>;
  const Complex i(0, 1), phase = std::polar(1.0, 0.7);
  EXPECT_NEAR(axial_ratio(1, i), 1, 1e-14);
  EXPECT_NEAR(axial_ratio(1, -i), 1, 1e-14);
  for (const double ratio : {1.5, 31.6, 1e4}) {
    const double c = std::cos(0.4), s = std::sin(0.4);
    const Complex a = phase * 3.0, b = phase * i * 3.0 / ratio;
    EXPECT_NEAR(axial_ratio(a, b) / ratio, 1, 1e-10) << ratio;
    EXPECT_NEAR(axial_ratio(c * a - s * b, s * a + c * b) / ratio, 1, 1e-10) << ratio;
  }
  EXPECT_TRUE(std::isinf(axial_ratio(2, 1)));
}

// A beam along +x, (1 + sin theta cos phi)^2: twice the square root of a half is 1 + cos of half of its width, on both
// cuts; linear between directions a degree apart, (pi / 180)^2 / 8 at most.
TEST(Antenna, ABeamHasItsWidths) {
  const auto u = intensities(181, 360, 16 * pi / 3, [](double theta, double phi) {
    return std::pow(1 + std::sin(theta) * std::cos(phi), 2) + 0.004;
  });
  const AntennaFigures a = antenna_figures(u, 1, 1);
  const double width = 2 * std::acos(std::sqrt(0.5 * 4.004 - 0.004) - 1);
  EXPECT_NEAR(*a.beam_theta, width, 1e-4);
  EXPECT_NEAR(*a.beam_phi, width, 1e-4);
  EXPECT_NEAR(*a.front_to_back, 4.004 / 0.004, 1e-6);
  EXPECT_EQ(a.phi, 0);
}

// Around a pole: the cut goes through it.
TEST(Antenna, ABeamAlongTheAxisHasAWidthOverTheta) {
  const auto u =
      intensities(91, 72, 16 * pi / 3, [](double theta, double) { return std::pow(1 + std::cos(theta), 2); });
  const AntennaFigures a = antenna_figures(u, 1, 1);
  EXPECT_EQ(a.theta, 0);
  EXPECT_NEAR(*a.beam_theta, 2 * std::acos(std::sqrt(2) - 1), 4e-4);
  EXPECT_FALSE(a.beam_phi);
}

}  // namespace
}  // namespace dgtd::observers
