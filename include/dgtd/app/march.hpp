#pragma once
// The time loop, the same for all methods: steps, probes, energy, Fourier sums, snapshots.
#include <functional>

#include "dgtd/app/results.hpp"

namespace dgtd::app {

/// Writes the present fields under a stem in the output directory; returns the name of the file to open. Collective.
using SnapshotWriter = std::function<std::string(const std::string& stem)>;

/// elements: of all ranks, tetrahedra or cells, for the speed that is shown.
void march(const config::Case& c, solver::Solver& solver, const monitor::Schedule& schedule, std::int64_t elements,
           const SnapshotWriter& write_snapshot, LoopRecord& record, const parallel::Communicator& comm);

}  // namespace dgtd::app
