#pragma once
// Memory of a backend: host memory for CPU threads, device memory for CUDA.
#include <cstddef>

namespace dgtd::parallel {

class Memory {
 public:
  virtual ~Memory() = default;
  virtual bool is_host() const = 0;
  /// Zeroed bytes, aligned to 64. Throws Error (out_of_memory).
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* at) noexcept = 0;
  /// Copies after everything that was queued before; returns when done.
  virtual void download(void* host, const void* device, std::size_t bytes) = 0;
  virtual void upload(void* device, const void* host, std::size_t bytes) = 0;
};

/// Host memory, first touched by the threads of a static loop over it.
Memory& host_memory();

}  // namespace dgtd::parallel
