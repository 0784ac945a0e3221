#pragma once
// The materials of the cells of a grid.
#include <array>
#include <cstdint>
#include <vector>

#include "dgtd/grid/media.hpp"

namespace dgtd::grid {

/// Nodes of the three axes, m.
using AxisNodes = std::array<std::vector<double>, 3>;

/// The material at the centre of each cell low <= at < high, [z][y][x], by one thread: boxes of 16 x 8 x 4 cells that
/// one material fills are asked for once.
void find_cell_materials(const Media& media, const AxisNodes& nodes, const std::array<std::int64_t, 3>& low,
                         const std::array<std::int64_t, 3>& high, std::uint16_t* materials);

}  // namespace dgtd::grid
