// The CUDA executor: all work of a rank is on three streams of its GPU (trace_streams.hpp); the host only queues it.
#include <algorithm>
#include <cassert>

#include "../parallel/cuda_bandwidth.hpp"
#include "../parallel/cuda_graph.hpp"
#include "../parallel/cuda_memory.hpp"
#include "cuda_energy.hpp"
#include "cuda_kernel_table.hpp"
#include "cuda_sources.hpp"
#include "trace_streams.hpp"
#include "cuda_trace_exchange.hpp"
#include "dgtd/dg/cuda_executor.hpp"

namespace dgtd::dg {

namespace {

constexpr int threads = 256;
constexpr double side_bytes = 64e6;                         // of a field
constexpr std::size_t chunk_bytes = std::size_t{64} << 20;  // of old H kept while the energy is measured

unsigned grid(std::size_t n) {
  return static_cast<unsigned>(std::min<std::size_t>((n + threads - 1) / threads, 1u << 20));
}

template <class Real>
__global__ void scale_kernel(Real* field, Real factor, std::size_t n) {
  for (std::size_t i = std::size_t(blockIdx.x) * threads + threadIdx.x; i < n; i += std::size_t(gridDim.x) * threads)
    field[i] *= factor;
}

// The same rounding as the CPU's loop: multiplication, then addition.
template <class Real>
__global__ void phasor_kernel(const Real* u, Real c, Real s, Real* real, Real* imag, std::size_t n) {
  for (std::size_t i = std::size_t(blockIdx.x) * threads + threadIdx.x; i < n; i += std::size_t(gridDim.x) * threads) {
    const Real value = u[i];
    real[i] += c * value;
    imag[i] += s * value;
  }
}

/// A half step's arrays on the device.
template <class Real>
struct DeviceHalfStep {
  parallel::DeviceArray<Real> rate, decay, mirror, admittance;
  void load(const HalfStepArrays<Real>& host) {
    rate.upload(host.rate);
    decay.upload(host.decay);
    mirror.upload(host.mirror);
    admittance.upload(host.admittance);
  }
};

template <class Real>
class CudaExecutor final : public Executor<Real> {
 public:
  CudaExecutor(const Discretisation<Real>& d, Schedule schedule, parallel::Transport transport)
      : d_(d),
        transport_(transport),
        kernels_(cuda_kernel_table<Real>(d.order)),
        memory_(streams_.main.get()),
        neighbour_(d.neighbour),
        metric_(d.metric),
        external_(d.external),
        energy_(d, streams_.main.get()) {
    assert(d.layout.lanes == cuda_field_lanes);
    if (schedule == Schedule::split) flux_ = parallel::DeviceArray<Real>(d.owned_reals());
  }
  parallel::Memory& memory() override { return memory_; }
  double memory_bytes() const override {
    double bytes = neighbour_.bytes() + metric_.bytes() + external_.bytes() + flux_.bytes() + old_magnetic_.bytes() +
                   energy_.bytes();
    for (const auto& half : half_)
      bytes += half.rate.bytes() + half.decay.bytes() + half.mirror.bytes() + half.admittance.bytes();
    return bytes;
  }
  void load_half_steps() override {
    wait();
    for (auto& graph : graphs_) graph.forget();
    half_[index(HalfStep::electric)].load(d_.electric);
    half_[index(HalfStep::magnetic)].load(d_.magnetic);
  }

  // The largest batch on the main stream, small ones beside it: each alone would end with a GPU half idle.
  // Next to a halo that pays only where the half step is long enough to hide two more events.
  void update(HalfStep half, const Real* source, Real* target, const std::vector<Batch>& batches) override {
    const auto smaller = [](const Batch& a, const Batch& b) { return a.blocks < b.blocks; };
    const auto largest = std::max_element(batches.begin(), batches.end(), smaller);
    const bool pays = d_.mesh.halo_faces.empty() || double(d_.owned_reals()) * sizeof(Real) > side_bytes;
    const bool several = batches.size() > 1 && pays;
    const parallel::CudaStream& small = several ? streams_.side : streams_.main;
    if (several) streams_.side.wait_for(streams_.main);
    for (auto batch = batches.begin(); batch != batches.end(); ++batch)
      if (batch != largest) update_blocks(half, source, target, batch->kind, batch->first_block, batch->blocks, small);
    if (largest != batches.end())
      update_blocks(half, source, target, largest->kind, largest->first_block, largest->blocks, streams_.main);
    if (several) streams_.main.wait_for(streams_.side);
  }
  void update_halo(HalfStep half, const Real* source, Real* target, const std::vector<Batch>& batches) override {
    for (const Batch& batch : batches)
      update_blocks(half, source, target, batch.kind, batch.first_block, batch.blocks, streams_.halo);
    if (!batches.empty()) streams_.main.wait_for(streams_.halo);
  }

