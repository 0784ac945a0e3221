#pragma once
// Memory of a backend: host memory for CPU threads, device memory for CUDA.
#include <cstddef>
#include <cstdint>

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

  /// Work that a device replays writes arrays without a call of theirs: their copies on the host are then out of date.
  void note_replay() { ++replays_; }
  std::uint64_t replays() const { return replays_; }
  /// An array was changed on the host and is uploaded at its next use, which work that is replayed does not have: it is
  /// recorded anew.
  void note_host_write() { ++host_writes_; }
  std::uint64_t host_writes() const { return host_writes_; }

 private:
  std::uint64_t replays_ = 0, host_writes_ = 0;
};

/// Host memory, first touched by the threads of a static loop over it.
Memory& host_memory();

}  // namespace dgtd::parallel
