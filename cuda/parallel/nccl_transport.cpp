#include <fmt/format.h>

#include "cuda_memory.hpp"
#include "dgtd/parallel/array.hpp"
#include "cuda_transport.hpp"
#include "dgtd/base/error.hpp"
#include "loaded_library.hpp"
#include "nccl_library.hpp"

namespace dgtd::parallel {

#if DGTD_NCCL

const NcclLibrary& nccl_library() {
  static const NcclLibrary loaded = [] {
    NcclLibrary l;
    LoadedLibrary library("libnccl.so.2", {"libnccl.so.2"});
    library.find(l.get_unique_id, "ncclGetUniqueId");
    library.find(l.comm_init_rank, "ncclCommInitRankConfig");
    library.find(l.comm_destroy, "ncclCommDestroy");
    library.find(l.group_start, "ncclGroupStart");
    library.find(l.group_end, "ncclGroupEnd");
    library.find(l.send, "ncclSend");
    library.find(l.receive, "ncclRecv");
    library.find(l.error_string, "ncclGetErrorString");
    l.why_not = library.why_not();
    return l;
  }();
  return loaded;
}

namespace {

void check(ncclResult_t result, const char* call) {
  if (result != ncclSuccess)
    throw Error(ExitCode::device, fmt::format("NCCL: {} failed: {}; use solver.halo_transport = mpi-host", call,
                                              nccl_library().error_string(result)));
}

/// One communicator per process: making one takes a second.
ncclComm_t communicator(const Communicator& comm) {
  static const ncclComm_t nccl = [&] {
    ncclUniqueId id{};
    if (comm.is_root()) check(nccl_library().get_unique_id(&id), "ncclGetUniqueId");
    id = comm.broadcast_value(id);
    ncclComm_t made = nullptr;
    // Multiprocessors that send do not compute, and traces are short
    // (docs/notebook/2026-11-22-tetrahedra-on-several-gpus.md). NCCL_MAX_CTAS overrides.
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.maxCTAs = 8;
    check(nccl_library().comm_init_rank(&made, comm.size(), id, comm.rank(), &config), "ncclCommInitRankConfig");
    return made;
  }();
  return nccl;
}

template <class Real>
class NcclTransport final : public CudaTransport<Real> {
 public:
  NcclTransport(const HaloPlan& plan, const Communicator& comm, cudaStream_t stream)
      : stream_(stream),
        plan_(plan),
        reals_(plan.faces * plan.reals_per_face),
        memory_(stream),
        send_(reals_, memory_),
        receive_(reals_, memory_),
        nccl_(communicator(comm)) {}
  SendView<Real> send_view() override { return {send_.write()}; }
  const Real* receive_buffer() override { return receive_.read(); }

  void start() override {
    if (reals_ == 0) return;
    const auto& l = nccl_library();
    const ncclDataType_t type = sizeof(Real) == 2 ? ncclHalf : sizeof(Real) == 4 ? ncclFloat : ncclDouble;
    check(l.group_start(), "ncclGroupStart");
    for (const auto& m : plan_.sends)
      check(l.send(send_.read() + m.first * plan_.reals_per_face, m.count * plan_.reals_per_face, type, m.rank, nccl_,
                   stream_),
            "ncclSend");
    for (const auto& m : plan_.receives)
      check(l.receive(receive_.write() + m.first * plan_.reals_per_face, m.count * plan_.reals_per_face, type, m.rank,
                      nccl_, stream_),
            "ncclRecv");
    check(l.group_end(), "ncclGroupEnd");
  }
  void finish() override {}  // the stream's order is enough

 private:
  cudaStream_t stream_;
  HaloPlan plan_;
  std::size_t reals_;
  CudaMemory memory_;
  Array<Real> send_, receive_;
  ncclComm_t nccl_;
};

}  // namespace

template <class Real>
std::unique_ptr<CudaTransport<Real>> make_nccl_transport(const HaloPlan& plan, const Communicator& comm,
                                                         cudaStream_t stream) {
  return std::make_unique<NcclTransport<Real>>(plan, comm, stream);
}

#else

template <class Real>
std::unique_ptr<CudaTransport<Real>> make_nccl_transport(const HaloPlan&, const Communicator&, cudaStream_t) {
  throw Error(
      ExitCode::device,
      "solver.halo_transport = nccl: this program was built without NCCL; allowed are auto, mpi-host, mpi-cuda");
}

#endif

template std::unique_ptr<CudaTransport<Half>> make_nccl_transport<Half>(const HaloPlan&, const Communicator&,
                                                                        cudaStream_t);
template std::unique_ptr<CudaTransport<float>> make_nccl_transport<float>(const HaloPlan&, const Communicator&,
                                                                          cudaStream_t);
template std::unique_ptr<CudaTransport<double>> make_nccl_transport<double>(const HaloPlan&, const Communicator&,
                                                                            cudaStream_t);

}  // namespace dgtd::parallel
