#pragma once
// A whole run: mesh, solver, time steps, results.
#include "dgtd/config/case.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::app {

struct RunOptions {
  bool dry_run = false;
  std::int64_t steps = 0;  // > 0: instead of the case's
};

/// Collective. Throws Error.
void run(const config::Case& c, const parallel::Communicator& comm, const RunOptions& options = {});

}  // namespace dgtd::app
