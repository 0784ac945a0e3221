// Halos between the devices of one host without kernels that wait: the packing loop (peer) or a copy engine (peer-copy)
// writes into memory of the neighbour, and flags order the streams.
//
// Exchange n = 1, 2, ... of a rank, all in its halo stream:
//   wait until each receiver has read exchange n - 2; pack into its area n % 2; write n into its flag `arrived`;
//   wait until each own flag `arrived` is n; unpack.
// The flag `arrived` n of a neighbour also tells that the neighbour has unpacked exchange n - 1, since its stream did
// so before. A rank that sends to a rank from which it also receives therefore needs nothing else: in exchange n - 1 it
// has waited for the flag n - 1, so exchange n - 2 is read. Where messages have one direction only (a half step of a
// grid), the receiver writes n - 1 into the flag `consumed` of the sender when it starts exchange n, and the sender
// waits for n - 2 there before it packs exchange n. Every wait is for work that its neighbour has queued before the
// neighbour's own wait of the same exchange, so there is no cycle.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "cuda_memory.hpp"
#include "cuda_transport.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/parallel/array.hpp"
#include "peer_memory.hpp"
#include "stream_flags.hpp"

namespace dgtd::parallel {

namespace {

constexpr std::size_t line = 128;  // bytes; each flag has its own

/// Place at which the other rank of a message reads or writes.
struct Offer {
  cudaIpcMemHandle_t handle;
  std::uint64_t values;       // offset in the area, bytes, of a message to be received; in its first half
  std::uint64_t half;         // bytes from the first half to the second
  std::uint64_t flag;         // offset in the area
  std::uint64_t value_count;  // of the message
};

std::size_t rounded(std::size_t bytes) { return (bytes + line - 1) / line * line; }

template <class Real>
class PeerTransport final : public CudaTransport<Real> {
  using Piece = typename SendView<Real>::Piece;

 public:
  PeerTransport(const HaloPlan& plan, const Communicator& comm, cudaStream_t stream, bool copies)
      : stream_(stream),
        plan_(plan),
        half_(rounded(plan.faces * plan.reals_per_face * sizeof(Real))),
        memory_(stream),
        packed_(copies ? plan.faces * plan.reals_per_face : 0, memory_),
        copies_(copies),
        area_(2 * half_ + (plan.sends.size() + plan.receives.size()) * line, comm, stream) {
    connect(comm);
    if (copies_) return;
    for (int half = 0; half < 2; ++half) {
      std::vector<Piece> pieces;
      for (const Send& s : sends_) pieces.push_back({static_cast<std::int64_t>(s.first), s.values[half]});
      std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.first < b.first; });
      if (pieces.size() == 1) views_[half] = {pieces[0].values - pieces[0].first};
      if (pieces.size() < 2) continue;
      pieces_[half] = Array<Piece>(pieces, memory_);
      views_[half] = {nullptr, pieces_[half].read(), static_cast<int>(pieces.size())};
    }
  }

  // The neighbours' areas are mapped until the last work on them is done.
  ~PeerTransport() override { (void)cudaStreamSynchronize(stream_); }

  SendView<Real> send_view() override {
    wait_for_receivers();
    return copies_ ? SendView<Real>{packed_.write()} : views_[(exchange_ + 1) % 2];
  }

  void start() override {
    ++exchange_;
    for (const Send& s : sends_) {
      if (copies_)
        DGTD_CUDA_CHECK(cudaMemcpyAsync(s.values[exchange_ % 2], packed_.read() + s.first, s.count * sizeof(Real),
                                        cudaMemcpyDeviceToDevice, stream_));
      write_flag(stream_, s.arrived, exchange_);
    }
    for (const Receive& r : receives_)
      if (r.consumed != nullptr) write_flag(stream_, r.consumed, exchange_ - 1);
  }

  void finish() override {
    for (const Receive& r : receives_) wait_for_flag(stream_, r.arrived, exchange_);
  }

  const Real* receive_buffer() override {
    return reinterpret_cast<const Real*>(area_.data() + (exchange_ % 2) * half_);
  }

 private:
  struct Send {
    std::size_t first, count;  // reals
    Real* values[2];           // in the receiver's area
    Flag* arrived;             // there
    const Flag* consumed;      // in the own area; null where the receiver's messages tell
  };
  struct Receive {
    const Flag* arrived;  // in the own area
    Flag* consumed;       // in the sender's area; null where the own messages tell
  };

  static bool has(const std::vector<HaloPlan::Message>& messages, int rank) {
    return std::any_of(messages.begin(), messages.end(), [&](const auto& m) { return m.rank == rank; });
  }
  std::size_t flag_offset(std::size_t k) const { return 2 * half_ + k * line; }
  Flag* own_flag(std::size_t k) const { return reinterpret_cast<Flag*>(area_.data() + flag_offset(k)); }

