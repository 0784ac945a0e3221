#pragma once
// A run of a method on a Cartesian grid.
#include "dgtd/app/backend.hpp"
#include "dgtd/app/run.hpp"
#include "dgtd/base/timer.hpp"

namespace dgtd::app {

void run_grid(const config::Case& c, const Backend& backend, const Timer& setup, const parallel::Communicator& comm,
              const RunOptions& options);

}  // namespace dgtd::app
