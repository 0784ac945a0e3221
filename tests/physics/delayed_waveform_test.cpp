// Waveforms after a way in a scheme of leap-frog steps.
#include "dgtd/physics/delayed_waveform.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>

namespace dgtd::physics {
namespace {

using Type = Waveform::Type;
constexpr double w = 2 * pi;  // periods of 1 s
const WaveformShape sine = shape_of({Type::sine, 1, 2, 0}), ramped = shape_of({Type::ramped_sine, 1, 4, 0}),
                    pulse = shape_of({Type::modulated_gaussian, 1, 2, 0.5});

TEST(DelayedWaveform, IsTheWaveformWithoutSteps) {
  for (const auto& shape : {sine, ramped, pulse})
    for (double t = -1; t < 8; t += 0.0371)
      for (const double delay : {0.0, 0.7, 3.0})
        EXPECT_NEAR(delayed_value(shape, t, delay, 0), value(shape, t - delay), 1e-13);
}

TEST(DelayedWaveform, OfASineHasTheWaveNumberOfTheScheme) {
  constexpr double dt = 0.05, delay = 12.3;
  const double wave_number = 2 / dt * std::sin(w * dt / 2);
  for (double t = delay; t < delay + 2; t += 0.0371)
    EXPECT_NEAR(delayed_value(sine, t, delay, dt), std::sin(w * t - wave_number * delay), 1e-12);
  for (double t = delay + 4; t < delay + 6; t += 0.0371)  // risen
    EXPECT_NEAR(delayed_value(ramped, t, delay, dt), std::sin(w * t - wave_number * delay), 1e-12);
}

// f(t - d) as an integral over frequencies of F exp(i w t - i k(w) d), k(w) = 2 / dt sin(w dt / 2); times that are far
// from the waveform's start, which has jumps.
TEST(DelayedWaveform, OfAPulseIsThatOfItsSpectrum) {
  constexpr int n = 1 << 12;
  constexpr double length = 64, step = length / n;
  std::vector<std::complex<double>> spectrum;
  for (int k = 0; k < 400; ++k) {
    std::complex<double> sum = 0;
    for (int i = 0; i < n; ++i) sum += value(pulse, i * step) * std::polar(1.0, -2 * pi * k * i / n);
    spectrum.push_back(sum / double(n));
  }
  for (const auto& [dt, delay, bound] : {std::array{0.05, 4.0, 3e-4}, {0.1, 4.0, 5e-3}, {0.05, 16.0, 5e-3}}) {
    double error = 0, uncorrected = 0;
    for (double t = delay; t < delay + 12; t += 0.0371) {
      double exact = 0;
      for (std::size_t k = 1; k < spectrum.size(); ++k) {
        const double omega = 2 * pi * double(k) / length, wave_number = 2 / dt * std::sin(omega * dt / 2);
        exact += 2 * (spectrum[k] * std::polar(1.0, omega * t - wave_number * delay)).real();
      }
      error = std::max(error, std::abs(delayed_value(pulse, t, delay, dt) - exact));
      uncorrected = std::max(uncorrected, std::abs(value(pulse, t - delay) - exact));
    }
    EXPECT_LT(error, bound) << dt << " " << delay;
    EXPECT_GT(uncorrected, 50 * error) << dt << " " << delay;
  }
}

}  // namespace
}  // namespace dgtd::physics
