#include "kernel_messages.hpp"

#include <cassert>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "cuda_launch.hpp"
#include "dgtd/base/error.hpp"

namespace dgtd::parallel {

namespace {

// done[i] += since[i]
struct CountExchanges {
  std::uint32_t* done;
  std::uint32_t since[KernelMessages::most_halos];
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { done[i] += since[i]; }
};

// Place at which a rank receives the message of another one.
struct Place {
  cudaIpcMemHandle_t area;
  std::uint64_t first, half, count;  // packets: of the message in the first half; of a half; of the message
};

}  // namespace

bool KernelMessages::can_be_used(const Communicator& comm) {
  int device = 0;
  cudaDeviceProp properties{};
  DGTD_CUDA_CHECK(cudaGetDevice(&device));
  DGTD_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
  std::vector<cudaUUID_t> all(static_cast<std::size_t>(comm.size()));
  MPI_Allgather(&properties.uuid, sizeof(cudaUUID_t), MPI_BYTE, all.data(), sizeof(cudaUUID_t), MPI_BYTE,
                comm.handle());
  int sharing = 0;
  for (const auto& other : all) sharing += std::memcmp(&other, &properties.uuid, sizeof other) == 0 ? 1 : 0;
  const bool side_by_side = sharing == 1 || std::getenv("DGTD_KERNELS_SIDE_BY_SIDE") != nullptr;
  return comm.min(std::int64_t{side_by_side}) != 0;
}

KernelMessages::KernelMessages(const Communicator& comm, cudaStream_t stream, bool by_proxy)
    : comm_(comm),
      stream_(stream),
      memory_(stream),
      proxy_(by_proxy ? std::make_unique<HostProxy>(comm) : nullptr),
      done_(most_halos, memory_),
      words_(2 * most_halos, memory_),
      words_at_(words_.write()) {}

KernelMessages::~KernelMessages() {
  ended_.end_if_failed();
  (void)cudaStreamSynchronize(stream_);  // the neighbours' areas are mapped until the last work on them is done
}

int KernelMessages::add(const HaloPlan& plan, int packets_of_face) {
  assert(halos_.size() < most_halos);
  const auto packets = static_cast<std::size_t>(packets_of_face);
  Halo& added = halos_.emplace_back();
  added.faces = static_cast<std::uint32_t>(plan.faces);
  added.half = plan.faces * packets;
  if (proxy_) connect_by_proxy(added, plan, packets);
  else connect(added, plan, packets);
  return static_cast<int>(halos_.size()) - 1;
}

void KernelMessages::connect_by_proxy(Halo& added, const HaloPlan& plan, std::size_t packets) {
  added.buffers = &proxy_->add(plan, packets * sizeof(uint4));
  std::vector<uint4*> to(2 * plan.faces);
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i] = reinterpret_cast<uint4*>(added.buffers->send_buffer()) + i * packets;
  added.to = {to, memory_};
  added.relayed = {2 * added.half, memory_};
  added.received = added.relayed.write();
}

void KernelMessages::connect(Halo& added, const HaloPlan& plan, std::size_t packets) {
  const std::size_t halo = halos_.size() - 1;
  added.area = std::make_unique<SharedArea>(2 * added.half * sizeof(uint4), comm_, stream_);
  added.received = reinterpret_cast<uint4*>(added.area->data());

  const std::size_t messages = plan.sends.size();
  std::vector<Place> mine(messages), theirs(messages);
  std::vector<MPI_Request> requests(2 * messages);
  for (std::size_t k = 0; k < messages; ++k) {
    const auto& m = plan.receives[k];
    mine[k] = {added.area->handle(), m.first * packets, added.half, m.count * packets};
    MPI_Isend(&mine[k], sizeof(Place), MPI_BYTE, m.rank, 20, comm_.handle(), &requests[2 * k]);
    MPI_Irecv(&theirs[k], sizeof(Place), MPI_BYTE, plan.sends[k].rank, 20, comm_.handle(), &requests[2 * k + 1]);
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);

  std::string failure;
  std::vector<uint4*> to(2 * plan.faces);
  for (std::size_t k = 0; k < messages; ++k) {
    const auto& m = plan.sends[k];
    const Place& there = theirs[k];
    std::byte* const area = m.rank == comm_.rank() ? added.area->data() : others_[halo].map(m.rank, there.area);
    if (area == nullptr) failure = others_[halo].why_not();
    if (there.count != m.count * packets)
      failure = "rank " + std::to_string(m.rank) + " expects another number of values";
    uint4* const first = reinterpret_cast<uint4*>(area) + there.first;
    for (std::size_t half = 0; half < 2 && failure.empty(); ++half)
      for (std::size_t i = 0; i < m.count; ++i)
        to[half * plan.faces + m.first + i] = first + half * there.half + i * packets;
  }
  if (comm_.min(std::int64_t{failure.empty()}) == 0)
    throw Error(ExitCode::device,
                "solver.halo_transport = peer: " + (failure.empty() ? "it failed on another rank" : failure) +
                    "; allowed are auto, mpi-host, nccl");
  added.to = {to, memory_};
}

KernelExchange KernelMessages::next(int halo) {
  if (proxy_) proxy_->start();
  ++halos_[static_cast<std::size_t>(halo)].since;
  return present(halo);
}

KernelExchange KernelMessages::present(int halo) const {
  const Halo& h = halos_[static_cast<std::size_t>(halo)];
  KernelExchange exchange{h.to.read(), h.received, done_.read() + halo, h.since, h.faces, ended_.word()};
  if (h.buffers == nullptr) return exchange;
  exchange.stored = words_at_ + 2 * halo, exchange.known = exchange.stored + 1;
  exchange.sent = h.buffers->sent(), exchange.arrived = h.buffers->arrived();
  exchange.from_host = reinterpret_cast<const uint4*>(h.buffers->receive_buffer());
  exchange.packets = static_cast<std::uint32_t>(h.half);
  return exchange;
}

void KernelMessages::end_work() {
  CountExchanges count{done_.write(), {}};
  for (std::size_t i = 0; i < halos_.size(); ++i) count.since[i] = std::exchange(halos_[i].since, 0);
  launch_each(static_cast<std::int64_t>(halos_.size()), count, stream_);
}

}  // namespace dgtd::parallel
