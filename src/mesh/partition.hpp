#pragma once
#include <vector>

#include "dgtd/mesh/load.hpp"
#include "face_adjacency.hpp"

namespace dgtd::mesh {

/// The public partition() with the faces already paired.
std::vector<int> partition(const GlobalMesh& mesh, const FaceAdjacency& adjacency, int parts);

}  // namespace dgtd::mesh
