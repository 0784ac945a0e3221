#pragma once
// The runs of a case: one, or one per excited port of [sparameters] or per [excitation.NAME], and what is written of
// all of them together.
#include "app/run/simulate.hpp"

namespace dgtd::app {

/// simulate() of the case; where it has several runs, of each in OUTPUT/excite_NAME, then in OUTPUT summary.json and
/// report.html with the folders of the runs, of [sparameters] also its matrix. With options.restart runs that are
/// complete are not repeated, and others go on from their newest checkpoint. Returns whether all runs came to their
/// end. Collective. Throws Error.
bool simulate_all(const config::Case& c, const parallel::Communicator& comm, const RunOptions& options, Timers timers);

}  // namespace dgtd::app
