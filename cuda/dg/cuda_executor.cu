// The executor on the GPU of a rank; the host only queues work.
#include <cassert>

#include "../parallel/cuda_backend.hpp"
#include "cuda_energy.hpp"
#include "cuda_kernel_table.hpp"
#include "cuda_work.hpp"
#include "dgtd/dg/cuda_executor.hpp"
#include "part_executors_on.hpp"
#include "resident_steps.hpp"

namespace dgtd::dg {

namespace {

int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  DGTD_CUDA_CHECK(cudaGetDevice(&device));
  DGTD_CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
  return value;
}
int multiprocessors() { return attribute(cudaDevAttrMultiProcessorCount); }
// Thread blocks of a kernel that the device holds at once.
int resident_thread_blocks(const void* kernel, int threads) {
  int resident = 0;
  DGTD_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, 0));
  return resident * multiprocessors();
}

template <class Real>
class CudaElements {
 public:
  using Backend = parallel::CudaBackend;
  CudaElements(const Discretisation<Real>& d, Backend& backend)
      : d_(d),
        backend_(backend),
        kernels_(cuda_kernel_table<Real>(d.order)),
        finished_(LevelSequence<Real>::most_steps + 1, backend.memory()),
        energy_(d, backend.memory(), backend.stream(Queue::main)),
        work_(backend.memory()) {}

  void update(Queue queue, const KernelTraits& traits, const ElementArrays<Real>& arrays, const Real* source,
              Real* target, const Batch& batch) const {
    kernels_.stages.for_each(traits, arrays.flux != nullptr, [&](LaunchBlocks<Real> stage) {
      stage(arrays, source, target, batch.first_block, batch.blocks, backend_.stream(queue));
    });
  }

  std::int64_t most_in_one_launch() const { return kernels_.joint == nullptr ? 0 : 8192; }
  void update_joint(Queue queue, const ElementArrays<Real>& arrays, const Real* source, Real* target,
                    const std::vector<JointPart>& parts) const {
    for (auto part = parts.begin(); part != parts.end();) {
      const auto end = parts.end() - part > JointBatches<Real>::most ? part + JointBatches<Real>::most : parts.end();
      kernels_.joint(joint_batches(arrays, part, end), source, target, backend_.stream(queue));
      part = end;
    }
  }

  // Halos are exchanged inside a launch where that is the transport of the run and ranks do not share a device.
  static constexpr int most_parts() { return JointBatches<Real>::most; }
  bool can_exchange(bool wanted) {
    const parallel::Communicator& comm = backend_.communicator();
    const bool by_proxy = backend_.transport() == parallel::Transport::mpi_proxy;
    if (!by_proxy && backend_.transport() != parallel::Transport::peer) return false;
    if (comm.min(std::int64_t{wanted}) == 0 || !parallel::KernelMessages::can_be_used(comm)) return false;
    messages_ = std::make_unique<parallel::KernelMessages>(comm, backend_.stream(Queue::main), by_proxy);
    return true;
  }
  int add_exchange(const parallel::HaloPlan& plan) {
    return messages_->add(plan, packets_of_trace<Real>(triangle_nodes(d_.order)));
  }
  void update_joint(const ElementArrays<Real>& arrays, const TraceExchange& traces, Real* source, Real* target,
                    const std::vector<JointPart>& parts) const {
    kernels_.joint_exchange(joint_batches(arrays, parts.begin(), parts.end()), halo_traces(traces), !traces.is_present,
                            source, target, backend_.stream(Queue::main));
  }
  void update_level(const ElementArrays<Real>& arrays, const TraceExchange& traces, const BlockLists& lists,
                    Real* source, const LevelFields<Real>& fields) const {
    kernels_.level_exchange(arrays,
                            {lists.interior.read(), lists.halo.read(), std::uint32_t(lists.interior.size()),
                             std::uint32_t(lists.halo.size())},
                            halo_traces(traces), source, fields, backend_.stream(Queue::main));
  }
  void end_exchanges() const { messages_->end_work(); }

