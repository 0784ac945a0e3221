#pragma once
// A page about a case before its run: preview.html.
#include "app/problems/problem.hpp"
#include "app/run/memory_plan.hpp"

namespace dgtd::app {

/// Writes preview.html into the output directory, which it makes, and removes nothing there: bodies in three dimensions
/// and in cuts, media over frequency, resolution, memory, bytes of the results and an estimate of the time, for which
/// it takes a few steps of the solver's fields. Collective. Throws Error where the page cannot be written.
void write_preview(const config::Case& c, Problem& problem, const solver::Observers& observers,
                   const MemoryPlan& memory, const parallel::Communicator& comm);

}  // namespace dgtd::app
