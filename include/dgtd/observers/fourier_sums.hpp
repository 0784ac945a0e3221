#pragma once
// Fourier sums of E and H in the whole domain.
#include <vector>

#include "dgtd/io/summary.hpp"
#include "dgtd/solver/observer.hpp"

namespace dgtd::observers {

/// Samples after step n where n > first and (last - n) is a multiple of the interval. Where the run ends after a period
/// that is not known before, sums begin anew after each: those of the last one remain.
struct FourierPlan {
  std::vector<double> frequencies;  // Hz; empty: no sums
  std::int64_t first = 0, last = 0, interval = 1;
  double weight = 0;  // of a sample: 2 / samples for peak phasors of the last period, else the seconds per sample
  bool peak = true;   // phasors of the last period, in place of integrals over the run

  std::int64_t period = 0;  // steps after which sums begin anew, from `first` on: divides last - first; 0: never

  std::int64_t next(std::int64_t step) const;   // the first sample at or after a step, or solver::never
  std::int64_t begin(std::int64_t step) const;  // where the sums begin that the sample after a step belongs to
  /// Whether a run that ended as `summary` states has the sums: those of the last period are complete at the end only.
  bool complete(const io::Summary& summary) const;
};

class FourierSums final : public solver::Observer {
 public:
  /// The solver outlives the observer.
  FourierSums(FourierPlan plan, solver::Figures& solver) : plan_(std::move(plan)), solver_(solver) {}

  /// The sums start at the step plan.first, and with the first sample of each further period.
  std::int64_t next(std::int64_t step) const override;
  void observe(const solver::Clock& clock) override;
  void finish(io::Results& results) override;
  std::string state_name() const override { return "Fourier sums"; }
  solver::State save() const override;
  /// Where sums have begun, or should have, with another plan than this run's: waits for the next period, and throws
  /// Error (bad_input) where there is none.
  void load(const solver::State& state, std::int64_t step) override;

 private:
  void start();

  FourierPlan plan_;
  solver::Figures& solver_;
  std::int64_t first_ = plan_.first;  // no sample is taken before
};

}  // namespace dgtd::observers
