// The CPU executor: OpenMP threads over blocks, vector registers over lanes.
#include <algorithm>
#include <cassert>
#include <cstring>
#include <omp.h>

#include "cpu_sources.hpp"
#include "cpu_trace_exchange.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/dg/executor.hpp"
#include "dgtd/dg/inner_product.hpp"
#include "dgtd/dg/kernel_table.hpp"
#include "dgtd/parallel/copy_bandwidth.hpp"

namespace dgtd::dg {

namespace {

template <class Real>
class CpuExecutor final : public Executor<Real> {
 public:
  CpuExecutor(const Discretisation<Real>& d, Schedule schedule)
      : d_(d), kernels_(kernel_table<Real>(d.order)), mass_(d.order) {
    assert(d.layout.lanes == cpu_field_lanes);
    if (schedule == Schedule::split) flux_.resize(std::size_t(d.owned_blocks) * 3 * d.layout.nodes * block_lanes);
  }
  parallel::Memory& memory() override { return parallel::host_memory(); }
  double memory_bytes() const override { return double(flux_.size() * sizeof(Real)); }
  void load_half_steps() override {}

  void update(HalfStep half, const Real* source, Real* target, const std::vector<Batch>& batches) override {
    for (const Batch& batch : batches) {
      const int kind = static_cast<int>(batch.kind);
      if (flux_.empty()) {
        run(kernels_.fused[kind], half, source, target, batch);
      } else {
        run(kernels_.volume, half, source, target, batch);
        run(kernels_.surface[kind], half, source, target, batch);
        run(kernels_.field[kind], half, source, target, batch);
      }
    }
  }

  void update_halo(HalfStep half, const Real* source, Real* target, const std::vector<Batch>& batches) override {
    update(half, source, target, batches);
  }

  void half_step(HalfStep, const std::function<void()>& work) override { work(); }

  // The energy needs H on both sides of E's time level: a block's old values are kept while it is updated, then
  // restored.
  double energy(const Real* electric, Real* magnetic, const Batch& batch) override {
    const std::size_t reals = d_.layout.reals_per_block();
    const ElementArrays<Real> arrays = this->arrays(HalfStep::magnetic);
    double sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
      std::vector<Real> old(reals);
      double e[block_lanes], h[block_lanes];
#pragma omp for schedule(static)
      for (std::int64_t b = batch.first_block; b < batch.first_block + batch.blocks; ++b) {
        std::memcpy(old.data(), magnetic + b * reals, reals * sizeof(Real));
        kernels_.fused[static_cast<int>(batch.kind)](arrays, electric, magnetic, b, b + 1);
        const Real* const metric = d_.metric.data() + b * 6 * block_lanes;
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

  std::vector<double> element_products(const Real* u, const Real* v) override {
    std::vector<double> products(d_.owned_blocks * block_lanes);
#pragma omp parallel for schedule(static)
    for (std::int64_t b = 0; b < d_.owned_blocks; ++b) {
      double result[block_lanes];
      const std::size_t at = b * d_.layout.reals_per_block();
      mass_.block(u + at, v + at, d_.layout, d_.metric.data() + b * 6 * block_lanes, result);
      std::copy(result, result + block_lanes, products.begin() + b * block_lanes);
    }
    return products;
  }

  void scale(Real* field, Real factor, std::size_t reals) override {
#pragma omp parallel for simd schedule(static)
    for (std::size_t i = 0; i < reals; ++i) field[i] *= factor;
  }
  void copy(const Real* from, Real* to, std::size_t reals) override {
#pragma omp parallel for simd schedule(static)
    for (std::size_t i = 0; i < reals; ++i) to[i] = from[i];
  }
  void accumulate_phasor(const Real* u, Real c, Real s, Real* real, Real* imag, std::size_t reals) override {
#pragma omp parallel for simd schedule(static)
    for (std::size_t i = 0; i < reals; ++i) {
      real[i] += c * u[i];
      imag[i] += s * u[i];
    }
  }

  std::unique_ptr<TraceExchange<Real>> make_trace_exchange(const parallel::Communicator& comm) override {
    return std::make_unique<CpuTraceExchange<Real>>(d_, comm);
  }
  std::unique_ptr<Current<Real>> make_current(CurrentCoefficients coefficients) override {
    return std::make_unique<CpuCurrent<Real>>(std::move(coefficients));
  }
  std::unique_ptr<IncidentWriter<Real>> make_incident_writer(const IncidentWave& wave) override {
    return std::make_unique<CpuIncidentWriter<Real>>(d_, wave);
  }
  double copy_bandwidth() override { return parallel::copy_bandwidth(); }
  solver::Solver::Occupancy occupancy() const override { return {}; }
  void wait() override {}

 private:
  ElementArrays<Real> arrays(HalfStep half) {
    auto arrays = d_.arrays(half == HalfStep::electric ? d_.electric : d_.magnetic);
    arrays.flux = flux_.data();
    return arrays;
  }
  void run(UpdateBlocks<Real> stage, HalfStep half, const Real* source, Real* target, const Batch& batch) {
    const ElementArrays<Real> arrays = this->arrays(half);
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
  std::vector<Real> flux_;  // [block][3][Np][lane 32] rates between the split kernels
};

}  // namespace

template <class Real>
std::unique_ptr<Executor<Real>> make_cpu_executor(const Discretisation<Real>& d, Schedule schedule) {
  return std::make_unique<CpuExecutor<Real>>(d, schedule);
}
template std::unique_ptr<Executor<float>> make_cpu_executor<float>(const Discretisation<float>&, Schedule);
template std::unique_ptr<Executor<double>> make_cpu_executor<double>(const Discretisation<double>&, Schedule);

}  // namespace dgtd::dg
