#include "lagrange_values.hpp"

#include <cmath>

namespace dgtd::observers {

// Silvester's product:  phi_i(l) = prod_a prod_{m < i_a} (p l_a - m) / (i_a - m)
void lagrange_values(const std::vector<std::array<double, 4>>& points, int order, const std::array<double, 4>& l,
                     std::span<double> values) {
  for (std::size_t p = 0; p < points.size(); ++p) {
    double value = 1;
    for (int a = 0; a < 4; ++a) {
      const int index = static_cast<int>(std::lround(points[p][a] * order));
      for (int m = 0; m < index; ++m) value *= (order * l[a] - m) / (index - m);
    }
    values[p] = value;
  }
}

}  // namespace dgtd::observers
