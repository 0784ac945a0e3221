#pragma once
// Volumes and areas by group of a mesh read back from its file.
#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include "dgtd/mesh/global_mesh.hpp"

namespace dgtd::mesh::testing {

/// Signed, so that a wrongly oriented element shows.
inline double volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return dot(b - a, cross(c - a, d - a)) / 6;
}

inline std::map<std::string, double> volumes(const GlobalMesh& mesh) {
  std::map<std::string, double> sums;
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    const auto [a, b, c, d] = mesh.tetrahedra[e];
    sums[mesh.volume_names[mesh.tetrahedron_group[e]]] +=
        volume(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c], mesh.vertices[d]);
  }
  return sums;
}

inline std::map<std::string, double> areas(const GlobalMesh& mesh) {
  std::map<std::string, double> sums;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto [a, b, c] = mesh.triangles[t];
    sums[mesh.surface_names[mesh.triangle_group[t]]] +=
        norm(cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a])) / 2;
  }
  return sums;
}

inline double smallest_volume(const GlobalMesh& mesh) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const auto& [a, b, c, d] : mesh.tetrahedra)
    smallest = std::min(smallest, volume(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c], mesh.vertices[d]));
  return smallest;
}

/// Share of the volume that an inscribed triangulation with equilateral triangles of edge h lacks:
/// the gap over a triangle is on average h² / (8 R), hence 3 h² / (8 R²) of a ball of radius R.
inline double facet_deficit(double edge, double radius) { return 3 * edge * edge / (8 * radius * radius); }

}  // namespace dgtd::mesh::testing
