#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#else
inline void __lsan_disable() {}
inline void __lsan_enable() {}
inline void __lsan_do_leak_check() {}
#endif

int main(int argc, char** argv) {
  __lsan_disable();  // MPI_Init keeps what it allocates
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);  // for messages by a proxy on the host
  __lsan_enable();
  testing::InitGoogleTest(&argc, argv);
  setenv("XDG_CACHE_HOME", "/dev/null", 1);  // no test writes into the user's cache; a test of a cache has its own
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  if (rank != 0) delete listeners.Release(listeners.default_result_printer());
  int failed = RUN_ALL_TESTS();
  int failed_anywhere = 0;
  MPI_Allreduce(&failed, &failed_anywhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  __lsan_do_leak_check();  // MPI_Finalize unloads libraries, so that their leaks could no longer be told from ours
  MPI_Finalize();
  return failed_anywhere;
}
