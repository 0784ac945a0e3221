#pragma once
// Builds a subdomain from a description of the whole mesh, be it arrays or formulas: the one place
// that knows how elements, vertices and halo faces are numbered inside a rank.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "dgtd/base/error.hpp"
#include "dgtd/mesh/subdomain.hpp"

namespace dgtd::mesh {

/// What lies behind a face, in global terms.
struct Behind {
  bool boundary = true;
  std::uint16_t surface = 0;  // boundary: index into surface_names
  std::uint8_t face = 0;      // otherwise: the neighbour's number of the face
  int rank = 0;               //            its owner
  std::int64_t element = 0;   //            its global id
};

/// The vertices of face f (opposite vertex f); ascending like the four.
inline std::array<std::int64_t, 3> face_vertices(const std::array<std::int64_t, 4>& vertices, int f) {
  return {vertices[f == 0 ? 1 : 0], vertices[f <= 1 ? 2 : 1], vertices[f <= 2 ? 3 : 2]};
}

/// A face towards another rank while the order of the halo is being made.
struct HaloCandidate {
  int rank;
  std::array<std::int64_t, 3> vertices;  // global ids, ascending
  std::uint32_t element;                 // local
  std::uint8_t face;
};

/// Sorts the halo faces as both sides agree on (rank, then vertex ids) and links the elements to them.
void add_halo(std::vector<HaloCandidate>&& candidates, Subdomain& subdomain);

/// The subdomain of rank, whose elements (global ids) stand in their final order. Source offers
///   vertices(element)   global vertex ids, ascending
///   group(element)      index into volume_names
///   behind(element, f)  a Behind
///   position(vertex)    Vec3, m
///   element_slots(), element_slot(element), vertex_slots(), vertex_slot(vertex)
///                       numbers without large gaps for the rank's own elements and their vertices,
///                       so that tables replace hash maps
/// Vertices are numbered in the order in which the elements meet them.
template <class Source>
Subdomain assemble(int rank, const std::vector<std::int64_t>& elements, const Source& source) {
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  if (elements.size() > std::size_t{1} << 29)
    throw Error("mesh: " + std::to_string(elements.size()) + " elements on rank " + std::to_string(rank) +
                "; at most 2^29 fit, use more ranks");

  std::vector<std::uint32_t> local_element(source.element_slots(), none);  // [element slots]
  std::vector<std::uint32_t> local_vertex(source.vertex_slots(), none);    // [vertex slots]
  for (std::size_t e = 0; e < elements.size(); ++e)
    local_element[source.element_slot(elements[e])] = static_cast<std::uint32_t>(e);

  Subdomain subdomain;
  subdomain.element_id = elements;
  subdomain.element_vertices.resize(elements.size());
  subdomain.element_group.resize(elements.size());
  subdomain.element_faces.resize(elements.size());
  std::vector<HaloCandidate> halo;
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const std::array<std::int64_t, 4> vertices = source.vertices(elements[e]);
    for (int corner = 0; corner < 4; ++corner) {
      std::uint32_t& local = local_vertex[source.vertex_slot(vertices[corner])];
      if (local == none) {
        local = static_cast<std::uint32_t>(subdomain.vertices.size());
        subdomain.vertices.push_back(source.position(vertices[corner]));
        subdomain.vertex_id.push_back(vertices[corner]);
      }
      subdomain.element_vertices[e][corner] = local;
    }
    subdomain.element_group[e] = source.group(elements[e]);
    for (int f = 0; f < 4; ++f) {
      const Behind behind = source.behind(elements[e], f);
      FaceLink& link = subdomain.element_faces[e][f];
      if (behind.boundary) {
        link = {FaceLink::Kind::boundary, 0, behind.surface};
      } else if (behind.rank == rank) {
        link = {FaceLink::Kind::element, behind.face, local_element[source.element_slot(behind.element)]};
      } else {
        link = {FaceLink::Kind::halo, behind.face, none};
        halo.push_back(
            {behind.rank, face_vertices(vertices, f), static_cast<std::uint32_t>(e), static_cast<std::uint8_t>(f)});
      }
    }
  }
  add_halo(std::move(halo), subdomain);
  return subdomain;
}

}  // namespace dgtd::mesh
