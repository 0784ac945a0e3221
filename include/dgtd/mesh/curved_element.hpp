#pragma once
// Tetrahedra of second order. With barycentric coordinates l_v, vertices x_v and the middles x_ij of its edges such an
// element is
//   x(l) = sum_v l_v x_v + 4 sum_{i<j} d_ij l_i l_j,   d_ij = x_ij - (x_i + x_j) / 2,
// where the bends d_ij are zero for straight edges.
#include <array>
#include <cstddef>
#include <cstdint>

#include "dgtd/base/vec3.hpp"
#include "dgtd/mesh/tetrahedron.hpp"

namespace dgtd::mesh {

/// Surface group of an edge that lies in none, in several, or between two volume groups.
inline constexpr std::uint16_t no_single_surface = 0xffff;

struct CurvedElement {
  std::array<Vec3, 6> bend;               // [edges] m, in the order of edge_corners
  std::array<std::uint16_t, 6> surface{no_single_surface, no_single_surface, no_single_surface,
                                       no_single_surface, no_single_surface, no_single_surface};  // [edges]
  std::array<std::uint16_t, 2> unused{};  // no bytes without a value: elements are parts of files

  bool operator==(const CurvedElement&) const = default;
  bool is_straight() const {
    for (const Vec3& d : bend)
      if (d != Vec3{}) return false;
    return true;
  }
  /// x(l) without the straight part, m.
  Vec3 offset(const std::array<double, 4>& l) const {
    Vec3 sum;
    for (std::size_t e = 0; e < 6; ++e)
      sum += (4 * l[static_cast<std::size_t>(edge_corners[e].first)] *
              l[static_cast<std::size_t>(edge_corners[e].second)]) * bend[e];
    return sum;
  }
  /// Additions to the tangents a_k = dx / dl_k, k = 1, 2, 3, of the straight element: 4 sum d_ij d(l_i l_j) / dl_k
  /// with dl_0 / dl_k = -1. m
  std::array<Vec3, 3> tangent_offsets(const std::array<double, 4>& l) const {
    std::array<Vec3, 3> sum{};
    for (std::size_t e = 0; e < 6; ++e) {
      const auto [i, j] = edge_corners[e];
      for (int k = 1; k < 4; ++k) {
        const double di = i == 0 ? -1 : i == k, dj = j == k;  // j > i, so that it is never vertex 0
        sum[static_cast<std::size_t>(k - 1)] +=
            (4 * (di * l[static_cast<std::size_t>(j)] + dj * l[static_cast<std::size_t>(i)])) * bend[e];
      }
    }
    return sum;
  }
};

/// J = a_1 . (a_2 x a_3) of an element at a point, m3.
inline double determinant_at(const Tetrahedron& straight, const CurvedElement& curved, const std::array<double, 4>& l) {
  std::array<Vec3, 3> a = curved.tangent_offsets(l);
  for (std::size_t k = 0; k < 3; ++k) a[k] += straight.corners[k + 1] - straight.corners[0];
  return dot(a[0], cross(a[1], a[2]));
}

/// Smallest over largest J at the points of a lattice of 35, the ten nodes among them; negative where the sign differs.
/// 1 for a straight element.
double determinant_ratio(const Tetrahedron& straight, const CurvedElement& curved);

/// m3: the integral of |J|, which is exact since J has degree 3.
double curved_volume(const Tetrahedron& straight, const CurvedElement& curved);

}  // namespace dgtd::mesh
