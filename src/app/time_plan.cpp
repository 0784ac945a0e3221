#include "dgtd/app/time_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/error.hpp"
#include "dgtd/physics/sampling.hpp"

namespace dgtd::app {

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

TimePlan make_time_plan(const config::Case& c, double largest, std::int64_t steps_override, double continued) {
  TimePlan plan;
  plan.time_step = largest;
  const double highest =
      c.dft.frequencies.empty() ? 0 : *std::max_element(c.dft.frequencies.begin(), c.dft.frequencies.end());
  const double of_sources = physics::highest_frequency(c.sources);
  const bool last_period = c.dft.window == config::Dft::Window::last_period;
  std::int64_t sums_interval = 1;
  if (c.time.frequency) {
    const double period = 1 / *c.time.frequency;
    const auto least = static_cast<std::int64_t>(std::ceil(period / largest * (1 - 1e-12)));
    const auto division =
        last_period ? divide_period(least, std::max(1.0, highest * period), of_sources * period) : Division{least, 1};
    plan.steps_per_period = division.steps;
    sums_interval = division.every;
    plan.time_step = period / static_cast<double>(division.steps);
  }
  if (continued > 0) {
    // The computed step may differ by rounding, and without a period be longer, since time.end is a whole number of
    // steps.
    constexpr double rounding = 1e-6;
    const bool has_period = plan.steps_per_period > 0;
    if (continued > plan.time_step * (1 + rounding) || (has_period && continued < plan.time_step * (1 - rounding)))
      throw Error(fmt::format("the checkpoint has the time step {} s, and the case {} s", continued, plan.time_step));
    plan.time_step = continued;
  }
  if (c.time.steps) plan.steps = *c.time.steps;
  else if (c.time.periods) plan.steps = std::llround(*c.time.periods * static_cast<double>(plan.steps_per_period));
  else if (plan.steps_per_period > 0)
    plan.steps = static_cast<std::int64_t>(std::ceil(*c.time.end / plan.time_step * (1 - 1e-12)));
  else {
    plan.steps = static_cast<std::int64_t>(std::ceil(*c.time.end / plan.time_step * (1 - 1e-12)));
    if (continued == 0) plan.time_step = *c.time.end / static_cast<double>(plan.steps);
  }
  if (steps_override > 0) plan.steps = steps_override;

  plan.energy_interval =
      c.output.energy_interval > 0 ? c.output.energy_interval : std::clamp<std::int64_t>(plan.steps / 100, 10, 100);
  observers::FourierPlan& sums = plan.fourier;
  sums.last = plan.steps;
  sums.peak = last_period;
  if (last_period) {
    if (plan.steps_per_period > 0 && plan.steps >= plan.steps_per_period) {
      sums.frequencies = c.dft.frequencies;
      sums.first = plan.steps - plan.steps_per_period;
      sums.interval = sums_interval;
      sums.weight = 2.0 * static_cast<double>(sums_interval) / static_cast<double>(plan.steps_per_period);
    }
  } else if (highest > 0) {
    sums.frequencies = c.dft.frequencies;
    sums.interval = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(physics::longest_sampling_interval(highest, of_sources, samples_per_period) /
                                     plan.time_step));
    sums.weight = static_cast<double>(sums.interval) * plan.time_step;
  }
  return plan;
}

}  // namespace dgtd::app
