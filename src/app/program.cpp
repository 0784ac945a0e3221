#include "dgtd/app/program.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <new>
#include <thread>
#include <utility>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/process_time.hpp"

namespace dgtd::app {

namespace {

// An error that all ranks share is printed by root. A rank that fails alone waits for root to speak
// first, then prints and ends all ranks.
int fail(const char* name, const Error& error, const parallel::Communicator& comm) {
  if (!comm.is_root()) std::this_thread::sleep_for(std::chrono::milliseconds(500 + 20 * std::min(comm.rank(), 100)));
  std::fflush(stdout);
  if (comm.is_root()) std::cerr << name << ": error: " << error.what() << std::endl;
  else std::cerr << name << ": error (rank " << comm.rank() << "): " << error.what() << std::endl;
  if (comm.size() > 1) MPI_Abort(comm.handle(), static_cast<int>(error.code()));
  MPI_Finalize();
  return static_cast<int>(error.code());
}

}  // namespace

int run_program(const char* name, int argc, char** argv,
                const std::function<void(const parallel::Communicator&, Timers)>& work) {
  int provided = 0;
  const Timer mpi;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  Timers timers;
  timers.add("start/mpi", mpi.seconds());
  timers.add("start", seconds_since_process_start());
  const parallel::Communicator comm;
  log::set_enabled(comm.is_root());
  try {
    work(comm, std::move(timers));
  } catch (const Error& error) { return fail(name, error, comm); } catch (const std::bad_alloc&) {
    return fail(name, {ExitCode::out_of_memory, "out of memory; use more ranks on more hosts"}, comm);
  } catch (const std::exception& error) { return fail(name, {ExitCode::other, error.what()}, comm); }
  MPI_Finalize();
  return 0;
}

}  // namespace dgtd::app
