#pragma once
// A whole run: case, method, solver, observers, steps, results.
#include <filesystem>
#include <optional>

#include "dgtd/base/timers.hpp"
#include "dgtd/config/case.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::app {

struct RunOptions {
  bool dry_run = false;    // the resolved case and what would run, without output files
  bool preview = false;    // a page about the case, preview.html, and no results
  std::int64_t steps = 0;  // > 0: in place of the case's
  /// Continue from this checkpoint, or where the path is empty from the newest one of the output directory.
  std::optional<std::filesystem::path> restart;
  /// Orders of elements follow from the estimated errors of the run with this output directory.
  std::optional<std::filesystem::path> adapt = {};
};

/// timers: stages measured before. Returns whether the run came to its end; else it was interrupted, and its results
/// are marked. Collective. Throws Error.
bool simulate(const config::Case& c, const parallel::Communicator& comm, const RunOptions& options = {},
              Timers timers = {});

}  // namespace dgtd::app
