#include "dgtd/physics/sampling.hpp"

#include <algorithm>
#include <cmath>

namespace dgtd::physics {

double highest_frequency(const Waveform& waveform) {
  constexpr double negligible = 1e-6;  // of the peak of the amplitude spectrum
  if (waveform.type != Waveform::Type::modulated_gaussian) return waveform.frequency;
  return waveform.frequency + 0.5 * std::sqrt(std::log2(1 / negligible)) * waveform.bandwidth;
}

double highest_frequency(const std::vector<Source>& sources) {
  double highest = 0;
  for (const Source& source : sources) highest = std::max(highest, highest_frequency(source.waveform));
  return highest;
}

double longest_sampling_interval(double of_sums, double of_sources, double samples_per_period) {
  return 1 / std::max(samples_per_period * of_sums, of_sources + of_sums);
}

std::int64_t sampling_interval(const std::vector<double>& frequencies, double of_sources, double time_step) {
  constexpr double samples_per_period = 8;
  const double of_sums = *std::max_element(frequencies.begin(), frequencies.end());
  return static_cast<std::int64_t>(
      std::clamp(longest_sampling_interval(of_sums, of_sources, samples_per_period) / time_step, 1.0, 1e15));
}

}  // namespace dgtd::physics
