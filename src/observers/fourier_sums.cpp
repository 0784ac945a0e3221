#include "dgtd/observers/fourier_sums.hpp"

#include "dgtd/base/constants.hpp"
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

void FourierSums::observe(solver::Solver& solver) {
  if (solver.steps_done() > plan_.first) return solver.accumulate_dft(plan_.weight);
  std::vector<double> angular;
  for (const double f : plan_.frequencies) angular.push_back(2 * pi * f);
  solver.start_dft(angular);
}

void FourierSums::finish(io::Results& results) { results.summary.dft_frequencies_Hz = plan_.frequencies; }

}  // namespace dgtd::observers
