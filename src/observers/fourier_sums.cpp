#include "dgtd/observers/fourier_sums.hpp"

#include <fmt/format.h>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/io/results.hpp"

namespace dgtd::observers {

std::int64_t FourierPlan::next(std::int64_t step) const {
  if (frequencies.empty() || step > last) return solver::never;
  const std::int64_t from = step > first ? step : first + 1;
  return last - (last - from) / interval * interval;
}

std::int64_t FourierSums::next(std::int64_t step) const {
  if (plan_.frequencies.empty()) return solver::never;
  return step <= plan_.first ? plan_.first : plan_.next(step);
}

void FourierSums::observe(const solver::Clock& clock) {
  if (clock.steps > plan_.first) return solver_.accumulate_dft(plan_.weight);
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
  state.set_numbers("first_last_interval", {double(plan_.first), double(plan_.last), double(plan_.interval)});
  state.set_numbers("weight", {plan_.weight});
  return state;
}

// Sums that begin later are not touched by what was before. Samples are counted from the last step backwards.
void FourierSums::load(const solver::State& state, std::int64_t step) {
  if (plan_.frequencies.empty() || step < plan_.first) return;
  const auto& numbers = state.numbers("first_last_interval");
  const bool same = state.numbers("frequencies_Hz") == plan_.frequencies && numbers.at(0) == double(plan_.first) &&
                    numbers.at(2) == double(plan_.interval) && state.numbers("weight").at(0) == plan_.weight &&
                    (plan_.last - static_cast<std::int64_t>(numbers.at(1))) % plan_.interval == 0;
  if (!same)
    throw Error(fmt::format(
        "the checkpoint at step {} does not have the Fourier sums of this run, which begin at step {}; keep [dft] and "
        "the length of the run as they were, or make it so long that its last period begins later",
        step, plan_.first));
}

}  // namespace dgtd::observers
