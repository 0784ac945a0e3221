#pragma once
// Running Fourier sums over samples of E and H. Memory for the sums is what they cost: eight instants are kept and
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

/// The samples of E and, behind them, of H now.
template <class Real>
struct TakeInstant {
  const Real *electric, *magnetic;
  const std::uint64_t *electric_index, *below, *above;  // above: null where H is taken as it is
  const double* weight_below;
  Real* instant;  // [n_E + n_H]
  std::int64_t electric_samples;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    if (i < electric_samples) {
      instant[i] = electric[electric_index[i]];
      return;
    }
    const std::int64_t n = i - electric_samples;
    if (above == nullptr) {
      instant[i] = magnetic[below[n]];
      return;
    }
    const Real w = static_cast<Real>(weight_below[n]);
    instant[i] = w * magnetic[below[n]] + (1 - w) * magnetic[above[n]];
  }
};

/// sums += field exp(i w t) over `instants` instants, for `together` samples of one field and all frequencies.
template <class Real, int together, int instants>
struct AddInstants {
  const Real* values;       // [instant][n_E + n_H]
  const Real* factors;      // [instant][frequency][4]
  Real* sums;               // [frequency][Re E n_E, Im E n_E, Re H n_H, Im H n_H]
  std::int64_t samples[2];  // n_E, n_H
  std::int64_t electric_groups, frequencies;
  DGTD_HOST_DEVICE void operator()(std::int64_t group) const {
    const bool of_electric = group < electric_groups;
    const std::int64_t first = (of_electric ? group : group - electric_groups) * together,
                       all = samples[0] + samples[1];
    const std::int64_t n = samples[of_electric ? 0 : 1];
    const int count = n - first < together ? static_cast<int>(n - first) : together;
    const Real* const from = values + (of_electric ? 0 : samples[0]) + first;
    for (std::int64_t f = 0; f < frequencies; ++f) {
      Real* const real = sums + 2 * (f * all + (of_electric ? 0 : samples[0])) + first;
      Real* const imag = real + n;
      Real c[instants], s[instants];
      for (int k = 0; k < instants; ++k) {
        const Real* const factor = factors + (k * frequencies + f) * 4 + (of_electric ? 0 : 2);
        c[k] = factor[0], s[k] = factor[1];
      }
#if !defined(__CUDACC__)
#pragma omp simd
#endif
      for (int i = 0; i < count; ++i) {
        Real re = c[0] * from[i], im = s[0] * from[i];
        for (int k = 1; k < instants; ++k) {
          re += c[k] * from[k * all + i];
          im += s[k] * from[k * all + i];
        }
        real[i] += re;
        imag[i] += im;
      }
    }
  }
};

}  // namespace dgtd::fdtd
