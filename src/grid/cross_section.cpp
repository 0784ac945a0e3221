#include "dgtd/grid/cross_section.hpp"

#include <algorithm>

namespace dgtd::grid {

double CrossSection::dual_length(int axis, int node) const {
  const auto& x = at[axis];
  const auto n = static_cast<std::size_t>(node);
  return 0.5 * (x[std::min(n + 1, x.size() - 1)] - x[n > 0 ? n - 1 : 0]);
}

int CrossSection::number_of(const Vec3& place, int axis) const {
  int at_axis[2];
  for (const int w : {0, 1}) {
    const std::vector<double>& nodes = at[w];
    const double x = place[axes[w]];
    const auto above = std::upper_bound(nodes.begin(), nodes.end(), x) - nodes.begin();
    const auto cell = std::clamp<std::ptrdiff_t>(above - 1, 0, std::ptrdiff_t(nodes.size()) - 2);
    const double share = (x - nodes[std::size_t(cell)]) / length(w, static_cast<int>(cell));
    at_axis[w] = static_cast<int>(cell) + (axis != w && share > 0.5 ? 1 : 0);
  }
  return number(at_axis[0], at_axis[1]);
}

}  // namespace dgtd::grid
