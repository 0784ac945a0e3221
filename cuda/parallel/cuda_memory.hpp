#pragma once
// Device memory.
#include <cuda_runtime.h>

#include "cuda_check.hpp"
#include "dgtd/parallel/memory.hpp"

namespace dgtd::parallel {

/// Memory of the current device; copies follow the work of a stream. What is allocated is zero for all streams.
class CudaMemory final : public Memory {
 public:
  explicit CudaMemory(cudaStream_t stream) : stream_(stream) {}
  bool is_host() const override { return false; }
  void* allocate(std::size_t bytes) override;
  void release(void* at) noexcept override;
  void download(void* host, const void* device, std::size_t bytes) override;
  void upload(void* device, const void* host, std::size_t bytes) override;
  cudaStream_t stream() const { return stream_; }

 private:
  cudaStream_t stream_;
};

}  // namespace dgtd::parallel
