#include "dgtd/parallel/threads.hpp"

#include <omp.h>
#include <unistd.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include <algorithm>
#include <cstdlib>

namespace dgtd::parallel {

// Bits 15 and 6 of the control register: results, and operands, that are subnormal count as zero.
void flush_subnormals() {
#if defined(__SSE__)
#pragma omp parallel
  _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}

namespace {

int share_of_cores(const Communicator& comm) {
  return std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)) / comm.ranks_on_this_host());
}

}  // namespace

int cores_lost_to_binding(const Communicator& comm) { return std::max(0, share_of_cores(comm) - omp_get_num_procs()); }

int set_threads(int asked, const Communicator& comm) {
  int threads = asked;
  if (threads == 0 && std::getenv("OMP_NUM_THREADS") != nullptr) threads = omp_get_max_threads();
  if (threads == 0) threads = std::min(omp_get_num_procs(), share_of_cores(comm));
  omp_set_num_threads(threads);
  flush_subnormals();
  return threads;
}

LeaveThreads::LeaveThreads(int others) : before_(omp_get_max_threads()) {
  constexpr int many = 4;  // for each of the others
  if (before_ >= many * others) omp_set_num_threads(before_ - others);
}

LeaveThreads::~LeaveThreads() { omp_set_num_threads(before_); }

}  // namespace dgtd::parallel
