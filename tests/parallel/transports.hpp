#pragma once
// Tests over all transports of halos between devices.
#include <cstdio>
#include <string>

#include "dgtd/base/error.hpp"
#include "dgtd/parallel/cuda_device.hpp"

namespace dgtd::parallel {

/// Calls check(transport) for each transport that the ranks of the communicator have here; names the others.
template <class Check>
void for_each_transport(const Communicator& world, Check check) {
  for (const auto transport : {Transport::mpi_host, Transport::mpi_proxy, Transport::mpi_cuda, Transport::nccl,
                               Transport::nvshmem, Transport::peer, Transport::peer_copy, Transport::automatic}) {
    std::string reason;
    try {
      choose_transport(transport, world, reason);
    } catch (const Error& error) {
      if (world.is_root()) std::printf("not tested: %s\n", error.what());
      continue;
    }
    check(transport);
  }
}

}  // namespace dgtd::parallel
