#pragma once
// Mesh for complex fields between periodic sides: the faces where the sides are one, and a mesh that has each element
// twice, once for the real and once for the imaginary part.
#include <array>
#include <cstdint>
#include <vector>

#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::mesh {

/// A face at a side of the mesh behind which is an element at the opposite side.
struct PeriodicFace {
  std::uint32_t element;  // local
  std::uint8_t face;
  std::uint8_t axis;
  bool high;  // at the upper side
};

/// Lowest and highest coordinates of the vertices of all ranks, m.
struct Bounds {
  Vec3 low, high;
};
/// Collective.
Bounds bounds_of(const Subdomain& mesh, const parallel::Communicator& comm);

/// Those of this rank, ascending in element and face. axes: those whose two sides are one. Collective.
std::vector<PeriodicFace> periodic_faces(const Subdomain& mesh, const std::array<bool, 3>& axes,
                                         const parallel::Communicator& comm);

/// The mesh with second copies of its elements: that of element e is e + mesh.elements(), has the same vertices, and the
/// second copies of e's neighbours as neighbours. Global ids of second copies follow those of the first ones.
Subdomain two_copies(const Subdomain& mesh);

}  // namespace dgtd::mesh