  void update_level(Queue queue, bool curved, const ElementArrays<Real>& arrays, const LevelBlock* list,
                    std::int64_t blocks, const Real* source, const LevelFields<Real>& fields) const {
    kernels_.level[curved](arrays, list, source, fields, blocks, backend_.stream(queue));
  }

  std::int64_t most_in_sequence() const { return most_in_sequence_; }
  void update_sequence(Queue queue, const std::vector<LevelWork<Real>>& work) {
    LevelSequence<Real> sequence;
    unsigned thread_blocks = 1;
    const auto launch = [&] {
      if (sequence.count > 0) kernels_.sequence(sequence, thread_blocks, backend_.stream(queue));
      sequence.count = 0, thread_blocks = 1;
    };
    for (const LevelWork<Real>& half_step : work) {
      if (half_step.blocks == 0) continue;
      if (sequence.count == LevelSequence<Real>::most_steps) launch();
      sequence.metric = half_step.arrays.metric;
      sequence.finished = finished_.write();
      const SequenceStep<Real> step = sequence_step(half_step);
      thread_blocks = std::max(thread_blocks, step.thread_blocks);
      sequence.steps[sequence.count++] = step;
    }
    launch();
  }

  // Made at the first call, and once more for other currents or another time step; with several ranks by all at once,
  // where halos are exchanged inside of launches.
  bool can_take_steps(bool permitted, const std::optional<std::vector<StepCurrent>>& currents, std::int64_t expected) {
    if constexpr (sizeof(Real) == sizeof(float)) {
      const parallel::Communicator& comm = backend_.communicator();
      if (resident_is_known_ && resident_ == nullptr) return false;
      const bool can = comm.min(std::int64_t{permitted && currents && has_mapped_memory()}) != 0;
      const bool is_missing = can && (!resident_is_known_ || !resident_->has(*currents));
      if (!can) resident_.reset();
      else if (comm.max(std::int64_t{is_missing}) != 0)
        resident_ = ResidentSteps::make(d_, backend_, backend_.memory(), *currents, expected);
      resident_is_known_ = true;
    }
    return resident_ != nullptr;
  }
  bool has_mapped_memory() const {  // of the devices of all ranks
    return backend_.communicator().size() == 1 ||
           (messages_ != nullptr && backend_.transport() == parallel::Transport::peer);
  }
  void take_steps(int steps, Real* electric, Real* magnetic, const std::vector<StepCurrent>& currents,
                  const std::vector<double>& numbers) {
    if constexpr (sizeof(Real) == sizeof(float)) resident_->take(steps, electric, magnetic, currents, numbers);
  }
  void forget_steps() {
    resident_.reset();
    resident_is_known_ = false;
  }

  void add_energy(bool curved, const ElementArrays<Real>& arrays, const LevelBlock* list, std::int64_t blocks,
                  const EnergyFields<Real>& fields) {
    if (blocks > 0)
      kernels_.energy[curved](arrays, list, energy_data(fields, blocks), blocks, backend_.stream(Queue::main));
  }
  void add_boundary_energy(const ElementArrays<Real>& arrays, const Batch& batch, const EnergyFields<Real>& fields) {
    kernels_.boundary_energy[batch.traits.curved](arrays, energy_data(fields, batch.blocks), batch.first_block,
                                                  batch.blocks, backend_.stream(Queue::main));
  }
  void add_storage(const ElementArrays<Real>& arrays, const Batch& batch) {
    energy_.add_storage(batch.traits.curved, arrays, batch.first_block, batch.blocks);
  }
  double take_energy() { return energy_.take_sum(); }

  std::vector<double> products(const Real* metric, const CurvedArrays<Real>& curved, const Real* u, const Real* v) {
    const std::size_t reals = d_.layout.reals_per_block();
    constexpr std::int64_t chunk = 1 << 15;  // blocks
    Array<double> products(static_cast<std::size_t>(std::min(chunk, d_.owned_blocks)) * block_lanes, backend_.memory());
    std::vector<double> result(d_.owned_blocks * block_lanes);
    for (std::int64_t first = 0; first < d_.owned_blocks; first += chunk) {
      const std::int64_t blocks = std::min(chunk, d_.owned_blocks - first);
      energy_.products(u + first * reals, v + first * reals, metric, curved, first, blocks, products.write());
      backend_.memory().download(result.data() + first * block_lanes, products.read(),
                                 static_cast<std::size_t>(blocks) * block_lanes * sizeof(double));
    }
    return result;
  }

