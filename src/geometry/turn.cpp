#include "dgtd/geometry/turn.hpp"

#include <algorithm>
#include <cmath>

namespace dgtd::geometry {
namespace {

double without_rounding(double element) {
  constexpr double rounding = 1e-15;
  const double nearest = std::round(element);
  return std::abs(element - nearest) < rounding ? nearest : element;
}

}  // namespace

// R = cos(phi) 1 + sin(phi) [k]x + (1 - cos(phi)) k k^T with the unit vector k (O. Rodrigues, J. Math. Pures Appl. 5
// (1840) 380).
Rotation::Rotation(const Turn& turn) {
  const Vec3& k = turn.axis;
  const double c = std::cos(turn.angle), s = std::sin(turn.angle);
  for (int i = 0; i < 3; ++i) {
    Vec3 unit, &row = rows_[static_cast<std::size_t>(i)];
    unit[i] = 1;
    row = c * unit - s * cross(k, unit) + ((1 - c) * k[i]) * k;
    for (int j = 0; j < 3; ++j) row[j] = without_rounding(row[j]);
  }
}

Rotation Rotation::of_z_to(const Vec3& direction) {
  const Vec3 z{0, 0, 1}, across = cross(z, direction);
  const double sine = norm(across);
  return Rotation({sine > 0 ? across / sine : Vec3{1, 0, 0}, std::atan2(sine, direction.z)});
}

Vec3 Rotation::box_around(const Vec3& half) const {
  Vec3 around;
  for (int a = 0; a < 3; ++a)
    around[a] = std::abs(row(a).x) * half.x + std::abs(row(a).y) * half.y + std::abs(row(a).z) * half.z;
  return around;
}

bool Rotation::permutes_axes() const {
  return std::all_of(rows_.begin(), rows_.end(), [](const Vec3& r) { return (r.x != 0) + (r.y != 0) + (r.z != 0) == 1; });
}

}  // namespace dgtd::geometry
