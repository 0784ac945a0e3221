#include "dgtd/grid/grid_solver.hpp"

#include <fmt/format.h>

namespace dgtd::grid {

namespace {

class SampledCells final : public CellSampler {
 public:
  SampledCells(std::vector<float> values, const std::array<int, 3>& cells)
      : values_(std::move(values)), cells_(cells) {}

  void sample(const std::array<int, 3>& first, const std::array<int, 3>& count, double* values) override {
    for (int k = 0; k < count[2]; ++k)
      for (int j = 0; j < count[1]; ++j) {
        const std::size_t row =
            (std::size_t(first[2] + k) * cells_[1] + first[1] + j) * cells_[0] + static_cast<std::size_t>(first[0]);
        for (int i = 0; i < 3 * count[0]; ++i) *values++ = values_[3 * row + static_cast<std::size_t>(i)];
      }
  }

 private:
  std::vector<float> values_;
  std::array<int, 3> cells_;
};

}  // namespace

std::unique_ptr<CellSampler> GridSolver::cell_sampler(solver::Quantity quantity) const {
  return std::make_unique<SampledCells>(sample_cells(quantity), block().cells);
}

bool GridSolver::add_probe(const std::string& name, const Vec3& position, const std::string& origin) {
  check_inside(grid(), position, fmt::format("{}: probe.{}: position", origin, name));
  std::array<int, 3> cell{};
  for (int a = 0; a < 3; ++a) {
    const std::int64_t local = grid().cell_at(a, position[a]) - block().first[a];
    if (local < 0 || local >= block().cells[a]) return false;
    cell[a] = static_cast<int>(local);
  }
  probe_cells_[name] = cell;
  return true;
}

}  // namespace dgtd::grid
