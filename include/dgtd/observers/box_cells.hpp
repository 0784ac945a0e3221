#pragma once
// Cells of a box at whose centres the present fields are sampled during a run: those of a grid, or a regular lattice on
// tetrahedra.
#include <functional>
#include <memory>
#include <vector>

#include "dgtd/grid/grid_solver.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/observers/mesh_cells.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/physics/monitors.hpp"
#include "dgtd/solver/region_spectra.hpp"
#include "dgtd/solver/solver.hpp"

namespace dgtd::observers {

class BoxCells {
 public:
  virtual ~BoxCells() = default;
  /// The box and this rank's part of it.
  virtual const solver::RegionCells& cells() const = 0;
  /// Present values of this rank's part, [z][y][x][3], V/m or A/m. Collective.
  virtual std::vector<float> sample(solver::Quantity::Field field) const = 0;
};

/// Makes the cells of a snapshot. Collective.
using MakeBoxCells = std::function<std::unique_ptr<BoxCells>(const physics::Snapshot&)>;

/// Cells of a grid between the nodes nearest to the box's ends; each rank has those of its block.
class GridBoxCells final : public BoxCells {
 public:
  /// The solver outlives the cells. Throws Error (bad_input) for a box without cells of the grid.
  GridBoxCells(const physics::Snapshot& snapshot, const grid::GridSolver& solver);
  const solver::RegionCells& cells() const override { return cells_; }
  std::vector<float> sample(solver::Quantity::Field field) const override;
  /// The same of any quantity. Collective.
  std::vector<float> sample(solver::Quantity quantity) const;

 private:
  const grid::GridSolver& solver_;
  solver::RegionCells cells_;
};

/// The cells that a monitor with the snapshot's box, or with that of the whole mesh, has on tetrahedra (MeshCells).
/// Root has all of them.
class MeshBoxCells final : public BoxCells {
 public:
  /// order: of the polynomials. Solver, mesh and communicator outlive the cells. Collective. Throws Error (bad_input)
  /// for too many cells.
  MeshBoxCells(const physics::Snapshot& snapshot, const solver::ElementSolver& solver, const mesh::Subdomain& mesh,
               int order, const parallel::Communicator& comm);
  const solver::RegionCells& cells() const override { return lattice_.samples().cells; }
  std::vector<float> sample(solver::Quantity::Field field) const override;
  MeshCells::Coverage coverage() const { return lattice_.coverage(); }  // collective

 private:
  const solver::ElementSolver& solver_;
  MeshCells lattice_;
};

}  // namespace dgtd::observers
