#include "dgtd/dg/time_step.hpp"

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/dg/random_fields.hpp"
#include "dgtd/parallel/reproducible_sum.hpp"

namespace dgtd::dg {

namespace {

// B (E, H) = (L_E(E, H), L_H(-E, H)), L the operator of Executor::apply with some of its terms: without conduction the
// symmetric one of the header, in 1/m.
template <class Real>
class PowerIteration {
 public:
  PowerIteration(const Discretisation<Real>& d, Executor<Real>& executor, const parallel::Communicator& comm,
                 const OperatorTerms& terms)
      : d_(d),
        executor_(executor),
        comm_(comm),
        terms_(terms),
        electric_(d.field_reals(), executor.memory()),
        magnetic_(d.field_reals(), executor.memory()),
        next_electric_(d.field_reals(), executor.memory()),
        next_magnetic_(d.field_reals(), executor.memory()) {
    start_vector();
  }

  /// x <- B x / |x|; returns |B x| / |x|: for a symmetric operator a lower bound of the spectral radius that never
  /// falls, 1/m.
  double iterate() {
    executor_.apply(HalfStep::electric, magnetic_, electric_, next_electric_, terms_);
    scale(electric_, -1);
    executor_.apply(HalfStep::magnetic, electric_, magnetic_, next_magnetic_, terms_);
    std::swap(electric_, next_electric_);
    std::swap(magnetic_, next_magnetic_);
    const double ratio = norm();  // x had norm one
    for (auto* field : {&electric_, &magnetic_}) scale(*field, 1 / ratio);
    return ratio;
  }

 private:
  void start_vector() {
    fill_random(d_, executor_, electric_, magnetic_);
    const double start = norm();
    for (auto* field : {&electric_, &magnetic_}) scale(*field, 1 / start);
  }

  void scale(Field<Real>& field, double factor) {
    executor_.for_each(static_cast<std::int64_t>(d_.owned_reals()),
                       parallel::ScaleReals<Real>{field.write(), static_cast<Real>(factor)});
  }

  double norm() const {
    parallel::ReproducibleSum total;
    executor_.add_product(HalfStep::electric, electric_, electric_, d_.owned_blocks, total);
    executor_.add_product(HalfStep::magnetic, magnetic_, magnetic_, d_.owned_blocks, total);
    return std::sqrt(total.value(comm_));
  }

  const Discretisation<Real>& d_;
  Executor<Real>& executor_;
  const parallel::Communicator& comm_;
  OperatorTerms terms_;
  Field<Real> electric_, magnetic_, next_electric_, next_magnetic_;
};

}  // namespace

template <class Real>
StabilityLimit stability_limit(const Discretisation<Real>& d, Executor<Real>& executor,
                               const parallel::Communicator& comm, const OperatorTerms& terms) {
  PowerIteration<Real> power(d, executor, comm, terms);
  constexpr int most = 400, window = 10;
  constexpr double tolerance = 1e-3;
  StabilityLimit limit;
  double alpha = 0, largest = 0, earlier = 0;
  for (limit.iterations = 1; limit.iterations <= most; ++limit.iterations) {
    alpha = power.iterate();
    if (!std::isfinite(alpha) || alpha <= 0)
      throw Error(ExitCode::unstable, "the time step cannot be found: the operator has no finite norm");
    largest = std::max(largest, alpha);
    if (limit.iterations % window == 0) {
      limit.last_change = largest / earlier - 1;
      if (limit.iterations > 2 * window && limit.last_change < tolerance) break;
      earlier = largest;
      if (limit.iterations < most) largest = 0;
    }
  }
  // Ratios of a symmetric operator never fall but by rounding. Those of another one may: the mean of their logarithms
  // tends to that of the spectral radius, so that the largest of a window is above it.
  constexpr double rounding = 1e-5;
  if (largest > (1 + rounding) * alpha) alpha = largest;
  limit.time_step = 2 / (alpha * speed_of_light);
  return limit;
}

template StabilityLimit stability_limit<float>(const Discretisation<float>&, Executor<float>&,
                                               const parallel::Communicator&, const OperatorTerms&);
template StabilityLimit stability_limit<double>(const Discretisation<double>&, Executor<double>&,
                                                const parallel::Communicator&, const OperatorTerms&);

}  // namespace dgtd::dg
