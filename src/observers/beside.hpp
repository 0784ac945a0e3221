#pragma once
// Which neighbours in a mesh are neighbours in space, too: those behind periodic sides are at the opposite ones.
#include <algorithm>

#include "dgtd/mesh/subdomain.hpp"

namespace dgtd::observers {

/// Whether an element of this rank behind a face of an element has the three vertices of that face.
inline bool has_neighbour_beside(const mesh::Subdomain& mesh, std::size_t element, int face) {
  const mesh::FaceLink& link = mesh.element_faces[element][static_cast<std::size_t>(face)];
  if (link.kind != mesh::FaceLink::Kind::element) return false;
  const auto& other = mesh.element_vertices[link.index];
  for (int v = 0; v < 4; ++v) {
    if (v == face) continue;
    const auto found = std::find(other.begin(), other.end(), mesh.element_vertices[element][static_cast<std::size_t>(v)]);
    if (found == other.end() || found - other.begin() == link.face) return false;
  }
  return true;
}

}  // namespace dgtd::observers
