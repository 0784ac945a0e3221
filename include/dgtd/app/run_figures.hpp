#pragma once
// The part of summary.json, and of what a run prints, that all methods have in common.
#include "dgtd/app/backend.hpp"
#include "dgtd/app/results.hpp"

namespace dgtd::app {

/// What ran and how fast; the method's own parts are left to the caller. elements: tetrahedra or cells of all ranks.
/// conserves: nothing drives the fields or takes from them, so that the energy's drift means something. Collective.
io::Summary run_figures(const config::Case& c, solver::Solver& solver, const monitor::Schedule& schedule,
                        std::int64_t elements, bool conserves, const LoopRecord& record, const Backend& backend,
                        const parallel::Communicator& comm);

void print_error_and_drift(const io::Summary& s);
/// unit: what is counted, "element" or "cell".
void print_performance(const io::Performance& p, const char* unit);

}  // namespace dgtd::app
