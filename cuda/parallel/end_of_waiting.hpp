#pragma once
// A word in the memory of the host by which a rank tells kernels that wait for others not to wait any more.
#include <cuda_runtime.h>

#include <exception>

#include "cuda_check.hpp"

namespace dgtd::parallel {

class EndOfWaiting {
 public:
  EndOfWaiting() {
    DGTD_CUDA_CHECK(cudaHostAlloc(reinterpret_cast<void**>(&word_), sizeof *word_, cudaHostAllocMapped));
    *word_ = 0;
  }
  ~EndOfWaiting() { (void)cudaFreeHost(word_); }
  EndOfWaiting(const EndOfWaiting&) = delete;
  EndOfWaiting& operator=(const EndOfWaiting&) = delete;
  /// For kernels: not 0 where nobody will wait any more.
  const unsigned* word() const { return word_; }
  /// In the destructor of whoever launches kernels that wait, if an error has been thrown: other ranks may have ended.
  void end_if_failed() {
    if (std::uncaught_exceptions() > 0) *static_cast<volatile unsigned*>(word_) = 1;
  }

 private:
  unsigned* word_ = nullptr;
};

}  // namespace dgtd::parallel