  // Own flags: `arrived` of the messages to receive, then `consumed` of those to send.
  void connect(const Communicator& comm) {
    const std::size_t to_receive = plan_.receives.size(), to_send = plan_.sends.size();
    const cudaIpcMemHandle_t handle = area_.handle();
    std::vector<Offer> of_receives(to_receive), of_sends(to_send), receivers(to_send), senders(to_receive);
    std::vector<MPI_Request> requests;
    // Messages between the same two ranks are matched in the order of the plan.
    const auto swap = [&](const HaloPlan::Message& m, Offer& mine, Offer& others, int my_tag, int their_tag) {
      MPI_Isend(&mine, sizeof mine, MPI_BYTE, m.rank, my_tag, comm.handle(), &requests.emplace_back());
      MPI_Irecv(&others, sizeof others, MPI_BYTE, m.rank, their_tag, comm.handle(), &requests.emplace_back());
    };
    requests.reserve(2 * (to_receive + to_send));
    for (std::size_t k = 0; k < to_receive; ++k) {
      const auto& m = plan_.receives[k];
      of_receives[k] = {handle, m.first * plan_.reals_per_face * sizeof(Real), half_, flag_offset(k),
                        m.count * plan_.reals_per_face};
      swap(m, of_receives[k], senders[k], 18, 19);
    }
    for (std::size_t k = 0; k < to_send; ++k) {
      const auto& m = plan_.sends[k];
      of_sends[k] = {handle, 0, 0, flag_offset(to_receive + k), m.count * plan_.reals_per_face};
      swap(m, of_sends[k], receivers[k], 19, 18);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);

    std::string failure;
    const auto area_of = [&](int rank, const Offer& offer) {
      std::byte* const area = rank == comm.rank() ? area_.data() : others_.map(rank, offer.handle);
      if (area == nullptr) failure = others_.why_not();
      return area;
    };
    for (std::size_t k = 0; k < to_send; ++k) {
      const auto& m = plan_.sends[k];
      const Offer& there = receivers[k];
      std::byte* const area = area_of(m.rank, there);
      if (there.value_count != m.count * plan_.reals_per_face)
        failure = fmt::format("rank {} expects another number of values", m.rank);
      const auto values = [&](int half) { return reinterpret_cast<Real*>(area + there.values + half * there.half); };
      sends_.push_back({m.first * plan_.reals_per_face,
                        m.count * plan_.reals_per_face,
                        {values(0), values(1)},
                        reinterpret_cast<Flag*>(area + there.flag),
                        has(plan_.receives, m.rank) ? nullptr : own_flag(to_receive + k)});
    }
    for (std::size_t k = 0; k < to_receive; ++k) {
      const auto& m = plan_.receives[k];
      std::byte* const area = has(plan_.sends, m.rank) ? nullptr : area_of(m.rank, senders[k]);
      receives_.push_back({own_flag(k), area == nullptr ? nullptr : reinterpret_cast<Flag*>(area + senders[k].flag)});
    }
    if (comm.min(std::int64_t{failure.empty()}) == 0)
      throw Error(ExitCode::device, fmt::format("solver.halo_transport = peer: {}; allowed are auto, mpi-host, nccl",
                                                failure.empty() ? "it failed on another rank" : failure));
  }

  // Before anything is written for exchange n = exchange_ + 1.
  void wait_for_receivers() {
    if (exchange_ < 2) return;
    for (const Send& s : sends_)
      if (s.consumed != nullptr) wait_for_flag(stream_, s.consumed, exchange_ - 1);
  }

  cudaStream_t stream_;
  HaloPlan plan_;
  std::size_t half_;  // bytes of the values of one exchange
  CudaMemory memory_;
  Array<Real> packed_;  // where copy engines send; else empty
  bool copies_;
  SharedArea area_;  // values of two exchanges, then flags
  MappedAreas others_;
  std::vector<Send> sends_;
  std::vector<Receive> receives_;
  Array<Piece> pieces_[2];
  SendView<Real> views_[2];
  Flag exchange_ = 0;
};

}  // namespace

template <class Real>
std::unique_ptr<CudaTransport<Real>> make_peer_transport(const HaloPlan& plan, const Communicator& comm,
                                                         cudaStream_t stream, bool copies) {
  return std::make_unique<PeerTransport<Real>>(plan, comm, stream, copies);
}

template std::unique_ptr<CudaTransport<Half>> make_peer_transport<Half>(const HaloPlan&, const Communicator&,
                                                                        cudaStream_t, bool);
template std::unique_ptr<CudaTransport<float>> make_peer_transport<float>(const HaloPlan&, const Communicator&,
                                                                          cudaStream_t, bool);
template std::unique_ptr<CudaTransport<double>> make_peer_transport<double>(const HaloPlan&, const Communicator&,
                                                                            cudaStream_t, bool);

}  // namespace dgtd::parallel
