#pragma once
// The leap-frog scheme of order two (INRIA report 7592, eq. 8), with global or local time steps: E at n dt, H at
// (n - 1/2) dt.
#include "dgtd/dg/integrator.hpp"
#include "dgtd/dg/local_steps.hpp"

namespace dgtd::dg {

template <class Real>
class LeapFrog final : public Integrator<Real> {
 public:
  /// dt in s, at most the stability limit. Fills the discretisation's update coefficients.
  LeapFrog(const Dynamics<Real>& dynamics, double dt);

  double magnetic_lag() const override { return 0.5; }
  int stages() const override { return 1; }
  CurrentResponse current_response() const override;
  void advance(SourceTerms<Real>& sources, const std::vector<double>& times) override;
  /// The same in parts, where the solvers of several orders take their half steps in turn: what comes before steps at
  /// these times, then of step i H's half step and E's, of global time steps.
  void begin(SourceTerms<Real>& sources, const std::vector<double>& times);
  void half_step(HalfStep half, SourceTerms<Real>& sources, int i);
  double energy(SourceTerms<Real>& sources, double time) override;
  void forget_fields() override { started_ = false; }
  void take_random_fields() override;
  std::vector<typename Integrator<Real>::KeptField> kept_fields() override;
  void save(solver::State& state) const override;
  void load(const solver::State& state) override;
  double memory_bytes() const override { return local_steps_ ? local_steps_->memory_bytes() : 0; }

 private:
  void update_magnetic();
  void start_local_steps();

  Dynamics<Real> dynamics_;
  double dt_;                                      // s
  std::unique_ptr<LocalSteps<Real>> local_steps_;  // null: all elements take the same steps
  bool started_ = false;                           // local steps: the unfiltered field belongs to H
};

/// The integrator of a solver that is given none.
template <class Real>
MakeIntegrator<Real> leap_frog(double dt) {
  return [dt](const Dynamics<Real>& dynamics) { return std::make_unique<LeapFrog<Real>>(dynamics, dt); };
}

}  // namespace dgtd::dg
