#pragma once
// Temporal blocking: an axis cut into pieces that overlap, each of which advances by several steps alone. What a piece
// lacks at its ends spreads inwards by a node a step; the nodes that are still right are those that it stores.
#include "dgtd/base/host_device.hpp"

namespace dgtd::hpf {

struct AxisCut {
  int first, stride, pieces, steps, length;

  /// length: nodes to store; a piece has `total` nodes, of which `unit` that follow each other stay in one thread. A
  /// wall's inner neighbour is in its thread (unit >= 3). Without a wall nodes beyond the end are taken along.
  AxisCut(int unit, int total, int steps_, bool low_wall, bool high_wall, int length_)
      : steps(steps_), length(length_) {
    const int low = low_wall ? 0 : -steps, high = high_wall ? length : length + steps;
    const auto place = [&](int node, int shift) { return ((node - low + shift) % unit + unit) % unit; };
    int shift = 0;
    while ((low_wall && place(0, shift) == unit - 1) || (high_wall && place(length - 1, shift) == 0)) ++shift;
    first = low - shift;
    stride = (total - 2 * steps) / unit * unit;
    pieces = 1;
    if (first + total < high) pieces = stride > 0 ? pieces + (high - first - total + stride - 1) / stride : 0;
  }
  /// Pieces are too short for so many steps.
  bool impossible() const { return pieces == 0; }

  DGTD_HOST_DEVICE int begin(int piece) const { return first + piece * stride; }
  DGTD_HOST_DEVICE int store_first(int piece) const { return piece == 0 ? 0 : begin(piece) + steps; }
  DGTD_HOST_DEVICE int store_end(int piece) const {
    return piece == pieces - 1 ? length : begin(piece) + stride + steps;
  }
};

/// f(Index<k>) for a k that is known at run time only, by halves: an array at k stays in registers.
template <int low, int high, class F>
DGTD_HOST_DEVICE void visit_at(int k, const F& f) {
  if constexpr (high - low == 1) {
    f(Index<low>{});
  } else {
    constexpr int middle = (low + high) / 2;
    if (k < middle) visit_at<low, middle>(k, f);
    else visit_at<middle, high>(k, f);
  }
}

}  // namespace dgtd::hpf
