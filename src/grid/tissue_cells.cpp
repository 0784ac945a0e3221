#include "dgtd/grid/tissue_cells.hpp"

#include <algorithm>
#include <limits>

#include "dgtd/grid/cell_materials.hpp"

namespace dgtd::grid {

namespace {

constexpr int planes_together = 4;  // as many as a box of find_cell_materials has

}  // namespace

TissueCells::TissueCells(const CartesianGrid& grid, const Block& block, const Media& media, std::vector<bool> tissue,
                         const solver::NodeBox& box, int axes)
    : grid_(grid), block_(block), media_(media), tissue_(std::move(tissue)), axes_(axes) {
  for (int a = 0; a < 3; ++a) {
    x_[a] = grid.nodes(a);
    low_[a] = std::max(box.first[a], block.first[a]);
    high_[a] = std::max(low_[a], std::min(box.last[a], block.first[a] + block.cells[a]));
    around_.first[a] = std::numeric_limits<std::int64_t>::max();
    around_.last[a] = std::numeric_limits<std::int64_t>::min();
  }
  const auto layers = static_cast<int>((high_[2] - low_[2] + planes_together - 1) / planes_together);
  std::vector<std::vector<Run>> of_layer(static_cast<std::size_t>(layers));
#pragma omp parallel for schedule(dynamic)
  for (int layer = 0; layer < layers; ++layer)
    of_layer[static_cast<std::size_t>(layer)] =
        runs_of_planes(layer * planes_together,
                       static_cast<int>(std::min<std::int64_t>((layer + 1) * planes_together, high_[2] - low_[2])));
  for (const auto& runs : of_layer) runs_.insert(runs_.end(), runs.begin(), runs.end());
  entries_.assign(1, 0);
  for (const Run& run : runs_) {
    entries_.push_back(entries_.back() + static_cast<std::size_t>(run.cells));
    const auto first = at(static_cast<std::size_t>(run.first));
    for (int a = 0; a < 3; ++a) {
      around_.first[a] = std::min(around_.first[a], first[a]);
      around_.last[a] = std::max(around_.last[a], first[a] + (a == 0 ? run.cells : 1));
    }
  }
}

// first, end: planes of this block's part of the box.
std::vector<TissueCells::Run> TissueCells::runs_of_planes(int first, int end) const {
  const std::int64_t row = high_[0] - low_[0], rows = high_[1] - low_[1];
  std::vector<std::uint16_t> material(static_cast<std::size_t>(row * rows * (end - first)));
  find_cell_materials(media_, x_, {low_[0], low_[1], low_[2] + first}, {high_[0], high_[1], low_[2] + end},
                      material.data());
  std::vector<Run> runs;
  for (std::int64_t k = 0; k < end - first; ++k)
    for (std::int64_t j = 0; j < rows; ++j) {
      const std::uint16_t* const of_row = material.data() + (k * rows + j) * row;
      const std::int64_t number =
          ((low_[2] + first + k - block_.first[2]) * block_.cells[1] + low_[1] + j - block_.first[1]) *
              block_.cells[0] +
          low_[0] - block_.first[0];
      for (std::int64_t i = 0, next; i < row; i = next) {
        for (next = i + 1; next < row && of_row[next] == of_row[i];) ++next;
        if (tissue_[of_row[i]]) runs.push_back({number + i, static_cast<std::int32_t>(next - i), of_row[i]});
      }
    }
  return runs;
}

std::array<std::int64_t, 3> TissueCells::at(std::size_t number) const {
  const auto n = static_cast<std::int64_t>(number), nx = std::int64_t{block_.cells[0]},
             ny = std::int64_t{block_.cells[1]};
  return {block_.first[0] + n % nx, block_.first[1] + n / nx % ny, block_.first[2] + n / nx / ny};
}

std::int64_t TissueCells::global_number(std::size_t cell) const {
  const auto [i, j, k] = at(cell);
  return (k * grid_.cells(1) + j) * grid_.cells(0) + i;
}

Vec3 TissueCells::centre(std::size_t cell) const {
  const auto place = at(cell);
  Vec3 centre;
  for (int a = 0; a < 3; ++a) centre[a] = 0.5 * (x_[a][place[a]] + x_[a][place[a] + 1]);
  return centre;
}

void TissueCells::list(std::span<std::size_t> cells, std::span<std::uint16_t> materials,
                       std::span<double> volumes) const {
  const auto runs = static_cast<std::ptrdiff_t>(runs_.size());
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t r = 0; r < runs; ++r) {
    const Run& run = runs_[static_cast<std::size_t>(r)];
    const auto cell = at(static_cast<std::size_t>(run.first));
    const auto length = [&](int a, std::int64_t i) { return x_[a][i + 1] - x_[a][i]; };
    const double area = (axes_ > 1 ? length(1, cell[1]) : 1) * (axes_ > 2 ? length(2, cell[2]) : 1);
    std::size_t n = entries_[static_cast<std::size_t>(r)];
    for (std::int64_t i = 0; i < run.cells; ++i, ++n) {
      cells[n] = static_cast<std::size_t>(run.first + i);
      materials[n] = run.material;
      volumes[n] = length(0, cell[0] + i) * area;
    }
  }
}

}  // namespace dgtd::grid
