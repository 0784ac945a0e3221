#pragma once
// The public distribute() with the faces already paired, for load(), which needs them anyway.
#include "dgtd/mesh/load.hpp"
#include "face_adjacency.hpp"

namespace dgtd::mesh {

Subdomain distribute(GlobalMesh&& mesh, FaceAdjacency&& adjacency, const std::vector<int>& part,
                     const parallel::Communicator& comm);

}  // namespace dgtd::mesh
