// The executor on CPU threads: OpenMP over blocks, vector registers over lanes.
#include <algorithm>
#include <cassert>
#include <omp.h>
#include <utility>

#include "dgtd/base/constants.hpp"
#include "dgtd/dg/inner_product.hpp"
#include "dgtd/dg/kernel_table.hpp"
#include "dgtd/parallel/cpu_backend.hpp"
#include "part_executors_on.hpp"

namespace dgtd::dg {

namespace {

template <class Real>
class CpuElements {
 public:
  using Backend = parallel::CpuBackend;
  CpuElements(const Discretisation<Real>& d, Backend&) : d_(d), kernels_(kernel_table<Real>(d.order)), mass_(d.order), curved_mass_(d.order) {}

  void update(Queue, const KernelTraits& traits, const ElementArrays<Real>& arrays, const Real* source, Real* target,
              const Batch& batch) const {
    kernels_.stages.for_each(traits, arrays.flux != nullptr,
                             [&](UpdateBlocks<Real> stage) { run(stage, arrays, source, target, batch); });
  }

  static constexpr std::int64_t most_in_one_launch() { return 0; }
  void update_joint(Queue, const ElementArrays<Real>&, const Real*, Real*, const std::vector<JointPart>&) const {}
  static constexpr int most_parts() { return 0; }
  static bool can_exchange(bool) { return false; }
  static int add_exchange(const parallel::HaloPlan&) { return 0; }
  void update_joint(const ElementArrays<Real>&, const TraceExchange&, Real*, Real*,
                    const std::vector<JointPart>&) const {}
  void update_level(const ElementArrays<Real>&, const TraceExchange&, const BlockLists&, Real*,
                    const LevelFields<Real>&) const {}
  void end_exchanges() const {}

  void update_level(Queue, bool curved, const ElementArrays<Real>& arrays, const LevelBlock* list, std::int64_t blocks,
                    const Real* source, const LevelFields<Real>& fields) const {
    // A barrier costs more than a few blocks do.
    constexpr std::int64_t least = 8;  // blocks for threads
    for_shares(blocks, least, [&](std::int64_t first, std::int64_t last) {
      kernels_.level[curved](arrays, list, source, fields, first, last);
    });
  }

  static constexpr std::int64_t most_in_sequence() { return 0; }
  void update_sequence(Queue, const std::vector<LevelWork<Real>>&) const {}

  static bool can_take_steps(bool, const std::optional<std::vector<StepCurrent>>&, std::int64_t) { return false; }
  void take_steps(int, Real*, Real*, const std::vector<StepCurrent>&, const std::vector<double>&) const {}
  void forget_steps() const {}

