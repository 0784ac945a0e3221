#pragma once
// Affine geometry of one tetrahedron with vertices in ascending global id.
#include <array>

#include "dgtd/base/vec3.hpp"
#include "dgtd/mesh/subdomain.hpp"

namespace dgtd::dg {

struct ElementGeometry {
  std::array<Vec3, 4> vertices;   // m
  std::array<Vec3, 3> edges;      // a_k = x_k - x_0, m
  std::array<Vec3, 3> gradients;  // of the barycentric coordinates l_k; a_i . gradient_k = delta_ik, 1/m
  double determinant;             // J = a_1 . (a_2 x a_3), m^3, negative for half the elements

  ElementGeometry(const mesh::Subdomain& mesh, std::size_t element);
  double volume() const { return std::abs(determinant) / 6; }
  Vec3 centre() const;
  /// Barycentric coordinates of a point.
  std::array<double, 4> barycentric(const Vec3& x) const;
  Vec3 point(const std::array<double, 4>& barycentric) const;
  /// Cartesian vector of covariant components, and back: u_k = v . a_k, v = sum u_k gradient_k.
  Vec3 cartesian(double u1, double u2, double u3) const {
    return u1 * gradients[0] + u2 * gradients[1] + u3 * gradients[2];
  }
};

/// A face: its two edges from its lowest vertex, and its area.
struct FaceGeometry {
  Vec3 edge_a, edge_b;  // m
  double area;          // m^2
  Vec3 normal;          // unit, outward
  FaceGeometry(const ElementGeometry& element, int face);
};

}  // namespace dgtd::dg
