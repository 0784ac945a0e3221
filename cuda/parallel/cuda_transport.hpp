#pragma once
// Transports of halos between the devices of several ranks. All work on a halo is in one stream, the halo's: pack,
// start(), finish(), unpack, halo elements; the interior elements are updated in another one at the same time.
#include <cuda_runtime.h>

#include <memory>
#include <string>

#include "dgtd/base/half.hpp"
#include "dgtd/parallel/halo_exchange.hpp"
#include "dgtd/parallel/send_view.hpp"
#include "dgtd/parallel/transport.hpp"

namespace dgtd::parallel {

template <class Real>
class CudaTransport {
 public:
  virtual ~CudaTransport() = default;
  /// Buffer of [faces][reals_per_face] values on the device, into which later work of the stream, but before start(),
  /// writes. Once per exchange, by a rank that sends anything.
  virtual SendView<Real> send_view() = 0;
  /// Starts the exchange: the data to send are complete once the stream's work so far is done. Does not wait.
  virtual void start() = 0;
  /// Later work of the stream finds the receive buffer filled.
  virtual void finish() = 0;
  /// [faces][reals_per_face], on the device; of the last exchange, until the next start().
  virtual const Real* receive_buffer() = 0;
  virtual double wait_seconds() const { return 0; }  // that the host waited
};

// Each is made by all ranks at once.

/// Staged through pinned host memory and non-blocking MPI; also what mpi-proxy has for exchanges by streams.
template <class Real>
std::unique_ptr<CudaTransport<Real>> make_host_transport(const HaloPlan& plan, const Communicator& comm,
                                                         cudaStream_t stream);
/// Non-blocking MPI on device memory; the MPI library must be CUDA-aware.
template <class Real>
std::unique_ptr<CudaTransport<Real>> make_mpi_cuda_transport(const HaloPlan& plan, const Communicator& comm,
                                                             cudaStream_t stream);
/// NCCL sends and receives in a group; nothing waits on the host.
template <class Real>
std::unique_ptr<CudaTransport<Real>> make_nccl_transport(const HaloPlan& plan, const Communicator& comm,
                                                         cudaStream_t stream);
/// Puts of NVSHMEM with signals; nothing waits on the host.
template <class Real>
std::unique_ptr<CudaTransport<Real>> make_nvshmem_transport(const HaloPlan& plan, const Communicator& comm,
                                                            cudaStream_t stream);
/// Written into mapped memory of the neighbours on the same host, by the packing loop or, with copies, by copy engines;
/// nothing waits on the host and no kernel waits. Throws Error (device) where memory cannot be mapped.
template <class Real>
std::unique_ptr<CudaTransport<Real>> make_peer_transport(const HaloPlan& plan, const Communicator& comm,
                                                         cudaStream_t stream, bool copies);

/// The transport of the given kind, not automatic.
template <class Real>
std::unique_ptr<CudaTransport<Real>> make_transport(Transport transport, const HaloPlan& plan, const Communicator& comm,
                                                    cudaStream_t stream) {
  switch (transport) {
    case Transport::nccl: return make_nccl_transport<Real>(plan, comm, stream);
    case Transport::nvshmem: return make_nvshmem_transport<Real>(plan, comm, stream);
    case Transport::peer: return make_peer_transport<Real>(plan, comm, stream, false);
    case Transport::peer_copy: return make_peer_transport<Real>(plan, comm, stream, true);
    case Transport::mpi_cuda: return make_mpi_cuda_transport<Real>(plan, comm, stream);
    default: return make_host_transport<Real>(plan, comm, stream);
  }
}

/// The transport that exchanges this plan's halos in the shortest time, of those that work here; it is measured, and
/// the log reports it. `chosen` is the kind. Collective.
template <class Real>
std::unique_ptr<CudaTransport<Real>> make_fastest_transport(const HaloPlan& plan, const Communicator& comm,
                                                            cudaStream_t stream, Transport& chosen);

}  // namespace dgtd::parallel