  // The energy needs H on both sides of E's time level: each block's next values are written to an array of the thread.
  void add_energy(bool curved, const ElementArrays<Real>& arrays, const LevelBlock* list, std::int64_t blocks,
                  const EnergyFields<Real>& fields) {
    const std::size_t reals = d_.layout.reals_per_block();
    energy_ += sum_over(blocks, [&](std::int64_t i, std::vector<Real>& next) {
      const std::size_t block = list[i].block;
      LevelFields<Real> half_step;
      half_step.base = list[i].block < fields.unfiltered_blocks ? fields.unfiltered : fields.magnetic;
      half_step.base_blocks = d_.owned_blocks;
      half_step.target = next.data() - block * reals;
      kernels_.level[curved](arrays, list + i, fields.electric, half_step, 0, 1);
      return energy_of(arrays, block, fields.electric, fields.magnetic + block * reals, next.data());
    });
  }
  // In place: the old values are kept and restored. No other block reads them.
  void add_boundary_energy(const ElementArrays<Real>& arrays, const Batch& batch, const EnergyFields<Real>& fields) {
    const KernelTraits boundary{MediumKind::conductive, true, batch.traits.curved};
    const std::size_t reals = d_.layout.reals_per_block();
    energy_ += sum_over(batch.blocks, [&](std::int64_t i, std::vector<Real>& before) {
      const std::size_t block = batch.first_block + i;
      Real* const magnetic = fields.magnetic + block * reals;
      std::copy_n(magnetic, reals, before.data());
      kernels_.stages.fused[kernel_index(boundary)](arrays, fields.electric, fields.magnetic, block, block + 1);
      const double energy = energy_of(arrays, block, fields.electric, before.data(), magnetic);
      std::copy_n(before.data(), reals, magnetic);
      return energy;
    });
  }
  void add_storage(const ElementArrays<Real>& arrays, const Batch& batch) {
    const FieldLayout layout{d_.layout.nodes, block_lanes};  // of what poles keep
    const std::size_t reals = layout.reals_per_block();
    const PoleCounts& most = arrays.poles.most;
    double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (std::int64_t i = 0; i < batch.blocks; ++i) {
      const std::int64_t block = batch.first_block + i, of_state = block - arrays.state[state_of_poles].first;
      const Real* const kept = arrays.state[state_of_poles].values + std::size_t(of_state) * reals * most.kept();
      const std::uint16_t* const medium = arrays.poles.medium + block * block_lanes;
      double square[block_lanes];
      for_each_pole(arrays.poles.counts[of_state], most, [&](auto kind, int place, int first) {
        using Kind = decltype(kind);
        const auto add = [&](int one, int other, double StorageFactors::*factor) {
          block_product(arrays.metric, arrays.curved, block, kept + one * reals, kept + other * reals, layout, square);
          for (int lane = 0; lane < block_lanes; ++lane) {
            const Real* const row = arrays.poles.table + std::size_t(medium[lane]) * arrays.poles.row;
            sum += vacuum_permittivity * d_.material[medium[lane]].permittivity *
                   (storage_factors<Kind::has_C3>(row, most, place).*factor) * square[lane];
          }
        };
        if constexpr (Kind::has_v) add(first, first, &StorageFactors::v);
        if constexpr (Kind::has_P) add(first + Kind::has_v, first + Kind::has_v, &StorageFactors::P);
        if constexpr (Kind::has_C3) add(first, first + 1, &StorageFactors::vP);
      });
    }
    energy_ += sum;
  }
  double take_energy() { return std::exchange(energy_, 0.0); }

  std::vector<double> products(const Real* metric, const CurvedArrays<Real>& curved, const Real* u,
                               const Real* v) const {
    std::vector<double> products(d_.owned_blocks * block_lanes);
#pragma omp parallel for schedule(static)
    for (std::int64_t b = 0; b < d_.owned_blocks; ++b) {
      double result[block_lanes];
      const std::size_t at = b * d_.layout.reals_per_block();
      block_product(metric, curved, b, u + at, v + at, d_.layout, result);
      std::copy(result, result + block_lanes, products.begin() + b * block_lanes);
    }
    return products;
  }

  void add_product(HalfStep of, const Real* metric, const CurvedArrays<Real>& curved, const Real* u, const Real* v,
                   std::int64_t blocks, parallel::ReproducibleSum& sum) const {
#pragma omp parallel
    {
      parallel::ReproducibleSum mine;
      double product[block_lanes];
#pragma omp for schedule(static) nowait
      for (std::int64_t b = 0; b < blocks; ++b) {
        const std::size_t at = b * d_.layout.reals_per_block();
        block_product(metric, curved, b, u + at, v + at, d_.layout, product);
        for (int lane = 0; lane < block_lanes; ++lane) {
          const auto& m = d_.material[d_.group_of_slot[b * block_lanes + lane]];
          mine.add((of == HalfStep::electric ? m.permittivity : m.permeability) * product[lane]);
        }
      }
#pragma omp critical
      sum.add(mine);
    }
  }

  void add_work(std::int64_t n, const WeightedCoefficient<Real>& term, const LoopNumber& factor, double* last,
                double* work) const {
    double total = 0;
    for (std::int64_t i = 0; i < n; ++i) total += term(i);
    *work += factor * *last;
    *work += factor * total;
    *last = total;
  }

  double memory_bytes() const { return 0; }
  solver::Solver::Occupancy occupancy() const { return {}; }

