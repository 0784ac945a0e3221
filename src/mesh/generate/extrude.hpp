#pragma once
// Strata of tetrahedra outside of a part of a mesh's boundary.
#include <cstddef>
#include <functional>
#include <vector>

#include "dgtd/mesh/global_mesh.hpp"

namespace dgtd::mesh {

struct Extrusion {
  std::vector<std::size_t> triangles;  // of the mesh: all that are extruded
  int strata = 0;
  /// Place of the vertex above one of the boundary at the outer end of a stratum: 1 to strata.
  std::function<Vec3(const Vec3& on_boundary, int stratum)> position;
};

/// Each triangle and stratum is a prism of three tetrahedra. Vertices and elements are added at the ends of the lists;
/// elements belong to the group of the element behind their triangle, with layer_suffix. The triangles move to the
/// outermost stratum. Strata end at the rim of the extruded part in faces that belong to the surface group of the
/// boundary triangle beyond the rim. Plates (plate_suffix) go on through the strata. Throws Error of check() where the triangles are not faces of one element each, or
/// the boundary at the rim is in no surface group.
void extrude(GlobalMesh& mesh, const Extrusion& extrusion);

}  // namespace dgtd::mesh
