#pragma once
// Names of the places of a mesh in messages, by which they can be found in Gmsh.
#include <array>
#include <cstdint>
#include <string>

#include "dgtd/mesh/global_mesh.hpp"

namespace dgtd::mesh {

/// "element 17 (centre 0.1 0.2 0.3)"
std::string describe_element(const GlobalMesh& mesh, std::int64_t element);

/// "face (vertices 3 5 9, centre 0.1 0.2 0.3)"
std::string describe_face(const GlobalMesh& mesh, const std::array<std::int64_t, 3>& vertices);

}  // namespace dgtd::mesh
