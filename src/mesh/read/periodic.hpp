#pragma once
// Periodic sides of a mesh of a file: surface groups xmin and xmax (ymin, ymax; zmin, zmax) on two planes that bound it,
// with the same triangles. Both become interior faces of one surface.
#include <array>

#include "dgtd/mesh/global_mesh.hpp"
#include "mesh/compact/face_adjacency.hpp"

namespace dgtd::mesh {

/// Numbers the vertices anew, so that those of two faces that become one have the same order: vertices that are images of
/// one another follow each other. Throws Error where a group is missing, not on its plane, or has a vertex without image
/// at the other side, with the distance to the nearest one.
void order_periodic_vertices(GlobalMesh& mesh, const std::array<bool, 3>& periodic);

/// Joins the faces of the groups, of a mesh whose vertices are ordered. Throws Error where the triangles of two sides
/// differ.
void join_periodic_faces(const GlobalMesh& mesh, const std::array<bool, 3>& periodic, FaceAdjacency& adjacency);

}  // namespace dgtd::mesh
