#pragma once
// Whether the last period of a run has repeated the one before. E is compared at some elements or cells, so that no
// second set of Fourier sums is needed: 12 numbers per place.
#include <array>
#include <complex>

#include "dgtd/observers/domain_view.hpp"
#include "dgtd/observers/fourier_sums.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::observers {

class SteadyState final : public solver::Observer {
 public:
  static constexpr const char* section_title = "Convergence of the Fourier transform";
  static constexpr int places = 48;  // at most, on all ranks
  /// Change of E above which finish() warns. SAR is quadratic in E: about twice as much.
  static constexpr double noticeable = 0.02;

  /// plan: of phasors of the last period, which the run has twice at least; steps_per_period is a multiple of its
  /// interval. time_step: s. work_is_measured: of all sources. The others outlive the observer. Collective.
  SteadyState(FourierPlan plan, std::int64_t steps_per_period, double time_step, bool work_is_measured,
              DomainView& view, const solver::Figures& solver, const parallel::Communicator& comm);

  std::int64_t next(std::int64_t step) const override;
  void observe(const solver::Clock& clock) override;
  /// Key and section; a warning where the change of E is noticeable.
  void finish(io::Results& results) override;
  std::string state_name() const override { return "steady state"; }
  solver::State save() const override;
  void load(const solver::State& state, std::int64_t step) override;

 private:
  std::int64_t begin() const { return plan_.first - steps_per_period_; }  // of the period before

  FourierPlan plan_;
  std::int64_t steps_per_period_;
  double time_step_;  // s
  bool work_is_measured_;
  DomainView& view_;
  const solver::Figures& solver_;
  const parallel::Communicator& comm_;
  /// Phasors of E at the first frequency in the last period but one and in the last one, each [this rank's places][3],
  /// V/m.
  std::array<std::vector<std::complex<double>>, 2> sums_;
  bool whole_ = true;             // no part of the two periods is missing
  std::array<double, 2> work_{};  // J, this rank's part, where the two periods begin
};

}  // namespace dgtd::observers
