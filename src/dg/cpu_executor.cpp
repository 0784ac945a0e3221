// The executor on CPU threads: OpenMP over blocks, vector registers over lanes.
#include <cassert>
#include <cstring>
#include <omp.h>
#include <utility>

#include "dgtd/base/constants.hpp"
#include "dgtd/dg/inner_product.hpp"
#include "dgtd/dg/kernel_table.hpp"
#include "dgtd/parallel/cpu_backend.hpp"
#include "executor_on.hpp"

namespace dgtd::dg {

namespace {

template <class Real>
class CpuElements {
 public:
  using Backend = parallel::CpuBackend;
  CpuElements(const Discretisation<Real>& d, Backend&) : d_(d), kernels_(kernel_table<Real>(d.order)), mass_(d.order) {}

  void update(Queue, const ElementArrays<Real>& arrays, const Real* source, Real* target, const Batch& batch) const {
    const ElementTraits& traits = batch.traits;
    if (arrays.flux == nullptr) {
      run(kernels_.fused[traits.boundary][traits.conductive], arrays, source, target, batch);
    } else {
      run(kernels_.volume, arrays, source, target, batch);
      run(kernels_.surface[traits.boundary], arrays, source, target, batch);
      run(kernels_.field[traits.conductive], arrays, source, target, batch);
    }
  }

  void update_level(Queue, const ElementArrays<Real>& arrays, const LevelBlock* list, std::int64_t blocks,
                    const Real* source, const LevelFields<Real>& fields) const {
    // A barrier costs more than a few blocks do.
    constexpr std::int64_t least = 8;  // blocks for threads
    for_shares(blocks, least, [&](std::int64_t first, std::int64_t last) {
      kernels_.level(arrays, list, source, fields, first, last);
    });
  }

  static constexpr std::int64_t most_in_sequence() { return 0; }
  void update_sequence(Queue, const std::vector<LevelWork<Real>>&) const {}

  // The energy needs H on both sides of E's time level. New values are written to an array of their own or, in place,
  // the old ones are kept there and then restored; by groups of blocks, which stay in the cache.
  template <class Work>
  void add_energy(const EnergyFields<Real>& fields, std::int64_t first, std::int64_t blocks, const Work& half_step) {
    const std::size_t reals = d_.layout.reals_per_block();
    const std::int64_t group = 16 * static_cast<std::int64_t>(omp_get_max_threads());
    std::vector<Real> kept(static_cast<std::size_t>(std::min(group, blocks)) * reals);
    double sum = 0;
    for (std::int64_t begin = first; begin < first + blocks; begin += group) {
      const std::int64_t end = std::min(begin + group, first + blocks);
      const std::size_t bytes = static_cast<std::size_t>(end - begin) * reals * sizeof(Real);
      Real* const magnetic = fields.magnetic + begin * reals;
      if (fields.in_place) std::memcpy(kept.data(), magnetic, bytes);
      half_step(begin, end - begin, fields.in_place ? fields.magnetic : kept.data() - begin * reals);
      const Real* const before = fields.in_place ? kept.data() : magnetic;
      const Real* const after = fields.in_place ? magnetic : kept.data();
#pragma omp parallel for schedule(static) reduction(+ : sum)
      for (std::int64_t b = begin; b < end; ++b) {
        double e[block_lanes], h[block_lanes];
        const Real* const of_block = fields.metric + b * 6 * block_lanes;
        const Real* const of_e = fields.electric + b * reals;
        const Real* const other = fields.partner == nullptr ? before + (b - begin) * reals : fields.partner + b * reals;
        mass_.block(of_e, of_e, d_.layout, of_block, e);
        mass_.block<Real>(other, after + (b - begin) * reals, d_.layout, of_block, h);
        for (int lane = 0; lane < block_lanes; ++lane) {
          const auto& m = d_.material[d_.group_of_slot[b * block_lanes + lane]];
          sum += 0.5 * vacuum_permittivity * (m.permittivity * e[lane] + m.permeability * h[lane]);
        }
      }
      if (fields.in_place) std::memcpy(magnetic, kept.data(), bytes);
    }
    energy_ += sum;
  }
  double take_energy() { return std::exchange(energy_, 0.0); }

  std::vector<double> products(const Real* metric, const Real* u, const Real* v) const {
    std::vector<double> products(d_.owned_blocks * block_lanes);
#pragma omp parallel for schedule(static)
    for (std::int64_t b = 0; b < d_.owned_blocks; ++b) {
      double result[block_lanes];
      const std::size_t at = b * d_.layout.reals_per_block();
      mass_.block(u + at, v + at, d_.layout, metric + b * 6 * block_lanes, result);
      std::copy(result, result + block_lanes, products.begin() + b * block_lanes);
    }
    return products;
  }

  void add_product(HalfStep of, const Real* metric, const Real* u, const Real* v, std::int64_t blocks,
                   parallel::ReproducibleSum& sum) const {
#pragma omp parallel
    {
      parallel::ReproducibleSum mine;
      double product[block_lanes];
#pragma omp for schedule(static) nowait
      for (std::int64_t b = 0; b < blocks; ++b) {
        const std::size_t at = b * d_.layout.reals_per_block();
        mass_.block(u + at, v + at, d_.layout, metric + b * 6 * block_lanes, product);
        for (int lane = 0; lane < block_lanes; ++lane) {
          const auto& m = d_.material[d_.group_of_slot[b * block_lanes + lane]];
          mine.add((of == HalfStep::electric ? m.permittivity : m.permeability) * product[lane]);
        }
      }
#pragma omp critical
      sum.add(mine);
    }
  }

  void add_work(std::int64_t n, const WeightedCoefficient<Real>& term, double factor, double* last,
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
  double energy_ = 0;  // J, added up since the last take_energy
};

}  // namespace

template <class Real>
std::unique_ptr<Executor<Real>> make_cpu_executor(const Discretisation<Real>& d, KernelFusion fusion,
                                                  const parallel::Communicator& comm) {
  assert(d.layout.lanes == cpu_field_lanes);
  return std::make_unique<ExecutorOn<Real, CpuElements<Real>>>(d, fusion, std::make_unique<parallel::CpuBackend>(comm));
}
template std::unique_ptr<Executor<float>> make_cpu_executor<float>(const Discretisation<float>&, KernelFusion,
                                                                   const parallel::Communicator&);
template std::unique_ptr<Executor<double>> make_cpu_executor<double>(const Discretisation<double>&, KernelFusion,
                                                                     const parallel::Communicator&);

}  // namespace dgtd::dg
