#pragma once
// Whether a Gmsh file is sound, before the Gmsh library reads it, which does not survive damaged ones.
#include <filesystem>

namespace dgtd::mesh {

/// Checks MSH 2.2 and 4.1, ASCII and binary (Gmsh reference manual, sec. "MSH file format"): sections that begin and
/// end, counts that fit into the file, finite coordinates, tags of nodes that are given once, and elements of nodes
/// that exist. Sections that dgtd does not read are skipped, and so are files of the other byte order. Throws Error
/// (bad_input) that names file, section and what is wrong.
void require_sound_msh(const std::filesystem::path& file);

}  // namespace dgtd::mesh
