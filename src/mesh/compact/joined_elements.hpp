#pragma once
// Elements of a mesh that are joined, two at a time: a forest, in which what is joined is a tree.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <vector>

namespace dgtd::mesh {

/// All threads may join at once: a first element that is not the first of the joined tree is replaced by an earlier one,
/// atomically. The result is the same for any order.
class JoinedElements {
 public:
  explicit JoinedElements(std::size_t elements) : parent_(elements) { std::iota(parent_.begin(), parent_.end(), 0u); }

  std::size_t elements() const { return parent_.size(); }
  /// The first element of all that is joined to e.
  std::uint32_t first(std::uint32_t e) {
    for (;;) {
      const std::uint32_t up = parent(e).load(std::memory_order_relaxed);
      if (up == e) return e;
      const std::uint32_t above = parent(up).load(std::memory_order_relaxed);
      if (above != up) {
        std::uint32_t expected = up;
        parent(e).compare_exchange_weak(expected, above, std::memory_order_relaxed);
      }
      e = up;
    }
  }
  void join(std::uint32_t a, std::uint32_t b) {
    for (;;) {
      a = first(a);
      b = first(b);
      if (a == b) return;
      std::uint32_t later = std::max(a, b);
      if (parent(later).compare_exchange_strong(later, std::min(a, b), std::memory_order_relaxed)) return;
    }
  }

 private:
  std::atomic_ref<std::uint32_t> parent(std::uint32_t e) { return std::atomic_ref(parent_[e]); }

  std::vector<std::uint32_t> parent_;  // [elements] an earlier element of the same tree, or itself
};

}  // namespace dgtd::mesh
