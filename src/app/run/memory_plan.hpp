#pragma once
// Memory that a run will need, stated before it starts.
#include "app/problems/problem.hpp"

namespace dgtd::app {

/// Bytes of the rank that needs most.
struct MemoryPlan {
  double host = 0;    // resident at the highest: set-up, loop with Fourier sums, or output
  double device = 0;  // arrays, with Fourier sums; 0 without a device
};

/// After set-up: what is there, and what the loop and the output will add. Collective.
MemoryPlan foretell_memory(const Problem& problem, const solver::Observers& observers, const Backend& backend,
                           const parallel::Communicator& comm);

/// Prints it, and throws Error (out_of_memory) where it exceeds the hosts' or the devices' memory. Collective.
void check_memory(const MemoryPlan& plan, const Backend& backend, const parallel::Communicator& comm);

}  // namespace dgtd::app
