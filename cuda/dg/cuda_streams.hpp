#pragma once
// The streams of a rank. The halo's, of high priority, packs, exchanges and unpacks traces and updates
// the elements next to other ranks; the main one does everything else. Within a half step they run side
// by side: neither writes what the other reads. The traces of the next half step are those of elements
// that the halo's stream has updated itself: their exchange begins while the main one still updates the
// interior, and only the elements next to other ranks wait for it. Small batches run on the side.
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
  /// Notes what this stream has been given so far.
  void mark() const { DGTD_CUDA_CHECK(cudaEventRecord(event_, stream_)); }
  /// Later work of this stream follows what the other had been given when it was last marked.
  void wait_for_mark(const CudaStream& other) const { DGTD_CUDA_CHECK(cudaStreamWaitEvent(stream_, other.event_, 0)); }
  /// Later work of this stream follows what the other has been given so far.
  void wait_for(const CudaStream& other) const {
    other.mark();
    wait_for_mark(other);
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t event_ = nullptr;
};

class CudaStreams {
 public:
  CudaStream main{false}, halo{true}, side{true};

  /// The main stream, for work that may write elements next to other ranks: the next traces wait for it.
  cudaStream_t writer() {
    written_ = true;
    return main.get();
  }
  /// Before traces are packed: they follow such work. halo_elements_wait() is for the main stream up to here.
  void begin_traces() {
    main.mark();
    if (written_) halo.wait_for_mark(main);
    written_ = false;
  }
  void halo_elements_wait() const { halo.wait_for_mark(main); }

 private:
  bool written_ = true;
};

}  // namespace dgtd::dg
