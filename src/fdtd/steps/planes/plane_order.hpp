#pragma once
// Lists of components in the order in which passes over a block meet them: plane by plane, row by row.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "dgtd/fdtd/layout.hpp"

namespace dgtd::fdtd {

/// First entries next to a halo, then the others; each part by planes, in a plane by rows.
class PlaneOrder {
 public:
  PlaneOrder() = default;
  /// index: [n] in [component][reals]; is_next_to_halo(i, j, k) of a cell.
  template <class IsNextToHalo>
  PlaneOrder(const GridLayout& layout, const std::vector<std::uint64_t>& index, const IsNextToHalo& is_next_to_halo)
      : planes_(layout.cells[2]), first_(2 * static_cast<std::size_t>(planes_) + 1, 0), row_(index.size()) {
    std::vector<std::size_t> group(
        index.size());  // [entry] in which it stands; rows stand in row_ until they are sorted
    for (std::size_t n = 0; n < index.size(); ++n) {
      const auto [i, j, k] =
          layout.cell_at(static_cast<std::int64_t>(index[n] % static_cast<std::uint64_t>(layout.reals)));
      group[n] = static_cast<std::size_t>((is_next_to_halo(i, j, k) ? 0 : planes_) + k);
      row_[n] = j;
      ++first_[group[n] + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    entry_.resize(index.size());
    std::iota(entry_.begin(), entry_.end(), std::size_t{0});
    std::stable_sort(entry_.begin(), entry_.end(), [&](std::size_t a, std::size_t b) {
      return group[a] != group[b] ? group[a] < group[b] : row_[a] < row_[b];
    });
    row_ = sorted(row_);
  }

  /// Values of the entries in this order.
  template <class T>
  std::vector<T> sorted(const std::vector<T>& values) const {
    std::vector<T> result;
    if (values.empty()) return result;
    result.reserve(values.size());
    for (const std::size_t n : entry_) result.push_back(values[n]);
    return result;
  }
  /// Entry at a place of this order.
  std::size_t entry(std::int64_t place) const { return entry_[static_cast<std::size_t>(place)]; }
  /// Places of entries next to a halo: from 0 to before this one.
  std::int64_t next_to_halo() const { return first_[static_cast<std::size_t>(planes_)]; }
  /// Places of other entries of plane k: from first_of(k) to before first_of(k + 1).
  std::int64_t first_of(int k) const { return first_[static_cast<std::size_t>(planes_ + k)]; }
  /// visit(place) for the entries of plane k in rows first_row to end_row - 1.
  template <class Visit>
  void for_rows(int k, int first_row, int end_row, const Visit& visit) const {
    for (const int group : {k, planes_ + k}) {
      const auto begin = row_.begin() + first_[static_cast<std::size_t>(group)],
                 end = row_.begin() + first_[static_cast<std::size_t>(group) + 1];
      for (auto row = std::lower_bound(begin, end, first_row); row != end && *row < end_row; ++row)
        visit(row - row_.begin());
    }
  }

 private:
  int planes_ = 0;
  std::vector<std::int64_t> first_;  // [2 planes + 1] where planes begin: of entries next to a halo, of the others
  std::vector<int> row_;             // [n] in this order
  std::vector<std::size_t> entry_;   // [n]
};

}  // namespace dgtd::fdtd