  void add_product(HalfStep of, const Real* metric, const CurvedArrays<Real>& curved, const Real* u, const Real* v,
                   std::int64_t blocks, parallel::ReproducibleSum& sum) {
    energy_.add_product(of == HalfStep::electric, u, v, metric, curved, blocks, sum);
  }

  void add_work(std::int64_t n, const WeightedCoefficient<Real>& term, const LoopNumber& factor, double* last,
                double* work) {
    work_.add(n, term, factor, last, work, backend_.stream(Queue::main));
  }

  double memory_bytes() const { return energy_.bytes() + (resident_ ? resident_->bytes() : 0); }
  solver::Solver::Occupancy occupancy() const {
    const auto o = parallel::kernel_occupancy(kernels_.fused_lossless, kernels_.fused_threads, kernels_.fused_shared_bytes);
    return {o.registers, o.resident};
  }

 private:
  using PartIterator = std::vector<JointPart>::const_iterator;
  static JointBatches<Real> joint_batches(const ElementArrays<Real>& arrays, PartIterator part, PartIterator end) {
    JointBatches<Real> batches;
    batches.arrays = arrays;
    std::uint32_t blocks = 0;
    for (; part != end; ++part) {
      const Batch& batch = part->batch;
      blocks += static_cast<std::uint32_t>(batch.blocks);
      batches.parts[batches.count++] = {batch.first_block, batch.first_boundary_block, blocks, part->kernel.number(),
                                        part->halo};
    }
    return batches;
  }
  HaloTraces halo_traces(const TraceExchange& t) const {
    return {t.is_present ? messages_->present(t.exchange) : messages_->next(t.exchange),
            t.code,
            t.entry_a,
            t.entry_b,
            t.minus,
            t.first_slot,
            t.ghosts,
            t.face_of_ghost};
  }
  EnergyData<Real> energy_data(const EnergyFields<Real>& f, std::int64_t blocks) {
    return energy_.data(f.electric, f.magnetic, f.unfiltered, f.unfiltered_blocks, blocks);
  }
  std::int64_t warps() const { return kernels_.threads / block_lanes; }  // of a thread block
  // A few blocks need one thread block, which needs no barrier between thread blocks; more are spread so that each of
  // the four schedulers of a multiprocessor has one.
  SequenceStep<Real> sequence_step(const LevelWork<Real>& work) const {
    constexpr std::int64_t schedulers = 4;
    const std::int64_t wanted = (work.blocks + schedulers - 1) / schedulers;
    const std::int64_t thread_blocks = work.blocks <= warps() ? 1 : std::min(most_thread_blocks_, wanted);
    const LevelFields<Real>& f = work.fields;
    return {work.arrays.neighbour,
            work.arrays.Cb,
            work.arrays.mirror,
            work.list,
            work.source,
            f.base,
            f.target,
            f.saved,
            f.other_source,
            std::uint32_t(f.other_first),
            std::uint32_t(f.other_end),
            std::uint32_t(work.blocks),
            std::uint32_t(f.base_blocks),
            std::uint32_t(f.saved_blocks),
            std::uint32_t(thread_blocks),
            f.factor,
            f.from_zero};
  }

  const Discretisation<Real>& d_;
  Backend& backend_;
  const CudaKernelTable<Real>& kernels_;
  // Blocks of a half step in a sequence: 16 per multiprocessor. Larger ones keep it busy for longer than a launch
  // takes.
  const std::int64_t most_in_sequence_ = std::int64_t{16} * multiprocessors();
  // Thread blocks of a sequence that the device holds at once.
  const std::int64_t most_thread_blocks_ = resident_thread_blocks(kernels_.sequence_kernel, kernels_.threads);
  Array<unsigned> finished_;  // LevelSequence
  CudaEnergy<Real> energy_;
  CudaWork work_;
  std::unique_ptr<ResidentSteps> resident_;             // null: steps are half steps of launches
  bool resident_is_known_ = false;
  std::unique_ptr<parallel::KernelMessages> messages_;  // null: halos are exchanged by streams
};

}  // namespace

