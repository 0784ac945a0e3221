#pragma once
// The backend of a CUDA device: every queue is a stream.
#include <cub/block/block_reduce.cuh>

#include "cuda_bandwidth.hpp"
#include "cuda_graph.hpp"
#include "cuda_launch.hpp"
#include "cuda_memory.hpp"
#include "cuda_streams.hpp"
#include "cuda_transport.hpp"
#include "dgtd/parallel/backend.hpp"

namespace dgtd::parallel {

inline constexpr int summing_threads = 1024;

// One thread block, so that the sum has one order.
template <class Term>
__global__ void __launch_bounds__(summing_threads)
    sum_kernel(const Term term, std::int64_t n, double factor, double* sum) {
  using Reduce = cub::BlockReduce<double, summing_threads>;
  __shared__ typename Reduce::TempStorage shared;
  double part = 0;
  for (std::int64_t i = threadIdx.x; i < n; i += summing_threads) part += term(i);
  part = Reduce(shared).Sum(part);
  if (threadIdx.x == 0) *sum += factor * part;
}

class CudaBackend {
 public:
  /// On the current device (take_cuda_device). comm: of halo exchanges by transport; outlives the backend.
  CudaBackend(Transport transport, const Communicator& comm)
      : transport_(transport), comm_(comm), memory_(streams_.main.get()) {}
  Memory& memory() { return memory_; }

  template <class Body>
  void for_each(Queue queue, std::int64_t n, const Body& body) const {
    launch_each(n, body, stream(queue));
  }
  template <class Body>
  void for_each(std::int64_t n, const Body& body) const {
    for_each(Queue::main, n, body);
  }
  template <class Term>
  void add_sum(Queue queue, std::int64_t n, const Term& term, double factor, double* sum) const {
    if (n <= 0) return;
    sum_kernel<<<1, summing_threads, 0, stream(queue)>>>(term, n, factor, sum);
    DGTD_CUDA_CHECK_LAUNCH();
  }

  void mark(Queue queue) const { of(queue).mark(); }
  void wait_for_mark(Queue later, Queue earlier) const { of(later).wait_for_mark(of(earlier)); }
  void wait_for(Queue later, Queue earlier) const { of(later).wait_for(of(earlier)); }
  void halo_waits() const { wait_for(Queue::halo, Queue::main); }
  void main_waits() const { wait_for(Queue::main, Queue::halo); }
  void follow(const CudaBackend& other) const { of(Queue::main).wait_for(other.of(Queue::main)); }
  void wait() const {
    main_waits();
    DGTD_CUDA_CHECK(cudaStreamSynchronize(streams_.main.get()));
  }

  using Recording = CudaGraph;
  template <class Work>
  void repeat(Recording& recording, const Work& work) {
    recording.run(streams_.main.get(), memory_, work);
  }

  template <class Real>
  using Exchange = CudaTransport<Real>;
  /// By the transport of the backend. If that is automatic, the first plan with messages determines it for all.
  template <class Real>
  std::unique_ptr<Exchange<Real>> make_exchange(const HaloPlan& plan) const {
    if (transport_ != Transport::automatic) return make_transport<Real>(transport_, plan, comm_, streams_.halo.get());
    return make_fastest_transport<Real>(plan, comm_, streams_.halo.get(), transport_);
  }
  const Communicator& communicator() const { return comm_; }
  /// Transport of the exchanges made so far.
  Transport transport() const { return transport_; }
  double copy_bandwidth() const { return device_copy_bandwidth(streams_.main.get()); }

  /// For launches of special kernels.
  cudaStream_t stream(Queue queue) const { return of(queue).get(); }

 private:
  const CudaStream& of(Queue queue) const {
    switch (queue) {
      case Queue::main: return streams_.main;
      case Queue::halo: return streams_.halo;
      default: return streams_.side;
    }
  }
  mutable Transport transport_;
  const Communicator& comm_;
  CudaStreams streams_;
  CudaMemory memory_;
};
static_assert(Backend<CudaBackend>);

}  // namespace dgtd::parallel
