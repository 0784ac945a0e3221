#pragma once
// A distributed mesh as a whole, in global ids: equal for any number of ranks. Making it
// checks what both sides of every halo face say about it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "mesh/compact/hilbert.hpp"

namespace dgtd::mesh::testing {

struct ElementView {
  std::int64_t id, group;
  std::array<std::int64_t, 4> vertices;     // global ids, in the element's order
  std::array<Vec3, 4> position;             // m
  std::array<std::int64_t, 4> behind;       // neighbour's global id, or -1 - surface group
  std::array<std::int64_t, 4> behind_face;  // neighbour's face, 0 at the boundary
  bool operator==(const ElementView&) const = default;
};

struct FaceView {
  std::int64_t element, face;
  std::array<std::int64_t, 3> vertices;  // global ids
};

inline FaceView face_view(const Subdomain& s, const HaloFace& face) {
  FaceView view{s.element_id[face.element], face.face, {}};
  for (int c = 0, n = 0; c < 4; ++c)
    if (c != face.face) view.vertices[n++] = s.vertex_id[s.element_vertices[face.element][c]];
  return view;
}

/// View of each halo face from its other side: the same list, filled in by the neighbours. periodic: sides of the mesh
/// may be one, and neighbours there have other vertices.
inline std::vector<FaceView> exchange_halo(const Subdomain& s, const parallel::Communicator& comm, bool periodic = false) {
  std::vector<FaceView> mine, theirs(s.halo_faces.size());
  for (const HaloFace& face : s.halo_faces) mine.push_back(face_view(s, face));
  std::vector<MPI_Request> requests;
  for (const HaloNeighbour& n : s.halo_neighbours) {
    const int bytes = static_cast<int>(n.count * sizeof(FaceView));
    MPI_Irecv(&theirs[n.first], bytes, MPI_BYTE, n.rank, 5, comm.handle(), &requests.emplace_back());
    MPI_Isend(&mine[n.first], bytes, MPI_BYTE, n.rank, 5, comm.handle(), &requests.emplace_back());
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  for (std::size_t i = 0; i < mine.size() && !periodic; ++i)
    EXPECT_EQ(mine[i].vertices, theirs[i].vertices) << "halo face " << i;
  return theirs;
}

/// All elements, ascending in id, on root.
inline std::vector<ElementView> global_view(const Subdomain& s, const parallel::Communicator& comm,
                                            bool periodic = false) {
  const std::vector<FaceView> halo = exchange_halo(s, comm, periodic);
  std::vector<ElementView> views(s.elements());
  for (std::size_t e = 0; e < s.elements(); ++e) {
    views[e].id = s.element_id[e];
    views[e].group = s.element_group[e];
    for (int c = 0; c < 4; ++c) {
      views[e].vertices[c] = s.vertex_id[s.element_vertices[e][c]];
      views[e].position[c] = s.vertex(e, c);
      const FaceLink& link = s.element_faces[e][c];
      views[e].behind_face[c] = link.face;
      if (link.kind == FaceLink::Kind::boundary) views[e].behind[c] = -1 - static_cast<std::int64_t>(link.index);
      if (link.kind == FaceLink::Kind::element) views[e].behind[c] = s.element_id.at(link.index);
      if (link.kind == FaceLink::Kind::halo) {
        views[e].behind[c] = halo.at(link.index).element;
        EXPECT_EQ(halo[link.index].face, link.face);
        EXPECT_EQ(s.halo_faces[link.index].element, e);
        EXPECT_EQ(s.halo_faces[link.index].face, c);
      }
    }
  }
  std::vector<ElementView> all = comm.gather_vectors(views);
  std::sort(all.begin(), all.end(), [](const ElementView& a, const ElementView& b) { return a.id < b.id; });
  return all;
}

/// The conventions of subdomain.hpp that one rank can check alone.
inline void expect_sound(const Subdomain& s) {
  std::vector<std::int64_t> ids = s.vertex_id;
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end()) << "a vertex is listed twice";
  for (std::size_t e = 0; e < s.elements(); ++e)
    for (int c = 0; c < 3; ++c)
      EXPECT_LT(s.vertex_id[s.element_vertices[e][c]], s.vertex_id[s.element_vertices[e][c + 1]]);
  std::uint32_t next = 0;
  int last_rank = -1;
  for (const HaloNeighbour& n : s.halo_neighbours) {
    EXPECT_GT(n.rank, last_rank);
    EXPECT_EQ(n.first, next);
    EXPECT_GT(n.count, 0u);
    last_rank = n.rank;
    next = n.first + n.count;
  }
  EXPECT_EQ(next, s.halo_faces.size());
}

/// Elements are in the order of the Hilbert curve of the domain, which goes from the origin to `size` (m).
inline void expect_along_hilbert_curve(const Subdomain& s, const Vec3& size) {
  const HilbertCube cube({0, 0, 0}, size);
  std::uint64_t last = 0;
  for (std::size_t e = 0; e < s.elements(); ++e) {
    const auto position = cube.position(0.25 * (s.vertex(e, 0) + s.vertex(e, 1) + s.vertex(e, 2) + s.vertex(e, 3)));
    EXPECT_GE(position, last);
    last = position;
  }
}

/// Every inner face is met from both sides with the same vertices in the same order.
inline void expect_conforming(const std::vector<ElementView>& view) {
  for (const ElementView& element : view)
    for (int f = 0; f < 4; ++f) {
      if (element.behind[f] < 0) continue;
      const ElementView& other = view.at(element.behind[f]);
      const auto g = element.behind_face[f];
      ASSERT_EQ(other.behind[g], element.id);
      ASSERT_EQ(other.behind_face[g], f);
      for (int n = 0; n < 3; ++n) {
        ASSERT_EQ(element.vertices[n + (n >= f)], other.vertices[n + (n >= g)]);
        ASSERT_EQ(element.position[n + (n >= f)], other.position[n + (n >= g)]);
      }
    }
}

}  // namespace dgtd::mesh::testing
