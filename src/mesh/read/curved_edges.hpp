#pragma once
// Edges of tetrahedra of second and third order that are not straight.
#include <array>
#include <compare>
#include <cstdint>
#include <vector>

#include "dgtd/mesh/global_mesh.hpp"
#include "mesh/read/msh_node_numbers.hpp"

namespace dgtd::mesh {

/// The node, or the two nodes, on an edge of a tetrahedron of second or third order, by their places (MshNodeNumbers).
struct EdgeNodes {
  std::array<std::int64_t, 2> ends;  // ascending
  std::int64_t element;
  std::array<std::int64_t, 2> nodes;  // from the first end of the tetrahedron's edge on; the same twice: in the middle
  auto operator<=>(const EdgeNodes&) const = default;
};

/// Sets mesh.curved_edges. [places] positions: m; vertices: indices into mesh.vertices; numbers: of the file.
/// Throws Error where elements that share an edge have different nodes on it.
void find_curved_edges(GlobalMesh& mesh, std::vector<EdgeNodes> edges, const std::vector<Vec3>& positions,
                       const std::vector<std::int64_t>& vertices, const MshNodeNumbers& numbers);

}  // namespace dgtd::mesh
