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
  PowerIteration(const std::vector<OperatorPart<Real>>& parts, OrderJoints<Real>* joints,
                 const parallel::Communicator& comm, const OperatorTerms& terms)
      : parts_(parts), joints_(joints), comm_(comm), terms_(terms) {
    for (const auto& part : parts_) {
      const auto make = [&] { return Field<Real>(part.d.field_reals(), part.executor.memory()); };
      x_.push_back({make(), make()});
      next_.push_back({make(), make()});
    }
    start_vector();
  }

  /// x <- B x / |x|; returns |B x| / |x|: for a symmetric operator a lower bound of the spectral radius that never
  /// falls, 1/m.
  double iterate() {
    exchange(&Vector::magnetic);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      parts_[i].executor.apply(HalfStep::electric, x_[i].magnetic, x_[i].electric, next_[i].electric, terms_);
      scale(i, x_[i].electric, -1);
    }
    exchange(&Vector::electric);
    for (std::size_t i = 0; i < parts_.size(); ++i)
      parts_[i].executor.apply(HalfStep::magnetic, x_[i].electric, x_[i].magnetic, next_[i].magnetic, terms_);
    std::swap(x_, next_);
    const double ratio = norm();  // x had norm one
    scale_all(1 / ratio);
    return ratio;
  }

 private:
  struct Vector {
    Field<Real> electric, magnetic;
  };

  void start_vector() {
    for (std::size_t i = 0; i < parts_.size(); ++i)
      fill_random(parts_[i].d, parts_[i].executor, x_[i].electric, x_[i].magnetic);
    scale_all(1 / norm());
  }

  void exchange(Field<Real> Vector::*field) {
    if (joints_ == nullptr) return;
    std::vector<Field<Real>*> fields;
    for (Vector& x : x_) fields.push_back(&(x.*field));
    joints_->exchange(fields);
  }

  void scale(std::size_t part, Field<Real>& field, double factor) {
    parts_[part].executor.for_each(static_cast<std::int64_t>(parts_[part].d.owned_reals()),
                                   parallel::ScaleReals<Real>{field.write(), static_cast<Real>(factor)});
  }
  void scale_all(double factor) {
    for (std::size_t i = 0; i < parts_.size(); ++i)
      for (auto* field : {&x_[i].electric, &x_[i].magnetic}) scale(i, *field, factor);
  }

  double norm() const {
    parallel::ReproducibleSum total;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const auto& [d, executor] = parts_[i];
      executor.add_product(HalfStep::electric, x_[i].electric, x_[i].electric, d.owned_blocks, total);
      executor.add_product(HalfStep::magnetic, x_[i].magnetic, x_[i].magnetic, d.owned_blocks, total);
    }
    return std::sqrt(total.value(comm_));
  }

  const std::vector<OperatorPart<Real>>& parts_;
  OrderJoints<Real>* joints_;
  const parallel::Communicator& comm_;
  OperatorTerms terms_;
  std::vector<Vector> x_, next_;  // [parts]
};

}  // namespace

template <class Real>
StabilityLimit stability_limit(const std::vector<OperatorPart<Real>>& parts, OrderJoints<Real>* joints,
                               const parallel::Communicator& comm, const OperatorTerms& terms) {
  PowerIteration<Real> power(parts, joints, comm, terms);
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

template <class Real>
StabilityLimit stability_limit(const Discretisation<Real>& d, Executor<Real>& executor,
                               const parallel::Communicator& comm, const OperatorTerms& terms) {
  return stability_limit<Real>({{d, executor}}, nullptr, comm, terms);
}

template StabilityLimit stability_limit<float>(const std::vector<OperatorPart<float>>&, OrderJoints<float>*,
                                               const parallel::Communicator&, const OperatorTerms&);
template StabilityLimit stability_limit<double>(const std::vector<OperatorPart<double>>&, OrderJoints<double>*,
                                                const parallel::Communicator&, const OperatorTerms&);
template StabilityLimit stability_limit<float>(const Discretisation<float>&, Executor<float>&,
                                               const parallel::Communicator&, const OperatorTerms&);
template StabilityLimit stability_limit<double>(const Discretisation<double>&, Executor<double>&,
                                                const parallel::Communicator&, const OperatorTerms&);

}  // namespace dgtd::dg
