#pragma once
// Measures of one tetrahedron.
#include <algorithm>
#include <array>
#include <cmath>

#include "dgtd/base/vec3.hpp"

namespace dgtd::mesher {

/// det(b - a, c - a, d - a) / 6, m3.
inline double signed_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return dot(cross(b - a, c - a), d - a) / 6;
}

struct TetrahedronShape {
  double inradius;  // m; negative with the volume
  double shape;     // 2 sqrt(6) inradius / longest edge: 1 for the regular tetrahedron
};

/// r = 3 V / S
inline TetrahedronShape shape_of(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 ab = b - a, ac = c - a, ad = d - a, bc = c - b, bd = d - b, cd = d - c;
  const Vec3 abc = cross(ab, ac);
  const double six_volumes = dot(abc, ad);
  const double two_areas = norm(abc) + norm(cross(ab, ad)) + norm(cross(ac, ad)) + norm(cross(bc, bd));
  const double longest2 = std::max({dot(ab, ab), dot(ac, ac), dot(ad, ad), dot(bc, bc), dot(bd, bd), dot(cd, cd)});
  const double inradius = two_areas > 0 ? six_volumes / two_areas : 0;
  constexpr double of_regular = 4.898979485566356;  // 2 sqrt(6)
  return {inradius, longest2 > 0 ? of_regular * inradius / std::sqrt(longest2) : 0};
}

}  // namespace dgtd::mesher
