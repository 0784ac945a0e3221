#include "dgtd/mesh/curved_element.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dgtd::mesh {

double determinant_ratio(const Tetrahedron& straight, const CurvedElement& curved) {
  constexpr int parts = 4;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (int i = 0; i <= parts; ++i)
    for (int j = 0; i + j <= parts; ++j)
      for (int k = 0; i + j + k <= parts; ++k) {
        const double l1 = double(i) / parts, l2 = double(j) / parts, l3 = double(k) / parts;
        const double J = determinant_at(straight, curved, {1 - l1 - l2 - l3, l1, l2, l3});
        low = std::min(low, J), high = std::max(high, J);
      }
  return low > 0 ? low / high : high < 0 ? high / low : -std::min(std::abs(low), std::abs(high)) / std::max(-low, high);
}

// A. H. Stroud, Approximate Calculation of Multiple Integrals (1971), T3: 3-6 (five points).
double curved_volume(const Tetrahedron& straight, const CurvedElement& curved) {
  constexpr double a = 0.5, b = 1.0 / 6;
  double sum = -0.8 * determinant_at(straight, curved, {0.25, 0.25, 0.25, 0.25});
  for (int v = 0; v < 4; ++v) {
    std::array<double, 4> l{b, b, b, b};
    l[static_cast<std::size_t>(v)] = a;
    sum += 0.45 * determinant_at(straight, curved, l);
  }
  return std::abs(sum) / 6;
}

}  // namespace dgtd::mesh
