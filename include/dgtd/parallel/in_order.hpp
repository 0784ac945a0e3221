#pragma once
// Lists that threads make together, in the order of one thread.
#include <algorithm>
#include <cstddef>
#include <deque>
#include <vector>

#include "dgtd/base/first_exception.hpp"

namespace dgtd::parallel {

/// Items that work(i, list) appends to `list` for i = 0 ... count - 1, in the order of i. A thread takes ranges of i,
/// each of which has a list of its own. work must be safe to call from several threads; its exceptions are passed on.
template <class T, class Work>
std::vector<T> collect_in_order(std::size_t count, const Work& work) {
  constexpr std::size_t parts = 256;        // at most so many threads have work
  std::vector<std::deque<T>> lists(parts);  // a deque is not twice as large as it must be
  FirstException error;
#pragma omp parallel for schedule(static)
  for (std::size_t part = 0; part < parts; ++part)
    error.catch_from([&] {
      for (std::size_t i = part * count / parts; i < (part + 1) * count / parts; ++i) work(i, lists[part]);
    });
  error.rethrow();
  std::vector<std::size_t> first(parts + 1, 0);
  for (std::size_t part = 0; part < parts; ++part) first[part + 1] = first[part] + lists[part].size();
  std::vector<T> all(first[parts]);
#pragma omp parallel for schedule(static)
  for (std::size_t part = 0; part < parts; ++part) {
    std::copy(lists[part].begin(), lists[part].end(), all.begin() + static_cast<std::ptrdiff_t>(first[part]));
    std::deque<T>().swap(lists[part]);
  }
  return all;
}

}  // namespace dgtd::parallel
