#pragma once
// The steps of check(). Pairing the faces, between the two, is a check as well.
#include "dgtd/mesh/load.hpp"
#include "mesh/compact/face_adjacency.hpp"

namespace dgtd::mesh {

/// Each element by itself: in a volume group, not flat.
void check_elements(const GlobalMesh& mesh);

/// Elements with their neighbours: none overlap at a face, all hang together.
void check_neighbours(const GlobalMesh& mesh, const FaceAdjacency& adjacency);

}  // namespace dgtd::mesh
