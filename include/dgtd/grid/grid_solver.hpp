#pragma once
// A method on a Cartesian grid, beyond FieldSolver: its grid, this rank's block and values of cells.
#include <vector>

#include "dgtd/grid/cartesian_grid.hpp"
#include "dgtd/physics/field_solver.hpp"

namespace dgtd::grid {

class GridSolver : public physics::FieldSolver {
 public:
  virtual const CartesianGrid& grid() const = 0;
  virtual const Block& block() const = 0;
  /// At the centres of this rank's cells, x fastest: [cells][3], V/m or A/m. Collective.
  virtual std::vector<float> sample_cells(physics::Quantity quantity) const = 0;
};

}  // namespace dgtd::grid
