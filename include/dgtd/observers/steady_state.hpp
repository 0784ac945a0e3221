#pragma once
// Whether the last period of a run has repeated the one before, and the end of a run as soon as one does. E is compared
// at some elements or cells, so that no second set of Fourier sums is needed: 12 numbers per place and frequency.
#include <array>
#include <complex>
#include <optional>

#include "dgtd/observers/domain_view.hpp"
#include "dgtd/observers/energy.hpp"
#include "dgtd/observers/fourier_sums.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::observers {

class SteadyState final : public solver::Observer {
 public:
  static constexpr const char* section_title = "Convergence of the Fourier transform";
  static constexpr int places = 48;  // at most, on all ranks
  /// Change of E above which finish() warns. SAR is quadratic in E: about twice as much.
  static constexpr double noticeable = 0.02;

  /// plan: of phasors of the last period, or of every period; the run has two at least. steps_per_period is a multiple
  /// of its interval. time_step: s. work_is_measured: of all sources. boxes: where places are compared if there is no
  /// tissue. The others outlive the observer. Collective.
  SteadyState(FourierPlan plan, std::int64_t steps_per_period, double time_step, bool work_is_measured,
              DomainView& view, const solver::Figures& solver, const parallel::Communicator& comm,
              std::span<const Box> boxes = {});

  /// The run ends after the first period, of a plan with sums of every one, in which E changes by no more than the
  /// tolerance, nor the stored energy by more of the work of the sources (of the energy, where that is not measured):
  ///   work - absorbed - outflow = change of the stored energy,
  /// so the power balance is closed but for errors of the discretisation. energy: sampled after each period; it is
  /// observed and loaded before this one and outlives it.
  void end_when_steady(double tolerance, const Energy& energy) { tolerance_ = tolerance, energy_ = &energy; }

  std::int64_t next(std::int64_t step) const override;
  void observe(const solver::Clock& clock) override;
  bool ends_run() const override;
  /// Keys and section; a warning where the change of E is noticeable.
  void finish(io::Results& results) override;
  std::string state_name() const override { return "steady state"; }
  solver::State save() const override;
  void load(const solver::State& state, std::int64_t step) override;

 private:
  void end_period(std::int64_t step);
  void compare(std::int64_t step);
  std::optional<double> growth(std::int64_t step) const;
  void add_end(io::Results& results) const;
  std::string places_text() const;

  FourierPlan plan_;
  std::int64_t steps_per_period_;
  double time_step_;  // s
  bool work_is_measured_;
  DomainView& view_;
  const solver::Figures& solver_;
  const parallel::Communicator& comm_;
  std::optional<double> tolerance_;  // present: the run may end
  const Energy* energy_ = nullptr;
  std::int64_t begin_;  // the step at which the first period begins that is compared
  /// Phasors of E in the last period but one and in the last one, each [frequencies][this rank's places][3], V/m.
  std::array<std::vector<std::complex<double>>, 2> sums_;
  std::array<double, 3> work_{};  // J, this rank's part, where the last two periods began and where the last one ended
  // Changes over the last two periods; absent: there are none yet, or no field.
  std::optional<double> change_, growth_;
  std::array<double, 2> powers_{};  // W, of the sources
  bool compared_ = false;
};

}  // namespace dgtd::observers
