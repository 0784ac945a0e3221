#pragma once
// The threads of a rank (OpenMP).
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::parallel {

/// Sets and returns the threads of this rank: as asked, else (asked = 0) OMP_NUM_THREADS, else the rank's share of its
/// host. A rank that Open MPI's mpirun has bound to one core without being asked to is bound to that share.
int set_threads(int asked, const Communicator& comm);

/// Numbers below 1e-308 (1e-38 in single precision) count as zero on all threads from now on. Fields that decay in
/// absorbing layers reach them, and an operation on one takes a processor a hundred times as long. set_threads calls
/// it.
void flush_subnormals();

/// Lets the calling thread run on any core that the host gives to this run.
void leave_binding();

/// Cores of this rank's share of its host that its binding excludes.
int cores_lost_to_binding(const Communicator& comm);

/// Leaves some cores of a rank with many threads to others of its process, as long as it lives: a parallel loop waits
/// for its last thread, and that for its core.
class LeaveThreads {
 public:
  explicit LeaveThreads(int others);
  ~LeaveThreads();
  LeaveThreads(const LeaveThreads&) = delete;

 private:
  int before_;
};

}  // namespace dgtd::parallel
