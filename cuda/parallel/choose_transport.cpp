#include <fmt/format.h>
#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include "cuda_transport.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/parallel/cuda_device.hpp"
#include "nccl_library.hpp"

namespace dgtd::parallel {

namespace {

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
  if (comm.max(std::int64_t{comm.ranks_on_this_host() > devices}) != 0) return "NCCL wants a device for each rank";
  return "";
#else
  (void)comm;
  return "this program was built without NCCL";
#endif
}

}  // namespace

Transport choose_transport(Transport asked, const Communicator& comm, std::string& reason) {
  const std::string no_nccl = why_no_nccl(comm);
  const bool nccl = comm.min(std::int64_t{no_nccl.empty()}) != 0,
             aware = comm.min(std::int64_t{mpi_is_cuda_aware()}) != 0;
  reason = "as asked";
  if (asked == Transport::nccl && !nccl)
    throw Error(ExitCode::device,
                fmt::format("solver.halo_transport = nccl: {}; allowed here are auto, mpi-host{}",
                            no_nccl.empty() ? "another rank has no NCCL" : no_nccl, aware ? ", mpi-cuda" : ""));
  if (asked == Transport::mpi_cuda && !aware)
    throw Error(
        ExitCode::device,
        fmt::format("solver.halo_transport = mpi-cuda: this MPI library is not CUDA-aware; allowed here are auto, mpi-host{}",
                    nccl ? ", nccl" : ""));
  if (asked != Transport::automatic) return asked;
  if (comm.size() == 1) {
    reason = "one rank";
    return Transport::mpi_host;
  }
  reason = "the fastest here";
  return nccl ? Transport::nccl : aware ? Transport::mpi_cuda : Transport::mpi_host;
}

}  // namespace dgtd::parallel
