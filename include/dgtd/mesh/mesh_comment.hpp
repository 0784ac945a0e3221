#pragma once
// Lines at the ends of generated meshes, by which they are recognised.
#include <filesystem>
#include <string>

namespace dgtd::mesh {

/// The line of the head beside a phone of a level with curved edges at its tissues; without them head_phone_comment
/// (generate.hpp).
std::string curved_head_phone_comment(const std::string& level);

/// Adds a section with one line of text to the end of a mesh file. Throws Error where that is not possible.
void append_comment(const std::string& comment, const std::filesystem::path& file);

}  // namespace dgtd::mesh
