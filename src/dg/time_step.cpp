#include "dgtd/dg/time_step.hpp"

#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/parallel/field.hpp"
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
        electric_traces_(executor.make_trace_exchange(comm)),
        magnetic_traces_(executor.make_trace_exchange(comm)) {
    // y = B x without the old value: decay 0, and rates without the time step.
    for (auto* half : {&d_.electric, &d_.magnetic}) half->decay.assign(half->rate.size(), Real(0));
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
    executor_.copy(electric_.read(), next_electric_.write(), electric_.size());
    executor_.copy(magnetic_.read(), next_magnetic_.write(), magnetic_.size());
    electric_traces_->start(electric_.read());
    magnetic_traces_->start(magnetic_.read());
    electric_traces_->finish(electric_.write());
    magnetic_traces_->finish(magnetic_.write());
    apply(HalfStep::electric, magnetic_, next_electric_);
    apply(HalfStep::magnetic, electric_, next_magnetic_);
    std::swap(electric_, next_electric_);
    std::swap(magnetic_, next_magnetic_);
    const double ratio = norm();  // x had norm one
    scale(1 / ratio);
    return ratio;
  }

 private:
  void start_vector() {
    fill_random(d_, electric_, magnetic_);
    scale(1 / norm());
  }

  // The conductive kernel serves all interior elements: it multiplies the old value by decay = 0.
  void apply(HalfStep half, const Field<Real>& source, Field<Real>& target) {
    const auto conductive = [](std::vector<Batch> batches) {
      for (Batch& batch : batches)
        if (batch.kind == ElementKind::lossless) batch.kind = ElementKind::conductive;
      return batches;
    };
    executor_.update(half, source.read(), target.write(), conductive(d_.interior));
    executor_.update_halo(half, source.read(), target.write(), conductive(d_.halo));
  }

  void scale(double factor) {
    for (auto* field : {&electric_, &magnetic_})
      executor_.scale(field->write(), static_cast<Real>(factor), d_.owned_reals());
  }

  double norm() const {
    const auto e = executor_.element_products(electric_.read(), electric_.read());
    const auto h = executor_.element_products(magnetic_.read(), magnetic_.read());
    parallel::ReproducibleSum total;
#pragma omp parallel
    {
      parallel::ReproducibleSum mine;
#pragma omp for schedule(static) nowait
      for (std::size_t s = 0; s < e.size(); ++s) {
        const auto& m = d_.material[d_.group_of_slot[s]];
        mine.add(m.permittivity * e[s]);
        mine.add(m.permeability * h[s]);
      }
#pragma omp critical
      total.add(mine);
    }
    return std::sqrt(total.value(comm_));
  }

  Discretisation<Real>& d_;
  Executor<Real>& executor_;
  const parallel::Communicator& comm_;
  Field<Real> electric_, magnetic_, next_electric_, next_magnetic_;
  std::unique_ptr<TraceExchange<Real>> electric_traces_, magnetic_traces_;
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
