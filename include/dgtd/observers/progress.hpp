#pragma once
// Progress and speed of a run: a bar on a terminal, a plain line every few seconds in a log.
#include "dgtd/base/timer.hpp"
#include "dgtd/observers/energy.hpp"

namespace dgtd::observers {

class Progress final : public solver::Observer {
 public:
  /// elements: of all ranks, tetrahedra or cells. The energy observer outlives this one.
  Progress(std::int64_t steps, double elements, const Energy& energy, const parallel::Communicator& comm);

  /// About every fifth of a second, at steps that are the same on all ranks.
  std::int64_t next(std::int64_t step) const override { return step <= next_step_ ? next_step_ : step; }
  void observe(solver::Solver& solver) override;
  void finish(io::Results& results) override;
  std::string state_name() const override { return "progress"; }
  void load(const solver::State& state, std::int64_t step) override;

 private:
  void show(std::int64_t step, double time);

  std::int64_t steps_, next_step_ = 1;
  double elements_;
  const Energy& energy_;
  const parallel::Communicator& comm_;
  bool terminal_;
  Timer timer_;
  double last_seconds_ = 0, next_seconds_;
  std::int64_t first_step_ = 0, last_step_ = 0;
};

}  // namespace dgtd::observers
