#include "dgtd/parallel/memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

#include "dgtd/base/error.hpp"

namespace dgtd::parallel {

namespace {

constexpr std::size_t line = 64, huge_page = std::size_t{2} << 20;  // bytes

class HostMemory final : public Memory {
 public:
  bool is_host() const override { return true; }
  void* allocate(std::size_t bytes) override {
    const std::size_t rounded = (bytes + line - 1) / line * line;
    // aligned_alloc asks for whole multiples of the alignment; pages that nobody touches take no memory.
    const std::size_t alignment = rounded < huge_page ? line : huge_page;
    auto* const at = static_cast<unsigned char*>(
        std::aligned_alloc(alignment, (rounded + alignment - 1) / alignment * alignment));
    if (at == nullptr && bytes > 0)
      throw Error(ExitCode::out_of_memory,
                  fmt::format("out of memory: {} bytes of host memory cannot be allocated", bytes));
    // Fields are read in rows of planes, each in other pages: with pages of 4 kB there are more of them
    // than the processor has entries for (TLB). The rest behind the last whole one stays in small pages; an error
    // changes nothing but the speed.
    if (at != nullptr && rounded >= huge_page) (void)madvise(at, rounded / huge_page * huge_page, MADV_HUGEPAGE);
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
