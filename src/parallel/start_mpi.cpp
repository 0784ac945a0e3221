#include "dgtd/parallel/start_mpi.hpp"

#include <mpi.h>

#include <cstdlib>
#include <initializer_list>

namespace dgtd::parallel {
namespace {

// Open MPI starts a process of its own beside a program without mpirun, looks for networks, and has hwloc describe the
// host, which with its plugins also asks X servers, OpenCL (and so the driver of a GPU) and all PCI devices: half a
// second, for what a single rank does not use. hwloc's component no_os only counts cores. Isolated processes all have
// one number, hence one session directory, TMPDIR/ompi.HOST.USER/jf.0: a process that ends removed it while another one
// made its own in it, and that one's MPI_Init failed (15 of 600 starts, six at a time). A single rank needs none.
// Variables that the user has set stay; under a launcher, which is known by its variables, nothing is set.
void shorten_start_of_single_rank() {
#ifdef OPEN_MPI
  // Others of these beginnings may be set by users, such as PMIX_MCA_..., or by images of containers.
  for (const char* const launcher : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMIX_NAMESPACE", "PMI_RANK", "PMI_SIZE",
                                     "PMI_FD", "PMI_PORT", "FLUX_JOB_ID", "ALPS_APP_PE"})
    if (std::getenv(launcher) != nullptr) return;
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
  setenv("OMPI_MCA_pml", "ob1", 0);
  setenv("HWLOC_COMPONENTS", "no_os,stop", 0);
  setenv("HWLOC_PLUGINS_PATH", "/nonexistent", 0);
#endif
}

}  // namespace

void start_mpi(int* argc, char*** argv) {
  shorten_start_of_single_rank();
  int provided = 0;
#if DGTD_CUDA
  constexpr int level = MPI_THREAD_MULTIPLE;  // for parallel::HostProxy
#else
  constexpr int level = MPI_THREAD_FUNNELED;
#endif
  MPI_Init_thread(argc, argv, level, &provided);
}

}  // namespace dgtd::parallel
