#include <fmt/format.h>
#include <mpi.h>

#include <string>
#include <vector>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include "cuda_transport.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/timer.hpp"
#include "dgtd/parallel/cuda_device.hpp"
#include "exchange_seconds.hpp"
#include "host_proxy.hpp"
#include "nccl_library.hpp"
#include "nvshmem_library.hpp"
#include "peer_memory.hpp"

namespace dgtd::parallel {

namespace {

// Those whose exchanges are measured.
constexpr Transport measured_transports[] = {Transport::peer, Transport::peer_copy, Transport::nccl,
                                             Transport::mpi_cuda, Transport::mpi_host};

bool mpi_is_cuda_aware() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

// Empty where NCCL works for these ranks.
std::string why_no_nccl(const Communicator& comm) {
#if DGTD_NCCL
  if (!nccl_library().why_not.empty()) return nccl_library().why_not;
  int devices = 0;
  (void)cudaGetDeviceCount(&devices);
  if (comm.ranks_on_this_host() > devices) return "NCCL needs one device per rank";
  return "";
#else
  (void)comm;
  return "this program was built without NCCL";
#endif
}

// Empty where the transport works, on all ranks or on none. Collective.
std::string why_not(Transport transport, const Communicator& comm) {
  std::string reason;
  switch (transport) {
    case Transport::peer:
    case Transport::peer_copy: return why_no_peer_memory(comm);
    case Transport::nccl: reason = why_no_nccl(comm); break;
    case Transport::nvshmem: reason = why_no_nvshmem(comm); break;
    case Transport::mpi_proxy:
      reason = HostProxy::can_be_used() ? "" : "this MPI library does not permit calls of several threads at a time";
      break;
    case Transport::mpi_cuda: reason = mpi_is_cuda_aware() ? "" : "this MPI library is not CUDA-aware"; break;
    default: break;
  }
  const bool works = comm.min(std::int64_t{reason.empty()}) != 0;
  return works || !reason.empty() ? reason : "not on another rank";
}

Transport& last_measured() {
  static Transport transport = Transport::mpi_host;
  return transport;
}

}  // namespace

Transport measured_transport() { return last_measured(); }

Transport choose_transport(Transport asked, const Communicator& comm, std::string& reason) {
  reason = asked == Transport::automatic ? "the fastest here" : "as asked";
  if (asked == Transport::automatic || asked == Transport::mpi_host) return asked;
  const std::string failure = why_not(asked, comm);
  if (failure.empty()) return asked;
  std::string allowed = "auto";
  for (const Transport other : measured_transports)
    if (other != asked && why_not(other, comm).empty()) allowed += fmt::format(", {}", name_of(other));
  throw Error(ExitCode::device,
              fmt::format("solver.halo_transport = {}: {}; allowed here are {}", name_of(asked), failure, allowed));
}

template <class Real>
std::unique_ptr<CudaTransport<Real>> make_fastest_transport(const HaloPlan& plan, const Communicator& comm,
                                                            cudaStream_t stream, Transport& chosen) {
  if (comm.max(static_cast<std::int64_t>(plan.faces)) == 0) return make_host_transport<Real>(plan, comm, stream);
  std::unique_ptr<CudaTransport<Real>> best;
  double shortest = 0;
  std::string measured, missing;
  for (const Transport transport : measured_transports) {
    std::string failure =
        comm.size() == 1 && transport == Transport::nccl ? "there is one rank" : why_not(transport, comm);
    std::unique_ptr<CudaTransport<Real>> candidate;
    const Timer timer;
    try {
      if (failure.empty()) candidate = make_transport<Real>(transport, plan, comm, stream);
    } catch (const Error& error) { failure = error.what(); }  // on all ranks
    if (!candidate) {
      missing += fmt::format("{}{} ({})", missing.empty() ? "; not here: " : ", ", name_of(transport), failure);
      continue;
    }
    const double made = comm.max(timer.seconds()), seconds = exchange_seconds(*candidate, plan, comm, stream);
    measured += fmt::format("{}{} {:.1f}", measured.empty() ? "" : ", ", name_of(transport), 1e6 * seconds);
    if (made > 0.1) measured += fmt::format(" (after {:.2f} s of set-up)", made);
    if (best && seconds > 0.95 * shortest) continue;  // what is first in the list occupies fewer multiprocessors
    best = std::move(candidate);
    shortest = seconds;
    chosen = transport;
  }
  last_measured() = chosen;
  if (comm.size() > 1)
    log::info("halos are exchanged by {}; microseconds per exchange: {}{}", name_of(chosen), measured, missing);
  return best;
}

template std::unique_ptr<CudaTransport<Half>> make_fastest_transport(const HaloPlan&, const Communicator&, cudaStream_t,
                                                                     Transport&);
template std::unique_ptr<CudaTransport<float>> make_fastest_transport(const HaloPlan&, const Communicator&,
                                                                      cudaStream_t, Transport&);
template std::unique_ptr<CudaTransport<double>> make_fastest_transport(const HaloPlan&, const Communicator&,
                                                                       cudaStream_t, Transport&);

}  // namespace dgtd::parallel
