#pragma once
// Neighbours behind all faces of a whole mesh. Made once on root and used by the checks, by METIS
// and by the distribution.
#include <array>
#include <cstdint>
#include <vector>

#include "dgtd/mesh/global_mesh.hpp"

namespace dgtd::mesh {

/// Vertices of an element in ascending order, the order that face numbers refer to.
std::array<std::int64_t, 4> ascending(std::array<std::int64_t, 4> vertices);
std::array<std::int64_t, 3> ascending(std::array<std::int64_t, 3> vertices);

/// Face f of element e (opposite its f-th ascending vertex) has the code 4 e + f. Codes from
/// first_surface on stand for the surface groups.
struct FaceAdjacency {
  static constexpr std::uint32_t first_surface = 0xffff0000u;

  std::vector<std::array<std::uint32_t, 2>> plates;  // both faces at each triangle of a plate, in any order
  std::vector<std::uint32_t> behind;  // [4 elements] code of the neighbour's face, or first_surface + surface group

  bool boundary(std::size_t code) const { return behind[code] >= first_surface; }
  std::uint16_t surface(std::size_t code) const { return static_cast<std::uint16_t>(behind[code] - first_surface); }
};

/// Pairs all faces. Throws Error for a face of more than two elements, a boundary face in no or in
/// several surface groups, and a named triangle that is inside the domain, of no plate (plate_suffix), or no face of an
/// element. What is behind both faces at a plate is its surface.
FaceAdjacency pair_faces(const GlobalMesh& mesh);

}  // namespace dgtd::mesh
