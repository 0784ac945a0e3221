#include "dgtd/grid/cell_materials.hpp"

#include <algorithm>

namespace dgtd::grid {

void find_cell_materials(const Media& media, const AxisNodes& nodes, const std::array<std::int64_t, 3>& low,
                         const std::array<std::int64_t, 3>& high, std::uint16_t* materials) {
  constexpr std::int64_t box_cells[3] = {16, 8, 4};
  const std::int64_t row = high[0] - low[0], plane = row * (high[1] - low[1]);
  const auto node = [&](int a, std::int64_t i) { return nodes[a][static_cast<std::size_t>(i)]; };
  const auto centre = [&](int a, std::int64_t i) { return 0.5 * (node(a, i) + node(a, i + 1)); };
  std::array<std::int64_t, 3> first, end;
  const auto find_box = [&] {
    Vec3 from, to;
    for (int a = 0; a < 3; ++a) from[a] = node(a, first[a]), to[a] = node(a, end[a]);
    const int common = media.filling(0.5 * (from + to), to - from);
    for (std::int64_t k = first[2]; k < end[2]; ++k)
      for (std::int64_t j = first[1]; j < end[1]; ++j) {
        std::uint16_t* const to_row = materials + (k - low[2]) * plane + (j - low[1]) * row - low[0];
        for (std::int64_t i = first[0]; i < end[0]; ++i)
          to_row[i] = static_cast<std::uint16_t>(
              common >= 0 ? common : media.material_at({centre(0, i), centre(1, j), centre(2, k)}));
      }
  };
  const auto next = [&](int a) { return end[a] = std::min(first[a] + box_cells[a], high[a]); };
  for (first[2] = low[2]; first[2] < high[2]; first[2] = end[2]) {
    next(2);
    for (first[1] = low[1]; first[1] < high[1]; first[1] = end[1]) {
      next(1);
      for (first[0] = low[0]; first[0] < high[0]; first[0] = end[0]) {
        next(0);
        find_box();
      }
    }
  }
}

}  // namespace dgtd::grid
