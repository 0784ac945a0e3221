// The executor on the GPU of a rank; the host only queues work.
#include <cassert>

#include "../parallel/cuda_backend.hpp"
#include "cuda_energy.hpp"
#include "cuda_kernel_table.hpp"
#include "dgtd/dg/cuda_executor.hpp"
#include "executor_on.hpp"

namespace dgtd::dg {

namespace {

constexpr std::size_t chunk_bytes = std::size_t{64} << 20;  // of old H kept while the energy is measured

template <class Real>
class CudaElements {
 public:
  using Backend = parallel::CudaBackend;
  CudaElements(const Discretisation<Real>& d, Backend& backend)
      : d_(d),
        backend_(backend),
        kernels_(cuda_kernel_table<Real>(d.order)),
        energy_(d, backend.memory(), backend.stream(Queue::main)) {}

  void update(Queue queue, const ElementArrays<Real>& arrays, const Real* source, Real* target,
              const Batch& batch) const {
    const ElementTraits& traits = batch.traits;
    const auto run = [&](LaunchBlocks<Real> stage) {
      stage(arrays, source, target, batch.first_block, batch.blocks, backend_.stream(queue));
    };
    if (arrays.flux == nullptr) {
      run(kernels_.fused[traits.boundary][traits.conductive]);
    } else {
      run(kernels_.volume);
      run(kernels_.surface[traits.boundary]);
      run(kernels_.field[traits.conductive]);
    }
  }

  void update_level(Queue queue, const ElementArrays<Real>& arrays, const LevelBlock* list, std::int64_t blocks,
                    const Real* source, const LevelFields<Real>& fields) const {
    kernels_.level(arrays, list, source, fields, blocks, backend_.stream(queue));
  }

  // The energy needs H on both sides of E's time level: a chunk's old values are kept while it is updated, then
  // restored.
  template <class Work>
  double energy(const Real* metric, const Real* electric, Real* updated, const Real* partner, std::int64_t begin,
                std::int64_t count, const Work& half_step) {
    const std::size_t reals = d_.layout.reals_per_block();
    const auto chunk = std::max<std::int64_t>(1, static_cast<std::int64_t>(chunk_bytes / (reals * sizeof(Real))));
    for (std::int64_t first = begin; first < begin + count; first += chunk) {
      const std::int64_t blocks = std::min(chunk, begin + count - first);
      const auto n = static_cast<std::int64_t>(blocks * reals);
      if (old_magnetic_.size() < blocks * reals) old_magnetic_ = Array<Real>(blocks * reals, backend_.memory());
      Real* const old = old_magnetic_.write();
      backend_.for_each(n, parallel::CopyReals<Real>{updated + first * reals, old});
      half_step(first, blocks);
      energy_.add_energy(electric + first * reals, partner == nullptr ? old : partner + first * reals,
                         updated + first * reals, metric, first, blocks);
      backend_.for_each(n, parallel::CopyReals<Real>{old, updated + first * reals});
    }
    return energy_.take_sum();
  }

  std::vector<double> products(const Real* metric, const Real* u, const Real* v) {
    const std::size_t reals = d_.layout.reals_per_block();
    constexpr std::int64_t chunk = 1 << 15;  // blocks
    Array<double> products(static_cast<std::size_t>(std::min(chunk, d_.owned_blocks)) * block_lanes, backend_.memory());
    std::vector<double> result(d_.owned_blocks * block_lanes);
    for (std::int64_t first = 0; first < d_.owned_blocks; first += chunk) {
      const std::int64_t blocks = std::min(chunk, d_.owned_blocks - first);
      energy_.products(u + first * reals, v + first * reals, metric, first, blocks, products.write());
      backend_.memory().download(result.data() + first * block_lanes, products.read(),
                                 static_cast<std::size_t>(blocks) * block_lanes * sizeof(double));
    }
    return result;
  }

  void add_product(HalfStep of, const Real* metric, const Real* u, const Real* v, std::int64_t blocks,
                   parallel::ReproducibleSum& sum) {
    energy_.add_product(of == HalfStep::electric, u, v, metric, blocks, sum);
  }

  double memory_bytes() const { return old_magnetic_.bytes() + energy_.bytes(); }
  solver::Solver::Occupancy occupancy() const {
    const auto o = parallel::kernel_occupancy(kernels_.fused_lossless, kernels_.threads);
    return {o.registers, o.resident};
  }

 private:
  const Discretisation<Real>& d_;
  Backend& backend_;
  const CudaKernelTable<Real>& kernels_;
  Array<Real> old_magnetic_;  // [chunk of blocks]
  CudaEnergy<Real> energy_;
};

}  // namespace

template <class Real>
std::unique_ptr<Executor<Real>> make_cuda_executor(const Discretisation<Real>& d, KernelFusion fusion,
                                                   parallel::Transport transport, const parallel::Communicator& comm) {
  assert(d.layout.lanes == cuda_field_lanes);
  return std::make_unique<ExecutorOn<Real, CudaElements<Real>>>(
      d, fusion, std::make_unique<parallel::CudaBackend>(transport, comm));
}

template <class Real>
double cuda_bytes_needed(const Discretisation<Real>& d, KernelFusion fusion, std::size_t frequencies) {
  const double slots = double(d.element_of_slot.size()), field = double(d.field_reals()) * sizeof(Real);
  const double elements = slots * (4 * 4.0 + (6 + 4) * sizeof(Real) + 2) +
                          double(d.boundary_blocks) * block_lanes * (4 * 4.0 + 2 * 16 * sizeof(Real));
  const double halos = 4.0 * double(d.mesh.halo_faces.size()) * 2 * triangle_nodes(d.order) * sizeof(Real);
  double levels = 0;  // inner fields, their neighbours and blocks
  for (int l = 1; l <= d.time_levels.finest; ++l) {
    const double inner = double(d.layout.reals_per_block()) * sizeof(Real);
    levels += inner * double(d.levels[l].blocks) + 16.0 * block_lanes * double(d.levels[l].reach);
    if (l != 2) levels += inner * double(d.levels[l].reach);
  }
  // The time step needs two pairs of fields, of local time steps four and a half.
  const double fields = field * std::max<double>(levels > 0 ? 9 : 4, 2 + 4 * double(frequencies));
  return elements + halos + fields + levels + (fusion == KernelFusion::split ? field : 0) + 1.1 * double(chunk_bytes);
}

template std::unique_ptr<Executor<float>> make_cuda_executor<float>(const Discretisation<float>&, KernelFusion,
                                                                    parallel::Transport, const parallel::Communicator&);
template std::unique_ptr<Executor<double>> make_cuda_executor<double>(const Discretisation<double>&, KernelFusion,
                                                                      parallel::Transport,
                                                                      const parallel::Communicator&);
template double cuda_bytes_needed<float>(const Discretisation<float>&, KernelFusion, std::size_t);
template double cuda_bytes_needed<double>(const Discretisation<double>&, KernelFusion, std::size_t);

}  // namespace dgtd::dg
