#include "mesh/partition/nonempty_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"

namespace dgtd::mesh {
namespace {

// METIS leaves parts empty where there are few elements for each. Each of them takes one from the largest part, of
// equal ones the first. Returns how many were empty.
int fill_empty_parts(std::vector<PartNumber>& part, int parts) {
  std::vector<std::size_t> count(static_cast<std::size_t>(parts), 0);
  for (const PartNumber p : part) ++count[p];
  const auto empty = static_cast<int>(std::count(count.begin(), count.end(), std::size_t{0}));
  if (empty == 0) return 0;
  std::vector<std::vector<std::size_t>> elements(count.size());
  for (std::size_t e = 0; e < part.size(); ++e) elements[part[e]].push_back(e);
  for (std::size_t p = 0; p < elements.size(); ++p) {
    if (!elements[p].empty()) continue;
    auto& largest = *std::max_element(elements.begin(), elements.end(),
                                      [](const auto& a, const auto& b) { return a.size() < b.size(); });
    part[largest.back()] = static_cast<PartNumber>(p);
    elements[p].push_back(largest.back());
    largest.pop_back();
  }
  return empty;
}

}  // namespace

Partition without_empty_parts(std::vector<PartNumber>&& part, int parts, const std::string& source, bool log) {
  if (const int filled = fill_empty_parts(part, parts); filled > 0 && log)
    log::warn("{}: {} of {} ranks would have no elements, and took one each from others; fewer ranks are faster",
              source, filled, parts);
  return {std::move(part), parts};
}

void require_enough(std::int64_t elements, int parts, const std::string& source) {
  if (parts < 1 || parts > elements)
    throw Error(fmt::format("{}: {} ranks for {} elements; allowed are 1 to {}", source, parts, elements, elements));
  if (parts > std::numeric_limits<PartNumber>::max() + 1)
    throw Error(fmt::format("{}: {} ranks; a mesh of a file is divided among at most 65536", source, parts));
}

}  // namespace dgtd::mesh
