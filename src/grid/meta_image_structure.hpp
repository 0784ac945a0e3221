#pragma once
// Whether the head of a MetaImage file is sound, before a library reads it that loops over what it announces.
#include <filesystem>

namespace dgtd::grid {

/// Fields NDims (1 to 10, as MetaIO has it), CompressedDataSize (no more than there is) and ElementDataFile (LOCAL or
/// one file; not a list or a pattern of files, whose numbers are endless in a damaged head). Throws Error (bad_input)
/// that names the file and the field.
void require_sound_meta_image(const std::filesystem::path& file);

}  // namespace dgtd::grid
