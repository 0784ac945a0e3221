#pragma once
// The part of the mesh that one rank owns, with what it must know of its neighbours.
//
// Two conventions make the rest of the program independent of the partition:
// - the four vertices of an element ascend in global vertex id, so a face's vertices are met in the
//   same order from both sides (half the elements are therefore negatively oriented);
// - face f of an element lies opposite its vertex f.
// Elements on two periodic sides of a mesh are neighbours like others: the vertices of their faces are other ones, in the
// same order.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "dgtd/mesh/curved_element.hpp"
#include "dgtd/mesh/inner_surface.hpp"
#include "dgtd/mesh/tetrahedron.hpp"

namespace dgtd::mesh {

/// Neighbour behind a face of an element.
struct FaceLink {
  enum class Kind : std::uint8_t { element, halo, boundary };
  Kind kind = Kind::boundary;
  std::uint8_t face = 0;    // element, halo: the neighbour's number of the shared face
  std::uint32_t index = 0;  // element: local element; halo: index into halo_faces; boundary: index into surface_names
};

/// A face shared with another rank, seen from this side.
struct HaloFace {
  std::uint32_t element = 0;  // local element
  std::uint8_t face = 0;      // its face
};

/// The halo faces shared with one rank: halo_faces[first, first + count). Both ranks list them in the same order.
struct HaloNeighbour {
  int rank = 0;
  std::uint32_t first = 0, count = 0;
};

struct Subdomain {
  std::vector<Vec3> vertices;                                  // [local vertices] m
  std::vector<std::int64_t> vertex_id;                         // [local vertices] global vertex id
  std::vector<std::array<std::uint32_t, 4>> element_vertices;  // [elements] local vertices, ascending in global id
  std::vector<std::int64_t> element_id;                        // [elements] global element id
  std::vector<std::uint16_t> element_group;                    // [elements] index into volume_names
  std::vector<std::array<FaceLink, 4>> element_faces;          // [elements][4]
  std::vector<HaloFace> halo_faces;                            // [halo faces] grouped by neighbouring rank; then joints (dg/order_parts.hpp)
  std::vector<HaloNeighbour> halo_neighbours;                  // ascending in rank
  std::vector<std::uint32_t> curved;                           // [curved elements] local elements, ascending
  std::vector<CurvedElement> curvature;                        // [curved elements]
  std::vector<std::string> volume_names, surface_names;        // the same lists on every rank
  std::vector<InnerSurface> inner_surfaces;                    // those that were asked for, whole on every rank
  std::int64_t global_elements = 0;
  std::int64_t global_vertices = 0;
  int copies = 1;  // of each element (two_copies)

  std::size_t elements() const { return element_id.size(); }
  /// First copies are the elements below it.
  std::size_t first_copies() const { return element_id.size() / static_cast<std::size_t>(copies); }
  Vec3 vertex(std::size_t element, int corner) const { return vertices[element_vertices[element][corner]]; }
  /// Null for a straight element.
  const CurvedElement* curved_element(std::size_t element) const {
    const auto found = std::lower_bound(curved.begin(), curved.end(), element);
    return found != curved.end() && *found == element ? &curvature[static_cast<std::size_t>(found - curved.begin())]
                                                      : nullptr;
  }
  /// m3
  double volume(std::size_t element) const {
    const CurvedElement* const c = curved_element(element);
    return c == nullptr ? tetrahedron(element).volume() : curved_volume(tetrahedron(element), *c);
  }
  /// The one with straight edges.
  Tetrahedron tetrahedron(std::size_t element) const { return Tetrahedron::at(vertices, element_vertices[element]); }
};

}  // namespace dgtd::mesh
