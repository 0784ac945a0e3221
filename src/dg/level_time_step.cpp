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

/// dt^2 P_l C F_{l+1} C^T P_l
template <class Real>
class LevelOperator {
 public:
  LevelOperator(const OperatorParts<Real>& parts, int level, OwnedFields<Real>& start,
                const parallel::Communicator& comm)
      : parts_(parts),
        comm_(comm),
        loops_(parts, [level](const auto& d) { return d.levels[level].own; }),
        steps_(parts),
        level_(level),
        v_(parts.list(), [level](const auto& d) { return d.levels[level].blocks; }),
        w_(parts.list(), [level](const auto& d) { return d.levels[level].blocks; }),
        magnetic_(parts.list(), [](const auto& d) { return d.blocks; }),
        start_(start) {}

  void start() {
    loops_.copy(start_.all(), v_.all());
    loops_.scale(v_.all(), 1 / std::sqrt(product_of(v_, v_)));
  }
  void apply() {
    half_step(HalfStep::magnetic, v_, [&](std::size_t p) {
      LevelFields<Real> magnetic;
      magnetic.target = magnetic_[p].write();
      magnetic.from_zero = true;
      magnetic.saved = steps_.unfiltered(p).write();
      magnetic.saved_blocks = parts_[p].d.reach_of_level(level_ + 1);
      return magnetic;
    });
    if (level_ < parts_.finest_level()) steps_.filter(level_ + 1, magnetic_.all(), steps_.unfiltered_of_parts());
    half_step(HalfStep::electric, magnetic_, [&](std::size_t p) {
      LevelFields<Real> electric;
      electric.target = w_[p].write();
      electric.factor = -1;
      return electric;
    });
  }
  double product() { return product_of(v_, w_); }
  void subtract(double alpha) { loops_.add(v_.all(), -alpha, w_.all()); }
  double norm() { return std::sqrt(product_of(w_, w_)); }
  void next(double beta) {
    loops_.scale(w_.all(), 1 / beta);
    loops_.scale(v_.all(), -beta);
    std::swap(v_, w_);
  }

 private:
  // fields(p): LevelFields of a part.
  template <class Fields>
  void half_step(HalfStep half, OwnedFields<Real>& source, const Fields& fields) {
    std::vector<std::vector<LevelStep<Real>>> steps;
    for (std::size_t p = 0; p < parts_.size(); ++p)
      steps.push_back({LevelStep<Real>{level_, half, &source[p], fields(p)}});
    parts_.update_levels(steps);
  }
  double product_of(OwnedFields<Real>& u, OwnedFields<Real>& v) const {
    parallel::ReproducibleSum sum;
    loops_.add_product(HalfStep::electric, u.all(), v.all(), sum);
    return sum.value(comm_);
  }

  const OperatorParts<Real>& parts_;
  const parallel::Communicator& comm_;
  PartLoops<Real> loops_;  // P_l
  LocalSteps<Real> steps_;
  int level_;
  OwnedFields<Real> v_, w_;  // E, LevelBlocks
  OwnedFields<Real> magnetic_;
  OwnedFields<Real>& start_;
};

/// dt [D_E, C F_1; C^T, D_H], symmetric in E . E + H . F_1 H. No element within reach of level 1 absorbs, so D_H F_1 is
/// D_H. Its largest eigenvalue is its spectral radius; with - D in place of D it would be the smallest one.
template <class Real>
class OuterOperator {
 public:
  OuterOperator(const OperatorParts<Real>& parts, double dt, OwnedFields<Real>& start_electric,
                OwnedFields<Real>& start_magnetic, const parallel::Communicator& comm)
      : parts_(parts),
        comm_(comm),
        loops_(parts, [](const auto& d) { return d.owned_blocks; }),
        reached_(parts, [](const auto& d) { return d.reach_of_level(1); }),
        steps_(parts),
        v_(pair()),
        previous_(pair()),
        w_(pair()),
        filtered_(field()),
        start_electric_(start_electric),
        start_magnetic_(start_magnetic),
        terms_{.length = speed_of_light * dt, .conduction = false} {}  // conduction only adds to the mass

  void start() {
    loops_.copy(start_electric_.all(), v_.electric.all());
    loops_.copy(start_magnetic_.all(), v_.magnetic.all());
    filter(v_.magnetic);
    const double norm = std::sqrt(product_of(v_, v_.electric, filtered_));
    for (auto* field : {&v_.electric, &v_.magnetic, &filtered_}) loops_.scale(field->all(), 1 / norm);
  }
  // The operator of Executor::apply is (C H - D_E E, - C^T E - D_H H) in (H, E).
  void apply() {
    negate_vector();
    parts_.apply(HalfStep::electric, filtered_.all(), v_.electric.all(), w_.electric.all(), terms_);
    parts_.apply(HalfStep::magnetic, v_.electric.all(), v_.magnetic.all(), w_.magnetic.all(), terms_);
    negate_vector();
  }
  double product() { return product_of(w_, v_.electric, filtered_); }
  void subtract(double alpha) {
    loops_.add_two(v_.electric.all(), -alpha, previous_.electric.all(), -beta_, w_.electric.all());
    loops_.add_two(v_.magnetic.all(), -alpha, previous_.magnetic.all(), -beta_, w_.magnetic.all());
  }
  double norm() {
    filter(w_.magnetic);
    return std::sqrt(product_of(w_, w_.electric, filtered_));
  }
  void next(double beta) {
    for (auto* field : {&w_.electric, &w_.magnetic, &filtered_}) loops_.scale(field->all(), 1 / beta);
    beta_ = beta;
    std::swap(previous_, v_);
    std::swap(v_, w_);
  }

