#pragma once
// Numbers that tell objects apart for good, where an address may be used again: for answers that are kept.
#include <atomic>
#include <cstdint>

namespace dgtd::grid {

/// Never 0, and never the same again.
inline std::uint64_t new_identity() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace dgtd::grid
