#pragma once
// The two streams of a rank. The halo's, of high priority, packs, exchanges and unpacks traces and updates
// the elements next to other ranks; the main one does everything else. Within a half step they run side
// by side: neither writes what the other reads.
#include "../parallel/cuda_check.hpp"

namespace dgtd::dg {

class CudaStream {
 public:
  explicit CudaStream(bool urgent) {
    int least = 0, greatest = 0;
    DGTD_CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    DGTD_CUDA_CHECK(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, urgent ? greatest : least));
    DGTD_CUDA_CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
  }
  ~CudaStream() {
    (void)cudaEventDestroy(event_);
    (void)cudaStreamDestroy(stream_);
  }
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;
  cudaStream_t get() const { return stream_; }
  /// Later work of this stream follows what the other has been given so far.
  void wait_for(const CudaStream& other) const {
    DGTD_CUDA_CHECK(cudaEventRecord(other.event_, other.stream_));
    DGTD_CUDA_CHECK(cudaStreamWaitEvent(stream_, other.event_, 0));
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t event_ = nullptr;
};

struct CudaStreams {
  CudaStream main{false}, halo{true};
  void halo_waits() const { halo.wait_for(main); }
  void main_waits() const { main.wait_for(halo); }
};

}  // namespace dgtd::dg
