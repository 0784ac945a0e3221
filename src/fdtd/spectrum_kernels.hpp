#pragma once
// Running Fourier sums over the samples of surfaces. Memory for the sums is what they cost: eight instants are kept and
// added together, so that the sums are read and written once in eight.
#include <cmath>
#include <cstdint>

#include "dgtd/base/host_device.hpp"

namespace dgtd::fdtd {

inline constexpr int instants_together = 8;

/// cos and sin of E's and H's times, times the weight, [frequency][4].
template <class Real>
struct PhaseFactors {
  const double* angular;
  Real* factors;
  double electric_time, magnetic_time, weight;
  DGTD_HOST_DEVICE void operator()(std::int64_t f) const {
    factors[4 * f] = static_cast<Real>(weight * ::cos(angular[f] * electric_time));
    factors[4 * f + 1] = static_cast<Real>(weight * ::sin(angular[f] * electric_time));
    factors[4 * f + 2] = static_cast<Real>(weight * ::cos(angular[f] * magnetic_time));
    factors[4 * f + 3] = static_cast<Real>(weight * ::sin(angular[f] * magnetic_time));
  }
};

/// E and H of a surface now.
template <class Real>
struct TakeInstant {
  const Real *electric, *magnetic;
  const std::uint64_t *electric_index, *below, *above;
  const double* weight_below;
  Real* instant;                                 // [2][samples]
  std::int64_t samples;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const Real w = static_cast<Real>(weight_below[i]);
    instant[i] = electric[electric_index[i]];
    instant[samples + i] = w * magnetic[below[i]] + (1 - w) * magnetic[above[i]];
  }
};

/// sums += field exp(i w t) over `instants` instants, for `together` samples and all frequencies.
template <class Real, int together, int instants>
struct AddInstants {
  const Real* values;                            // [instant][2][samples]
  const Real* factors;                           // [instant][frequency][4]
  Real* sums;                                    // [frequency][4][samples]
  std::int64_t samples, frequencies;
  DGTD_HOST_DEVICE void operator()(std::int64_t group) const {
    const std::int64_t first = group * together;
    const int count = samples - first < together ? static_cast<int>(samples - first) : together;
    for (std::int64_t f = 0; f < frequencies; ++f)
      for (int part = 0; part < 4; ++part) {
        const Real* const from = values + (part < 2 ? 0 : samples) + first;
        Real* const to = sums + (4 * f + part) * samples + first;
        Real factor[instants];
        for (int k = 0; k < instants; ++k) factor[k] = factors[(k * frequencies + f) * 4 + part];
#if !defined(__CUDACC__)
#pragma omp simd
#endif
        for (int i = 0; i < count; ++i) {
          Real sum = factor[0] * from[i];
          for (int k = 1; k < instants; ++k) sum += factor[k] * from[2 * k * samples + i];
          to[i] += sum;
        }
      }
  }
};

}  // namespace dgtd::fdtd
