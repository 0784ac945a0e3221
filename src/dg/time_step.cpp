#include "dgtd/dg/time_step.hpp"

#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/dg/field.hpp"
#include "dgtd/dg/inner_product.hpp"
#include "dgtd/dg/kernel_table.hpp"
#include "dgtd/dg/trace_exchange.hpp"
#include "dgtd/parallel/reproducible_sum.hpp"

namespace dgtd::dg {

namespace {

// A number in [-1, 1) from integers that do not depend on the partition (splitmix64).
double scattered(std::uint64_t element, std::uint64_t entry) {
  std::uint64_t z = element * 0x9e3779b97f4a7c15u + entry * 0xbf58476d1ce4e5b9u + 0x94d049bb133111ebu;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return static_cast<double>(static_cast<std::int64_t>(z)) * 0x1p-63;
}

template <class Real>
class PowerIteration {
 public:
  PowerIteration(Discretisation<Real>& d, const parallel::Communicator& comm)
      : d_(d), comm_(comm), kernels_(kernel_table<Real>(d.order)), mass_(d.order),
        reals_(std::size_t{3} * tetrahedron_nodes(d.order)), electric_(d.field_reals()), magnetic_(d.field_reals()),
        next_electric_(d.field_reals()), next_magnetic_(d.field_reals()),
        electric_traces_(d, comm), magnetic_traces_(d, comm) {
    // y = B x without the old value: decay 0, and rates without the time step.
    for (auto* half : {&d_.electric, &d_.magnetic}) half->decay.assign(half->rate.size(), Real(0));
    for (std::size_t s = 0; s < d_.element_of_slot.size(); ++s) {
      const std::int64_t e = d_.element_of_slot[s];
      d_.electric.rate[s] = e < 0 ? Real(0) : static_cast<Real>(1 / d_.material_of(e).permittivity);
      // The symmetric operator: + S^t, and -C_H, so the admittance changes sign with the rate.
      d_.magnetic.rate[s] = e < 0 ? Real(0) : static_cast<Real>(1 / d_.material_of(e).permeability);
    }
    for (auto& a : d_.magnetic.admittance) a = -a;
    start_vector();
  }
  ~PowerIteration() {
    for (auto& a : d_.magnetic.admittance) a = -a;
  }

  /// x <- B x / |x|; returns |B x| / |x|, a lower bound of the spectral radius that never falls, 1/m.
  double iterate() {
    electric_traces_.start(electric_);
    magnetic_traces_.start(magnetic_);
    electric_traces_.finish(electric_);
    magnetic_traces_.finish(magnetic_);
    copy(electric_, next_electric_);
    copy(magnetic_, next_magnetic_);
    apply(d_.electric, magnetic_, next_electric_);
    apply(d_.magnetic, electric_, next_magnetic_);
    std::swap(electric_, next_electric_);
    std::swap(magnetic_, next_magnetic_);
    const double ratio = norm();  // x had norm one
    scale(1 / ratio);
    return ratio;
  }

 private:
  void start_vector() {
    for (std::size_t s = 0; s < d_.element_of_slot.size(); ++s) {
      const std::int64_t e = d_.element_of_slot[s];
      if (e < 0) continue;
      const auto id = static_cast<std::uint64_t>(d_.mesh.element_id[e]);
      const std::size_t at = (s / block_lanes) * reals_ * block_lanes + s % block_lanes;
      for (std::size_t i = 0; i < reals_; ++i) {
        electric_[at + i * block_lanes] = static_cast<Real>(scattered(id, 2 * i));
        magnetic_[at + i * block_lanes] = static_cast<Real>(scattered(id, 2 * i + 1));
      }
    }
    scale(1 / norm());
  }

  static void copy(const Field<Real>& from, Field<Real>& to) {
    const auto n = static_cast<std::ptrdiff_t>(from.size());
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < n; ++i) to[i] = from[i];
  }

  // The conductive kernel serves all interior elements: it multiplies the old value by decay = 0.
  void apply(const HalfStepArrays<Real>& half, const Field<Real>& source, Field<Real>& target) {
    const auto arrays = d_.arrays(half);
    for (const auto* list : {&d_.interior, &d_.halo})
      for (Batch batch : *list) {
        if (batch.kind == ElementKind::lossless) batch.kind = ElementKind::conductive;
        update_batch(kernels_, arrays, source.data(), target.data(), batch);
      }
  }

  void scale(double factor) {
    const auto f = static_cast<Real>(factor);
    const auto n = static_cast<std::ptrdiff_t>(d_.owned_blocks * reals_ * block_lanes);
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      electric_[i] *= f;
      magnetic_[i] *= f;
    }
  }

  double norm() const {
    parallel::ReproducibleSum total;
#pragma omp parallel
    {
      parallel::ReproducibleSum mine;
#pragma omp for schedule(static) nowait
      for (std::int64_t b = 0; b < d_.owned_blocks; ++b) {
        double e[block_lanes], h[block_lanes];
        const Real* const metric = d_.metric.data() + std::size_t(b) * 6 * block_lanes;
        const std::size_t at = std::size_t(b) * reals_ * block_lanes;
        mass_.block(electric_.data() + at, electric_.data() + at, metric, e);
        mass_.block(magnetic_.data() + at, magnetic_.data() + at, metric, h);
        for (int lane = 0; lane < block_lanes; ++lane) {
          const std::int64_t element = d_.element_of_slot[b * block_lanes + lane];
          if (element < 0) continue;
          const auto& m = d_.material_of(element);
          mine.add(m.permittivity * e[lane]);
          mine.add(m.permeability * h[lane]);
        }
      }
#pragma omp critical
      total.add(mine);
    }
    return std::sqrt(total.value(comm_));
  }

  Discretisation<Real>& d_;
  const parallel::Communicator& comm_;
  const KernelTable<Real>& kernels_;
  MassForm mass_;
  std::size_t reals_;  // coefficients of a field in an element, 3 Np
  Field<Real> electric_, magnetic_, next_electric_, next_magnetic_;
  TraceExchange<Real> electric_traces_, magnetic_traces_;
};

}  // namespace

template <class Real>
StabilityLimit stability_limit(Discretisation<Real>& d, const parallel::Communicator& comm) {
  d.set_time_step(1);  // sizes the arrays
  PowerIteration<Real> power(d, comm);
  constexpr int most = 400, window = 10;
  constexpr double tolerance = 1e-3;
  StabilityLimit limit;
  double alpha = 0, earlier = 0;
  for (limit.iterations = 1; limit.iterations <= most; ++limit.iterations) {
    alpha = power.iterate();
    if (!std::isfinite(alpha) || alpha <= 0) throw Error(ExitCode::unstable, "the time step cannot be found: the operator has no finite norm");
    if (limit.iterations % window == 0) {
      limit.last_change = alpha / earlier - 1;
      if (limit.iterations > 2 * window && limit.last_change < tolerance) break;
      earlier = alpha;
    }
  }
  limit.time_step = 2 / (alpha * speed_of_light);
  return limit;
}

template StabilityLimit stability_limit<float>(Discretisation<float>&, const parallel::Communicator&);
template StabilityLimit stability_limit<double>(Discretisation<double>&, const parallel::Communicator&);

}  // namespace dgtd::dg
