#pragma once
// A whole tetrahedral mesh, as it stands in a file. Lives on rank 0 only.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "dgtd/mesh/inner_surface.hpp"

namespace dgtd::mesh {

/// Group of an element that the file puts into no volume group; check() refuses it.
inline constexpr std::uint16_t no_group = 0xffff;

/// An edge of second-order tetrahedra that is not straight.
struct CurvedEdge {
  std::array<std::int64_t, 2> vertices;  // ascending
  Vec3 bend;                             // m, from the middle of the chord to the node of the edge

  bool operator==(const CurvedEdge&) const = default;
};

struct GlobalMesh {
  std::vector<Vec3> vertices;  // [vertices] m
  std::vector<std::array<std::int64_t, 4>>
      tetrahedra;  // [elements] indices into vertices; the order defines global element ids
  std::vector<std::uint16_t> tetrahedron_group;  // [elements] index into volume_names, or no_group
  std::vector<std::array<std::int64_t, 3>>
      triangles;                              // [triangles] indices into vertices; those of a surface group only
  std::vector<std::uint16_t> triangle_group;  // [triangles] index into surface_names
  std::vector<CurvedEdge> curved_edges;                  // ascending in their vertices
  std::vector<std::string> volume_names, surface_names;  // physical groups
  std::vector<InnerSurface> inner_surfaces = {};         // whose groups are none of surface_names
  std::string source;                                    // file name or generator, for messages
};

}  // namespace dgtd::mesh
