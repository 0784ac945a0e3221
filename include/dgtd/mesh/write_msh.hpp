#pragma once
// Writes a mesh for Gmsh and for this program.
#include <filesystem>

#include "dgtd/mesh/global_mesh.hpp"

namespace dgtd::mesh {

/// Throws Error unless a .msh file can be written there.
void require_writable_msh(const std::filesystem::path& file);

enum class MshForm { binary_4_1, text_4_1, binary_2_2, text_2_2 };

/// A volume entity per volume group and a surface entity per surface group, with their names; metres. Elements with
/// a curved edge are tetrahedra of second order. The same bytes for the same mesh. Throws Error where the file cannot be written.
void write_msh(const GlobalMesh& mesh, const std::filesystem::path& file, MshForm form = MshForm::binary_4_1);

}  // namespace dgtd::mesh
