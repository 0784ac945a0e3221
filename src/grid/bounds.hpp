#pragma once
// Points and boxes against the bounds of a solid.
#include "dgtd/grid/solid.hpp"

namespace dgtd::grid {

/// Whether the point is in the bounds or on their surface.
inline bool holds_point(const Bounds& bounds, const Vec3& x) {
  for (int a = 0; a < 3; ++a)
    if (x[a] < bounds.low[a] || x[a] > bounds.high[a]) return false;
  return true;
}

/// How much of the box is in the bounds; none if they only touch.
inline Cover cover_by(const Bounds& bounds, const Bounds& box) {
  Cover cover = Cover::all;
  for (int a = 0; a < 3; ++a) {
    if (box.low[a] >= bounds.high[a] || box.high[a] <= bounds.low[a]) return Cover::none;
    if (box.low[a] < bounds.low[a] || box.high[a] > bounds.high[a]) cover = Cover::part;
  }
  return cover;
}

}  // namespace dgtd::grid
