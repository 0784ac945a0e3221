#pragma once
// The box of make_box as if it had been read from a file, with its elements' and triangles' corners in an order
// that nothing may rely on.
#include <algorithm>

#include "dgtd/mesh/load.hpp"

namespace dgtd::mesh::testing {

inline GlobalMesh box_as_global_mesh(const std::array<std::int64_t, 3>& cells, const Vec3& size) {
  const Subdomain box = make_box(cells, size, parallel::Communicator(MPI_COMM_SELF));
  GlobalMesh mesh;
  mesh.source = "box.msh";
  mesh.volume_names = box.volume_names;
  mesh.surface_names = box.surface_names;
  mesh.vertices.resize(box.vertices.size());
  for (std::size_t v = 0; v < box.vertices.size(); ++v) mesh.vertices[box.vertex_id[v]] = box.vertices[v];
  mesh.tetrahedra.resize(box.elements());
  mesh.tetrahedron_group.resize(box.elements());
  for (std::size_t e = 0; e < box.elements(); ++e) {
    std::array<std::int64_t, 4> corners;
    for (int c = 0; c < 4; ++c) corners[c] = box.vertex_id[box.element_vertices[e][c]];
    for (int f = 0; f < 4; ++f) {
      const FaceLink& link = box.element_faces[e][f];
      if (link.kind != FaceLink::Kind::boundary) continue;
      std::array<std::int64_t, 3> face{corners[(f + 1) % 4], corners[(f + 2) % 4], corners[(f + 3) % 4]};
      std::rotate(face.begin(), face.begin() + static_cast<std::ptrdiff_t>(mesh.triangles.size() % 3), face.end());
      mesh.triangles.push_back(face);
      mesh.triangle_group.push_back(static_cast<std::uint16_t>(link.index));
    }
    std::rotate(corners.begin(), corners.begin() + box.element_id[e] % 4, corners.end());
    mesh.tetrahedra[box.element_id[e]] = corners;
    mesh.tetrahedron_group[box.element_id[e]] = box.element_group[e];
  }
  return mesh;
}

}  // namespace dgtd::mesh::testing
