#include "dgtd/grid/grid_solver.hpp"

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

}  // namespace dgtd::grid
