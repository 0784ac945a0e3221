#include "dgtd/observers/fourier_sums.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/io/results.hpp"

namespace dgtd::observers {

std::int64_t FourierPlan::next(std::int64_t step) const {
  if (frequencies.empty() || step > last) return solver::never;
  const std::int64_t from = step > first ? step : first + 1;
  return last - (last - from) / interval * interval;
}

std::int64_t FourierPlan::begin(std::int64_t step) const {
  return period > 0 && step > first ? first + (step - 1 - first) / period * period : first;
}

std::int64_t FourierSums::next(std::int64_t step) const {
  if (plan_.frequencies.empty()) return solver::never;
  return step <= plan_.first ? plan_.first : plan_.next(std::max(step, first_ + 1));
}

void FourierSums::observe(const solver::Clock& clock) {
  if (clock.steps <= plan_.first) return start();
  const std::int64_t begin = plan_.begin(clock.steps);
  if (begin > plan_.first && clock.steps == plan_.next(begin + 1)) start();
  solver_.accumulate_dft(plan_.weight);
}

void FourierSums::start() {
  std::vector<double> angular;
  for (const double f : plan_.frequencies) angular.push_back(2 * pi * f);
  solver_.start_dft(angular);
}

bool FourierPlan::complete(const io::Summary& summary) const {
  return !frequencies.empty() && (!peak || summary.interruption.empty());
}

void FourierSums::finish(io::Results& results) {
  if (plan_.complete(results.summary)) results.summary.dft_frequencies_Hz = plan_.frequencies;
}

solver::State FourierSums::save() const {
  solver::State state;
  state.set_numbers("frequencies_Hz", plan_.frequencies);
  state.set_numbers("first_last_interval",
                    {double(plan_.first), double(plan_.last), double(plan_.interval), double(plan_.period)});
  state.set_numbers("weight", {plan_.weight});
  return state;
}

// Sums that begin later are not touched by what was before. Samples are counted from the last step backwards.
void FourierSums::load(const solver::State& state, std::int64_t step) {
  if (plan_.frequencies.empty() || step < plan_.first) return;
  if (step == plan_.first) return start();
  const auto& numbers = state.numbers("first_last_interval");
  FourierPlan before;
  before.first = static_cast<std::int64_t>(numbers.at(0));
  if (numbers.size() > 3) before.period = static_cast<std::int64_t>(numbers[3]);
  const std::int64_t begin = plan_.begin(step);
  const bool same = state.numbers("frequencies_Hz") == plan_.frequencies && before.begin(step) == begin &&
                    numbers.at(2) == double(plan_.interval) && state.numbers("weight").at(0) == plan_.weight &&
                    (plan_.last - static_cast<std::int64_t>(numbers.at(1))) % plan_.interval == 0;
  if (same) return;
  first_ = begin + plan_.period;
  if (plan_.period == 0 || first_ >= plan_.last)
    throw Error(fmt::format(
        "the checkpoint at step {} does not have the Fourier sums of this run, which begin at step {}; keep [dft] and "
        "the length of the run as they were, or make it so long that its last period begins later",
        step, begin));
}

}  // namespace dgtd::observers
