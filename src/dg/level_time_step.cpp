#include "dgtd/dg/level_time_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/constants.hpp"
#include "dgtd/dg/local_steps.hpp"
#include "dgtd/dg/random_fields.hpp"
#include "lanczos.hpp"

namespace dgtd::dg {

namespace {

/// Loops over the first reals of fields.
template <class Real>
class FieldLoops {
 public:
  explicit FieldLoops(Executor<Real>& executor) : executor_(executor) {}
  void copy(const Field<Real>& from, Field<Real>& to, std::size_t n) const {
    executor_.for_each(static_cast<std::int64_t>(n), parallel::CopyReals<Real>{from.read(), to.write()});
  }
  void scale(Field<Real>& field, double factor, std::size_t n) const {
    executor_.for_each(static_cast<std::int64_t>(n),
                       parallel::ScaleReals<Real>{field.write(), static_cast<Real>(factor)});
  }
  void add_two(const Field<Real>& from, double factor, const Field<Real>& other, double other_factor, Field<Real>& to,
               std::size_t n) const {
    executor_.for_each(static_cast<std::int64_t>(n),
                       parallel::AddTwo<Real>{from.read(), static_cast<Real>(factor), other.read(),
                                              static_cast<Real>(other_factor), to.write()});
  }
  void add(const Field<Real>& from, double factor, Field<Real>& to, std::size_t n) const {
    executor_.for_each(static_cast<std::int64_t>(n),
                       parallel::AddReals<Real>{from.read(), static_cast<Real>(factor), to.write()});
  }

 private:
  Executor<Real>& executor_;
};

/// dt^2 P_l C F_{l+1} C^T P_l
template <class Real>
class LevelOperator {
 public:
  LevelOperator(const Discretisation<Real>& d, Executor<Real>& executor, int level, const Field<Real>& start,
                const parallel::Communicator& comm)
      : d_(d),
        executor_(executor),
        comm_(comm),
        loops_(executor),
        steps_(d, executor),
        level_(level),
        reals_(static_cast<std::size_t>(d.levels[level].own) * d.layout.reals_per_block()),
        v_(size(), executor.memory()),
        w_(size(), executor.memory()),
        magnetic_(d.field_reals(), executor.memory()),
        start_(start) {}

  void start() {
    loops_.copy(start_, v_, reals_);
    const double norm = std::sqrt(product_of(v_, v_));
    loops_.scale(v_, 1 / norm, reals_);
  }
  void apply() {
    LevelFields<Real> magnetic;
    magnetic.target = magnetic_.write();
    magnetic.from_zero = true;
    magnetic.saved = steps_.unfiltered().write();
    magnetic.saved_blocks = d_.reach_of_level(level_ + 1);
    executor_.update_levels({{level_, HalfStep::magnetic, &v_, magnetic}});
    if (level_ < d_.time_levels.finest) steps_.filter(level_ + 1, magnetic_, steps_.unfiltered());
    LevelFields<Real> electric;
    electric.target = w_.write();
    electric.factor = -1;
    executor_.update_levels({{level_, HalfStep::electric, &magnetic_, electric}});
  }
  double product() { return product_of(v_, w_); }
  void subtract(double alpha) { loops_.add(v_, -alpha, w_, reals_); }
  double norm() { return std::sqrt(product_of(w_, w_)); }
  void next(double beta) {
    loops_.scale(w_, 1 / beta, reals_);
    loops_.scale(v_, -beta, reals_);
    std::swap(v_, w_);
  }

 private:
  std::size_t size() const { return static_cast<std::size_t>(d_.levels[level_].blocks) * d_.layout.reals_per_block(); }
  double product_of(const Field<Real>& u, const Field<Real>& v) const {
    parallel::ReproducibleSum sum;
    executor_.add_product(HalfStep::electric, u, v, d_.levels[level_].own, sum);
    return sum.value(comm_);
  }

  const Discretisation<Real>& d_;
  Executor<Real>& executor_;
  const parallel::Communicator& comm_;
  FieldLoops<Real> loops_;
  LocalSteps<Real> steps_;
  int level_;
  std::size_t reals_;  // of P_l
  Field<Real> v_, w_;  // E, LevelBlocks
  Field<Real> magnetic_;
  const Field<Real>& start_;
};

/// dt [D_E, C F_1; C^T, D_H], symmetric in E . E + H . F_1 H. No element within reach of level 1 absorbs, so D_H F_1 is
/// D_H. Its largest eigenvalue is its spectral radius; with - D in place of D it would be the smallest one.
template <class Real>
class OuterOperator {
 public:
  OuterOperator(Discretisation<Real>& d, Executor<Real>& executor, double dt, const Field<Real>& start_electric,
                const Field<Real>& start_magnetic, const parallel::Communicator& comm)
      : d_(d),
        executor_(executor),
        comm_(comm),
        loops_(executor),
        steps_(d, executor),
        reals_(d.owned_reals()),
        v_(pair()),
        previous_(pair()),
        w_(pair()),
        filtered_(d.field_reals(), executor.memory()),
        start_electric_(start_electric),
        start_magnetic_(start_magnetic),
        terms_{.length = speed_of_light * dt, .conduction = false} {}  // conduction only adds to the mass

