#pragma once
// Curved elements of a rank's part of a mesh, as a run uses them.
#include "dgtd/mesh/global_mesh.hpp"
#include "dgtd/mesh/mesh_source.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::mesh {

/// Straightens all edges (source.curved = off), or those that are in one of source.straight_surfaces and in no other
/// surface and not between two volume groups; then checks that no element is turned inside out: throws Error with the
/// number of the worst one. Collective.
void apply_curvature(const MeshSource& source, Subdomain& mesh, const parallel::Communicator& comm);

/// A line of the log about the curved elements of all ranks; none where there are none. Collective.
void log_curvature(const Subdomain& mesh, const parallel::Communicator& comm);

/// Straightens the edges of the triangles of these surfaces of a whole mesh.
void straighten(GlobalMesh& mesh, const std::vector<std::string>& surfaces);

}  // namespace dgtd::mesh
