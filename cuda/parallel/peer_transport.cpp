// Halos between the devices of one host without kernels that wait: the packing loop (peer) or a copy engine (peer-copy)
// writes into memory of the neighbour, and flags order the streams (one_sided_plan.hpp).
#include <fmt/format.h>

#include <algorithm>

#include "cuda_memory.hpp"
#include "cuda_transport.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/parallel/array.hpp"
#include "one_sided_plan.hpp"
#include "peer_memory.hpp"
#include "stream_flags.hpp"

namespace dgtd::parallel {

namespace {

template <class Real>
class PeerTransport final : public CudaTransport<Real> {
  using Piece = typename SendView<Real>::Piece;

 public:
  PeerTransport(const HaloPlan& plan, const Communicator& comm, cudaStream_t stream, bool copies)
      : stream_(stream),
        plan_(plan, plan.reals_per_face * sizeof(Real), comm),
        memory_(stream),
        packed_(copies ? plan.faces * plan.reals_per_face : 0, memory_),
        copies_(copies),
        area_(plan_.bytes, comm, stream) {
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
    return reinterpret_cast<const Real*>(area_.data() + (exchange_ % 2) * plan_.half);
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

  Flag* own_flag(std::size_t offset) const {
    return offset == OneSidedPlan::none ? nullptr : reinterpret_cast<Flag*>(area_.data() + offset);
  }
  void connect(const Communicator& comm) {
    const std::vector<cudaIpcMemHandle_t> handles = area_.handles(comm);
    std::string failure = plan_.failure;
    const auto area_of = [&](int rank) {
      std::byte* const area = rank == comm.rank() ? area_.data() : others_.map(rank, handles[std::size_t(rank)]);
      if (area == nullptr) failure = others_.why_not();
      return area;
    };
    for (const OneSidedPlan::Send& s : plan_.sends) {
      std::byte* const area = area_of(s.rank);
      sends_.push_back({s.first / sizeof(Real),
                        s.count / sizeof(Real),
                        {reinterpret_cast<Real*>(area + s.values[0]), reinterpret_cast<Real*>(area + s.values[1])},
                        reinterpret_cast<Flag*>(area + s.arrived),
                        own_flag(s.consumed)});
    }
    for (const OneSidedPlan::Receive& r : plan_.receives)
      receives_.push_back({own_flag(r.arrived), r.consumed == OneSidedPlan::none
                                                    ? nullptr
                                                    : reinterpret_cast<Flag*>(area_of(r.rank) + r.consumed)});
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
  OneSidedPlan plan_;
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
