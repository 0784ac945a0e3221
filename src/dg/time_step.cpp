#include "dgtd/dg/time_step.hpp"

#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/dg/random_fields.hpp"
#include "dgtd/parallel/reproducible_sum.hpp"

namespace dgtd::dg {

namespace {

template <class Real>
class PowerIteration {
 public:
  PowerIteration(Discretisation<Real>& d, Executor<Real>& executor, const parallel::Communicator& comm)
      : d_(d),
        executor_(executor),
        comm_(comm),
        electric_(d.field_reals(), executor.memory()),
        magnetic_(d.field_reals(), executor.memory()),
        next_electric_(d.field_reals(), executor.memory()),
        next_magnetic_(d.field_reals(), executor.memory()),
        batches_(d.batches) {
    // The conductive kernels serve all elements: they multiply the old value by decay = 0.
    for (auto* list : {&batches_.interior, &batches_.halo})
      for (Batch& batch : *list) batch.traits.conductive = true;
    // y = B x without the old value: decay 0, and rates without the time step.
    for (auto* half : {&d_.electric, &d_.magnetic}) half->decay.assign(half->rate.size(), Real(0));
#pragma omp parallel for schedule(static)
    for (std::size_t s = 0; s < d_.element_of_slot.size(); ++s) {
      const std::int64_t e = d_.element_of_slot[s];
      d_.electric.rate[s] = e < 0 ? Real(0) : static_cast<Real>(1 / d_.material_of(e).permittivity);
      // The symmetric operator: + S^t, and -C_H, so the admittance changes sign with the rate.
      d_.magnetic.rate[s] = e < 0 ? Real(0) : static_cast<Real>(1 / d_.material_of(e).permeability);
    }
    for (auto& a : d_.magnetic.admittance) a = -a;
    executor_.load_half_steps();
    start_vector();
  }
  ~PowerIteration() {
    for (auto& a : d_.magnetic.admittance) a = -a;
  }

  /// x <- B x / |x|; returns |B x| / |x|, a lower bound of the spectral radius that never falls, 1/m.
  double iterate() {
    copy(electric_, next_electric_);
    copy(magnetic_, next_magnetic_);
    executor_.update(HalfStep::electric, magnetic_, next_electric_, batches_);
    executor_.update(HalfStep::magnetic, electric_, next_magnetic_, batches_);
    std::swap(electric_, next_electric_);
    std::swap(magnetic_, next_magnetic_);
    const double ratio = norm();  // x had norm one
    scale(1 / ratio);
    return ratio;
  }

 private:
  void start_vector() {
    fill_random(d_, executor_, electric_, magnetic_);
    scale(1 / norm());
  }

  void copy(const Field<Real>& from, Field<Real>& to) {
    executor_.for_each(static_cast<std::int64_t>(from.size()), parallel::CopyReals<Real>{from.read(), to.write()});
  }

  void scale(double factor) {
    for (auto* field : {&electric_, &magnetic_})
      executor_.for_each(static_cast<std::int64_t>(d_.owned_reals()),
                         parallel::ScaleReals<Real>{field->write(), static_cast<Real>(factor)});
  }

  double norm() const {
    parallel::ReproducibleSum total;
    executor_.add_product(HalfStep::electric, electric_, electric_, d_.owned_blocks, total);
    executor_.add_product(HalfStep::magnetic, magnetic_, magnetic_, d_.owned_blocks, total);
    return std::sqrt(total.value(comm_));
  }

  Discretisation<Real>& d_;
  Executor<Real>& executor_;
  const parallel::Communicator& comm_;
  Field<Real> electric_, magnetic_, next_electric_, next_magnetic_;
  Batches batches_;
};

}  // namespace

template <class Real>
StabilityLimit stability_limit(Discretisation<Real>& d, Executor<Real>& executor, const parallel::Communicator& comm) {
  d.set_time_step(1);  // sizes the arrays
  PowerIteration<Real> power(d, executor, comm);
  constexpr int most = 400, window = 10;
  constexpr double tolerance = 1e-3;
  StabilityLimit limit;
  double alpha = 0, earlier = 0;
  for (limit.iterations = 1; limit.iterations <= most; ++limit.iterations) {
    alpha = power.iterate();
    if (!std::isfinite(alpha) || alpha <= 0)
      throw Error(ExitCode::unstable, "the time step cannot be found: the operator has no finite norm");
    if (limit.iterations % window == 0) {
      limit.last_change = alpha / earlier - 1;
      if (limit.iterations > 2 * window && limit.last_change < tolerance) break;
      earlier = alpha;
    }
  }
  limit.time_step = 2 / (alpha * speed_of_light);
  return limit;
}

template StabilityLimit stability_limit<float>(Discretisation<float>&, Executor<float>&, const parallel::Communicator&);
template StabilityLimit stability_limit<double>(Discretisation<double>&, Executor<double>&,
                                                const parallel::Communicator&);

}  // namespace dgtd::dg