  void start() {
    loops_.copy(start_electric_, v_.electric, reals_);
    loops_.copy(start_magnetic_, v_.magnetic, reals_);
    filter(v_.magnetic);
    const double norm = std::sqrt(product_of(v_, v_.electric, filtered_));
    for (auto* field : {&v_.electric, &v_.magnetic, &filtered_}) loops_.scale(*field, 1 / norm, reals_);
  }
  // The operator of Executor::apply is (C H - D_E E, - C^T E - D_H H) in (H, E).
  void apply() {
    negate_vector();
    executor_.apply(HalfStep::electric, filtered_, v_.electric, w_.electric, terms_);
    executor_.apply(HalfStep::magnetic, v_.electric, v_.magnetic, w_.magnetic, terms_);
    negate_vector();
  }
  double product() { return product_of(w_, v_.electric, filtered_); }
  void subtract(double alpha) {
    loops_.add_two(v_.electric, -alpha, previous_.electric, -beta_, w_.electric, reals_);
    loops_.add_two(v_.magnetic, -alpha, previous_.magnetic, -beta_, w_.magnetic, reals_);
  }
  double norm() {
    filter(w_.magnetic);
    return std::sqrt(product_of(w_, w_.electric, filtered_));
  }
  void next(double beta) {
    for (auto* field : {&w_.electric, &w_.magnetic, &filtered_}) loops_.scale(*field, 1 / beta, reals_);
    beta_ = beta;
    std::swap(previous_, v_);
    std::swap(v_, w_);
  }

 private:
  struct Pair {
    Field<Real> electric, magnetic;
  };
  Pair pair() const {
    return {Field<Real>(d_.field_reals(), executor_.memory()), Field<Real>(d_.field_reals(), executor_.memory())};
  }
  void negate_vector() {
    for (auto* field : {&v_.electric, &v_.magnetic}) loops_.scale(*field, -1, reals_);
  }
  void filter(const Field<Real>& magnetic) {
    loops_.copy(magnetic, filtered_, reals_);
    loops_.copy(magnetic, steps_.unfiltered(), steps_.unfiltered().size());
    steps_.filter(1, filtered_, steps_.unfiltered());
  }
  double product_of(const Pair& u, const Field<Real>& electric, const Field<Real>& magnetic) const {
    parallel::ReproducibleSum sum;
    executor_.add_product(HalfStep::electric, u.electric, electric, d_.owned_blocks, sum);
    executor_.add_product(HalfStep::magnetic, u.magnetic, magnetic, d_.owned_blocks, sum);
    return sum.value(comm_);
  }

  Discretisation<Real>& d_;
  Executor<Real>& executor_;
  const parallel::Communicator& comm_;
  FieldLoops<Real> loops_;
  LocalSteps<Real> steps_;
  std::size_t reals_;
  Pair v_, previous_, w_;
  double beta_ = 0;       // of previous_
  Field<Real> filtered_;  // F_1 of the present vector's H
  const Field<Real>&start_electric_, &start_magnetic_;
  OperatorTerms terms_;
};

}  // namespace

double LevelBounds::largest() const { return *std::max_element(z.begin(), z.end()); }

double LevelBounds::largest_finite() const {
  double most = 0;
  for (const double bound : z)
    if (std::isfinite(bound)) most = std::max(most, bound);
  return most;
}

template <class Real>
LevelTimeStep<Real>::LevelTimeStep(Discretisation<Real>& d, Executor<Real>& executor,
                                   const parallel::Communicator& comm)
    : d_(d),
      executor_(executor),
      comm_(comm),
      start_electric_(d.field_reals(), executor.memory()),
      start_magnetic_(d.field_reals(), executor.memory()) {
  fill_random(d_, executor_, start_electric_, start_magnetic_);
  d_.set_time_step(1 / speed_of_light);  // c0 dt = 1 m
  executor_.load_half_steps();
  int iterations = 0;
  const double lambda = level_bound(d_.time_levels.finest, iterations) / filter_factor(d_.time_levels.finest);
  global_limit_ = 2 / (std::sqrt(lambda) * speed_of_light);
}

// z_L = a_L lambda with lambda = (2 / global limit)^2.
template <class Real>
double LevelTimeStep<Real>::time_step(double share) const {
  return global_limit_ / 2 * std::sqrt(share / filter_factor(d_.time_levels.finest));
}

template <class Real>
double LevelTimeStep<Real>::level_bound(int level, int& iterations) {
  LevelOperator<Real> op(d_, executor_, level, start_electric_, comm_);
  const auto found = largest_eigenvalue(op);
  executor_.wait();
  iterations += found.iterations;
  return filter_factor(level) * found.value;
}

template <class Real>
double LevelTimeStep<Real>::outer_bound(double dt, int& iterations) {
  OuterOperator<Real> op(d_, executor_, dt, start_electric_, start_magnetic_, comm_);
  const auto found = largest_eigenvalue(op);
  executor_.wait();
  iterations += found.iterations;
  return found.value * found.value / 4;
}

template <class Real>
LevelBounds LevelTimeStep<Real>::bounds(double dt) {
  LevelBounds bounds;
  bounds.z.assign(d_.time_levels.finest + 1, std::numeric_limits<double>::infinity());
  d_.set_time_step(dt);
  executor_.load_half_steps();
  const int finest = d_.time_levels.finest;
  // The operator of the finest level is that of the constructor times the square of the time step.
  bounds.z[finest] = filter_factor(finest) * std::pow(2 * dt / global_limit_, 2);
  for (int l = finest; l >= 1; --l) {
    if (l < finest) bounds.z[l] = level_bound(l, bounds.iterations);
    if (bounds.z[l] >= 1) return bounds;  // F_l is not positive, nor are those of coarser levels
  }
  bounds.z[0] = outer_bound(dt, bounds.iterations);
  return bounds;
}

template class LevelTimeStep<float>;
template class LevelTimeStep<double>;

}  // namespace dgtd::dg
