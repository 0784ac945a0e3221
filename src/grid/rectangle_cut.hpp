#pragma once
#include <algorithm>
#include <array>

namespace dgtd::grid {

/// Whether a piece of the segment a b lies in the open rectangle centre +- half (Y.-D. Liang, B. A. Barsky 1984).
inline bool enters_rectangle(const std::array<double, 2>& a, const std::array<double, 2>& b,
                             const std::array<double, 2>& centre, const std::array<double, 2>& half) {
  double first = 0, last = 1;
  for (int i : {0, 1}) {
    const double step = b[i] - a[i], low = centre[i] - half[i] - a[i], high = centre[i] + half[i] - a[i];
    if (step == 0) {
      if (low >= 0 || high <= 0) return false;
      continue;
    }
    first = std::max(first, std::min(low / step, high / step));
    last = std::min(last, std::max(low / step, high / step));
  }
  return first < last;
}

}  // namespace dgtd::grid
