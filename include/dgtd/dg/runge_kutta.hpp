#pragma once
// The classical Runge-Kutta scheme of order four (Kutta 1901) in place of the leap-frog, E and H at the same times:
//   k_i = f(t + c_i dt, u + a_i k_{i-1}),  u <- u + dt sum b_i k_i,   a = c = 0, 1/2, 1/2, 1,  b = 1/6, 1/3, 1/3, 1/6.
// Stable where dt times every eigenvalue of the operator is in the scheme's region of stability, on the imaginary axis
// up to 2.82.
#include "dgtd/base/constants.hpp"
#include "dgtd/dg/integrator.hpp"

namespace dgtd::dg {

template <class Real>
class RungeKutta final : public Integrator<Real> {
 public:
  /// dt in s.
  RungeKutta(const Dynamics<Real>& dynamics, double dt)
      : dynamics_(dynamics), dt_(dt), start_(pair()), stage_(pair()), rate_(pair()) {}

  double magnetic_lag() const override { return 0; }
  int stages() const override { return 4; }
  CurrentResponse current_response() const override {
    return [dt = dt_](const physics::Medium& m) { return dt / (m.permittivity * vacuum_permittivity); };
  }

  void step(SourceTerms<Real>& sources, double time) override {
    constexpr double a[] = {0, 0.5, 0.5, 1}, b[] = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
    const OperatorTerms terms{.length = speed_of_light * dt_};
    auto& [d, executor, electric, magnetic, comm] = dynamics_;
    sources.begin_work(electric);
    copy(electric, start_.electric), copy(magnetic, start_.magnetic);
    for (int i = 0; i < 4; ++i) {
      const double now = time + a[i] * dt_;
      copy(start_.electric, stage_.electric), copy(start_.magnetic, stage_.magnetic);
      if (i > 0) add(rate_.electric, a[i], stage_.electric), add(rate_.magnetic, a[i], stage_.magnetic);
      sources.write_incident_electric(stage_.electric, now), sources.write_incident_magnetic(stage_.magnetic, now);
      executor.apply(HalfStep::electric, stage_.magnetic, stage_.electric, rate_.electric, terms);
      executor.apply(HalfStep::magnetic, stage_.electric, stage_.magnetic, rate_.magnetic, terms);
      sources.add_currents(rate_.electric, now);
      add(rate_.electric, b[i], electric), add(rate_.magnetic, b[i], magnetic);
    }
    sources.end_work(electric, time + 0.5 * dt_, dt_);
  }

  /// 1/2 (E^n M_eps E^n + H^n M_mu H^n), which the scheme does not conserve exactly.
  double energy(SourceTerms<Real>&, double) override {
    auto& [d, executor, electric, magnetic, comm] = dynamics_;
    parallel::ReproducibleSum products;
    executor.add_product(HalfStep::electric, electric, electric, d.owned_blocks, products);
    executor.add_product(HalfStep::magnetic, magnetic, magnetic, d.owned_blocks, products);
    return 0.5 * vacuum_permittivity * products.value();
  }

  double memory_bytes() const override { return 6 * start_.electric.bytes(); }

 private:
  struct Pair {
    Field<Real> electric, magnetic;
  };
  Pair pair() const {
    const std::size_t reals = dynamics_.d.field_reals();
    return {{reals, dynamics_.executor.memory()}, {reals, dynamics_.executor.memory()}};
  }
  void copy(const Field<Real>& from, Field<Real>& to) {
    dynamics_.executor.for_each(owned(), parallel::CopyReals<Real>{from.read(), to.write()});
  }
  void add(const Field<Real>& from, double factor, Field<Real>& to) {
    dynamics_.executor.for_each(owned(), parallel::AddReals<Real>{from.read(), static_cast<Real>(factor), to.write()});
  }
  std::int64_t owned() const { return static_cast<std::int64_t>(dynamics_.d.owned_reals()); }

  Dynamics<Real> dynamics_;
  double dt_;                  // s
  Pair start_, stage_, rate_;  // u at the start of the step, the argument of f, dt f
};

}  // namespace dgtd::dg