 private:
  // The sum of term(i, values) over i from 0 to n - 1, in threads, each with values for a block.
  template <class Term>
  double sum_over(std::int64_t n, const Term& term) const {
    double sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
      std::vector<Real> values(d_.layout.reals_per_block());
#pragma omp for schedule(static)
      for (std::int64_t i = 0; i < n; ++i) sum += term(i, values);
    }
    return sum;
  }
  // [lanes] integrals of u . v over the elements of a block, which begins at u and v.
  void block_product(const Real* metric, const CurvedArrays<Real>& curved, std::int64_t block, const Real* u,
                     const Real* v, const FieldLayout& layout, double (&result)[block_lanes]) const {
    const std::int32_t place = curved.block != nullptr ? curved.block[block] : -1;
    if (place < 0) return mass_.block(u, v, layout, metric + block * 6 * block_lanes, result);
    const std::size_t reals = std::size_t(curved_terms(d_.order)) * 6 * block_lanes;
    curved_mass_.block(u, v, layout, curved.metric + std::size_t(place) * reals, result);
  }
  // J, of a block; before, after: H at its first coefficient.
  double energy_of(const ElementArrays<Real>& arrays, std::size_t block, const Real* electric, const Real* before,
                   const Real* after) const {
    double e[block_lanes], h[block_lanes], sum = 0;
    const Real* const of_e = electric + block * d_.layout.reals_per_block();
    block_product(arrays.metric, arrays.curved, std::int64_t(block), of_e, of_e, d_.layout, e);
    block_product(arrays.metric, arrays.curved, std::int64_t(block), before, after, d_.layout, h);
    for (int lane = 0; lane < block_lanes; ++lane) {
      const auto& m = d_.material[d_.group_of_slot[block * block_lanes + lane]];
      sum += 0.5 * vacuum_permittivity * (m.permittivity * e[lane] + m.permeability * h[lane]);
    }
    return sum;
  }
  void run(UpdateBlocks<Real> stage, const ElementArrays<Real>& arrays, const Real* source, Real* target,
           const Batch& batch) const {
    for_shares(batch.blocks, 1, [&](std::int64_t first, std::int64_t last) {
      stage(arrays, source, target, batch.first_block + first, batch.first_block + last);
    });
  }
  // body(first, last) on each thread, for its share of n; on this thread alone where n is below `least`.
  template <class Body>
  static void for_shares(std::int64_t n, std::int64_t least, const Body& body) {
    if (n < least) return body(0, n);
#pragma omp parallel
    {
      const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
      body(n * thread / threads, n * (thread + 1) / threads);
    }
  }

  const Discretisation<Real>& d_;
  const KernelTable<Real>& kernels_;
  MassForm mass_;
  CurvedMassForm curved_mass_;
  double energy_ = 0;  // J, added up since the last take_energy
};

}  // namespace

template <class Real>
std::unique_ptr<Executor<Real>> make_cpu_executor(const Discretisation<Real>& d, KernelFusion fusion,
                                                  const parallel::Communicator& comm) {
  assert(d.layout.lanes == cpu_field_lanes);
  return std::make_unique<ExecutorOn<Real, CpuElements<Real>>>(d, fusion, std::make_shared<parallel::CpuBackend>(comm));
}

template <class Real>
PartExecutors<Real> make_cpu_part_executors(const OrderParts& parts, const std::vector<const Discretisation<Real>*>& d,
                                            KernelFusion fusion, const parallel::Communicator& comm) {
  for ([[maybe_unused]] const auto* const of_part : d) assert(of_part->layout.lanes == cpu_field_lanes);
  return part_executors_on<Real, CpuElements<Real>>(parts, d, fusion, comm,
                                                    [&] { return std::make_shared<parallel::CpuBackend>(comm); });
}

template std::unique_ptr<Executor<float>> make_cpu_executor<float>(const Discretisation<float>&, KernelFusion,
                                                                   const parallel::Communicator&);
template std::unique_ptr<Executor<double>> make_cpu_executor<double>(const Discretisation<double>&, KernelFusion,
                                                                     const parallel::Communicator&);
template PartExecutors<float> make_cpu_part_executors<float>(const OrderParts&,
                                                             const std::vector<const Discretisation<float>*>&,
                                                             KernelFusion, const parallel::Communicator&);
template PartExecutors<double> make_cpu_part_executors<double>(const OrderParts&,
                                                               const std::vector<const Discretisation<double>*>&,
                                                               KernelFusion, const parallel::Communicator&);

}  // namespace dgtd::dg
