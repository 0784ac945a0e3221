#pragma once
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::parallel {

/// Sets and returns the threads of this rank: as asked, else (asked = 0) OMP_NUM_THREADS, else the rank's
/// share of its host.
int set_threads(int asked, const Communicator& comm);

}  // namespace dgtd::parallel
