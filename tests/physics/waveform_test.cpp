#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "dgtd/base/constants.hpp"
#include "dgtd/physics/waveform.hpp"

namespace {

using dgtd::physics::Waveform;
using dgtd::physics::waveform;

TEST(Waveform, SineStartsAtZero) {
  const Waveform w{Waveform::Type::sine, 1e9, 2, 0};
  EXPECT_EQ(waveform(w, -1e-10), 0);
  EXPECT_NEAR(waveform(w, 0.25e-9), 1, 1e-15);
  EXPECT_NEAR(waveform(w, 0.75e-9), -1, 1e-15);
}

TEST(Waveform, RampReachesTheSineWithContinuousSlope) {
  const Waveform w{Waveform::Type::ramped_sine, 1e9, 2, 0};
  EXPECT_NEAR(waveform(w, 1.25e-9), std::pow(std::sin(dgtd::pi * 1.25 / 4), 2),
              1e-14);  // sin^2(pi t / (2 T_r)), T_r = 2 ns
  EXPECT_NEAR(waveform(w, 2.25e-9), 1, 1e-14);
}

// Full width at half maximum of the amplitude spectrum: half the peak at half the bandwidth off the carrier.
TEST(Waveform, PulseHasItsBandwidth) {
  const Waveform w{Waveform::Type::modulated_gaussian, 1e9, 2, 0.2e9};
  const auto spectrum = [&](double frequency) {
    std::complex<double> sum = 0;
    for (double t = 0; t < 40e-9; t += 2e-11) sum += waveform(w, t) * std::polar(1.0, 2 * dgtd::pi * frequency * t);
    return std::abs(sum);
  };
  EXPECT_NEAR(spectrum(1.1e9) / spectrum(1e9), 0.5, 2e-3);
  EXPECT_NEAR(spectrum(0.9e9) / spectrum(1e9), 0.5, 2e-3);
}

}  // namespace
