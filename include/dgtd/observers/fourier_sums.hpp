#pragma once
// Fourier sums of E and H in the whole domain.
#include <vector>

#include "dgtd/io/summary.hpp"
#include "dgtd/solver/observer.hpp"

namespace dgtd::observers {

/// Samples after step n where n > first and (last - n) is a multiple of the interval.
struct FourierPlan {
  std::vector<double> frequencies;  // Hz; empty: no sums
  std::int64_t first = 0, last = 0, interval = 1;
  double weight = 0;  // of a sample: 2 / samples for peak phasors of the last period, else the seconds per sample
  bool peak = true;   // phasors of the last period, in place of integrals over the run

  std::int64_t next(std::int64_t step) const;  // the first sample at or after a step, or solver::never
  /// Whether a run that ended as `summary` states has the sums: those of the last period are complete at the end only.
  bool complete(const io::Summary& summary) const;
};

class FourierSums final : public solver::Observer {
 public:
  /// The solver outlives the observer.
  FourierSums(FourierPlan plan, solver::Figures& solver) : plan_(std::move(plan)), solver_(solver) {}

  /// The sums start at the step plan.first.
  std::int64_t next(std::int64_t step) const override;
  void observe(const solver::Clock& clock) override;
  void finish(io::Results& results) override;
  std::string state_name() const override { return "Fourier sums"; }
  solver::State save() const override;
  /// Throws Error (bad_input) where sums have begun, or should have, with another plan than this run's.
  void load(const solver::State& state, std::int64_t step) override;

 private:
  FourierPlan plan_;
  solver::Figures& solver_;
};

}  // namespace dgtd::observers
