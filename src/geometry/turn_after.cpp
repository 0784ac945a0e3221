#include "dgtd/geometry/turn_after.hpp"

#include <cmath>

namespace dgtd::geometry {
namespace {

double entry_of_product(const Rotation& first, const Rotation& second, int row, int column) {
  Vec3 unit;
  unit[column] = 1;
  return dot(second.row(row), first(unit));
}

}  // namespace

// R - R^T = 2 sin(phi) [k]x and R + R^T = 2 cos(phi) 1 + 2 (1 - cos(phi)) k k^T; beyond a quarter turn the second one gives
// the axis.
Turn turn_after(const Turn& first, const Turn& second) {
  const Rotation r1(first), r2(second);
  const auto r = [&](int row, int column) { return entry_of_product(r1, r2, row, column); };
  const Vec3 twice_sine{r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)};
  const double twice_cosine = r(0, 0) + r(1, 1) + r(2, 2) - 1, angle = std::atan2(norm(twice_sine), twice_cosine);
  if (angle == 0) return {};
  if (twice_cosine > 0) return {twice_sine / norm(twice_sine), angle};
  int largest = 0;
  for (const int a : {1, 2})
    if (r(a, a) > r(largest, largest)) largest = a;
  Vec3 axis;
  for (int a = 0; a < 3; ++a)
    axis[a] = 0.5 * (r(a, largest) + r(largest, a)) - (a == largest ? 0.5 * twice_cosine : 0);
  axis = axis / norm(axis);
  return {dot(axis, twice_sine) < 0 ? -1.0 * axis : axis, angle};
}

}  // namespace dgtd::geometry
