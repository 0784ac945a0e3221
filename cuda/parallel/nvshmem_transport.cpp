// Halos by NVSHMEM, between any hosts: each message is put into memory of the receiver together with a signal, by work
// of the stream; the receiver's stream waits for the signal (one_sided_plan.hpp).
#include <fmt/format.h>

#include "cuda_transport.hpp"
#include "dgtd/base/error.hpp"
#include "nvshmem_library.hpp"
#include "one_sided_plan.hpp"

namespace dgtd::parallel {

namespace {

template <class Real>
class NvshmemTransport final : public CudaTransport<Real> {
 public:
  NvshmemTransport(const HaloPlan& plan, const Communicator& comm, cudaStream_t stream)
      : stream_(stream),
        plan_(plan, plan.reals_per_face * sizeof(Real), comm),
        area_(2 * plan_.bytes, comm),
        packed_(area_.data() + comm.max(static_cast<std::int64_t>(plan_.bytes))) {
    if (comm.min(std::int64_t{plan_.failure.empty()}) == 0)
      throw Error(ExitCode::device, fmt::format("solver.halo_transport = nvshmem: {}; allowed are auto, mpi-host, nccl",
                                                plan_.failure.empty() ? "it failed on another rank" : plan_.failure));
  }
  ~NvshmemTransport() override { (void)cudaStreamSynchronize(stream_); }

  SendView<Real> send_view() override {
    for (const OneSidedPlan::Send& s : plan_.sends)
      if (s.consumed != OneSidedPlan::none && exchange_ >= 2) wait(s.consumed, exchange_ - 1);
    return {reinterpret_cast<Real*>(packed_)};
  }
  const Real* receive_buffer() override {
    return reinterpret_cast<const Real*>(area_.data() + exchange_ % 2 * plan_.half);
  }

  void start() override {
    const NvshmemLibrary& l = nvshmem_library();
    ++exchange_;
    for (const OneSidedPlan::Send& s : plan_.sends)
      l.put_signal(area_.data() + s.values[exchange_ % 2], packed_ + s.first, s.count, signal(s.arrived), exchange_,
                   NvshmemLibrary::signal_set, s.rank, stream_);
    for (const OneSidedPlan::Receive& r : plan_.receives)
      if (r.consumed != OneSidedPlan::none)
        l.signal(signal(r.consumed), exchange_ - 1, NvshmemLibrary::signal_set, r.rank, stream_);
  }
  void finish() override {
    for (const OneSidedPlan::Receive& r : plan_.receives) wait(r.arrived, exchange_);
  }

 private:
  std::uint64_t* signal(std::size_t offset) const { return reinterpret_cast<std::uint64_t*>(area_.data() + offset); }
  void wait(std::size_t offset, std::uint64_t exchange) const {
    nvshmem_library().wait_for_signal(signal(offset), NvshmemLibrary::compare_greater_equal, exchange, stream_);
  }

  cudaStream_t stream_;
  OneSidedPlan plan_;
  SymmetricArea area_;  // that of the plan, then values to send
  std::byte* packed_;
  std::uint64_t exchange_ = 0;
};

}  // namespace

template <class Real>
std::unique_ptr<CudaTransport<Real>> make_nvshmem_transport(const HaloPlan& plan, const Communicator& comm,
                                                            cudaStream_t stream) {
  return std::make_unique<NvshmemTransport<Real>>(plan, comm, stream);
}

template std::unique_ptr<CudaTransport<Half>> make_nvshmem_transport<Half>(const HaloPlan&, const Communicator&,
                                                                           cudaStream_t);
template std::unique_ptr<CudaTransport<float>> make_nvshmem_transport<float>(const HaloPlan&, const Communicator&,
                                                                             cudaStream_t);
template std::unique_ptr<CudaTransport<double>> make_nvshmem_transport<double>(const HaloPlan&, const Communicator&,
                                                                               cudaStream_t);

}  // namespace dgtd::parallel
