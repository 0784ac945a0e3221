#pragma once
// The classical Runge-Kutta scheme of order four (Kutta 1901) in place of the leap-frog, E and H at the same times:
//   k_i = f(t + c_i dt, u + a_i k_{i-1}),  u <- u + dt sum b_i k_i,   a = c = 0, 1/2, 1/2, 1,  b = 1/6, 1/3, 1/3, 1/6.
// Stable where dt times every eigenvalue of the operator is in the scheme's region of stability, on the imaginary axis
// up to 2.82.
#include <functional>

#include "dgtd/base/constants.hpp"
#include "dgtd/dg/executor.hpp"

namespace dgtd::dg {

template <class Real>
class RungeKutta {
 public:
  /// Writes incident fields, V/m times m, of a time, s, into the ghost slots of E and Z0 H.
  using WriteIncident = std::function<void(Field<Real>& electric, Field<Real>& magnetic, double time)>;

  /// All arrays are those of d and executor, which outlive the object.
  RungeKutta(const Discretisation<Real>& d, Executor<Real>& executor)
      : RungeKutta(d.field_reals(), static_cast<std::int64_t>(d.owned_reals()), executor) {}

  /// A step from `time` on, both s. Collective.
  void step(Field<Real>& electric, Field<Real>& magnetic, double time, double dt, const WriteIncident& incident) {
    constexpr double a[] = {0, 0.5, 0.5, 1}, b[] = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
    const OperatorTerms terms{.length = speed_of_light * dt};
    copy(electric, start_.electric), copy(magnetic, start_.magnetic);
    for (int i = 0; i < 4; ++i) {
      copy(start_.electric, stage_.electric), copy(start_.magnetic, stage_.magnetic);
      if (i > 0) add(rate_.electric, a[i], stage_.electric), add(rate_.magnetic, a[i], stage_.magnetic);
      incident(stage_.electric, stage_.magnetic, time + a[i] * dt);
      executor_.apply(HalfStep::electric, stage_.magnetic, stage_.electric, rate_.electric, terms);
      executor_.apply(HalfStep::magnetic, stage_.electric, stage_.magnetic, rate_.magnetic, terms);
      add(rate_.electric, b[i], electric), add(rate_.magnetic, b[i], magnetic);
    }
  }

  double memory_bytes() const { return 6 * start_.electric.bytes(); }

 private:
  struct Pair {
    Field<Real> electric, magnetic;
  };
  RungeKutta(std::size_t reals, std::int64_t owned, Executor<Real>& executor)
      : executor_(executor),
        owned_(owned),
        start_{{reals, executor.memory()}, {reals, executor.memory()}},
        stage_{{reals, executor.memory()}, {reals, executor.memory()}},
        rate_{{reals, executor.memory()}, {reals, executor.memory()}} {}

  void copy(const Field<Real>& from, Field<Real>& to) {
    executor_.for_each(owned_, parallel::CopyReals<Real>{from.read(), to.write()});
  }
  void add(const Field<Real>& from, double factor, Field<Real>& to) {
    executor_.for_each(owned_, parallel::AddReals<Real>{from.read(), static_cast<Real>(factor), to.write()});
  }

  Executor<Real>& executor_;
  std::int64_t owned_;         // reals of a field without ghosts
  Pair start_, stage_, rate_;  // u at the start of the step, the argument of f, dt f
};

}  // namespace dgtd::dg
