#pragma once
// Destination of the values of a send list: one buffer, or directly the memory of several neighbours.
#include <cstdint>

#include "dgtd/base/host_device.hpp"

namespace dgtd::parallel {

template <class Real>
struct SendView {
  /// The values from index first on are at `values`.
  struct Piece {
    std::int64_t first;
    Real* values;
  };
  Real* buffer = nullptr;         // all values, where there are no pieces
  const Piece* pieces = nullptr;  // [count] by ascending index
  int count = 0;

  /// The address of value i; the values of one message are contiguous.
  DGTD_HOST_DEVICE Real* at(std::int64_t i) const {
    if (count == 0) return buffer + i;
    int p = 0;
    while (p + 1 < count && pieces[p + 1].first <= i) ++p;
    return pieces[p].values + (i - pieces[p].first);
  }
};

}  // namespace dgtd::parallel