 private:
  struct Pair {
    OwnedFields<Real> electric, magnetic;
  };
  OwnedFields<Real> field() const {
    return {parts_.list(), [](const auto& d) { return d.blocks; }};
  }
  Pair pair() const { return {field(), field()}; }
  void negate_vector() {
    for (auto* field : {&v_.electric, &v_.magnetic}) loops_.scale(field->all(), -1);
  }
  void filter(OwnedFields<Real>& magnetic) {
    loops_.copy(magnetic.all(), filtered_.all());
    reached_.copy(magnetic.all(), steps_.unfiltered_of_parts());
    steps_.filter(1, filtered_.all(), steps_.unfiltered_of_parts());
  }
  double product_of(Pair& u, OwnedFields<Real>& electric, OwnedFields<Real>& magnetic) const {
    parallel::ReproducibleSum sum;
    loops_.add_product(HalfStep::electric, u.electric.all(), electric.all(), sum);
    loops_.add_product(HalfStep::magnetic, u.magnetic.all(), magnetic.all(), sum);
    return sum.value(comm_);
  }

  const OperatorParts<Real>& parts_;
  const parallel::Communicator& comm_;
  PartLoops<Real> loops_, reached_;  // all elements, N(P_1)
  LocalSteps<Real> steps_;
  Pair v_, previous_, w_;
  double beta_ = 0;             // of previous_
  OwnedFields<Real> filtered_;  // F_1 of the present vector's H
  OwnedFields<Real>&start_electric_, &start_magnetic_;
  OperatorTerms terms_;
};

template <class Real>
OperatorParts<Real> operator_of(const std::vector<SteppedPart<Real>>& parts, OrderJoints<Real>* joints) {
  std::vector<OperatorPart<Real>> list;
  for (const auto& part : parts) list.push_back({part.d, part.executor});
  return {std::move(list), joints};
}

}  // namespace

double LevelBounds::largest() const { return *std::max_element(z.begin(), z.end()); }

double LevelBounds::largest_finite() const {
  double most = 0;
  for (const double bound : z)
    if (std::isfinite(bound)) most = std::max(most, bound);
  return most;
}

template <class Real>
LevelTimeStep<Real>::LevelTimeStep(std::vector<SteppedPart<Real>> parts, OrderJoints<Real>* joints,
                                   const parallel::Communicator& comm)
    : stepped_(std::move(parts)),
      parts_(operator_of(stepped_, joints)),
      comm_(comm),
      start_electric_(parts_.list(), [](const auto& d) { return d.blocks; }),
      start_magnetic_(parts_.list(), [](const auto& d) { return d.blocks; }) {
  for (std::size_t p = 0; p < parts_.size(); ++p)
    fill_random(parts_[p].d, parts_[p].executor, start_electric_[p], start_magnetic_[p]);
  set_time_step(1 / speed_of_light);  // c0 dt = 1 m
  int iterations = 0;
  const double lambda = level_bound(finest(), iterations) / filter_factor(finest());
  global_limit_ = 2 / (std::sqrt(lambda) * speed_of_light);
}

template <class Real>
void LevelTimeStep<Real>::set_time_step(double dt) {
  for (const auto& part : stepped_) {
    part.d.set_time_step(dt);
    part.executor.load_half_steps();
  }
}

// z_L = a_L lambda with lambda = (2 / global limit)^2.
template <class Real>
double LevelTimeStep<Real>::time_step(double share) const {
  return global_limit_ / 2 * std::sqrt(share / filter_factor(finest()));
}

template <class Real>
double LevelTimeStep<Real>::level_bound(int level, int& iterations) {
  LevelOperator<Real> op(parts_, level, start_electric_, comm_);
  const auto found = largest_eigenvalue(op);
  for (const auto& part : stepped_) part.executor.wait();
  iterations += found.iterations;
  return filter_factor(level) * found.value;
}

template <class Real>
double LevelTimeStep<Real>::outer_bound(double dt, int& iterations) {
  OuterOperator<Real> op(parts_, dt, start_electric_, start_magnetic_, comm_);
  const auto found = largest_eigenvalue(op);
  for (const auto& part : stepped_) part.executor.wait();
  iterations += found.iterations;
  return found.value * found.value / 4;
}

template <class Real>
LevelBounds LevelTimeStep<Real>::bounds(double dt) {
  LevelBounds bounds;
  const int finest = this->finest();
  bounds.z.assign(static_cast<std::size_t>(finest) + 1, std::numeric_limits<double>::infinity());
  set_time_step(dt);
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
