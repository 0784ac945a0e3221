#include "dgtd/monitor/schedule.hpp"

#include <algorithm>
#include <cmath>

#include "dgtd/physics/sampling.hpp"

namespace dgtd::monitor {

namespace {

constexpr std::int64_t samples_per_period = 32;

struct Division {
  std::int64_t steps, every;
};

// steps >= least, a multiple of `every`. Samples per period: at least 32 per period of the highest frequency of the
// sums, and more than that frequency and the sources' highest one together, both in cycles per period: sums over a
// whole period are then free of aliases (physics/sampling.hpp).
Division divide_period(std::int64_t least, double of_sums, double of_sources) {
  const auto wanted = std::max(static_cast<std::int64_t>(std::ceil(samples_per_period * of_sums)),
                               static_cast<std::int64_t>(std::floor(of_sources + of_sums)) + 1);
  Division best{least, 1};
  for (std::int64_t every = least / wanted, tried = 0; every > 1 && tried < 16; --every, ++tried) {
    const std::int64_t steps = (least + every - 1) / every * every;
    if (best.every == 1 || steps < best.steps) best = {steps, every};
  }
  return best;
}

}  // namespace

Schedule make_schedule(const config::Case& c, double largest, std::int64_t steps_override) {
  Schedule s;
  s.time_step = largest;
  const double highest =
      c.dft.frequencies.empty() ? 0 : *std::max_element(c.dft.frequencies.begin(), c.dft.frequencies.end());
  const double of_sources = physics::highest_frequency(c.sources);
  const bool last_period = c.dft.window == config::Dft::Window::last_period;
  if (c.time.frequency) {
    const double period = 1 / *c.time.frequency;
    const auto least = static_cast<std::int64_t>(std::ceil(period / largest * (1 - 1e-12)));
    const auto division =
        last_period ? divide_period(least, std::max(1.0, highest * period), of_sources * period) : Division{least, 1};
    s.steps_per_period = division.steps;
    s.dft_every = division.every;
    s.time_step = period / static_cast<double>(division.steps);
  }
  if (c.time.steps) s.steps = *c.time.steps;
  else if (c.time.periods) s.steps = std::llround(*c.time.periods * static_cast<double>(s.steps_per_period));
  else if (s.steps_per_period > 0)
    s.steps = static_cast<std::int64_t>(std::ceil(*c.time.end / s.time_step * (1 - 1e-12)));
  else {
    s.steps = static_cast<std::int64_t>(std::ceil(*c.time.end / largest * (1 - 1e-12)));
    s.time_step = *c.time.end / static_cast<double>(s.steps);
  }
  if (steps_override > 0) s.steps = steps_override;

  s.energy_every = c.output.energy_interval > 0 ? c.output.energy_interval : std::clamp<std::int64_t>(s.steps / 100, 10, 100);
  if (last_period) {
    if (s.steps_per_period > 0 && s.steps >= s.steps_per_period) {
      s.dft_frequencies = c.dft.frequencies;
      s.dft_first = s.steps - s.steps_per_period;
      s.dft_weight = 2.0 * static_cast<double>(s.dft_every) / static_cast<double>(s.steps_per_period);
    }
  } else if (highest > 0) {
    s.dft_frequencies = c.dft.frequencies;
    s.dft_every = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(physics::longest_sampling_interval(highest, of_sources, samples_per_period) /
                                     s.time_step));
    s.dft_weight = static_cast<double>(s.dft_every) * s.time_step;
  }
  return s;
}

}  // namespace dgtd::monitor
