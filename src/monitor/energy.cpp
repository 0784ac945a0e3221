#include "dgtd/monitor/energy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/error.hpp"

namespace dgtd::monitor {

// The scheme conserves (closed) or dissipates a discrete energy that differs from the measured one at
// absorbing faces by a term of order dt, and single precision rounds: a twentieth is allowed.
void EnergyMonitor::sample(solver::Solver& solver) {
  const std::int64_t step = solver.steps_done();
  const double work = comm_.sum(solver.source_work()), incident = comm_.sum(solver.incident_work_bound());
  const EnergySample sample{step, static_cast<double>(step) * solver.time_step(), comm_.sum(solver.energy()), work};
  samples_.push_back(sample);
  most_work_ = std::max(most_work_, std::abs(work));
  const double allowed = 1.05 * (samples_.front().energy_J + std::max(work, 0.0) + incident) + 0.05 * most_work_;
  if (!std::isfinite(sample.energy_J) || sample.energy_J > allowed) stop(solver, sample, allowed);
}

void EnergyMonitor::stop(const solver::Solver& solver, const EnergySample& sample, double allowed) const {
  double severity = 0;
  const auto trouble = solver.find_instability(severity);
  const double worst = comm_.max(severity);
  const int rank = static_cast<int>(comm_.min(std::int64_t{severity == worst ? comm_.rank() : comm_.size()}));
  const std::string where = fmt::format("element {} ({}, centre {:.6g} {:.6g} {:.6g} m)", trouble.element,
                                        trouble.material, trouble.centre.x, trouble.centre.y, trouble.centre.z);
  // The rank that has it tells root.
  const auto all =
      comm_.gather_vectors(std::vector<char>(where.begin(), rank == comm_.rank() ? where.end() : where.begin()));
  const std::string named = comm_.broadcast(std::string(all.begin(), all.end()));
  const std::string what =
      std::isfinite(sample.energy_J)
          ? fmt::format("the energy {:.6g} J is above what came in, {:.6g} J", sample.energy_J, allowed)
          : std::string("the fields are not numbers any more");
  throw Error(
      ExitCode::unstable,
      fmt::format("unstable at step {}, t = {:.6g} s: {}; worst is {}; lower solver.cfl_fraction, or check the materials",
                  sample.step, sample.time_s, what, named));
}

}  // namespace dgtd::monitor
