#pragma once
#include "dgtd/mesh/global_mesh.hpp"
#include "dgtd/mesh/mesh_source.hpp"

namespace dgtd::mesh {

/// Makes inner surfaces of the surface groups with these names, whose triangles and names the mesh has no longer.
/// Throws Error for a name that the mesh does not have (groups without faces are none), and for a group with a face that
/// is not between two elements.
void take_inner_surfaces(GlobalMesh& mesh, const std::vector<AskedSurface>& asked);

}  // namespace dgtd::mesh
