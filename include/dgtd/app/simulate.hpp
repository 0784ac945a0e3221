#pragma once
// A whole run: case, method, solver, observers, steps, results.
#include "dgtd/base/timers.hpp"
#include "dgtd/config/case.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::app {

struct RunOptions {
  bool dry_run = false;    // the resolved case and what would run, without output files
  std::int64_t steps = 0;  // > 0: in place of the case's
};

/// timers: stages measured before. Collective. Throws Error.
void simulate(const config::Case& c, const parallel::Communicator& comm, const RunOptions& options = {},
              Timers timers = {});

}  // namespace dgtd::app
