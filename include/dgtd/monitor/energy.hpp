#pragma once
// Energy over time, and the watch over it: a run whose energy comes from nowhere is stopped.
#include <vector>

#include "dgtd/parallel/communicator.hpp"
#include "dgtd/solver/solver.hpp"

namespace dgtd::monitor {

struct EnergySample {
  std::int64_t step;
  double time_s, energy_J, source_work_J;
};

class EnergyMonitor {
 public:
  explicit EnergyMonitor(const parallel::Communicator& comm) : comm_(comm) {}

  /// Records the present energy. Throws
  /// Error (unstable) where the energy is not a number, or above the initial energy plus the work of
  /// sources and incident fields; it names the worst element. Collective.
  void sample(solver::Solver& solver);
  const std::vector<EnergySample>& samples() const { return samples_; }

 private:
  [[noreturn]] void stop(const solver::Solver& solver, const EnergySample& sample, double allowed) const;
  const parallel::Communicator& comm_;
  std::vector<EnergySample> samples_;
  double most_work_ = 0;
};

}  // namespace dgtd::monitor
