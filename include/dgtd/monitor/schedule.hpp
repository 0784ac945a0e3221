#pragma once
// How many steps, how long, and which of them are sampled.
#include <cstdint>
#include <vector>

#include "dgtd/config/case.hpp"

namespace dgtd::monitor {

struct Schedule {
  double time_step = 0;  // s
  std::int64_t steps = 0;
  std::int64_t steps_per_period = 0;  // 0 without a frequency
  std::int64_t energy_every = 1;      // steps between energy samples

  // DFT: after step n where n > dft_first and (steps - n) % dft_every == 0.
  std::vector<double> dft_frequencies;  // Hz; empty: none
  std::int64_t dft_first = 0, dft_every = 1;
  double dft_weight = 0;  // last-period: 2 / samples (peak phasors); all: seconds a sample stands for

  bool samples_dft(std::int64_t n) const {
    return !dft_frequencies.empty() && n > dft_first && (steps - n) % dft_every == 0;
  }
};

/// largest: the longest time step allowed, s. Where time.frequency is set its period is a whole number
/// of steps. A field that the time step resolves 32 times per period, and whose sources have no
/// frequencies that would alias (physics/sampling.hpp), need not be sampled at every step: the DFT takes every s-th, s
/// chosen so that the steps per period grow least. A run shorter than its
/// window has no DFT (dft_frequencies is empty).
Schedule make_schedule(const config::Case& c, double largest, std::int64_t steps_override = 0);

}  // namespace dgtd::monitor
