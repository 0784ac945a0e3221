#pragma once
// Transports of halo traces between the devices of several ranks. All work on a halo is in one stream, the
// halo's: pack, start(), finish(), unpack, halo elements; the interior elements are updated in another one at
// the same time.
#include <cuda_runtime.h>

#include <memory>
#include <string>

#include "dgtd/parallel/transport.hpp"
#include "dgtd/parallel/halo_exchange.hpp"

namespace dgtd::parallel {

class CudaTransport {
 public:
  virtual ~CudaTransport() = default;
  /// The send buffer is ready once the stream's work so far is done. Does not wait.
  virtual void start() = 0;
  /// Later work of the stream finds the receive buffer filled.
  virtual void finish() = 0;
  virtual void* send_buffer() = 0;  // device, [faces][reals_per_face]
  virtual void* receive_buffer() = 0;
  virtual double wait_seconds() const { return 0; }  // that the host waited
};

/// Staged through pinned host memory and non-blocking MPI.
template <class Real>
std::unique_ptr<CudaTransport> make_host_transport(const HaloPlan& plan, const Communicator& comm, cudaStream_t stream);
/// Non-blocking MPI on device memory; the MPI library must be CUDA-aware.
template <class Real>
std::unique_ptr<CudaTransport> make_mpi_cuda_transport(const HaloPlan& plan, const Communicator& comm,
                                                       cudaStream_t stream);
/// NCCL sends and receives in a group; nothing waits on the host.
template <class Real>
std::unique_ptr<CudaTransport> make_nccl_transport(const HaloPlan& plan, const Communicator& comm, cudaStream_t stream);

/// The transport of the given kind.
template <class Real>
std::unique_ptr<CudaTransport> make_transport(Transport transport, const HaloPlan& plan, const Communicator& comm,
                                              cudaStream_t stream) {
  switch (transport) {
    case Transport::nccl: return make_nccl_transport<Real>(plan, comm, stream);
    case Transport::mpi_cuda: return make_mpi_cuda_transport<Real>(plan, comm, stream);
    default: return make_host_transport<Real>(plan, comm, stream);
  }
}

}  // namespace dgtd::parallel
