#include "dgtd/observers/sampling.hpp"

#include <algorithm>

namespace dgtd::observers {

std::int64_t sampling_interval(const std::vector<double>& frequencies, double time_step) {
  constexpr double samples_per_period = 8;  // of the highest frequency
  const double highest = *std::max_element(frequencies.begin(), frequencies.end());
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(1 / (samples_per_period * highest * time_step)));
}

}  // namespace dgtd::observers
