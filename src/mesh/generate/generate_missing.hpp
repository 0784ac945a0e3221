#pragma once
// The mesh of a case with a generator: made where it is missing.
#include <filesystem>

#include "dgtd/mesh/generate.hpp"
#include "dgtd/mesh/mesh_source.hpp"

namespace dgtd::mesh {

/// The file with the mesh of wanted.generator = head_phone. wanted.file if it exists or can be written, else
/// head_phone_LEVEL.msh in user_meshes(). A missing mesh is generated, under another name until it is complete.
/// A mesh file says of which level it is, at its end. Throws Error for an unknown level, for a file of another level, a
/// failure of Gmsh, and where neither file can be written.
std::filesystem::path generated_mesh(const MeshSource& wanted);

}  // namespace dgtd::mesh
