#pragma once
// Vectors of cells as NumPy files of shape 3, x, y, z, written by all ranks into one file.
#include <array>
#include <cstdint>
#include <filesystem>
#include <span>

#include "dgtd/parallel/communicator.hpp"

namespace dgtd::io {

/// A part of the cells of a box: the cells first <= i < first + count of it.
struct CellPart {
  std::array<std::int64_t, 3> whole{};  // cells of the box, the same on all ranks
  std::array<std::int64_t, 3> first{}, count{};
  bool empty() const { return count[0] <= 0 || count[1] <= 0 || count[2] <= 0; }
};

/// values: of this rank's part, [z][y][x][3], real (`imaginary` empty) or complex; float32 or complex64 in the file.
/// The ranks share a file system. Where any rank fails, every rank throws the first failing rank's Error. Returns the
/// bytes that this rank has written. Collective.
std::int64_t write_numpy(const std::filesystem::path& file, const CellPart& part, std::span<const float> values,
                         std::span<const float> imaginary, const parallel::Communicator& comm);

}  // namespace dgtd::io