template <class Real>
std::unique_ptr<Executor<Real>> make_cuda_executor(const Discretisation<Real>& d, KernelFusion fusion,
                                                   parallel::Transport transport, const parallel::Communicator& comm) {
  assert(d.layout.lanes == cuda_field_lanes);
  return std::make_unique<ExecutorOn<Real, CudaElements<Real>>>(
      d, fusion, std::make_shared<parallel::CudaBackend>(transport, comm));
}

template <class Real>
PartExecutors<Real> make_cuda_part_executors(const OrderParts& parts, const std::vector<const Discretisation<Real>*>& d,
                                             KernelFusion fusion, parallel::Transport transport,
                                             const parallel::Communicator& comm) {
  for ([[maybe_unused]] const auto* const of_part : d) assert(of_part->layout.lanes == cuda_field_lanes);
  return part_executors_on<Real, CudaElements<Real>>(
      parts, d, fusion, comm, [&] { return std::make_shared<parallel::CudaBackend>(transport, comm); });
}

template <class Real>
double cuda_bytes_needed(const Discretisation<Real>& d, KernelFusion fusion, double fields_of_run) {
  const double slots = double(d.element_of_slot.size()), field = double(d.field_reals()) * sizeof(Real);
  const double elements = slots * (4 * 4.0 + (6 + 4 + 4) * sizeof(Real) + 2) +
                          double(d.boundary_blocks) * block_lanes * (4 * 4.0 + 2 * 16 * sizeof(Real)) +
                          double(d.layer_blocks) * block_lanes * 2 * 9 * sizeof(Real) +
                          double(d.section_blocks) * block_lanes * cpml_numbers * sizeof(Real) +
                          double(d.curved_metric.size()) * sizeof(Real) +
                          4.0 * double(d.curved_block.size() + d.penalised_code.size());
  const double halos = 4.0 * double(d.mesh.halo_faces.size()) * 2 * triangle_nodes(d.order) * sizeof(Real);
  double levels = 0;  // inner fields, their neighbours and blocks
  for (int l = 1; l <= d.time_levels.finest; ++l) {
    const double inner = double(d.layout.reals_per_block()) * sizeof(Real);
    levels += inner * double(d.levels[l].blocks) + 16.0 * block_lanes * double(d.levels[l].reach);
    levels += inner * double(d.levels[l].reach);
  }
  double states = d.dispersion.most.poles() > 0 ? 2 * slots : 0;  // volume groups, for the table of poles
  for (const auto& state : d.states)
    states += double(state.blocks) * (state.entries + state.coefficients) * block_lanes * sizeof(Real);
  // The time step needs two pairs of fields, of local time steps four and a half.
  const double fields = field * std::max<double>(levels > 0 ? 9 : 4, fields_of_run);
  return elements + halos + fields + levels + states + (fusion == KernelFusion::split ? field : 0);
}

template std::unique_ptr<Executor<float>> make_cuda_executor<float>(const Discretisation<float>&, KernelFusion,
                                                                    parallel::Transport, const parallel::Communicator&);
template std::unique_ptr<Executor<double>> make_cuda_executor<double>(const Discretisation<double>&, KernelFusion,
                                                                      parallel::Transport,
                                                                      const parallel::Communicator&);
template PartExecutors<float> make_cuda_part_executors<float>(const OrderParts&,
                                                              const std::vector<const Discretisation<float>*>&,
                                                              KernelFusion, parallel::Transport,
                                                              const parallel::Communicator&);
template PartExecutors<double> make_cuda_part_executors<double>(const OrderParts&,
                                                                const std::vector<const Discretisation<double>*>&,
                                                                KernelFusion, parallel::Transport,
                                                                const parallel::Communicator&);
template double cuda_bytes_needed<float>(const Discretisation<float>&, KernelFusion, double);
template double cuda_bytes_needed<double>(const Discretisation<double>&, KernelFusion, double);

}  // namespace dgtd::dg
