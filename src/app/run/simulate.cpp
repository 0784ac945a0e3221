#include "app/run/simulate.hpp"

#include <fmt/format.h>

#include "app/problems/medium_curves.hpp"
#include "app/problems/methods.hpp"
#include "app/problems/reference_powers.hpp"
#include "app/run/checkpoints.hpp"
#include "app/run/make_observers.hpp"
#include "app/run/memory_plan.hpp"
#include "app/run/preview.hpp"
#include "app/run/report_rows.hpp"
#include "app/run/results.hpp"
#include "app/run/run_watch.hpp"
#include "app/run/signal_requests.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/process_time.hpp"
#include "dgtd/io/directory_lock.hpp"
#include "dgtd/io/result_files.hpp"
#include "dgtd/io/text_files.hpp"
#include "dgtd/observers/energy.hpp"
#include "dgtd/parallel/root_or_throw.hpp"
#include "dgtd/parallel/threads.hpp"
#include "dgtd/parallel/together.hpp"

namespace dgtd::app {

namespace {

void announce(const config::Case& c, const Backend& backend, int threads, const parallel::Communicator& comm) {
  log::info("dgtd {}: {}, backend {} ({}), {} rank{} of {} thread{}", DGTD_VERSION, c.file.filename().string(),
            backend.name(), backend.reason, comm.size(), comm.size() > 1 ? "s" : "", threads, threads > 1 ? "s" : "");
  if (const int lost = parallel::cores_lost_to_binding(comm); lost > 0)
    log::info("{} of each rank's cores are not used, because the rank is bound to others; see mpirun --bind-to none",
              lost);
  for (const auto& f : c.tissue_fits)
    log::info("material {}: {} as {} Debye poles, error at most {:.2g} % of |eps| from {:g} to {:g} Hz", f.material,
              f.tissue, f.poles, 100 * f.worst_error, f.band.lowest, f.band.highest);
  for (const auto& f : c.table_fits) log::info("{}", text_of(f));
  // The automatic choice is measured and printed later.
  if (backend.cuda && comm.size() > 1 && backend.transport != config::Transport::automatic)
    log::info("halos are exchanged by {} ({})", backend.transport_name(), backend.transport_reason);
  if (backend.device.ranks_sharing > 1)
    log::warn("{} ranks share a device: one rank per device is faster", backend.device.ranks_sharing);
}

void describe(const config::Case& c, const Problem& problem) {
  for (const std::string& line : problem.description) log::info("{}", line);
  if (!c.materials.empty()) log::info("{}", material_lines(c));
  if (c.dft.window == config::Dft::Window::last_period && !c.dft.frequencies.empty() && c.time.frequency &&
      problem.plan.fourier.frequencies.empty())
    log::warn("the run is shorter than a period: no DFT, no SAR");
}

// lock: of root, until the results are written.
void start_output(const config::Case& c, io::ResultFiles& files, std::optional<io::DirectoryLock>& lock, bool continued,
                  const parallel::Communicator& comm) {
  parallel::together(comm, [&] { io::make_directory(c.output.directory); });  // on every host
  parallel::root_or_throw(comm, [&] {
    lock.emplace(c.output.directory);
    files.start(continued);
    io::write_text(files.add({"resolved.cfg"}), config::resolved_text(c));
  });
}

std::optional<Continuation> find_checkpoint(const config::Case& c, const RunOptions& options, Timers& timers,
                                            const parallel::Communicator& comm) {
  if (!options.restart) return std::nullopt;
  const auto stage = timers.measure("restart");
  return Continuation::find(c, *options.restart, comm);
}

// The initial fields, or those of the checkpoint.
void start_fields(Problem& problem, const solver::Observers& observers, const std::optional<Continuation>& before,
                  Timers& timers, const parallel::Communicator& comm) {
  const auto stage = timers.measure(before ? "restart" : "initial_fields");
  if (before) before->restore(problem, observers, comm);
  else problem.set_initial_fields();
}

// To the last step, or until the run is interrupted.
void take_steps(const config::Case& c, Problem& problem, const solver::Observers& observers,
                const std::optional<Continuation>& before, Timers& timers, const parallel::Communicator& comm) {
  const auto start = before ? solver::Start::continued : solver::Start::initial;
  if (problem.solver->restart() == nullptr) {
    end_by_signals();  // all steps are one call
    return run_time_loop(problem, observers, timers, comm, start, nullptr);
  }
  const double seconds_before = before ? before->seconds() : 0;
  if (before) timers.add("loop", seconds_before);
  Checkpoints checkpoints(c, problem, observers, timers, seconds_before, comm);
  RunWatch watch(c, checkpoints, problem.solver->steps_done(), field_bytes(observers, problem.plan.steps), comm);
  try {
    run_time_loop(problem, observers, timers, comm, start, &watch);
  } catch (const observers::Unstable& error) {
    throw Error(error.code(), fmt::format("{}; {}", error.what(), checkpoints.last_good(error.last_good_step())));
  }
  problem.summary.interruption = watch.interruption();
  if (c.checkpoint.at_end && watch.interruption().empty()) checkpoints.write();
}

// The other run's results stay, and its elements have orders.
void check_adaptation(const config::Case& c, const RunOptions& options) {
  if (!options.adapt) return;
  if (!c.solver.method.has.tetrahedra)
    throw Error(fmt::format("--adapt: method {} has no orders of elements", c.solver.method.name));
  std::error_code failure;
  if (std::filesystem::equivalent(*options.adapt, c.output.directory, failure))
    throw Error(fmt::format("--adapt: {} is the output directory of this run too, which would remove the estimate; give "
                            "another output.directory",
                            options.adapt->string()));
}

}  // namespace

bool simulate(const config::Case& c, const parallel::Communicator& comm, const RunOptions& options, Timers timers) {
  const Timer setup;
  const Backend backend = [&] {
    const auto stage = timers.measure("device");
    return choose_backend(c, comm);
  }();
  check_normalisation(c);
  check_adaptation(c, options);
  announce(c, backend, parallel::set_threads(c.solver.threads, comm), comm);

  const std::optional<Continuation> before = find_checkpoint(c, options, timers, comm);
  io::ResultFiles files(c.output.directory, comm.is_root());
  Problem problem = make_problem({c, backend, comm, files, options.steps, timers, before ? before->time_step() : 0, options.adapt});
  if (before && problem.solver->restart() == nullptr)
    throw Error(fmt::format("--restart: method {} has no checkpoints", c.solver.method.name));
  describe(c, problem);
  const auto observers = [&] {
    const auto stage = timers.measure("observers");
    return make_observers(c, problem, files, comm, timers);
  }();
  const MemoryPlan memory = foretell_memory(problem, observers, backend, comm);
  check_memory(memory, backend, comm);
  if (options.preview) {
    write_preview(c, problem, observers, memory, comm);
    return true;
  }
  if (options.dry_run) {
    print_field_files(observers, problem.plan.steps);
    timers.add("setup", setup.seconds());
    timers.add("total", seconds_since_process_start());
    print_timers(timers);
    log::info("\n{}", config::resolved_text(c));
    return true;
  }

  if (const auto signal = comm.max(static_cast<std::int64_t>(requested_end())); signal != 0) {
    log::warn("interrupted by {} before the first step; nothing was written", signal_name(static_cast<int>(signal)));
    return false;
  }
  std::optional<io::DirectoryLock> lock;
  {
    const auto stage = timers.measure("output_directory");
    start_output(c, files, lock, before.has_value(), comm);
    set_aside_checkpoints(c.output.directory, before ? before->step() : -1, comm);
    if (before) before->bring_tables(files, comm);
  }
  start_fields(problem, observers, before, timers, comm);
  timers.add("setup", setup.seconds());
  take_steps(c, problem, observers, before, timers, comm);
  if (!c.table_fits.empty()) problem.summary.keys["table_fits"] = list_of(c.table_fits);
  problem.summary.keys["memory_foretold_bytes"] = io::Value::List{memory.host, memory.device};
  write_results(c, problem, observers, backend, files, timers, comm);
  return problem.summary.interruption.empty();
}

}  // namespace dgtd::app
