#pragma once
// The largest value of all boxes that contain a voxel, for every voxel of a grid.
#include <array>
#include <cstdint>
#include <vector>

#include "dgtd/dosimetry/kernels/averaging_cube.hpp"

namespace dgtd::dosimetry {

/// Boxes of voxels with a value that is not negative.
struct ValuedBoxes {
  std::vector<EnclosedBox> box;  // voxels from first to last - 1 on each axis; an empty one contains nothing
  std::vector<float> value;
};

/// [nz][ny][nx] 1 + the bits of the largest value, which order as the values do; 0: no box contains the voxel.
///
/// A length n is covered by two overlapping ones of 2^l <= n. So a box is covered by eight dyadic ones, whose maxima
/// are noted at their lower corners, one level after the other; each level is then handed down to the next, axis by
/// axis. Work: eight notes per box, and one pass over the grid per level, axis and combination of levels that occurs.
/// Maxima do not depend on the order in which threads take them.
std::vector<std::uint32_t> enclosed_maximum(const std::array<std::int64_t, 3>& cells, const ValuedBoxes& boxes);

/// The value of an entry that is not 0.
float value_of_entry(std::uint32_t entry);

}  // namespace dgtd::dosimetry
