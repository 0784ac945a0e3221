#include "app/run/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/problems/medium_curves.hpp"
#include "app/run/report_rows.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/peak_memory.hpp"
#include "dgtd/base/process_time.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/io/appended_file.hpp"
#include "dgtd/io/report.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/parallel/root_or_throw.hpp"
#include "dgtd/parallel/threads.hpp"

namespace dgtd::app {

namespace {

template <class Work>
auto measured(Timers& timers, const char* stage, const Work& work) {
  const auto scope = timers.measure(stage);
  return work();
}

io::Performance performance(const solver::Performance& solver, const io::Summary& s,
                            const parallel::Communicator& comm) {
  io::Performance p;
  const double steps_per_s = s.wall_s > 0 ? double(s.steps) / s.wall_s : 0;
  const solver::Costs costs = solver.costs();
  const double updates = costs.updates_per_step * steps_per_s;
  p.element_steps_per_s = double(s.elements) * updates;
  p.unknowns_per_s = double(s.unknowns) * updates;
  p.bytes_per_step = costs.compulsory_bytes_per_step;
  p.GB_per_s = p.bytes_per_step * steps_per_s / 1e9;
  p.gflop_per_s = costs.operations_per_step * steps_per_s / 1e9;
  p.halo_wait_fraction = s.wall_s > 0 ? comm.max(solver.halo_wait_seconds()) / s.wall_s : 0;
  if (s.backend == "cuda") p.device_memory_bytes = comm.max(solver.memory_bytes());
  return p;
}

// The copy loop takes memory of its own. Nothing is lost where there is none left: it comes after all files.
void measure_bandwidth(io::Performance& p, solver::Performance& solver, Timers& timers,
                       const parallel::Communicator& comm) {
  const double mine = measured(timers, "output/bandwidth", [&] { return solver.copy_bandwidth(); });
  if (comm.min(mine) <= 0) return;
  p.copy_GB_per_s = comm.sum(mine) / 1e9;
  p.roofline_fraction = p.GB_per_s / *p.copy_GB_per_s;
}

// Figures of the run and its speed. Collective.
io::Summary figures(const config::Case& c, const Problem& problem, const Backend& backend, Timers& timers,
                    const parallel::Communicator& comm) {
  io::Summary s = problem.summary;
  s.version = DGTD_VERSION;
  s.case_name = c.name;
  s.method = c.solver.method.name;
  s.precision = config::name_of(c.solver.precision);
  s.backend = backend.name();
  s.comm = backend.transport_name();
  s.ranks = comm.size();
  s.elements = problem.elements;
  s.unknowns = problem.solver->costs().unknowns;
  s.dt_s = problem.solver->time_step();
  s.steps = problem.solver->steps_done();
  if (problem.plan.steps_per_period > 0) s.steps_per_period = static_cast<double>(problem.plan.steps_per_period);
  s.wall_s = timers.seconds("loop");
  s.setup_s = timers.seconds("setup");
  s.fields_hash = comm.sum(measured(timers, "output/hash", [&] { return problem.solver->fields_hash(); }));
  s.performance = performance(*problem.solver, s, comm);
  return s;
}

void print_performance(const io::Summary& s) {
  const io::Performance& p = s.performance;
  if (!p.copy_GB_per_s)
    return log::info("{}, {:.3g} M cell steps/s", units::time_text(s.wall_s, 3), p.element_steps_per_s / 1e6);
  log::info(
      "{:.3g} M {} steps/s, {:.3g} GB/s, {:.0f} % of the copy bandwidth ({:.3g} GB/s), {:.0f} % of the time waiting "
      "for halos",
      p.element_steps_per_s / 1e6, s.on_grid ? "cell" : "element", p.GB_per_s, 100 * p.roofline_fraction.value_or(0),
      *p.copy_GB_per_s, 100 * p.halo_wait_fraction);
}

}  // namespace

void print_timers(const Timers& timers) {
  std::string table = "time in s:";
  for (const auto& [stage, seconds] : timers.stages()) table += fmt::format("  {} {:.3g}", stage, seconds);
  log::info("{}", table);
}

void run_time_loop(Problem& problem, const solver::Observers& observers, Timers& timers,
                   const parallel::Communicator& comm, solver::Start start, solver::Watch* watch) {
  const Timer loop;
  solver::time_loop(*problem.solver, problem.plan.steps, observers, timers, start, watch);
  comm.barrier();
  timers.add("loop", loop.seconds());
  timers.add("loop/halo_wait", comm.max(problem.solver->halo_wait_seconds()));
}

namespace {

void write_numbers(const config::Case& c, io::Results& results, Timers& timers) {
  io::Summary& s = results.summary;
  s.warnings = log::warnings();
  parallel::root_or_throw(results.comm, [&] {
    io::write_summary(results.file("summary.json"), s);
    io::write_report_json(results.file("report.json"), s);
    const auto stage = timers.measure("output/page");
    io::write_report_html(results.file("report.html"), s, config::resolved_text(c));
  });
}

// The fields' files, after the numbers: a disk that is full or slow costs no number.
void write_fields(const solver::Observers& observers, io::Results& results, Timers& timers,
                  const parallel::Communicator& comm) {
  const auto stage = timers.measure("output/fields");
  const parallel::LeaveThreads to_the_file(io::BackgroundFile::threads);
  for (const auto& observer : observers) observer->finish_fields(results);
  results.summary.keys["output_bytes"] = double(comm.sum(results.field_bytes));
}

}  // namespace

void print_field_files(const solver::Observers& observers, std::int64_t steps) {
  double total = 0;
  bool is_bound = false;
  for (const auto& observer : observers)
    for (const auto& file : observer->field_files(steps)) {
      if (file.count == 0) continue;
      log::info("output: {} with its pieces {}{}{}", file.name, file.is_bound ? "at most " : "",
                units::size_text(file.bytes), file.count > 1 ? fmt::format(", {} times", file.count) : "");
      total += file.bytes * double(file.count);
      is_bound = is_bound || file.is_bound;
    }
  log::info("output: {}{:.0f} bytes of fields", is_bound ? "at most " : "", total);
}

double field_bytes(const solver::Observers& observers, std::int64_t steps) {
  double total = 0;
  for (const auto& observer : observers)
    for (const auto& file : observer->field_files(steps)) total += file.bytes;
  return total;
}

void write_results(const config::Case& c, Problem& problem, const solver::Observers& observers, const Backend& backend,
                   io::ResultFiles& files, Timers& timers, const parallel::Communicator& comm) {
  const Timer output;
  io::Results results{files, comm, figures(c, problem, backend, timers, comm)};
  const double peak_before = resident_memory().peak;
  reset_peak_memory();
  const auto peak_memory = [&] { return comm.max(std::max(resident_memory().peak, peak_before)); };
  const double memory_before = resident_memory().now;
  io::Summary& s = results.summary;
  measured(timers, "output/observers", [&] {
    for (const auto& observer : observers) observer->finish(results);
  });
  add_materials(c, s);
  if (!c.table_fits.empty())
    if (auto curves = medium_curves(c)) s.sections.push_back(std::move(*curves));
  s.timers = timers.stages();
  s.performance.peak_memory_bytes = peak_memory();
  measured(timers, "output/numbers", [&] {
    measured(timers, "output/page", [&] { io::pack_scenes(s.sections); });  // the page is written twice
    write_numbers(c, results, timers);
  });
  for (const io::Section& section : s.sections)
    if (!section.console.empty()) log::info("{}", section.console);
  write_fields(observers, results, timers, comm);
  s.keys["output_memory_bytes"] = comm.max(resident_memory().peak - memory_before);
  s.performance.peak_memory_bytes = peak_memory();
  s.keys["memory_peak_bytes"] = s.performance.peak_memory_bytes;
  measure_bandwidth(s.performance, *problem.solver, timers, comm);
  timers.add("output", output.seconds());
  timers.add("total", seconds_since_process_start());
  s.timers = timers.stages();
  write_numbers(c, results, timers);
  parallel::root_or_throw(comm, [&] { files.write_index(); });
  print_performance(s);
  print_timers(timers);
  log::forget_warnings();
  log::info("results in {}:\n{}", files.directory().string(), files.overview());
}

}  // namespace dgtd::app
