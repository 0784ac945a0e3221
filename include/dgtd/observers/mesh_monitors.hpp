#pragma once
// Fourier sums on tetrahedra, sampled at the cells of regular grids in planes and boxes: monitor_NAME.pvtr, or one file
// per frequency listed in monitor_NAME.pvd.
#include <vector>

#include "dgtd/grid/cartesian_grid.hpp"
#include "dgtd/io/columns.hpp"
#include "dgtd/io/vtk_grid.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/observers/fourier_sums.hpp"
#include "dgtd/observers/lattice_hits.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/physics/monitors.hpp"
#include "dgtd/solver/observer.hpp"

namespace dgtd::observers {

class MeshMonitors final : public solver::Observer {
 public:
  /// order: of the solver's polynomials; plan: of its sums. Solver, mesh and communicator outlive the observer. Throws
  /// Error (bad_input) for frequencies that the sums do not have and for grids of too many cells.
  MeshMonitors(const std::vector<physics::Monitor>& monitors, const solver::ElementSolver& solver,
               const mesh::Subdomain& mesh, int order, FourierPlan plan, io::FilePrecision precision,
               const parallel::Communicator& comm);

  std::int64_t next(std::int64_t) const override { return solver::never; }
  void observe(const solver::Clock&) override {}
  /// Cells whose centre is in no element have zeros; of several elements that share it the lowest number counts.
  void finish_fields(io::Results& results) override;
  std::vector<solver::FileSize> field_files(std::int64_t steps) const override;

 private:
  struct Region {
    physics::Monitor monitor;
    std::vector<std::size_t> frequencies;  // numbers of the sums
    grid::CartesianGrid grid;              // of the region; one cell along the normal of a plane
    io::NodeExtent extent;
    std::array<std::vector<double>, 3> centres;  // m
  };
  struct Values;

  std::vector<std::vector<double>> values_at_root(const Region& region, const std::vector<LatticeHit>& hits,
                                                  std::size_t frequency) const;
  io::GridFile file_of(const Region& region) const;

  std::vector<Region> regions_;
  const solver::ElementSolver& solver_;
  const mesh::Subdomain& mesh_;
  int order_;
  FourierPlan plan_;
  io::FilePrecision precision_;
  const parallel::Communicator& comm_;
};

}  // namespace dgtd::observers
