#pragma once
// The end of a run: files, keys of summary.json, tables on standard output.
#include "app/problems/problem.hpp"

namespace dgtd::app {

/// Runs the time loop and adds the stages `loop` and `loop/halo_wait`. watch: may be null. Collective.
void run_time_loop(Problem& problem, const solver::Observers& observers, Timers& timers,
                   const parallel::Communicator& comm, solver::Start start, solver::Watch* watch);

/// Prints the seconds of all stages in one line.
void print_timers(const Timers& timers);

/// Prints the files of fields that a run of so many steps will write, with their bytes. Collective.
void print_field_files(const solver::Observers& observers, std::int64_t steps);

/// Bytes of the files of fields that a run of so many steps will write at its end, all ranks. Collective.
double field_bytes(const solver::Observers& observers, std::int64_t steps);

/// Finishes the observers; writes summary.json, report.json and report.html, then the files of fields, then the former
/// again with the figures of those; prints what sections have for the console, and the list of files. Collective.
void write_results(const config::Case& c, Problem& problem, const solver::Observers& observers, const Backend& backend,
                   io::ResultFiles& files, Timers& timers, const parallel::Communicator& comm);

}  // namespace dgtd::app
