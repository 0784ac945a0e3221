// The executor on CPU threads: OpenMP over blocks, vector registers over lanes.
#include <cassert>
#include <cstring>
#include <omp.h>

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

  // The energy needs H on both sides of E's time level: a block's old values are kept while it is updated, then
  // restored.
  double energy(const ElementArrays<Real>& arrays, const Real* electric, Real* magnetic, const Batch& batch) const {
    const UpdateBlocks<Real> update = kernels_.fused[batch.traits.boundary][batch.traits.conductive];
    const std::size_t reals = d_.layout.reals_per_block();
    double sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
      std::vector<Real> old(reals);
      double e[block_lanes], h[block_lanes];
#pragma omp for schedule(static)
      for (std::int64_t b = batch.first_block; b < batch.first_block + batch.blocks; ++b) {
        std::memcpy(old.data(), magnetic + b * reals, reals * sizeof(Real));
        update(arrays, electric, magnetic, b, b + 1);
        const Real* const metric = arrays.metric + b * 6 * block_lanes;
        mass_.block(electric + b * reals, electric + b * reals, d_.layout, metric, e);
        mass_.block<Real>(old.data(), magnetic + b * reals, d_.layout, metric, h);
        for (int lane = 0; lane < block_lanes; ++lane) {
          const auto& m = d_.material[d_.group_of_slot[b * block_lanes + lane]];
          sum += 0.5 * vacuum_permittivity * (m.permittivity * e[lane] + m.permeability * h[lane]);
        }
        std::memcpy(magnetic + b * reals, old.data(), reals * sizeof(Real));
      }
    }
    return sum;
  }

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

  void add_norm(const Real* metric, const Real* e, const Real* h, parallel::ReproducibleSum& sum) const {
#pragma omp parallel
    {
      parallel::ReproducibleSum mine;
      double of_e[block_lanes], of_h[block_lanes];
#pragma omp for schedule(static) nowait
      for (std::int64_t b = 0; b < d_.owned_blocks; ++b) {
        const std::size_t at = b * d_.layout.reals_per_block();
        mass_.block(e + at, e + at, d_.layout, metric + b * 6 * block_lanes, of_e);
        mass_.block(h + at, h + at, d_.layout, metric + b * 6 * block_lanes, of_h);
        for (int lane = 0; lane < block_lanes; ++lane) {
          const auto& m = d_.material[d_.group_of_slot[b * block_lanes + lane]];
          mine.add(m.permittivity * of_e[lane]);
          mine.add(m.permeability * of_h[lane]);
        }
      }
#pragma omp critical
      sum.add(mine);
    }
  }

  double memory_bytes() const { return 0; }
  solver::Solver::Occupancy occupancy() const { return {}; }

 private:
  void run(UpdateBlocks<Real> stage, const ElementArrays<Real>& arrays, const Real* source, Real* target,
           const Batch& batch) const {
#pragma omp parallel
    {
      const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
      const auto share = [&](std::int64_t t) { return batch.first_block + batch.blocks * t / threads; };
      stage(arrays, source, target, share(thread), share(thread + 1));
    }
  }

  const Discretisation<Real>& d_;
  const KernelTable<Real>& kernels_;
  MassForm mass_;
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
