#include "resident_steps.hpp"

#include <array>
#include <map>

namespace dgtd::dg {

namespace {

using parallel::Array;

int device_attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  DGTD_CUDA_CHECK(cudaGetDevice(&device));
  DGTD_CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

template <int... order_less_one>
ResidentKernel kernel_of(int order, std::integer_sequence<int, order_less_one...>) {
  ResidentKernel kernel;
  ((order == order_less_one + 1 ? void(kernel = make_resident_kernel<order_less_one + 1>()) : void()), ...);
  return kernel;
}
constexpr int orders = std::min(DGTD_MAX_ORDER, highest_resident_order);

constexpr int work_threads = 1024;

/// Work of current i in so many steps, as Executor::add_work: first the voltages after each step, then their sum in the
/// order of time. partial, numbers: ResidentCurrents.
__global__ void __launch_bounds__(work_threads)
    resident_work(const double* partial, const double* numbers, int steps, int currents, int blocks, int i, double* last,
                  double* work) {
  __shared__ double voltage[most_resident_steps], factor[most_resident_steps];
  const int lane = threadIdx.x % block_lanes;
  for (int step = threadIdx.x / block_lanes; step < steps; step += work_threads / block_lanes) {
    double sum = 0;
    for (int k = lane; k < blocks; k += block_lanes) sum += partial[(std::size_t(step) * currents + i) * blocks + k];
    for (int half = block_lanes / 2; half > 0; half /= 2) sum += __shfl_down_sync(~0u, sum, half);
    if (lane == 0) voltage[step] = sum, factor[step] = numbers[(std::size_t(step) * 2 + 1) * currents + i];
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  double before = *last, done = *work;
  for (int step = 0; step < steps; ++step) {
    done += factor[step] * before;
    before = voltage[step];
    done += factor[step] * before;
  }
  *last = before, *work = done;
}

}  // namespace

// With as many steps METIS gains more than it takes (1 to 2 us per step).
constexpr std::int64_t many_steps = 100'000;

// As many update warps as share the blocks evenly; from three rounds on, or with P3, as many as there may be.
std::optional<ResidentSteps::Shape> ResidentSteps::shape_of(const ResidentClusters& c, const ResidentKernel& kernel,
                                                            int order, int shared_limit) {
  const int ghosts_of_warp = block_lanes * kernel.ghosts_per_thread;
  const int least_messengers = std::max(1, (c.most_ghosts + ghosts_of_warp - 1) / ghosts_of_warp);
  const int most_updaters = std::min(kernel.most_update_warps, kernel.most_warps - least_messengers);
  if (most_updaters < 1 || c.most_blocks < 1) return std::nullopt;
  const int rounds = (c.most_blocks + most_updaters - 1) / most_updaters;
  Shape shape;
  shape.update_warps = rounds >= 3 || order == 3 ? std::min(most_updaters, c.most_blocks) : (c.most_blocks + rounds - 1) / rounds;
  constexpr int wanted_messengers = 4;
  shape.message_warps =
      std::max(least_messengers, std::min(wanted_messengers, kernel.most_warps - shape.update_warps));
  shape.shared_bytes = c.shared_bytes(order, sizeof(float));
  if (shape.shared_bytes > static_cast<std::size_t>(shared_limit)) return std::nullopt;
  return shape;
}

std::unique_ptr<ResidentSteps> ResidentSteps::make(const Discretisation<float>& d, const parallel::CudaBackend& backend,
                                                   parallel::Memory& memory, const std::vector<StepCurrent>& currents,
                                                   std::int64_t steps) {
  const int multiprocessors = device_attribute(cudaDevAttrMultiProcessorCount);
  const int shared_limit = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  const ResidentKernel kernel = kernel_of(d.order, std::make_integer_sequence<int, orders>());
  const parallel::Communicator& comm = backend.communicator();
  const double fields = 2.0 * double(d.owned_reals()) * sizeof(float);
  const bool may_fit = kernel.kernel != nullptr && device_attribute(cudaDevAttrCooperativeLaunch) != 0 &&
                       !d.slot_of_element.empty() &&
                       std::all_of(d.magnetic.Ca.begin(), d.magnetic.Ca.end(), [](float Da) { return Da == 1; }) &&
                       fields <= double(shared_limit) * multiprocessors;
  if (comm.min(std::int64_t{may_fit}) == 0) return nullptr;
  const ResidentClusters c =
      make_resident_clusters(d, multiprocessors, steps < many_steps ? ClusterBy::curve : ClusterBy::metis, comm);
  const auto shape = shape_of(c, kernel, d.order, shared_limit);
  if (comm.min(std::int64_t{shape.has_value()}) == 0) return nullptr;
  log_clusters(c, shape->shared_bytes);
  return std::unique_ptr<ResidentSteps>(new ResidentSteps(d, backend, memory, c, kernel, *shape, currents));
}

ResidentSteps::ResidentSteps(const Discretisation<float>& d, const parallel::CudaBackend& backend,
                             parallel::Memory& memory, const ResidentClusters& c, const ResidentKernel& kernel,
                             const Shape& shape, const std::vector<StepCurrent>& currents)
    : backend_(backend),
      storage_(memory),
      kernel_(kernel.kernel),
      shape_(shape),
      clusters_(c.clusters),
      first_block_(storage_.copy(c.first_block)),
      surface_blocks_(storage_.copy(c.surface_blocks)),
      first_ghost_block_(storage_.copy(c.first_ghost_block)),
      ghosts_(storage_.copy(c.ghosts)),
      boundary_block_(storage_.copy(c.boundary_block)),
      slot_(storage_.copy(c.slot)),
      code_(storage_.copy(c.code)),
      own_(storage_.copy(c.own)),
      partner_(storage_.copy(c.partner)),
      metric_(storage_.copy(in_clusters(c, d.metric, 6, 0.0f))),
      Ca_(storage_.copy(in_clusters(c, d.electric.Ca, 1, 1.0f))) {
  for (const int half : {0, 1}) {
    const HalfStepArrays<float>& of = half == 0 ? d.electric : d.magnetic;
    Cb_[half] = storage_.copy(in_clusters(c, of.Cb, 1, 0.0f));
    mirror_[half] = storage_.copy(boundary_in_clusters(c, d, of.mirror, 4, 1.0f));
    admittance_[half] = storage_.copy(boundary_in_clusters(c, d, of.admittance, 12, 0.0f));
  }
  const std::size_t packets = c.own.size() * std::size_t(kernel.packets);
  if (backend.communicator().size() > 1)
    neighbours_ = std::make_unique<ResidentNeighbours>(d.mesh, packets, backend.communicator(),
                                                       backend.stream(parallel::Queue::main), storage_);
  else
    for (auto& message : message_) message = storage_.zeros<uint4>(packets);
  add_currents(d, c, currents);
  DGTD_CUDA_CHECK(cudaFuncSetAttribute(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize, int(shape_.shared_bytes)));
}

// Entries by block, current and place in the block, so that a sum has one order.
void ResidentSteps::add_currents(const Discretisation<float>& d, const ResidentClusters& c,
                                 const std::vector<StepCurrent>& currents) {
  if (currents.empty()) return;
  std::vector<std::uint32_t> place(d.element_of_slot.size(), 0);  // [slots] block in clusters * 32 + lane
  for (std::size_t i = 0; i < c.slot.size(); ++i)
    if (c.slot[i] != ResidentClusters::no_slot) place[c.slot[i]] = static_cast<std::uint32_t>(i);
  using Entry = std::array<double, 2>;  // increment, weight
  std::map<std::array<std::uint32_t, 3>, Entry> entries;  // of block, current, offset
  const std::size_t reals = d.layout.reals_per_block();
  for (std::size_t i = 0; i < currents.size(); ++i) {
    const std::size_t n = currents[i].index->size();
    const auto index = currents[i].index->part(0, n);
    const auto increment = currents[i].increment->part(0, n), weight = currents[i].weight->part(0, n);
    for (std::size_t k = 0; k < n; ++k) {
      const auto in_block = static_cast<std::uint32_t>(index[k] % reals);
      const std::uint32_t at = place[index[k] / reals * block_lanes + in_block % block_lanes];
      entries[{at / block_lanes, static_cast<std::uint32_t>(i), in_block / block_lanes * block_lanes + at % block_lanes}] =
          {increment[k], weight[k]};
    }
    currents_of_.push_back(currents[i].voltage);
  }
  std::vector<std::int32_t> of_block(static_cast<std::size_t>(c.blocks()), -1);
  std::vector<std::uint32_t> first, offset;
  std::vector<double> increment, weight;
  auto entry = entries.begin();
  while (entry != entries.end()) {
    const std::uint32_t block = entry->first[0];
    of_block[block] = blocks_with_currents_++;
    for (std::uint32_t i = 0; i < currents.size(); ++i) {
      first.push_back(static_cast<std::uint32_t>(offset.size()));
      for (; entry != entries.end() && entry->first[0] == block && entry->first[1] == i; ++entry) {
        offset.push_back(entry->first[2]);
        increment.push_back(entry->second[0]), weight.push_back(entry->second[1]);
      }
    }
    first.push_back(static_cast<std::uint32_t>(offset.size()));
  }
  current_block_ = storage_.copy(of_block);
  current_first_ = storage_.copy(first), current_offset_ = storage_.copy(offset);
  increment_ = storage_.copy(increment), weight_ = storage_.copy(weight);
  numbers_ = storage_.zeros<double>(most_resident_steps * 2 * currents.size());
  partial_ = storage_.zeros<double>(most_resident_steps * currents.size() * std::size_t(std::max(1, blocks_with_currents_)));
}

bool ResidentSteps::has(const std::vector<StepCurrent>& currents) const {
  return std::equal(currents.begin(), currents.end(), currents_of_.begin(), currents_of_.end(),
                    [](const StepCurrent& current, const void* voltage) { return current.voltage == voltage; });
}

void ResidentSteps::take(int steps, float* electric, float* magnetic, const std::vector<StepCurrent>& currents,
                         const std::vector<double>& numbers) {
  for (std::size_t first = 0; first < numbers.size(); first += WriteNumbers::most) {
    WriteNumbers part{numbers_.write() + first, {}};
    const std::size_t count = std::min<std::size_t>(numbers.size() - first, WriteNumbers::most);
    std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(first), count, part.values);
    backend_.for_each(parallel::Queue::main, static_cast<std::int64_t>(count), part);
  }
  launch(steps, electric, magnetic);
  if (blocks_with_currents_ == 0) return;
  for (std::size_t i = 0; i < currents.size(); ++i) {
    resident_work<<<1, work_threads, 0, backend_.stream(parallel::Queue::main)>>>(
        partial_.read(), numbers_.read(), steps, int(currents.size()), blocks_with_currents_, int(i),
        currents[i].voltage->write(), currents[i].measured->write());
    DGTD_CUDA_CHECK_LAUNCH();
  }
}

// A cooperative launch: all thread blocks run at the same time, also where processes share the device.
void ResidentSteps::launch(int steps, float* electric, float* magnetic) {
  ResidentArgs args{};
  args.first_block = first_block_.read(), args.surface_blocks = surface_blocks_.read();
  args.first_ghost_block = first_ghost_block_.read(), args.ghosts = ghosts_.read();
  args.boundary_block = boundary_block_.read();
  args.slot = slot_.read(), args.code = code_.read(), args.own = own_.read(), args.partner = partner_.read();
  args.metric = metric_.read(), args.Ca = Ca_.read();
  for (const int half : {0, 1}) {
    args.Cb[half] = Cb_[half].read();
    args.mirror[half] = mirror_[half].read(), args.admittance[half] = admittance_[half].read();
    args.message[half] = neighbours_ ? neighbours_->message(half) : message_[half].write();
  }
  if (neighbours_) args.message_of_neighbour = neighbours_->message_of_neighbour(), args.ended = neighbours_->ended();
  args.field[0] = electric, args.field[1] = magnetic;
  args.half_steps = 2 * steps;
  args.number = number_;
  args.update_warps = shape_.update_warps;
  number_ += unsigned(args.half_steps) + 1;
  if (blocks_with_currents_ > 0)
    args.currents = {int(currents_of_.size()), blocks_with_currents_, current_block_.read(), current_first_.read(),
                     current_offset_.read(),   increment_.read(),     weight_.read(),        numbers_.read(),
                     partial_.write()};
  void* parameters[] = {&args};
  DGTD_CUDA_CHECK(cudaLaunchCooperativeKernel(kernel_, dim3(unsigned(clusters_)),
                                              dim3(unsigned(shape_.update_warps + shape_.message_warps) * block_lanes),
                                              parameters, shape_.shared_bytes, backend_.stream(parallel::Queue::main)));
}

}  // namespace dgtd::dg
