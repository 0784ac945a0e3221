#pragma once
// Sorting, searching and numbering by all threads, with results that do not depend on their number.
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "dgtd/base/uninitialised.hpp"

namespace dgtd::mesh {

/// Iterations of a loop below which starting threads takes longer than they save.
inline constexpr std::int64_t few_iterations = 10'000;

/// The lowest index below count for which is_bad holds; count if there is none.
template <class Predicate>
std::int64_t lowest(std::int64_t count, const Predicate& is_bad) {
  std::int64_t first = count;
#pragma omp parallel for schedule(static) reduction(min : first) if (count > few_iterations)
  for (std::int64_t i = 0; i < count; ++i)
    if (i < first && is_bad(i)) first = i;
  return first;
}

/// Elements of a among the first k of the merged sequence of a and b.
template <class T>
std::size_t merge_split(const T* a, std::size_t a_size, const T* b, std::size_t b_size, std::size_t k) {
  std::size_t low = k > b_size ? k - b_size : 0, high = std::min(k, a_size);
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (b[k - middle - 1] < a[middle]) high = middle;
    else low = middle + 1;
  }
  return low;
}

/// Ascending. Values that are equal must not differ.
template <class T>
void parallel_sort(std::vector<T>& values) {
  constexpr std::size_t worth_it = 1 << 14;
  std::size_t pieces = 1;
  while (pieces < static_cast<std::size_t>(omp_get_max_threads())) pieces *= 2;
  if (pieces == 1 || values.size() < worth_it) return std::sort(values.begin(), values.end());

  const std::size_t size = values.size();
  const auto bound = [&](std::size_t piece) { return size / pieces * piece + std::min(piece, size % pieces); };
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t p = 0; p < pieces; ++p)
    std::sort(values.begin() + static_cast<std::ptrdiff_t>(bound(p)),
              values.begin() + static_cast<std::ptrdiff_t>(bound(p + 1)));
  UninitialisedVector<T> merged(size);
  T *from = values.data(), *to = merged.data();
  for (std::size_t width = 1; width < pieces; width *= 2) {
    // Every pair of runs is merged in 2 width parts of equal length, so that all threads have work.
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t p = 0; p < pieces; ++p) {
      const std::size_t pair = p / (2 * width) * (2 * width), part = p - pair;
      const T *const a = from + bound(pair), *const b = from + bound(pair + width),
                     *const end = from + bound(pair + 2 * width);
      const auto a_size = static_cast<std::size_t>(b - a), b_size = static_cast<std::size_t>(end - b);
      const std::size_t first = (a_size + b_size) * part / (2 * width),
                        last = (a_size + b_size) * (part + 1) / (2 * width);
      const std::size_t i = merge_split(a, a_size, b, b_size, first), j = merge_split(a, a_size, b, b_size, last);
      std::merge(a + i, a + j, b + (first - i), b + (last - j), to + bound(pair) + first);
    }
    std::swap(from, to);
  }
  if (from == values.data()) return;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < size; ++i) to[i] = from[i];
}

/// Zeros, of which only those that are used occupy memory.
class SparseTable {
 public:
  explicit SparseTable(std::size_t size)
      : data_(static_cast<std::uint32_t*>(std::calloc(std::max<std::size_t>(size, 1), sizeof(std::uint32_t))),
              &std::free) {
    if (data_ == nullptr) throw std::bad_alloc();
  }
  std::uint32_t& operator[](std::size_t i) { return data_.get()[i]; }
  const std::uint32_t& operator[](std::size_t i) const { return data_.get()[i]; }

 private:
  std::unique_ptr<std::uint32_t, decltype(&std::free)> data_;
};

/// Numbers slots in the order in which a list of count < 2^32 - 1 entries first names them: slot_of(i) is the slot of
/// entry i. Returns the slots in that order; number, all zero before, gets the number of each.
template <class SlotOf>
std::vector<std::uint32_t> number_by_first_use(std::int64_t count, const SlotOf& slot_of, SparseTable& number) {
  // The first entry that names a slot is the one with the largest complement, which is not zero.
#pragma omp parallel for schedule(static) if (count > few_iterations)
  for (std::int64_t i = 0; i < count; ++i) {
    const auto mine = ~static_cast<std::uint32_t>(i);
    const std::atomic_ref<std::uint32_t> entry(number[slot_of(i)]);
    std::uint32_t now = entry.load(std::memory_order_relaxed);
    while (now < mine && !entry.compare_exchange_weak(now, mine, std::memory_order_relaxed)) {}
  }
  const int pieces = count > few_iterations ? omp_get_max_threads() : 1;
  std::vector<std::vector<std::uint32_t>> found(static_cast<std::size_t>(pieces));
#pragma omp parallel for schedule(static, 1) if (pieces > 1)
  for (int p = 0; p < pieces; ++p)
    for (std::int64_t i = count * p / pieces; i < count * (p + 1) / pieces; ++i)
      if (const auto slot = slot_of(i); number[slot] == ~static_cast<std::uint32_t>(i))
        found[static_cast<std::size_t>(p)].push_back(static_cast<std::uint32_t>(slot));
  std::vector<std::size_t> first(static_cast<std::size_t>(pieces) + 1, 0);
  for (std::size_t p = 0; p < found.size(); ++p) first[p + 1] = first[p] + found[p].size();
  std::vector<std::uint32_t> slots(first.back());
#pragma omp parallel for schedule(static, 1) if (pieces > 1)
  for (int p = 0; p < pieces; ++p) {
    std::size_t next = first[static_cast<std::size_t>(p)];
    for (const std::uint32_t slot : found[static_cast<std::size_t>(p)]) {
      number[slot] = static_cast<std::uint32_t>(next);
      slots[next++] = slot;
    }
  }
  return slots;
}

}  // namespace dgtd::mesh
