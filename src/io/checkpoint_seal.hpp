#pragma once
// The seal at the front of a checkpoint: where its arrays are, whose chunks have checksums of their own, and a hash of
// all other bytes. With it every byte of the file is checked before HDF5 reads any.
#include <cstdint>
#include <filesystem>
#include <vector>

namespace dgtd::io {

struct Extent {
  std::uint64_t offset = 0, bytes = 0;
};

/// Bytes of the seal of a file with so many arrays: a power of two, as HDF5's room before its own bytes must be.
std::uint64_t seal_bytes(std::size_t arrays);

/// Writes the seal of a complete file. arrays: ascending, without overlap. Throws Error.
void write_seal(const std::filesystem::path& file, const std::vector<Extent>& arrays);

/// The arrays of a sealed file. Throws Error (bad_input) that says what is damaged.
std::vector<Extent> check_seal(const std::filesystem::path& file);

}  // namespace dgtd::io
