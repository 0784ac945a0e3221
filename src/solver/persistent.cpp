#include "dgtd/solver/persistent.hpp"

#include <algorithm>
#include <parallel/algorithm>

namespace dgtd::solver {

void Items::add(std::int64_t number, std::uint64_t place) {
  if (!runs.empty()) {
    ItemRun& last = runs.back();
    const auto count = static_cast<std::uint64_t>(last.count);
    if (number == last.number + last.count && place == last.place + count) {
      ++last.count;
      return;
    }
  }
  runs.push_back({number, 1, place});
}

void Items::sort() {
  const auto before = [](const ItemRun& a, const ItemRun& b) { return a.number < b.number; };
  if (!std::is_sorted(runs.begin(), runs.end(), before)) __gnu_parallel::sort(runs.begin(), runs.end(), before);
}

std::vector<std::uint64_t> offsets_from(std::uint64_t first, std::uint64_t step, std::size_t count) {
  std::vector<std::uint64_t> offsets;
  for (std::size_t i = 0; i < count; ++i) offsets.push_back(first + i * step);
  return offsets;
}

}  // namespace dgtd::solver
