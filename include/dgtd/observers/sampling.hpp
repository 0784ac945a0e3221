#pragma once
// How often the fields of a spectrum are sampled.
#include <cstdint>
#include <vector>

namespace dgtd::observers {

/// Steps between samples of Fourier integrals at these frequencies (Hz). time_step: s.
std::int64_t sampling_interval(const std::vector<double>& frequencies, double time_step);

}  // namespace dgtd::observers
