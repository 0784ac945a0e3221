#pragma once
// Large arrays that a checkpoint keeps, described by the global numbers of their items, so that what is stored does not
// depend on ranks, threads, back end or the layout in memory. A solver lists its arrays once.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dgtd/parallel/array.hpp"

namespace dgtd::solver {

/// Items whose numbers follow each other, and whose values follow each other in the arrays that have them.
struct ItemRun {
  std::int64_t number = 0;  // of the first item, the same on any number of ranks
  std::int64_t count = 0;
  std::uint64_t place = 0;  // of the first item in an array; the next one's is place + 1
};

/// The items of one kind that this rank has: elements, cells, samples.
struct Items {
  std::string name;
  std::int64_t end = 0;       // all numbers are below
  bool complete = false;      // every number below is on exactly one rank; else on one at most
  std::vector<ItemRun> runs;  // ascending in number

  /// Adds an item whose number is above those before. Joins it to the last run where it follows it.
  void add(std::int64_t number, std::uint64_t place);
  /// For items that were added in another order; by all threads.
  void sort();
};

/// An array of real numbers in which each item has so many values: value v of an item at place p is
/// array[p + offsets[v]]. What else the array has, such as ghosts and padding, is not kept.
struct PersistentArray {
  std::string name;
  std::shared_ptr<const Items> items;
  std::vector<std::uint64_t> offsets;  // [values per item]
  std::size_t value_bytes = 0;         // 4 or 8
  std::function<const void*()> read;   // the array on the host
  std::function<void*()> write;        // the same, to be changed
  std::function<void()> release;       // frees the host's copy
  bool may_be_absent = false;          // a file without it leaves it as it is
};

template <class Real>
PersistentArray persistent(std::string name, std::shared_ptr<const Items> items, parallel::Array<Real>& array,
                           std::vector<std::uint64_t> offsets) {
  return {std::move(name),
          std::move(items),
          std::move(offsets),
          sizeof(Real),
          [&array]() -> const void* { return array.host(); },
          [&array]() -> void* { return array.host_for_writing(); },
          [&array] { array.release_host_copy(); },
          false};
}

/// first, first + step, ...: [count]
std::vector<std::uint64_t> offsets_from(std::uint64_t first, std::uint64_t step, std::size_t count);

}  // namespace dgtd::solver
