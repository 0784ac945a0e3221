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
  const Block& b = block();
  std::array<std::int64_t, 3> at{};  // in the grid
  for (int a = 0; a < 3; ++a) at[a] = grid().cell_at(a, position[a]);
  const auto is_here = [&](int a) { return at[a] >= b.first[a] && at[a] < b.first[a] + b.cells[a]; };
  std::array<int, 3> cell{};
  for (int a = 0; a < 3; ++a) cell[a] = static_cast<int>(at[a] - b.first[a]);
  for (int a = 0; a < 3; ++a)
    if (b.lower[a] >= 0 && (at[a] + 1) % grid().cells(a) == b.first[a] && is_here((a + 1) % 3) && is_here((a + 2) % 3))
      (cells_above_[a][name] = cell)[a] = 0;
  const bool here = is_here(0) && is_here(1) && is_here(2);
  if (here) probe_cells_[name] = cell;
  return here;
}

std::map<std::string, std::vector<double>> GridSolver::values_above_probes(int axis, std::size_t values_per_cell,
                                                                           const CellValues& values,
                                                                           const parallel::Communicator& comm) const {
  const Block& b = block();
  std::vector<std::array<int, 3>> cells;
  for (const auto& [name, cell] : cells_above_[axis]) cells.push_back(cell);
  std::map<std::string, std::vector<double>> above;
  for (const auto& [name, cell] : probe_cells_)
    if (b.upper[axis] >= 0 && cell[axis] == b.cells[axis] - 1) above[name].resize(values_per_cell);
  const std::vector<double> send = cells.empty() ? std::vector<double>() : values(cells);
  std::vector<double> receive(above.size() * values_per_cell);
  MPI_Sendrecv(send.data(), static_cast<int>(send.size()), MPI_DOUBLE, cells.empty() ? MPI_PROC_NULL : b.lower[axis],
               31, receive.data(), static_cast<int>(receive.size()), MPI_DOUBLE,
               above.empty() ? MPI_PROC_NULL : b.upper[axis], 31, comm.handle(), MPI_STATUS_IGNORE);
  std::size_t next = 0;
  for (auto& [name, of_probe] : above)
    for (double& value : of_probe) value = receive[next++];
  return above;
}

}  // namespace dgtd::grid
