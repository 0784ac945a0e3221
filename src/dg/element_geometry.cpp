#include "dgtd/dg/element_geometry.hpp"

#include "dgtd/dg/field_layout.hpp"

namespace dgtd::dg {

ElementGeometry::ElementGeometry(const mesh::Subdomain& mesh, std::size_t element) {
  for (int v = 0; v < 4; ++v) vertices[v] = mesh.vertex(element, v);
  for (int k = 0; k < 3; ++k) edges[k] = vertices[k + 1] - vertices[0];
  determinant = dot(edges[0], cross(edges[1], edges[2]));
  for (int k = 0; k < 3; ++k) gradients[k] = cross(edges[(k + 1) % 3], edges[(k + 2) % 3]) / determinant;
}

Vec3 ElementGeometry::centre() const { return 0.25 * (vertices[0] + vertices[1] + vertices[2] + vertices[3]); }

std::array<double, 4> ElementGeometry::barycentric(const Vec3& x) const {
  const Vec3 r = x - vertices[0];
  const double l1 = dot(gradients[0], r), l2 = dot(gradients[1], r), l3 = dot(gradients[2], r);
  return {1 - l1 - l2 - l3, l1, l2, l3};
}

Vec3 ElementGeometry::point(const std::array<double, 4>& l) const {
  return l[0] * vertices[0] + l[1] * vertices[1] + l[2] * vertices[2] + l[3] * vertices[3];
}

FaceGeometry::FaceGeometry(const ElementGeometry& element, int face) {
  const auto& v = face_vertices[face];
  edge_a = element.vertices[v[1]] - element.vertices[v[0]];
  edge_b = element.vertices[v[2]] - element.vertices[v[0]];
  const Vec3 n = cross(edge_a, edge_b);
  area = 0.5 * norm(n);
  const bool outward = dot(n, element.vertices[v[0]] - element.vertices[face]) > 0;
  normal = (outward ? 0.5 : -0.5) / area * n;
}

}  // namespace dgtd::dg
