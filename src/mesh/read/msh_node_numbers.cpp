#include "mesh/read/msh_node_numbers.hpp"

#include <fmt/format.h>

#include <atomic>
#include <limits>

#include "mesh/compact/parallel_algorithms.hpp"

namespace dgtd::mesh {

std::string MshNodeNumbers::set(const std::vector<MshNodes>& nodes) {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::int64_t least = none, highest = 0, twice = none;
  for (const MshNodes& block : nodes) {
    count_ += block.count;
#pragma omp parallel for schedule(static) reduction(min                    \
                                                    : least) reduction(max \
                                                                       : highest) if (block.count > few_iterations)
    for (std::int64_t n = 0; n < block.count; ++n) {
      least = std::min(least, block.number(n));
      highest = std::max(highest, block.number(n));
    }
  }
  if (least < 1) return fmt::format("node {}: tags must be positive", least);
  highest_ = highest;
  if (are_far_apart(count_, highest_)) {
    sorted_.reserve(static_cast<std::size_t>(count_));
    for (const MshNodes& block : nodes)
      for (std::int64_t n = 0; n < block.count; ++n) sorted_.push_back(block.number(n));
    parallel_sort(sorted_);
    if (const auto same = std::adjacent_find(sorted_.begin(), sorted_.end()); same != sorted_.end()) twice = *same;
  } else {
    exists_.assign(static_cast<std::size_t>(highest_) + 1, 0);
    for (const MshNodes& block : nodes) {
#pragma omp parallel for schedule(static) reduction(min : twice) if (block.count > few_iterations)
      for (std::int64_t n = 0; n < block.count; ++n) {
        const std::atomic_ref<unsigned char> exists(exists_[static_cast<std::size_t>(block.number(n))]);
        if (exists.exchange(1, std::memory_order_relaxed) != 0) twice = std::min(twice, block.number(n));
      }
    }
  }
  return twice == none ? "" : fmt::format("node {} is given twice", twice);
}

}  // namespace dgtd::mesh
