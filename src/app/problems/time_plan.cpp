#include "app/problems/time_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/error.hpp"
#include "dgtd/physics/sampling.hpp"

namespace dgtd::app {

namespace {

constexpr std::int64_t samples_per_period = 32;
constexpr double most_steps = 1e15;  // of a run and of a period: exact as double precision numbers

// A whole number of steps. Throws Error (bad_input) where it is beyond what can be counted; key: what asks for it.
std::int64_t counted(double steps, const std::string& key) {
  if (!(steps <= most_steps)) throw Error(fmt::format("{} is more than {:.0e} time steps", key, most_steps));
  return static_cast<std::int64_t>(steps);
}

struct Division {
  std::int64_t steps, every;
};

// steps >= least, a multiple of `every`. Samples per period: at least 32 per period of the highest frequency of the
// sums, and more than that frequency and the sources' highest one together, both in cycles per period: sums over a
// whole period are then free of aliases (physics/sampling.hpp).
Division divide_period(std::int64_t least, double of_sums, double of_sources) {
  const auto wanted = static_cast<std::int64_t>(
      std::min(most_steps, std::max(std::ceil(samples_per_period * of_sums), std::floor(of_sources + of_sums) + 1)));
  Division best{least, 1};
  for (std::int64_t every = least / wanted, tried = 0; every > 1 && tried < 16; --every, ++tried) {
    const std::int64_t steps = (least + every - 1) / every * every;
    if (best.every == 1 || steps < best.steps) best = {steps, every};
  }
  return best;
}

// About a hundredth of a run of so many steps. Grids take four or eight steps per pass over memory, which a sample at
// another step would divide.
std::int64_t energy_interval_of(std::int64_t steps) {
  constexpr std::int64_t together = 8, least = 2 * together, most = 12 * together;
  return std::clamp((steps / 100 + together - 1) / together * together, least, most);
}

bool has_spectra_of_pulses(const config::Case& c) {
  const bool over_run =
      !c.fluxes.empty() || !c.far_fields.empty() || !c.ports.empty() ||
      std::any_of(c.monitors.begin(), c.monitors.end(), [&](const auto& m) { return has_own_sums(c, m); }) ||
      (!c.dft.frequencies.empty() && c.dft.window == config::Dft::Window::all);
  const auto all = config::waveforms(c);
  return over_run && !all.empty() && std::all_of(all.begin(), all.end(), [](const auto& w) {
           return w.type == physics::Waveform::Type::modulated_gaussian;
         });
}

}  // namespace

bool has_own_sums(const config::Case& c, const physics::Monitor& monitor) {
  const auto is_of_dft = [&](double f) {
    return std::any_of(c.dft.frequencies.begin(), c.dft.frequencies.end(),
                       [&](double of_dft) { return std::abs(of_dft - f) <= 1e-9 * f; });
  };
  return !c.solver.method.has.tetrahedra ||
         !std::all_of(monitor.frequencies.begin(), monitor.frequencies.end(), is_of_dft);
}

double lowest_pulse_carrier(const config::Case& c) {
  double lowest = 0;
  for (const auto& w : config::waveforms(c))
    if (w.type == physics::Waveform::Type::modulated_gaussian)
      lowest = lowest == 0 ? w.frequency : std::min(lowest, w.frequency);
  return lowest;
}

namespace {

// Steps of a run that its fields end, at most; of a steady one whole periods.
std::int64_t most_steps_of(const config::Case& c, const TimePlan& plan) {
  constexpr double periods = 100, periods_of_pulses = 1000;
  const bool steady = plan.end == config::RunEnd::Type::steady;
  const double seconds = c.time.at_most ? *c.time.at_most
                         : steady       ? periods / *c.time.frequency
                                        : periods_of_pulses / lowest_pulse_carrier(c);
  const std::string key = fmt::format("time.at_most = {} s", seconds);
  constexpr double rounding = 1e-9;
  if (!steady) {
    const auto steps = counted(std::ceil(seconds / plan.time_step * (1 - rounding)), key);
    if (steps < 1) throw Error(fmt::format("{}: no time step is that short", key));
    return steps;
  }
  const double most = std::floor(seconds * *c.time.frequency * (1 + rounding));
  if (most < 2)
    throw Error(fmt::format("{} is less than two periods of time.frequency = {} Hz, which time.end = steady compares",
                            key, *c.time.frequency));
  return counted(most * double(plan.steps_per_period), key);
}

// Their number, and without a period their length, of which the end of the run is a multiple.
void set_steps(const config::Case& c, std::int64_t steps_override, bool is_continued, TimePlan& plan) {
  if (c.time.steps) plan.steps = *c.time.steps;
  else if (c.time.periods)
    plan.steps = counted(std::round(*c.time.periods * static_cast<double>(plan.steps_per_period)),
                         fmt::format("time.periods = {}", *c.time.periods));
  else if (plan.end != config::RunEnd::Type::seconds) plan.steps = most_steps_of(c, plan);
  else if (!c.time.ends_by_fields()) {
    const double end = c.time.end->seconds;
    plan.steps = counted(std::ceil(end / plan.time_step * (1 - 1e-12)), fmt::format("time.end = {} s", end));
    if (!is_continued && plan.steps > 0 && plan.steps_per_period == 0)
      plan.time_step = end / static_cast<double>(plan.steps);
  }
  if (steps_override > 0) plan.steps = steps_override;
  if (plan.steps < 1)
    throw Error(c.time.periods ? fmt::format("time.periods = {} is less than half a time step of {:.6g} s",
                                             *c.time.periods, plan.time_step)
                               : fmt::format("time.end = {} s: no time step is that short", c.time.end->seconds));
  counted(static_cast<double>(plan.steps), fmt::format("time.steps = {}", plan.steps));
}

double highest_of(const std::vector<double>& frequencies) {
  return frequencies.empty() ? 0 : *std::max_element(frequencies.begin(), frequencies.end());
}

// Steps that enter the sums at the frequencies. of_sources: the highest frequency of the sources, Hz; every: of the
// last period's steps.
observers::FourierPlan fourier_plan(const config::Case& c, const TimePlan& plan, double of_sources,
                                    std::int64_t every) {
  const double highest = highest_of(c.dft.frequencies);
  const bool last_period = c.dft.window == config::Dft::Window::last_period;
  observers::FourierPlan sums;
  sums.last = plan.steps;
  sums.peak = last_period;
  if (last_period) {
    if (plan.steps_per_period > 0 && plan.steps >= plan.steps_per_period) {
      sums.frequencies = c.dft.frequencies;
      sums.first = plan.steps - plan.steps_per_period;
      if (plan.end == config::RunEnd::Type::steady) sums.first = 0, sums.period = plan.steps_per_period;
      sums.interval = every;
      sums.weight = 2.0 * static_cast<double>(every) / static_cast<double>(plan.steps_per_period);
    }
  } else if (highest > 0) {
    sums.frequencies = c.dft.frequencies;
    sums.interval = static_cast<std::int64_t>(std::clamp(
        physics::longest_sampling_interval(highest, of_sources, samples_per_period) / plan.time_step, 1.0, most_steps));
    sums.weight = static_cast<double>(sums.interval) * plan.time_step;
  }
  return sums;
}

}  // namespace

TimePlan make_time_plan(const config::Case& c, double largest, std::int64_t steps_override, double continued) {
  constexpr double shortest = 1e-30, longest = 1e30;  // s
  if (!(largest > shortest && largest < longest))
    throw Error(
        fmt::format("the largest stable time step is {:.3g} s; allowed are {} to {} s: check lengths and materials",
                    largest, shortest, longest));
  TimePlan plan;
  plan.time_step = largest;
  const double highest = highest_of(c.dft.frequencies);
  double of_sources = 0;
  for (const auto& w : config::waveforms(c)) of_sources = std::max(of_sources, physics::highest_frequency(w));
  const bool last_period = c.dft.window == config::Dft::Window::last_period;
  std::int64_t sums_interval = 1;
  if (c.time.frequency) {
    const double period = 1 / *c.time.frequency;
    const auto least = counted(std::ceil(period / largest * (1 - 1e-12)),
                               fmt::format("a period of time.frequency = {} Hz", *c.time.frequency));
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
  if (c.time.ends_by_fields() && steps_override == 0) plan.end = c.time.end->type;
  set_steps(c, steps_override, continued > 0, plan);
  plan.energy_interval = c.output.energy_interval > 0 ? c.output.energy_interval : energy_interval_of(plan.steps);
  plan.spectra_of_pulse = steps_override == 0 && has_spectra_of_pulses(c);
  plan.fourier = fourier_plan(c, plan, of_sources, sums_interval);
  return plan;
}

std::string text_of(const TimePlan& plan, const config::Time& time) {
  using Type = config::RunEnd::Type;
  const std::string steps = fmt::format(
      "{} steps{}", plan.steps, plan.steps_per_period > 0 ? fmt::format(", {} per period", plan.steps_per_period) : "");
  if (plan.end == Type::steady)
    return fmt::format("at most {}, until E changes by less than {:g} % from period to period", steps,
                       100 * time.tolerance);
  if (plan.end == Type::decayed)
    return fmt::format("at most {}, until the energy is {:g} dB of its largest", steps, time.decay);
  return steps;
}

}  // namespace dgtd::app
