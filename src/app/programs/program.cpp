#include "app/programs/program.hpp"
#include "app/run/signal_requests.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "dgtd/base/crash_line.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/one_line.hpp"
#include "dgtd/base/os_reason.hpp"
#include "dgtd/base/prepare_process.hpp"
#include "dgtd/base/process_time.hpp"
#include "dgtd/parallel/start_mpi.hpp"
#include "dgtd/parallel/watchdog.hpp"

namespace dgtd::app {

namespace {

constexpr const char* out_of_memory = "out of memory; use more ranks on more hosts";

// Exceptions of threads, which no one else catches, end in std::terminate.
[[noreturn]] void end_with_line() {
  ExitCode code = ExitCode::other;
  std::string text = "the program ended unexpectedly";
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const Error& error) { code = error.code(), text = error.what(); } catch (const std::bad_alloc&) {
    code = ExitCode::out_of_memory, text = out_of_memory;
  } catch (const std::exception& error) { text = error_of(error).what(); } catch (...) {
  }
  std::fprintf(stderr, "dgtd: error: %s\n", one_line(text).c_str());
  std::_Exit(static_cast<int>(code));
}

// An error that all ranks share is printed by root. A rank that fails alone waits for root to speak
// first, then prints and ends all ranks.
int fail(const char* name, const Error& error, const parallel::Communicator& comm, parallel::Watchdog& watchdog) {
  end_by_signals();                                  // that of mpirun, when another rank has ended all
  if (log::has_lost_reader() && comm.size() == 1) {  // dgtd ... | head: as other programs, without a word
    MPI_Finalize();
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  watchdog.announce_failure();
  if (!comm.is_root()) std::this_thread::sleep_for(std::chrono::milliseconds(500 + 20 * std::min(comm.rank(), 100)));
  std::fflush(stdout);
  // In one write: between two mpirun may put lines of its own.
  const std::string of_rank = comm.is_root() ? "" : " (rank " + std::to_string(comm.rank()) + ")";
  std::cerr << std::string(name) + ": error" + of_rank + ": " + one_line(error.what()) + "\n" << std::flush;
  if (comm.size() > 1) MPI_Abort(comm.handle(), static_cast<int>(error.code()));
  MPI_Finalize();
  return static_cast<int>(error.code());
}

}  // namespace

int run_program(const char* name, int argc, char** argv,
                const std::function<void(const parallel::Communicator&, Timers)>& work) {
  Timers timers;
  timers.add("start/load", seconds_since_process_start());
  prepare_process();
  std::set_terminate(end_with_line);
  const Timer mpi;
  parallel::start_mpi(&argc, &argv);
  timers.add("start/mpi", mpi.seconds());
  timers.add("start", seconds_since_process_start());
  const parallel::Communicator comm;
  log::set_enabled(comm.is_root());
  name_crashes(name, comm.size() > 1 ? comm.rank() : -1);  // in place of the MPI library's many lines
  parallel::Watchdog watchdog(comm, name);
  try {
    work(comm, std::move(timers));
    std::cout.flush();
    log::require_standard_output();
  } catch (const Error& error) { return fail(name, error, comm, watchdog); } catch (const std::bad_alloc&) {
    return fail(name, {ExitCode::out_of_memory, out_of_memory}, comm, watchdog);
  } catch (const std::length_error&) {  // a container that no address space has
    return fail(name, {ExitCode::out_of_memory, out_of_memory}, comm, watchdog);
  } catch (const std::exception& error) { return fail(name, error_of(error), comm, watchdog); }
  MPI_Finalize();
  return 0;
}

}  // namespace dgtd::app
