#pragma once
// Curved edges for a mesh of straight ones, from the surfaces that it was made of.
#include <filesystem>
#include <string>
#include <vector>

#include "dgtd/mesh/body_model.hpp"
#include "dgtd/mesh/global_mesh.hpp"

namespace dgtd::mesher {

struct CurvingSurfaces {
  std::vector<mesh::Body> bodies;             // ellipsoids and cylinders, with names for messages
  std::vector<std::filesystem::path> solids;  // STEP files; all faces of their solids
};

struct CurvedMesh {
  std::int64_t curved = 0;    // edges
  std::int64_t straight = 0;  // edges that stay so, since an element would have been bent too much
};

/// Moves the middles of edges of triangles between two volumes, or on the boundary, onto the surface that the triangle's
/// vertices are on (to 1e-6 of the mesh's size). Throws Error for a surface that no such triangle is on, and for a mesh
/// that has curved edges.
CurvedMesh curve_mesh(mesh::GlobalMesh& mesh, const CurvingSurfaces& surfaces);

}  // namespace dgtd::mesher
