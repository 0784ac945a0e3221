#include "dgtd/dg/element_geometry.hpp"

#include <algorithm>
#include <cmath>

#include "dgtd/dg/field_layout.hpp"

namespace dgtd::dg {

ElementGeometry::ElementGeometry(const mesh::Subdomain& mesh, std::size_t element)
    : curved(mesh.curved_element(element)) {
  for (int v = 0; v < 4; ++v) vertices[v] = mesh.vertex(element, v);
  for (int k = 0; k < 3; ++k) edges[k] = vertices[k + 1] - vertices[0];
  determinant = dot(edges[0], cross(edges[1], edges[2]));
  for (int k = 0; k < 3; ++k) gradients[k] = cross(edges[(k + 1) % 3], edges[(k + 2) % 3]) / determinant;
}

Vec3 ElementGeometry::centre() const { return 0.25 * (vertices[0] + vertices[1] + vertices[2] + vertices[3]); }

double ElementGeometry::volume() const {
  return curved == nullptr ? std::abs(determinant) / 6 : mesh::curved_volume({vertices}, *curved);
}

PointGeometry ElementGeometry::at(const std::array<double, 4>& l) const {
  PointGeometry g{edges, gradients, determinant};
  if (curved == nullptr) return g;
  const auto offsets = curved->tangent_offsets(l);
  for (std::size_t k = 0; k < 3; ++k) g.edges[k] += offsets[k];
  g.determinant = dot(g.edges[0], cross(g.edges[1], g.edges[2]));
  for (int k = 0; k < 3; ++k) g.gradients[k] = cross(g.edges[(k + 1) % 3], g.edges[(k + 2) % 3]) / g.determinant;
  return g;
}

std::array<double, 4> ElementGeometry::barycentric(const Vec3& x) const {
  const Vec3 r = x - vertices[0];
  const double l1 = dot(gradients[0], r), l2 = dot(gradients[1], r), l3 = dot(gradients[2], r);
  std::array<double, 4> l{1 - l1 - l2 - l3, l1, l2, l3};
  if (curved == nullptr) return l;
  constexpr int most_steps = 20;
  constexpr double close = 1e-13;
  for (int step = 0; step < most_steps; ++step) {
    const Vec3 missing = x - point(l);
    const PointGeometry g = at(l);
    double largest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double change = dot(g.gradients[k], missing);
      l[k + 1] += change, l[0] -= change;
      largest = std::max(largest, std::abs(change));
    }
    if (!(largest > close)) break;
  }
  return l;
}

Vec3 ElementGeometry::point(const std::array<double, 4>& l) const {
  const Vec3 straight = l[0] * vertices[0] + l[1] * vertices[1] + l[2] * vertices[2] + l[3] * vertices[3];
  return curved == nullptr ? straight : straight + curved->offset(l);
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
