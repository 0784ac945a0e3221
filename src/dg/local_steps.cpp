#include "dgtd/dg/local_steps.hpp"

#include <cmath>
#include <limits>

namespace dgtd::dg {

double filter_factor(int level) { return 1 / (std::pow(4.0, level + 1) * std::pow(0.96, level)); }

template <class Real>
LocalSteps<Real>::LocalSteps(const Discretisation<Real>& d, Executor<Real>& executor)
    : d_(d),
      executor_(executor),
      unfiltered_(static_cast<std::size_t>(d.reach_of_level(1)) * d.layout.reals_per_block(), executor.memory()) {
  saved_.resize(d.levels.size());
  electric_.resize(d.levels.size());
  for (int l = 1; l <= d.time_levels.finest; ++l) {
    const auto reals = [&](std::int64_t blocks) {
      return static_cast<std::size_t>(blocks) * d.layout.reals_per_block();
    };
    saved_[l] = Field<Real>(reals(d.reach_of_level(l + 1)), executor.memory());
    electric_[l] = Field<Real>(reals(d.levels[l].blocks), executor.memory());
  }
}

//   F_l H:  H <- F_{l+1} H;   e = P_l C H;   H <- H_before - a_l C^T e;   H <- F_{l+1} H
template <class Real>
void LocalSteps<Real>::filter(int level, Field<Real>& field, const Field<Real>& base) {
  std::vector<LevelStep<Real>> steps;
  add_steps(level, field, base, steps);
  executor_.update_levels(steps);
}

template <class Real>
void LocalSteps<Real>::add_steps(int level, Field<Real>& field, const Field<Real>& base,
                                 std::vector<LevelStep<Real>>& steps) {
  const bool has_finer = level < d_.time_levels.finest;
  if (has_finer) add_steps(level + 1, field, base, steps);

  LevelFields<Real> electric;
  electric.target = electric_[level].write();
  electric.from_zero = true;
  electric.other_source = base.read();
  electric.other_first = d_.reach_of_level(level + 1), electric.other_end = d_.reach_of_level(level);
  steps.push_back({level, HalfStep::electric, &field, electric});

  LevelFields<Real> magnetic;
  magnetic.base = base.read(), magnetic.base_blocks = d_.reach_of_level(level);
  magnetic.target = field.write();
  magnetic.saved = saved_[level].write(), magnetic.saved_blocks = d_.reach_of_level(level + 1);
  magnetic.factor = static_cast<Real>(filter_factor(level));
  steps.push_back({level, HalfStep::magnetic, &electric_[level], magnetic});

  if (has_finer) add_steps(level + 1, field, saved_[level], steps);
}

// F_1 is symmetric and positive in the integral of mu_r u . v.
template <class Real>
void LocalSteps<Real>::start_from(const Field<Real>& magnetic, const parallel::Communicator& comm) {
  constexpr int most = 200;
  const auto reals = static_cast<std::int64_t>(d_.owned_reals());
  auto& memory = executor_.memory();
  const auto product = [&](const Field<Real>& u, const Field<Real>& v) {
    parallel::ReproducibleSum sum;
    executor_.add_product(HalfStep::magnetic, u, v, d_.owned_blocks, sum);
    return sum.value(comm);
  };
  const auto copy = [&](const Field<Real>& from, Field<Real>& to, std::size_t n) {
    executor_.for_each(static_cast<std::int64_t>(n), parallel::CopyReals<Real>{from.read(), to.write()});
  };
  const auto add = [&](const Field<Real>& from, double factor, Field<Real>& to) {
    executor_.for_each(reals, parallel::AddReals<Real>{from.read(), static_cast<Real>(factor), to.write()});
  };
  Field<Real> u(d_.field_reals(), memory), residual(d_.field_reals(), memory), direction(d_.field_reals(), memory),
      filtered(d_.field_reals(), memory);
  const auto apply_filter = [&](const Field<Real>& field) {
    copy(field, filtered, d_.owned_reals());
    copy(field, unfiltered_, unfiltered_.size());
    filter(1, filtered, unfiltered_);
  };
  copy(magnetic, u, d_.owned_reals());
  copy(magnetic, residual, d_.owned_reals());
  apply_filter(u);
  add(filtered, -1, residual);
  copy(residual, direction, d_.owned_reals());
  const double wanted = product(magnetic, magnetic) * std::pow(4 * std::numeric_limits<Real>::epsilon(), 2);
  double rest = product(residual, residual);
  for (int i = 0; i < most && rest > wanted; ++i) {
    apply_filter(direction);
    const double alpha = rest / product(direction, filtered);
    add(direction, alpha, u);
    add(filtered, -alpha, residual);
    const double before = rest;
    rest = product(residual, residual);
    executor_.for_each(reals, parallel::ScaleReals<Real>{direction.write(), static_cast<Real>(rest / before)});
    add(residual, 1, direction);
  }
  copy(u, unfiltered_, unfiltered_.size());
  executor_.wait();  // before the fields are gone
}

template <class Real>
double LocalSteps<Real>::memory_bytes() const {
  double reals = double(unfiltered_.size());
  for (const auto& field : saved_) reals += double(field.size());
  for (const auto& field : electric_) reals += double(field.size());
  return reals * sizeof(Real);
}

template class LocalSteps<float>;
template class LocalSteps<double>;

}  // namespace dgtd::dg
