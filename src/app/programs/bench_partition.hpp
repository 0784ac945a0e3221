#pragma once
// How a case's mesh is divided among ranks: dgtd-bench CASE --partition N...
#include <string>

#include "app/programs/bench.hpp"

namespace dgtd::app {

/// A table (CSV) with a row per part and level of local time steps, for each number of ranks in options.partition:
///   electric, magnetic   elements whose half steps of E and of H the level has
///   halo_faces           faces whose traces it exchanges; those of a level are among those of the level before
///   neighbours           other parts with such faces
/// Then, as comments, the largest part over the mean. The divisions are those of a run with so many ranks. Throws Error
/// for several ranks, no case, and a mesh that is not of a file.
std::string partition_table(const BenchOptions& options, const parallel::Communicator& comm);

}  // namespace dgtd::app
