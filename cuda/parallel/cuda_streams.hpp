#pragma once
// The streams of a rank, the queues of CudaBackend. Halo, of high priority, packs, exchanges and unpacks traces and
// updates what is next to other ranks; main does everything else. Within a half step they run at the same time: neither
// writes what the other reads. Small batches run on side.
#include "cuda_check.hpp"

namespace dgtd::parallel {

class CudaStream {
 public:
  /// urgency: from 0 to 1. Thread blocks of more urgent streams start before others that wait.
  explicit CudaStream(double urgency) {
    int least = 0, greatest = 0;  // numerically the other way round
    DGTD_CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    const int priority = greatest + static_cast<int>((1 - urgency) * (least - greatest) + 0.5);
    DGTD_CUDA_CHECK(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, priority));
    DGTD_CUDA_CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
  }
  ~CudaStream() {
    (void)cudaEventDestroy(event_);
    (void)cudaStreamDestroy(stream_);
  }
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;
  cudaStream_t get() const { return stream_; }
  /// The event of mark().
  cudaEvent_t marked() const { return event_; }
  /// Notes what this stream was given so far.
  void mark() const { DGTD_CUDA_CHECK(cudaEventRecord(event_, stream_)); }
  /// Later work of this stream follows what the other was given until its last mark.
  void wait_for_mark(const CudaStream& other) const { DGTD_CUDA_CHECK(cudaStreamWaitEvent(stream_, other.event_, 0)); }
  /// Later work of this stream follows what the other was given so far.
  void wait_for(const CudaStream& other) const {
    other.mark();
    wait_for_mark(other);
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t event_ = nullptr;
};

struct CudaStreams {
  CudaStream main{0}, halo{1}, side{1};
};

}  // namespace dgtd::parallel
