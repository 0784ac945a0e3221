#include "dgtd/parallel/threads.hpp"

#include <omp.h>
#include <sched.h>
#include <unistd.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

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

// Open MPI's mpirun binds each of one or two ranks to one core where it is not told otherwise, which a variable would
// show.
bool is_bound_by_default() {
  const char* const bound = std::getenv("OMPI_MCA_orte_bound_at_launch");
  return bound != nullptr && std::string_view(bound) == "1" &&
         std::getenv("OMPI_MCA_hwloc_base_binding_policy") == nullptr &&
         std::getenv("OMPI_MCA_rmaps_base_mapping_policy") == nullptr;
}

bool bind_to_all(cpu_set_t& set) {
  CPU_ZERO(&set);
  for (int i = 0; i < CPU_SETSIZE; ++i) CPU_SET(i, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;  // cores that the host does not have are ignored
}

// Binds this thread, and those that it will start, to the rank's share of the cores that its host gives to this run.
void bind_to_share(const Communicator& comm) {
  const auto rank = static_cast<std::size_t>(comm.rank_on_this_host());
  const auto ranks = static_cast<std::size_t>(comm.ranks_on_this_host());
  cpu_set_t set;
  if (!bind_to_all(set) || sched_getaffinity(0, sizeof set, &set) != 0) return;
  std::vector<int> cores;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &set)) cores.push_back(i);
  const std::size_t share = cores.size() / ranks;
  if (share == 0) return;
  CPU_ZERO(&set);
  for (std::size_t i = 0; i < share; ++i) CPU_SET(cores[rank * share + i], &set);
  (void)sched_setaffinity(0, sizeof set, &set);
}

}  // namespace

void leave_binding() {
  cpu_set_t set;
  (void)bind_to_all(set);
}

int cores_lost_to_binding(const Communicator& comm) { return std::max(0, share_of_cores(comm) - omp_get_num_procs()); }

int set_threads(int asked, const Communicator& comm) {
  if (comm.min(std::int64_t{is_bound_by_default() && omp_get_num_procs() == 1}) != 0) bind_to_share(comm);
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
