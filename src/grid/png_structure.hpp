#pragma once
// Whether a PNG file is whole, before a library reads it that does not survive damaged ones.
#include <filesystem>

namespace dgtd::grid {

/// Signature, header, lengths and check sums of all chunks, in their order (W3C, Portable Network Graphics, sec. 5).
/// Throws Error (bad_input) that names the file and the first damaged chunk.
void require_whole_png(const std::filesystem::path& file);

}  // namespace dgtd::grid
