#pragma once
// The end of a run: files, keys of summary.json, tables on standard output.
#include "dgtd/app/problem.hpp"

namespace dgtd::app {

/// Runs the time loop and adds the stages `loop` and `loop/halo_wait`. Collective.
void run_time_loop(Problem& problem, const solver::Observers& observers, Timers& timers,
                   const parallel::Communicator& comm);

/// Finishes the observers; writes summary.json and report.html into c.output.directory and prints the tables.
/// Collective.
void write_results(const config::Case& c, Problem& problem, const solver::Observers& observers, const Backend& backend,
                   Timers& timers, const parallel::Communicator& comm);

}  // namespace dgtd::app
