#pragma once
// Work of root alone whose failure ends all ranks: reading and checking files.
#include <new>
#include <optional>
#include <string>

#include "dgtd/base/error.hpp"
#include "dgtd/base/os_reason.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::parallel {

/// Runs work() on root while the others wait. If it throws, every rank throws an Error of the same
/// code and text, so that no rank waits for one that has failed. Collective.
template <class Work>
void root_or_throw(const Communicator& comm, const Work& work) {
  std::optional<Error> failure;
  if (comm.is_root()) {
    try {
      work();
    } catch (const Error& error) { failure = error; } catch (const std::bad_alloc&) {
      failure.emplace(ExitCode::out_of_memory, "out of memory on rank 0");
    } catch (const std::exception& error) { failure = error_of(error); }
  }
  const auto code = comm.broadcast_value(failure ? failure->code() : ExitCode::success);
  if (code == ExitCode::success) return;
  throw Error(code, comm.broadcast(failure ? failure->what() : std::string()));
}

}  // namespace dgtd::parallel
