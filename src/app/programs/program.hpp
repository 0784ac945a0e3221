#pragma once
// Common frame of the parallel programs: MPI, and errors as one line and an exit code.
#include <functional>

#include "dgtd/base/timers.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::app {

/// main() of a program: starts MPI, runs work on every rank, prints an error that it throws as
/// "NAME: error: …" and ends all ranks. Returns the exit code. The timers get the stages start, all since the process
/// began, and start/mpi.
int run_program(const char* name, int argc, char** argv,
                const std::function<void(const parallel::Communicator&, Timers)>& work);

}  // namespace dgtd::app
