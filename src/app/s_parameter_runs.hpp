#pragma once
// The runs of a case: one, or for [sparameters] one per excited port, and the scattering matrix of all of them.
#include "simulate.hpp"

namespace dgtd::app {

/// simulate() of the case; with [sparameters] of each excitation in OUTPUT/excite_NAME, then in OUTPUT sparameters.csv,
/// CASE.sNp, summary.json, report.html. With options.restart runs that are complete are not repeated, and others go on
/// from their newest checkpoint. Returns whether all runs came to their end. Collective. Throws Error.
bool simulate_all(const config::Case& c, const parallel::Communicator& comm, const RunOptions& options, Timers timers);

}  // namespace dgtd::app
