#include <type_traits>

#include "cuda_memory.hpp"
#include "dgtd/parallel/array.hpp"
#include "cuda_transport.hpp"

namespace dgtd::parallel {

namespace {

/// Host memory that devices reach directly.
template <class Real>
class PinnedArray {
 public:
  explicit PinnedArray(std::size_t size) {
    if (size > 0) DGTD_CUDA_CHECK(cudaMallocHost(&data_, size * sizeof(Real)));
  }
  ~PinnedArray() { (void)cudaFreeHost(data_); }
  PinnedArray(const PinnedArray&) = delete;
  PinnedArray& operator=(const PinnedArray&) = delete;
  Real* data() { return data_; }

 private:
  Real* data_ = nullptr;
};

struct Event {
  cudaEvent_t event = nullptr;
  Event() { DGTD_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming)); }
  ~Event() { (void)cudaEventDestroy(event); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
};

template <class Real>
class HostTransport final : public CudaTransport<Real> {
 public:
  HostTransport(const HaloPlan& plan, const Communicator& comm, cudaStream_t stream)
      : stream_(stream),
        reals_(plan.faces * plan.reals_per_face),
        memory_(stream),
        send_(reals_, memory_),
        receive_(reals_, memory_),
        host_send_(reals_),
        host_receive_(reals_),
        exchange_(plan, host_send_.data(), host_receive_.data(), comm) {}
  SendView<Real> send_view() override { return {send_.write()}; }
  const Real* receive_buffer() override { return receive_.read(); }
  double wait_seconds() const override { return exchange_.wait_seconds(); }

  void start() override {
    if (reals_ == 0) return;
    DGTD_CUDA_CHECK(
        cudaMemcpyAsync(host_send_.data(), send_.read(), reals_ * sizeof(Real), cudaMemcpyDeviceToHost, stream_));
    DGTD_CUDA_CHECK(cudaEventRecord(copied_.event, stream_));
  }
  // The interior kernels are queued by now: the host waits for the messages while they run.
  void finish() override {
    if (reals_ == 0) return;
    DGTD_CUDA_CHECK(cudaEventSynchronize(copied_.event));
    exchange_.start();
    exchange_.finish();
    DGTD_CUDA_CHECK(cudaMemcpyAsync(receive_.write(), host_receive_.data(), reals_ * sizeof(Real),
                                    cudaMemcpyHostToDevice, stream_));
  }

 private:
  cudaStream_t stream_;
  std::size_t reals_;
  CudaMemory memory_;
  Array<Real> send_, receive_;
  PinnedArray<Real> host_send_, host_receive_;
  HaloExchange<Real> exchange_;
  Event copied_;
};

template <class Real>
class MpiCudaTransport final : public CudaTransport<Real> {
 public:
  MpiCudaTransport(const HaloPlan& plan, const Communicator& comm, cudaStream_t stream)
      : stream_(stream),
        reals_(plan.faces * plan.reals_per_face),
        memory_(stream),
        send_(reals_, memory_),
        receive_(reals_, memory_),
        exchange_(plan, send_.write(), receive_.write(), comm) {}
  SendView<Real> send_view() override { return {send_.write()}; }
  const Real* receive_buffer() override { return receive_.read(); }
  double wait_seconds() const override { return exchange_.wait_seconds(); }
  void start() override {
    if (reals_ > 0) DGTD_CUDA_CHECK(cudaEventRecord(packed_.event, stream_));
  }
  void finish() override {
    if (reals_ == 0) return;
    DGTD_CUDA_CHECK(cudaEventSynchronize(packed_.event));
    exchange_.start();
    exchange_.finish();
  }

 private:
  cudaStream_t stream_;
  std::size_t reals_;
  CudaMemory memory_;
  Array<Real> send_, receive_;
  HaloExchange<Real> exchange_;
  Event packed_;
};

}  // namespace

template <class Real>
std::unique_ptr<CudaTransport<Real>> make_host_transport(const HaloPlan& plan, const Communicator& comm,
                                                         cudaStream_t stream) {
  return std::make_unique<HostTransport<Real>>(plan, comm, stream);
}
template <class Real>
std::unique_ptr<CudaTransport<Real>> make_mpi_cuda_transport(const HaloPlan& plan, const Communicator& comm,
                                                             cudaStream_t stream) {
  return std::make_unique<MpiCudaTransport<Real>>(plan, comm, stream);
}

template std::unique_ptr<CudaTransport<Half>> make_host_transport<Half>(const HaloPlan&, const Communicator&,
                                                                        cudaStream_t);
template std::unique_ptr<CudaTransport<float>> make_host_transport<float>(const HaloPlan&, const Communicator&,
                                                                          cudaStream_t);
template std::unique_ptr<CudaTransport<double>> make_host_transport<double>(const HaloPlan&, const Communicator&,
                                                                            cudaStream_t);
template std::unique_ptr<CudaTransport<Half>> make_mpi_cuda_transport<Half>(const HaloPlan&, const Communicator&,
                                                                            cudaStream_t);
template std::unique_ptr<CudaTransport<float>> make_mpi_cuda_transport<float>(const HaloPlan&, const Communicator&,
                                                                              cudaStream_t);
template std::unique_ptr<CudaTransport<double>> make_mpi_cuda_transport<double>(const HaloPlan&, const Communicator&,
                                                                                cudaStream_t);

}  // namespace dgtd::parallel
