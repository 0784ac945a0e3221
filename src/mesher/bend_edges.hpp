#pragma once
// Curved edges of the elements at the surfaces of a mesh.
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "dgtd/mesh/global_mesh.hpp"

namespace dgtd::mesher {

using FaceCorners = std::array<std::int64_t, 3>;  // vertices, ascending
using EdgeEnds = std::array<std::int64_t, 2>;     // vertices, ascending

inline std::array<EdgeEnds, 3> edges_of(const FaceCorners& f) { return {{{f[0], f[1]}, {f[0], f[2]}, {f[1], f[2]}}}; }

/// Triangles between two volume groups and on the boundary.
std::vector<FaceCorners> interfaces_of(const mesh::GlobalMesh& mesh);

struct CurvedEdges {
  std::int64_t curved = 0;
  std::int64_t left = 0;  // straight, since an element at it would have been bent too much
};

/// Gives the mesh curved edges. bends: m, of the middle of an edge from that of its ends. Where an element's smallest J
/// falls below 0.2 of its largest, its edges stay straight. The mesh has none before.
CurvedEdges bend_edges(mesh::GlobalMesh& mesh, std::map<EdgeEnds, Vec3> bends);

}  // namespace dgtd::mesher
