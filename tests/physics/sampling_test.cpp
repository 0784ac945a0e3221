// Rules for the interval between samples of Fourier sums.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "dgtd/base/constants.hpp"
#include "dgtd/physics/sampling.hpp"

namespace dgtd::physics {
namespace {

using Type = Waveform::Type;

// |integral of value(t) exp(i w t) dt| by samples so dense that nothing aliases.
double spectrum_of(const Waveform& waveform, double frequency) {
  const auto shape = shape_of(waveform);
  const double length = 10 * shape.spread, interval = 1 / (40 * (waveform.frequency + waveform.bandwidth));
  std::complex<double> sum = 0;
  for (double t = 0; t < length; t += interval)
    sum += interval * value(shape, t) * std::polar(1.0, 2 * pi * frequency * t);
  return std::abs(sum);
}

// Above the highest frequency the pulse's spectrum is below 1e-6 of its peak, and it is not far below that there.
TEST(Sampling, HighestFrequencyOfAPulseIsWhereItsSpectrumEnds) {
  const Waveform pulse{Type::modulated_gaussian, 500e12, 2, 300e12};
  const double highest = highest_frequency(pulse), peak = spectrum_of(pulse, pulse.frequency);
  EXPECT_NEAR(highest, 500e12 + 2.232 * 300e12, 0.001 * 300e12);
  EXPECT_LT(spectrum_of(pulse, 1.02 * highest), 1.5e-6 * peak);
  EXPECT_GT(spectrum_of(pulse, pulse.frequency + 0.9 * (highest - pulse.frequency)), 5e-6 * peak);
}

TEST(Sampling, HighestFrequencyOfSinesIsTheCarrier) {
  EXPECT_EQ(highest_frequency(Waveform{Type::sine, 2e9, 0, 0}), 2e9);
  EXPECT_EQ(highest_frequency(Waveform{Type::ramped_sine, 3e9, 2, 0}), 3e9);
  EXPECT_EQ(highest_frequency(std::vector<Source>{}), 0);
  std::vector<Source> sources(2);
  sources[0].waveform = {Type::sine, 2e9, 0, 0};
  sources[1].waveform = {Type::sine, 1e9, 0, 0};
  EXPECT_EQ(highest_frequency(sources), 2e9);
}

TEST(Sampling, IntervalFollowsFromSumsAndSources) {
  EXPECT_DOUBLE_EQ(longest_sampling_interval(1e9, 0, 8), 1 / 8e9);
  EXPECT_DOUBLE_EQ(longest_sampling_interval(1e9, 6e9, 8), 1 / 8e9);
  EXPECT_DOUBLE_EQ(longest_sampling_interval(1e9, 19e9, 8), 1 / 20e9);
}

// A wave at 7 f, sampled eight times per period of f, is a wave at f; sampled by the rule it is not.
TEST(Sampling, AliasOfTheSourcesMissesTheSums) {
  const double f = 1e9, of_source = 7e9;
  const auto sum = [&](double interval) {
    std::complex<double> sum = 0;
    const auto samples = static_cast<int>(std::lround(100 / f / interval));
    for (int n = 0; n < samples; ++n)
      sum += std::cos(2 * pi * of_source * n * interval) * std::polar(1.0, 2 * pi * f * n * interval) / double(samples);
    return std::abs(sum);
  };
  EXPECT_NEAR(sum(1 / (8 * f)), 0.5, 1e-9);
  EXPECT_LT(sum(longest_sampling_interval(f, 1.2 * of_source, 8)), 0.02);
}

}  // namespace
}  // namespace dgtd::physics
