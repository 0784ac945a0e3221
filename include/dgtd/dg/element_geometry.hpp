#pragma once
// Geometry of one tetrahedron with vertices in ascending global id: that of its straight edges, and that at points of a
// curved one.
#include <array>

#include "dgtd/base/vec3.hpp"
#include "dgtd/mesh/subdomain.hpp"

namespace dgtd::dg {

/// At a point of an element; the same at all points of a straight one.
struct PointGeometry {
  std::array<Vec3, 3> edges;      // a_k = dx / dl_k, m
  std::array<Vec3, 3> gradients;  // of the barycentric coordinates, 1/m
  double determinant;             // J, m^3

  /// Cartesian vector of covariant components there.
  Vec3 cartesian(double u1, double u2, double u3) const {
    return u1 * gradients[0] + u2 * gradients[1] + u3 * gradients[2];
  }
};

struct ElementGeometry {
  std::array<Vec3, 4> vertices;   // m
  std::array<Vec3, 3> edges;      // a_k = x_k - x_0, m
  std::array<Vec3, 3> gradients;  // of the barycentric coordinates l_k; a_i . gradient_k = delta_ik, 1/m
  double determinant;             // J = a_1 . (a_2 x a_3), m^3, negative for half the elements

  const mesh::CurvedElement* curved;  // null: straight; all members above are those of the straight edges

  ElementGeometry(const mesh::Subdomain& mesh, std::size_t element);
  /// Volume of the curved element, m3.
  double volume() const;
  Vec3 centre() const;
  /// Geometry of the curved element at a point; that of the straight one where it is straight.
  PointGeometry at(const std::array<double, 4>& barycentric) const;
  /// Barycentric coordinates of a point; of a curved element by Newton's method from those of the straight one.
  std::array<double, 4> barycentric(const Vec3& x) const;
  Vec3 point(const std::array<double, 4>& barycentric) const;
  /// Cartesian vector of covariant components, and back: u_k = v . a_k, v = sum u_k gradient_k.
  Vec3 cartesian(double u1, double u2, double u3) const {
    return u1 * gradients[0] + u2 * gradients[1] + u3 * gradients[2];
  }
};

/// G_ik = a_i . a_k / J in the order 11, 12, 13, 22, 23, 33, 1/m. Geometry: either of the above.
template <class Geometry>
std::array<double, 6> metric_of(const Geometry& g) {
  std::array<double, 6> G;
  for (std::size_t i = 0, entry = 0; i < 3; ++i)
    for (std::size_t k = i; k < 3; ++k, ++entry) G[entry] = dot(g.edges[i], g.edges[k]) / g.determinant;
  return G;
}

/// A face: its two edges from its lowest vertex, and its area.
struct FaceGeometry {
  Vec3 edge_a, edge_b;  // m
  double area;          // m^2
  Vec3 normal;          // unit, outward
  FaceGeometry(const ElementGeometry& element, int face);
};

}  // namespace dgtd::dg
