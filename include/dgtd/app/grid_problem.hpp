#pragma once
// From a case to a solver on a Cartesian grid.
#include "dgtd/app/backend.hpp"
#include "dgtd/fdtd/power_solver.hpp"
#include "dgtd/monitor/schedule.hpp"

namespace dgtd::app {

struct GridProblem {
  bool closed = true;           // no absorbing side
  bool complex_fields = false;  // of Bloch phases: they have no powers and SAR
  monitor::Schedule schedule;
  std::vector<config::Material> materials;  // the background first
  std::unique_ptr<grid::Media> media;       // which of them are where
  fdtd::NodeBox power_box;                  // where powers and SAR are measured
  std::unique_ptr<grid::GridSolver> solver;
  fdtd::PowerSolver* powers = nullptr;  // the solver, where it measures powers
};

/// What fills which grid, before anything large is made of it.
struct GridScene {
  grid::Setup setup;
  std::vector<config::Material> materials;  // the background first
  std::unique_ptr<grid::Media> media;
};
/// Throws Error for media and shapes that cannot be.
GridScene make_grid_scene(const config::Case& c);

/// steps > 0: instead of the case's. Collective.
GridProblem make_grid_problem(const config::Case& c, const Backend& backend, const parallel::Communicator& comm,
                              std::int64_t steps = 0);

}  // namespace dgtd::app
