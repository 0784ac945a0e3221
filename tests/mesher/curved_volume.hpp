#pragma once
// Volumes of meshes with curved edges.
#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "dgtd/mesh/curved_element.hpp"
#include "dgtd/mesh/global_mesh.hpp"

namespace dgtd::mesher::testing {

/// m3, of the elements of a group with their curved edges.
inline double curved_volume_of(const mesh::GlobalMesh& mesh, const std::string& group) {
  std::map<std::array<std::int64_t, 2>, Vec3> bends;
  for (const auto& edge : mesh.curved_edges) bends[edge.vertices] = edge.bend;
  double sum = 0;
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    if (mesh.volume_names[mesh.tetrahedron_group[e]] != group) continue;
    mesh::CurvedElement element;
    for (std::size_t i = 0; i < 6; ++i) {
      const std::int64_t a = mesh.tetrahedra[e][std::size_t(mesh::edge_corners[i].first)],
                         b = mesh.tetrahedra[e][std::size_t(mesh::edge_corners[i].second)];
      if (const auto found = bends.find({std::min(a, b), std::max(a, b)}); found != bends.end())
        element.bend[i] = found->second;
    }
    sum += mesh::curved_volume(mesh::Tetrahedron::at(mesh.vertices, mesh.tetrahedra[e]), element);
  }
  return sum;
}

}  // namespace dgtd::mesher::testing
