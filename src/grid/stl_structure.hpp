#pragma once
// STL files are checked before Gmsh reads them: it takes the count of triangles in a binary file as it is, and a text
// without vertices for a binary file.
#include <filesystem>

namespace dgtd::grid {

/// Throws Error (bad_input) for a file that is neither a text with vertices nor binary with all triangles that its
/// heads announce.
void require_sound_stl(const std::filesystem::path& file);

}  // namespace dgtd::grid
