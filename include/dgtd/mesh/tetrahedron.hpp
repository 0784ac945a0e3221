#pragma once
// Measures of one tetrahedron. All modules use these formulas, so that qualities from different places compare.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "dgtd/base/vec3.hpp"

namespace dgtd::mesh {

/// The two corners of each edge.
inline constexpr std::array<std::pair<int, int>, 6> edge_corners{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

struct TetrahedronShape {
  double inradius;  // m; negative with the volume
  double shape;     // 2 sqrt(6) inradius / longest edge: 1 for the regular tetrahedron
};

struct Tetrahedron {
  std::array<Vec3, 4> corners;  // m

  /// The one with these corners among the points.
  template <class Index>
  static Tetrahedron at(const std::vector<Vec3>& points, const std::array<Index, 4>& corners) {
    const auto point = [&](int c) -> const Vec3& { return points[static_cast<std::size_t>(corners[c])]; };
    return {{point(0), point(1), point(2), point(3)}};
  }

  /// det(b - a, c - a, d - a) / 6, m3: positive if d is on the side of triangle abc that cross(b - a, c - a) points to.
  double signed_volume() const {
    const auto& [a, b, c, d] = corners;
    return dot(cross(b - a, c - a), d - a) / 6;
  }

  /// m3
  double volume() const { return std::abs(signed_volume()); }

  Vec3 centroid() const { return 0.25 * (corners[0] + corners[1] + corners[2] + corners[3]); }

  /// The area of the face opposite a corner, m2.
  double face_area(int opposite) const {
    const Vec3 &p = corners[(opposite + 1) % 4], &q = corners[(opposite + 2) % 4], &r = corners[(opposite + 3) % 4];
    return 0.5 * norm(cross(q - p, r - p));
  }

  /// m
  double longest_edge() const {
    const auto& [a, b, c, d] = corners;
    const Vec3 ab = b - a, ac = c - a, ad = d - a, bc = c - b, bd = d - b, cd = d - c;
    return std::sqrt(std::max({dot(ab, ab), dot(ac, ac), dot(ad, ad), dot(bc, bc), dot(bd, bd), dot(cd, cd)}));
  }

  /// r = 3 V / S with the surface S; 0 for a flat tetrahedron.
  TetrahedronShape shape() const {
    const auto& [a, b, c, d] = corners;
    const Vec3 ab = b - a, ac = c - a, ad = d - a;
    const Vec3 abc = cross(ab, ac);
    const double six_volumes = dot(abc, ad);
    const double two_areas = norm(abc) + norm(cross(ab, ad)) + norm(cross(ac, ad)) + norm(cross(c - b, d - b));
    const double longest = longest_edge(), inradius = two_areas > 0 ? six_volumes / two_areas : 0;
    constexpr double of_regular = 4.898979485566356;  // 2 sqrt(6)
    return {inradius, longest > 0 ? of_regular * inradius / longest : 0};
  }
};

}  // namespace dgtd::mesh
