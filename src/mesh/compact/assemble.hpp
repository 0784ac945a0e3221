#pragma once
// Builds a subdomain from a description of the rank's part of a mesh, be it arrays or formulas: the one place that
// determines how vertices and halo faces are numbered inside a rank. In time and memory proportional to the part, by
// all threads.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "dgtd/base/error.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "mesh/compact/parallel_algorithms.hpp"

namespace dgtd::mesh {

/// Neighbour behind a face.
struct Behind {
  FaceLink::Kind kind = FaceLink::Kind::boundary;
  std::uint8_t face = 0;    // element, halo: the neighbour's number of the face
  std::uint32_t index = 0;  // element: local element; boundary: index into surface_names
  int rank = 0;             // halo: the neighbour's owner
  /// halo: the face's number from either side, the lower one first. A face's number is 4 times that of the element plus
  /// the face, with any numbers of the elements on which all ranks agree.
  std::array<std::int64_t, 2> numbers{};
};

/// The vertices of face f (opposite vertex f); ascending like the four.
inline std::array<std::int64_t, 3> face_vertices(const std::array<std::int64_t, 4>& vertices, int f) {
  return {vertices[f == 0 ? 1 : 0], vertices[f <= 1 ? 2 : 1], vertices[f <= 2 ? 3 : 2]};
}

/// A face towards another rank while the order of the halo is being made.
struct HaloCandidate {
  int rank;
  std::array<std::int64_t, 2> numbers;   // of Behind
  std::uint32_t element;                 // local
  std::uint8_t face;
};

/// Sorts the halo faces as both sides agree on (rank, then numbers) and links the elements to them.
void add_halo(std::vector<HaloCandidate>&& candidates, Subdomain& subdomain);

/// The subdomain that a source describes. Elements are numbered from 0 to elements() - 1 in their final order; slots
/// are numbers without large gaps for their vertices.
///   elements(), id(element)   global element id
///   group(element)            index into volume_names
///   slots(element)            of the four vertices, ascending in global id
///   slot_count()              slots are below it
///   behind(element, f)        a Behind
///   use_vertices(slots)       is called before the vertices of these slots are read
///   vertex_id(slot), position(slot)
/// Vertices are numbered in the order in which the elements use them.
template <class Source>
Subdomain assemble(int rank, Source& source) {
  const auto elements = static_cast<std::int64_t>(source.elements());
  if (elements > std::int64_t{1} << 29)
    throw Error("mesh: " + std::to_string(elements) + " elements on rank " + std::to_string(rank) +
                "; at most 2^29 fit, use more ranks");

  Subdomain subdomain;
  subdomain.element_id.resize(static_cast<std::size_t>(elements));
  subdomain.element_vertices.resize(static_cast<std::size_t>(elements));
  subdomain.element_group.resize(static_cast<std::size_t>(elements));
  subdomain.element_faces.resize(static_cast<std::size_t>(elements));
#pragma omp parallel for schedule(static) if (elements > few_iterations)
  for (std::int64_t e = 0; e < elements; ++e) subdomain.element_vertices[e] = source.slots(e);
  SparseTable local(source.slot_count());  // [vertex slots] local vertex
  const std::vector<std::uint32_t> slots = number_by_first_use(
      4 * elements, [&](std::int64_t i) { return subdomain.element_vertices[i / 4][static_cast<std::size_t>(i % 4)]; },
      local);
  source.use_vertices(slots);
  const auto vertices = static_cast<std::int64_t>(slots.size());
  subdomain.vertices.resize(slots.size());
  subdomain.vertex_id.resize(slots.size());
#pragma omp parallel for schedule(static) if (elements > few_iterations)
  for (std::int64_t v = 0; v < vertices; ++v) {
    subdomain.vertices[v] = source.position(slots[v]);
    subdomain.vertex_id[v] = source.vertex_id(slots[v]);
  }

  const int pieces = elements > few_iterations ? omp_get_max_threads() : 1;
  std::vector<std::vector<HaloCandidate>> halo(static_cast<std::size_t>(pieces));  // [pieces] of its elements
#pragma omp parallel for schedule(static, 1) if (pieces > 1)
  for (int p = 0; p < pieces; ++p)
    for (std::int64_t e = elements * p / pieces; e < elements * (p + 1) / pieces; ++e) {
      std::array<std::uint32_t, 4>& corners = subdomain.element_vertices[e];
      for (std::uint32_t& corner : corners) corner = local[corner];
      subdomain.element_id[e] = source.id(e);
      subdomain.element_group[e] = source.group(e);
      for (int f = 0; f < 4; ++f) {
        const Behind behind = source.behind(e, f);
        subdomain.element_faces[e][f] = {behind.kind, behind.face, behind.index};
        if (behind.kind != FaceLink::Kind::halo) continue;
        halo[static_cast<std::size_t>(p)].push_back(
            {behind.rank, behind.numbers, static_cast<std::uint32_t>(e), static_cast<std::uint8_t>(f)});
      }
    }
  for (std::size_t p = 1; p < halo.size(); ++p) halo[0].insert(halo[0].end(), halo[p].begin(), halo[p].end());
  add_halo(std::move(halo[0]), subdomain);
  return subdomain;
}

}  // namespace dgtd::mesh
