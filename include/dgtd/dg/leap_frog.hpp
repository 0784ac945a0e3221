#pragma once
// The leap-frog scheme of order two (INRIA report 7592, eq. 8), with global or local time steps: E at n dt, H at
// (n - 1/2) dt.
#include <optional>

#include "dgtd/dg/integrator.hpp"
#include "dgtd/dg/local_steps.hpp"

namespace dgtd::dg {

template <class Real>
class LeapFrog final : public Integrator<Real> {
 public:
  /// dt in s, at most the stability limit. expected: about as many steps follow. Fills the discretisation's update
  /// coefficients.
  LeapFrog(const Dynamics<Real>& dynamics, double dt, std::int64_t expected = 0);
  /// The scheme of a part of the elements, stepped by the solver of all. steps: of all parts, null without local time
  /// steps; they outlive the object.
  LeapFrog(const Dynamics<Real>& dynamics, double dt, LocalSteps<Real>* steps, std::size_t part);

  double magnetic_lag() const override { return 0.5; }
  int stages() const override { return 1; }
  CurrentResponse current_response() const override;
  std::int64_t steps_at_once(SourceTerms<Real>& sources, std::int64_t wanted) const override;
  void advance(SourceTerms<Real>& sources, const std::vector<double>& times) override;
  /// The same in pieces, where the solvers of several orders take their half steps in turn: what comes before steps at
  /// these times; of step i H's half step and E's. Between start and end of H's half step all parts filter H with local
  /// time steps.
  void begin(SourceTerms<Real>& sources, const std::vector<double>& times);
  void start_half_step(HalfStep half, SourceTerms<Real>& sources, int i);
  void end_half_step(HalfStep half, SourceTerms<Real>& sources, int i);
  double energy(SourceTerms<Real>& sources, double time) override;
  void forget_fields() override {
    if (local_steps_ != nullptr) local_steps_->is_started = false;
  }
  void take_random_fields() override;
  std::vector<typename Integrator<Real>::KeptField> kept_fields() override;
  void save(solver::State& state) const override;
  void load(const solver::State& state) override;
  double memory_bytes() const override { return own_steps_ ? own_steps_->memory_bytes() : 0; }

 private:
  // The currents with which the executor takes so many whole steps, where it does.
  std::optional<std::vector<StepCurrent>> resident_currents(SourceTerms<Real>& sources, std::int64_t steps) const;
  void update_magnetic();
  void start_local_steps();
  Field<Real>& unfiltered() { return local_steps_->unfiltered(part_); }

  Dynamics<Real> dynamics_;
  double dt_;                                    // s
  std::unique_ptr<LocalSteps<Real>> own_steps_;  // null: of all parts, or none
  LocalSteps<Real>* local_steps_ = nullptr;      // null: all elements take the same steps
  std::size_t part_ = 0;
  std::int64_t expected_ = 0;  // steps
};

/// The integrator of a solver that is given none.
template <class Real>
MakeIntegrator<Real> leap_frog(double dt, std::int64_t expected = 0) {
  return [=](const Dynamics<Real>& dynamics) { return std::make_unique<LeapFrog<Real>>(dynamics, dt, expected); };
}

}  // namespace dgtd::dg
