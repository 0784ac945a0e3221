#pragma once
// The GPU of a rank, and the transport of halos between GPUs.
#include <string>
#include <thread>

#include "dgtd/parallel/transport.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::parallel {

struct CudaDevice {
  bool found = false;
  std::string why_not;  // where not found
  std::string name;
  int index = 0, count = 0;  // this rank's of those of its host
  int ranks_sharing = 1;     // ranks of this host on the same device, at most
};

/// The devices of this host are dealt out to its ranks in turn. Collective: found on every rank or on none. Without
/// CUDA in the build nothing is found.
CudaDevice find_cuda_device(const Communicator& comm);

/// Makes a rank's device the current one of this thread, with its context.
void make_current(const CudaDevice& device);

/// Finds a device and makes it the current one. Collective.
CudaDevice take_cuda_device(const Communicator& comm);

/// Makes the context of a device in a thread, beside other work of the host, which must not fork meanwhile. The first
/// use of the device waits for it.
class ContextStart {
 public:
  explicit ContextStart(const CudaDevice& device);
  ~ContextStart();
  ContextStart(const ContextStart&) = delete;
  ContextStart& operator=(const ContextStart&) = delete;

 private:
  std::thread thread_;  // none where there is no device
};

/// Bytes that this rank may still allocate on its device.
double free_device_bytes(const CudaDevice& device);

/// The transport of a run as asked; automatic stays so, until a backend measures its first exchange. Collective. Throws
/// Error (device) for one that does not work here.
Transport choose_transport(Transport asked, const Communicator& comm, std::string& reason);

/// Transport that the last measurement for `automatic` found; mpi_host before.
Transport measured_transport();

}  // namespace dgtd::parallel