  // A rank without neighbours: the host is out of the loop. With them, a graph would end the overlap of
  // a half step's messages with the one before it, and was slower (docs/performance.md).
  void half_step(HalfStep half, const std::function<void()>& work) override {
    if (d_.mesh.halo_faces.empty()) graphs_[index(half)].run(streams_.main.get(), work);
    else work();
  }

  // The energy needs H on both sides of E's time level: a chunk's old values are kept while it is updated, then
  // restored.
  double energy(const Real* electric, Real* magnetic, const Batch& batch) override {
    streams_.main.wait_for(streams_.halo);
    (void)streams_.writer();
    const std::size_t reals = d_.layout.reals_per_block();
    const auto chunk = std::max<std::int64_t>(1, static_cast<std::int64_t>(chunk_bytes / (reals * sizeof(Real))));
    const std::int64_t end = batch.first_block + batch.blocks;
    for (std::int64_t first = batch.first_block; first < end; first += chunk) {
      const std::int64_t blocks = std::min(chunk, end - first);
      if (old_magnetic_.size() < blocks * reals) old_magnetic_ = parallel::DeviceArray<Real>(blocks * reals);
      copy(magnetic + first * reals, old_magnetic_.data(), blocks * reals);
      update_blocks(HalfStep::magnetic, electric, magnetic, batch.kind, first, blocks, streams_.main);
      energy_.add_energy(electric + first * reals, old_magnetic_.data(), magnetic + first * reals, metric_.data(),
                         first, blocks);
      copy(old_magnetic_.data(), magnetic + first * reals, blocks * reals);
    }
    return energy_.take_sum();
  }

  std::vector<double> element_products(const Real* u, const Real* v) override {
    const std::size_t reals = d_.layout.reals_per_block();
    constexpr std::int64_t chunk = 1 << 15;  // blocks
    parallel::DeviceArray<double> products(static_cast<std::size_t>(std::min(chunk, d_.owned_blocks)) * block_lanes);
    std::vector<double> result(d_.owned_blocks * block_lanes);
    for (std::int64_t first = 0; first < d_.owned_blocks; first += chunk) {
      const std::int64_t blocks = std::min(chunk, d_.owned_blocks - first);
      energy_.products(u + first * reals, v + first * reals, metric_.data(), first, blocks, products.data());
      memory_.download(result.data() + first * block_lanes, products.data(),
                       static_cast<std::size_t>(blocks) * block_lanes * sizeof(double));
    }
    return result;
  }

  void scale(Real* field, Real factor, std::size_t reals) override {
    scale_kernel<<<grid(reals), threads, 0, streams_.writer()>>>(field, factor, reals);
    DGTD_CUDA_CHECK_LAUNCH();
  }
  void copy(const Real* from, Real* to, std::size_t reals) override {
    DGTD_CUDA_CHECK(cudaMemcpyAsync(to, from, reals * sizeof(Real), cudaMemcpyDeviceToDevice, streams_.writer()));
  }
  void accumulate_phasor(const Real* u, Real c, Real s, Real* real, Real* imag, std::size_t reals) override {
    phasor_kernel<<<grid(reals), threads, 0, streams_.main.get()>>>(u, c, s, real, imag, reals);
    DGTD_CUDA_CHECK_LAUNCH();
  }

