#pragma once
// Exchange of halos between devices.

namespace dgtd::parallel {

enum class Transport { automatic, mpi_host, mpi_proxy, mpi_cuda, nccl, nvshmem, peer, peer_copy };

/// As the case file spells it.
constexpr const char* name_of(Transport transport) {
  switch (transport) {
    case Transport::automatic: return "auto";
    case Transport::mpi_host: return "mpi-host";
    case Transport::mpi_proxy: return "mpi-proxy";
    case Transport::mpi_cuda: return "mpi-cuda";
    case Transport::nccl: return "nccl";
    case Transport::nvshmem: return "nvshmem";
    case Transport::peer: return "peer";
    case Transport::peer_copy: return "peer-copy";
  }
  return "";
}

}  // namespace dgtd::parallel
