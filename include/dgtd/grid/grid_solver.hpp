#pragma once
// A method on a Cartesian grid, beyond Solver: its grid, this rank's block and values of cells.
#include <vector>

#include "dgtd/grid/cartesian_grid.hpp"
#include "dgtd/solver/solver.hpp"

namespace dgtd::grid {

class GridSolver : public solver::Solver {
 public:
  virtual const CartesianGrid& grid() const = 0;
  virtual const Block& block() const = 0;
  /// At the centres of this rank's cells, x fastest: [cells][3], V/m or A/m. Collective.
  virtual std::vector<float> sample_cells(solver::Quantity quantity) const = 0;
};

}  // namespace dgtd::grid
