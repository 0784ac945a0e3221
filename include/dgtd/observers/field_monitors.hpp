#pragma once
// Spectra of E and H in regions: monitor_NAME.pvtr, or one file per frequency listed in monitor_NAME.pvd.
#include <vector>

#include "dgtd/grid/cartesian_grid.hpp"
#include "dgtd/io/columns.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/physics/monitors.hpp"
#include "dgtd/solver/observer.hpp"
#include "dgtd/solver/spectral_solver.hpp"

namespace dgtd::observers {

class FieldMonitors final : public solver::Observer {
 public:
  /// Registers the regions with the solver; solver, grid and communicator outlive the observer. Throws Error
  /// (bad_input) for regions that do not fit the grid.
  FieldMonitors(std::vector<physics::Monitor> monitors, solver::SpectralSolver& solver, const grid::CartesianGrid& grid,
                double highest_source, double time_step, io::FilePrecision precision,
                const parallel::Communicator& comm);

  std::int64_t next(std::int64_t step) const override;
  void observe(const solver::Clock& clock) override;
  void finish_fields(io::Results& results) override;
  std::vector<solver::FileSize> field_files(std::int64_t steps) const override;

 private:
  struct Region {
    physics::Monitor monitor;
    std::size_t number;     // in the solver
    std::int64_t interval;  // steps
  };
  void write(const Region& region, io::Results& results) const;

  std::vector<Region> regions_;
  solver::SpectralSolver& solver_;
  const grid::CartesianGrid& grid_;
  io::FilePrecision precision_;
  const parallel::Communicator& comm_;
};

}  // namespace dgtd::observers
