#pragma once
// From a case to a solver on a Cartesian grid.
#include "dgtd/app/backend.hpp"
#include "dgtd/fdtd/grid_solver.hpp"
#include "dgtd/monitor/schedule.hpp"

namespace dgtd::app {

struct GridProblem {
  bool closed = true;                             // no absorbing side
  monitor::Schedule schedule;
  std::unique_ptr<fdtd::GridSolver> solver;
};

/// steps > 0: instead of the case's. Collective.
GridProblem make_grid_problem(const config::Case& c, const Backend& backend, const parallel::Communicator& comm, std::int64_t steps = 0);

}  // namespace dgtd::app
