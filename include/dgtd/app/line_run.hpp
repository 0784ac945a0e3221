#pragma once
// A run of method fdtd1d in subdomains that are marched one by one.
#include "dgtd/app/backend.hpp"
#include "dgtd/app/run.hpp"
#include "dgtd/base/timer.hpp"

namespace dgtd::app {

/// Throws Error on more than one rank.
void run_line(const config::Case& c, const Backend& backend, const Timer& setup, const parallel::Communicator& comm,
              const RunOptions& options);

}  // namespace dgtd::app
