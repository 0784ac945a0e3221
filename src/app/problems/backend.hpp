#pragma once
// The choice of what a run computes on.
#include <memory>
#include <string>

#include "dgtd/config/case.hpp"
#include "dgtd/parallel/cuda_device.hpp"

namespace dgtd::app {

/// Processor of a run.
struct Backend {
  bool cuda = false;
  std::string reason;           // for the log
  parallel::CudaDevice device;  // where cuda
  config::Transport transport = config::Transport::mpi_host;
  std::string transport_reason;
  const char* name() const { return cuda ? "cuda" : "cpu"; }
  const char* transport_name() const;
};

/// As in the case; auto takes CUDA where every rank has a device. Collective. Throws Error (device) for
/// what this build or this machine does not have.
Backend choose_backend(const config::Case& c, const parallel::Communicator& comm);

/// Throws Error (out_of_memory) where a rank needs more bytes than its device has free; `hint` says what helps besides
/// more ranks. Collective.
void check_device_memory(double needed, const Backend& backend, const parallel::Communicator& comm, const char* hint);

/// The same of a rank's share of its host's memory.
void check_host_memory(double needed, const parallel::Communicator& comm, const char* hint);

}  // namespace dgtd::app
