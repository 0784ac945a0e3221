#pragma once
// Checkpoints as a target of damaged files.
#include <filesystem>

namespace dgtd::fuzz {

/// Runs a case of six tetrahedra and writes its checkpoints into the folder: the undamaged files.
void write_checkpoints(const std::filesystem::path& folder);

/// Continues that run from the file. Where its seal refuses it, the file gets a new seal, as one that somebody has made
/// would have, so that also what the seal protects is read: HDF5's own data, values, arrays.
void read_checkpoint(const std::filesystem::path& file);

}  // namespace dgtd::fuzz
