#pragma once
// MPI for a program that is one process and needs it for some of its work only.
#include <mpi.h>

#include "dgtd/parallel/communicator.hpp"
#include "dgtd/parallel/start_mpi.hpp"

namespace dgtd::app {

/// MPI from its construction to the end of the process' use of it; one per process.
class MpiSession {
 public:
  MpiSession() { parallel::start_mpi(); }
  ~MpiSession() { MPI_Finalize(); }
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;
  parallel::Communicator communicator() const { return parallel::Communicator(MPI_COMM_SELF); }
};

}  // namespace dgtd::app
