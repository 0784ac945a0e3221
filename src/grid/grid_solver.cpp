#include "dgtd/grid/grid_solver.hpp"

#include <fmt/format.h>

namespace dgtd::grid {

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
