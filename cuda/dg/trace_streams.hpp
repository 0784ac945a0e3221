#pragma once
// The streams of the tetrahedral method. The traces of the next half step are those of elements that the
// halo's stream has updated itself: their exchange begins while the main one still updates the interior, and
// only the elements next to other ranks wait for it.
#include "../parallel/cuda_streams.hpp"

namespace dgtd::dg {

class TraceStreams : public parallel::CudaStreams {
 public:
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
