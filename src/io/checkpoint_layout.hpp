#pragma once
// The HDF5 part of a checkpoint: groups, small values and the place of each array in the file. HDF5 describes the file;
// the arrays themselves are contiguous datasets, which the ranks write and read directly at their places.
#include <filesystem>
#include <string>
#include <vector>

#include "dgtd/io/checkpoint_file.hpp"

namespace dgtd::io {

/// An array as it is stored: [items][values] of 4 or 8 bytes.
struct StoredArray {
  std::string name;
  std::int64_t items = 0, values = 0;
  std::size_t value_bytes = 0;
  bool is_integer = false;   // numbers of items, else reals
  std::uint64_t offset = 0;  // in the file, bytes

  std::uint64_t bytes() const { return static_cast<std::uint64_t>(items * values) * value_bytes; }
};

struct CheckpointLayout {
  CheckpointValues values;
  std::vector<StoredArray> arrays;  // with at least one item and value, in the order of the file
  StoredArray checksums;            // of all chunks of all arrays in their order
};

/// Creates the file with room of so many bytes before HDF5's, and fills in the offsets. Arrays are left unwritten.
/// Throws Error.
void create_layout(const std::filesystem::path& file, std::uint64_t room, CheckpointLayout& layout);

/// Throws Error where the file is none of create_layout. HDF5 may crash on a damaged one (parallel::read_in_child).
CheckpointLayout read_layout(const std::filesystem::path& file);

/// As bytes for another process.
std::string pack(const CheckpointLayout& layout);
/// packed: of pack().
CheckpointLayout unpack(const std::string& packed);

}  // namespace dgtd::io