  std::unique_ptr<TraceExchange<Real>> make_trace_exchange(const parallel::Communicator& comm) override {
    return std::make_unique<CudaTraceExchange<Real>>(d_, transport_, comm, streams_);
  }
  std::unique_ptr<Current<Real>> make_current(CurrentCoefficients coefficients) override {
    return std::make_unique<CudaCurrent<Real>>(coefficients, streams_);
  }
  std::unique_ptr<IncidentWriter<Real>> make_incident_writer(const IncidentWave& wave) override {
    return std::make_unique<CudaIncidentWriter<Real>>(d_, wave, streams_);
  }
  solver::Solver::Occupancy occupancy() const override {
    const auto o = parallel::kernel_occupancy(kernels_.fused_lossless, kernels_.threads);
    return {o.registers, o.resident};
  }
  double copy_bandwidth() override { return parallel::device_copy_bandwidth(streams_.main.get()); }
  void wait() override {
    streams_.main.wait_for(streams_.halo);
    DGTD_CUDA_CHECK(cudaStreamSynchronize(streams_.main.get()));
  }

 private:
  static int index(HalfStep half) { return half == HalfStep::electric ? 0 : 1; }

  void update_blocks(HalfStep half, const Real* source, Real* target, ElementKind element_kind, std::int64_t first,
                     std::int64_t blocks, const parallel::CudaStream& stream) {
    const auto& h = half_[index(half)];
    const ElementArrays<Real> arrays{neighbour_.data(),   metric_.data(),          h.rate.data(),
                                     h.decay.data(),      external_.data(),        h.mirror.data(),
                                     h.admittance.data(), d_.first_boundary_block, flux_.data()};
    const int kind = static_cast<int>(element_kind);
    if (flux_.size() == 0) {
      kernels_.fused[kind](arrays, source, target, first, blocks, stream.get());
    } else {
      kernels_.volume(arrays, source, target, first, blocks, stream.get());
      kernels_.surface[kind](arrays, source, target, first, blocks, stream.get());
      kernels_.field[kind](arrays, source, target, first, blocks, stream.get());
    }
  }

  const Discretisation<Real>& d_;
  parallel::Transport transport_;
  const CudaKernelTable<Real>& kernels_;
  TraceStreams streams_;
  parallel::CudaMemory memory_;
  parallel::DeviceArray<std::uint32_t> neighbour_;  // shapes: ElementArrays
  parallel::DeviceArray<Real> metric_;
  parallel::DeviceArray<std::uint32_t> external_;
  DeviceHalfStep<Real> half_[2];              // electric, magnetic
  parallel::DeviceArray<Real> flux_;          // [block][3][Np][lane 32] rates between the split kernels
  parallel::DeviceArray<Real> old_magnetic_;  // [chunk of blocks]
  CudaEnergy<Real> energy_;
  parallel::CudaGraph graphs_[2];  // electric, magnetic half step
};

}  // namespace

template <class Real>
std::unique_ptr<Executor<Real>> make_cuda_executor(const Discretisation<Real>& d, Schedule schedule,
                                                   parallel::Transport transport) {
  return std::make_unique<CudaExecutor<Real>>(d, schedule, transport);
}

template <class Real>
double cuda_bytes_needed(const Discretisation<Real>& d, Schedule schedule, std::size_t frequencies) {
  const double slots = double(d.element_of_slot.size()), field = double(d.field_reals()) * sizeof(Real);
  const double elements = slots * (4 * 4.0 + (6 + 4) * sizeof(Real) + 2) +
                          double(d.boundary_blocks) * block_lanes * (4 * 4.0 + 2 * 16 * sizeof(Real));
  const double halos = 4.0 * double(d.mesh.halo_faces.size()) * 2 * triangle_nodes(d.order) * sizeof(Real);
  const double fields = field * std::max<double>(4, 2 + 4 * double(frequencies));  // the time step needs two pairs
  return elements + halos + fields + (schedule == Schedule::split ? field : 0) + 1.1 * double(chunk_bytes);
}

template std::unique_ptr<Executor<float>> make_cuda_executor<float>(const Discretisation<float>&, Schedule,
                                                                    parallel::Transport);
template std::unique_ptr<Executor<double>> make_cuda_executor<double>(const Discretisation<double>&, Schedule,
                                                                      parallel::Transport);
template double cuda_bytes_needed<float>(const Discretisation<float>&, Schedule, std::size_t);
template double cuda_bytes_needed<double>(const Discretisation<double>&, Schedule, std::size_t);

}  // namespace dgtd::dg
