#pragma once
// What the driver knows of a method on a Cartesian grid, beyond FieldSolver.
#include "dgtd/mesh/grid.hpp"
#include "dgtd/physics/field_solver.hpp"

namespace dgtd::fdtd {

class GridSolver : public physics::FieldSolver {
 public:
  virtual const mesh::Grid& grid() const = 0;
  virtual const mesh::GridBlock& block() const = 0;
  /// At the centres of this rank's cells, x fastest: [cells][3], V/m or A/m. Collective.
  virtual std::vector<float> sample_cells(physics::Quantity quantity) const = 0;
  /// Energy a frequency through a flux monitor so far, J/Hz, all ranks; collective.
  virtual std::vector<double> flux(std::size_t monitor) const = 0;
};

}  // namespace dgtd::fdtd
