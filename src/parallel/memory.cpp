#include "dgtd/parallel/memory.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "dgtd/base/error.hpp"

namespace dgtd::parallel {

namespace {

class HostMemory final : public Memory {
 public:
  bool is_host() const override { return true; }
  void* allocate(std::size_t bytes) override {
    const std::size_t rounded = (bytes + 63) / 64 * 64;
    auto* const at = static_cast<unsigned char*>(std::aligned_alloc(64, rounded));
    if (at == nullptr && bytes > 0)
      throw Error(ExitCode::out_of_memory,
                  fmt::format("out of memory: {} bytes of host memory cannot be allocated", bytes));
    // Each thread touches the part that it will update, so that the memory is near it.
    const auto pages = static_cast<std::ptrdiff_t>((rounded + 4095) / 4096);
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t page = 0; page < pages; ++page) {
      const std::size_t start = std::size_t(page) * 4096;
      std::memset(at + start, 0, rounded - start < 4096 ? rounded - start : 4096);
    }
    return at;
  }
  void release(void* at) noexcept override { std::free(at); }
  void download(void* host, const void* device, std::size_t bytes) override { std::memcpy(host, device, bytes); }
  void upload(void* device, const void* host, std::size_t bytes) override { std::memcpy(device, host, bytes); }
};

}  // namespace

Memory& host_memory() {
  static HostMemory memory;
  return memory;
}

}  // namespace dgtd::parallel
