#include "dgtd/dg/local_steps.hpp"

#include <cmath>
#include <limits>

namespace dgtd::dg {

namespace {

// Blocks of fields that are used within reach of a level.
constexpr auto reach_of(int level) {
  return [level](const auto& d) { return d.reach_of_level(level); };
}

}  // namespace

double filter_factor(int level) { return 1 / (std::pow(4.0, level + 1) * std::pow(0.96, level)); }

template <class Real>
LocalSteps<Real>::LocalSteps(OperatorParts<Real> parts)
    : parts_(std::move(parts)), unfiltered_(parts_.list(), reach_of(1)) {
  for (int l = 0; l <= parts_.finest_level(); ++l) {
    const auto blocks_of_level = [l](const auto& d) { return l == 0 ? 0 : d.levels[l].blocks; };
    saved_.emplace_back(parts_.list(), reach_of(l == 0 ? parts_.finest_level() + 1 : l + 1));
    electric_.emplace_back(parts_.list(), blocks_of_level);
  }
}

//   F_l H:  H <- F_{l+1} H;   e = P_l C H;   H <- H_before - a_l C^T e;   H <- F_{l+1} H
template <class Real>
void LocalSteps<Real>::filter(int level, const PartFields<Real>& field, const PartFields<Real>& base) {
  std::vector<std::vector<LevelStep<Real>>> steps(parts_.size());
  for (std::size_t p = 0; p < parts_.size(); ++p) add_steps(p, level, *field[p], *base[p], steps[p]);
  parts_.update_levels(steps);
}

template <class Real>
void LocalSteps<Real>::add_steps(std::size_t part, int level, Field<Real>& field, const Field<Real>& base,
                                 std::vector<LevelStep<Real>>& steps) {
  const Discretisation<Real>& d = parts_[part].d;
  const bool has_finer = level < d.time_levels.finest;
  if (has_finer) add_steps(part, level + 1, field, base, steps);

  LevelFields<Real> electric;
  electric.target = electric_[level][part].write();
  electric.from_zero = true;
  electric.other_source = base.read();
  electric.other_first = d.reach_of_level(level + 1), electric.other_end = d.reach_of_level(level);
  steps.push_back({level, HalfStep::electric, &field, electric});

  LevelFields<Real> magnetic;
  magnetic.base = base.read(), magnetic.base_blocks = d.reach_of_level(level);
  magnetic.target = field.write();
  magnetic.saved = saved_[level][part].write(), magnetic.saved_blocks = d.reach_of_level(level + 1);
  magnetic.factor = static_cast<Real>(filter_factor(level));
  steps.push_back({level, HalfStep::magnetic, &electric_[level][part], magnetic});

  if (has_finer) add_steps(part, level + 1, field, saved_[level][part], steps);
}

template <class Real>
void LocalSteps<Real>::start_random(const PartFields<Real>& magnetic) {
  PartLoops<Real>(parts_, reach_of(1)).copy(magnetic, unfiltered_.all());
  filter(1, magnetic, unfiltered_.all());
  is_started = true;
}

// F_1 is symmetric and positive in the integral of mu_r u . v.
template <class Real>
void LocalSteps<Real>::start_from(const PartFields<Real>& magnetic, const parallel::Communicator& comm) {
  constexpr int most = 200;
  const PartLoops<Real> all(parts_, [](const auto&d) { return d.owned_blocks; }), reached(parts_, reach_of(1));
  const auto product = [&](const PartFields<Real>& u, const PartFields<Real>& v) {
    parallel::ReproducibleSum sum;
    all.add_product(HalfStep::magnetic, u, v, sum);
    return sum.value(comm);
  };
  const auto make = [&] { return OwnedFields<Real>(parts_.list(), [](const auto& d) { return d.blocks; }); };
  OwnedFields<Real> of_u = make(), of_residual = make(), of_direction = make(), of_filtered = make();
  const PartFields<Real> u = of_u.all(), residual = of_residual.all(), direction = of_direction.all(),
                         filtered = of_filtered.all(), unfiltered = unfiltered_.all();
  const auto apply_filter = [&](const PartFields<Real>& field) {
    all.copy(field, filtered);
    reached.copy(field, unfiltered);
    filter(1, filtered, unfiltered);
  };
  all.copy(magnetic, u);
  all.copy(magnetic, residual);
  apply_filter(u);
  all.add(filtered, -1, residual);
  all.copy(residual, direction);
  const double wanted = product(magnetic, magnetic) * std::pow(4 * std::numeric_limits<Real>::epsilon(), 2);
  double rest = product(residual, residual);
  for (int i = 0; i < most && rest > wanted; ++i) {
    apply_filter(direction);
    const double alpha = rest / product(direction, filtered);
    all.add(direction, alpha, u);
    all.add(filtered, -alpha, residual);
    const double before = rest;
    rest = product(residual, residual);
    all.scale(direction, rest / before);
    all.add(residual, 1, direction);
  }
  reached.copy(u, unfiltered);
  is_started = true;
  all.wait();  // before the fields are gone
}

template <class Real>
double LocalSteps<Real>::memory_bytes() const {
  double reals = unfiltered_.reals();
  for (const auto& fields : saved_) reals += fields.reals();
  for (const auto& fields : electric_) reals += fields.reals();
  return reals * sizeof(Real);
}

template class LocalSteps<float>;
template class LocalSteps<double>;

}  // namespace dgtd::dg
