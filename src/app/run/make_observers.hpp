#pragma once
// The observers of a run.
#include "app/problems/problem.hpp"

namespace dgtd::app {

/// Those of all methods, then the problem's own, which are moved out of it; in the order of their results. The problem
/// and the timers outlive them. Throws Error (bad_input) for probes outside the domain. Collective.
solver::Observers make_observers(const config::Case& c, Problem& problem, io::ResultFiles& files,
                                 const parallel::Communicator& comm, Timers& timers);

}  // namespace dgtd::app
