#pragma once
#include <cmath>
#include <vector>

#include "dgtd/grid/solid.hpp"

namespace dgtd::grid {

/// m3, by n x n lines along an axis through the middles of a raster over the solid's bounds.
inline double volume_by_lines(const Solid& solid, int axis, int n) {
  const Bounds box = solid.bounds();
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  double sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      Vec3 x;
      x[u] = std::lerp(box.low[u], box.high[u], (i + 0.5) / n);
      x[v] = std::lerp(box.low[v], box.high[v], (j + 0.5) / n);
      std::vector<Interval> pieces;
      solid.add_crossings(x, axis, 1e9, pieces);
      for (const Interval& t : pieces) sum += t.high - t.low;
    }
  const Vec3 size = box.high - box.low;
  return sum * size[u] * size[v] / (n * n);
}

}  // namespace dgtd::grid
