#include "dgtd/app/line_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/app/fields_output.hpp"
#include "dgtd/app/grid_problem.hpp"
#include "dgtd/app/run_figures.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/reproductions/line/solve.hpp"
#include "dgtd/io/text_files.hpp"
#include "dgtd/io/vtk_grid.hpp"
#include "dgtd/monitor/peak_memory.hpp"

namespace dgtd::app {

namespace {

// A period, for waves that become periodic, unless it is longer than a block of a device can keep.
int chunk_of(const monitor::Schedule& schedule) {
  constexpr std::int64_t longest = 1024, otherwise = 128;
  return static_cast<int>(
      schedule.steps_per_period > 0 && schedule.steps_per_period <= longest ? schedule.steps_per_period : otherwise);
}

// The cell that holds each probe.
std::vector<int> probe_cells(const config::Case& c, const grid::CartesianGrid& grid) {
  const auto x = grid.nodes(0);
  std::vector<int> cells;
  for (const auto& probe : c.probes) {
    if (probe.position.x < x.front() || probe.position.x > x.back())
      throw Error(fmt::format("{}: probe.{}: position = {} lies outside the grid, whose x goes from {} to {} m",
                              probe.origin, probe.name, probe.position.x, x.front(), x.back()));
    const auto above = std::upper_bound(x.begin(), x.end(), probe.position.x);
    cells.push_back(static_cast<int>(std::clamp<std::int64_t>(above - x.begin() - 1, 0, grid.cells(0) - 1)));
  }
  return cells;
}

// Records of interfaces (on a device twice), of probes, and the sources' waveforms.
double bytes_needed(const config::Case& c, std::int64_t steps, bool cuda, double real) {
  const double interfaces = double(*c.solver.subdomains - 1) * (cuda ? 4 : 2),
               records = interfaces + 2 * double(c.probes.size());
  return double(steps) * real * (2 * records + 4 * double(c.sources.size())) + 64 * double(c.grid.cells[0]) * real;
}

template <class Real>
reproductions::LineProblem<Real> make_problem(const config::Case& c, const GridScene& scene,
                                              const monitor::Schedule& schedule, const std::vector<int>& probes) {
  const fdtd::Discretisation<Real> d(scene.setup, *scene.media, schedule.time_step, 0, 1);
  const auto line = reproductions::line_of(d);
  std::vector<reproductions::LineSourceTerm<Real>> drives;
  for (const auto& source : c.sources) {
    auto of_source = reproductions::line_source_terms(scene.setup, d, source, schedule.steps);
    std::move(of_source.begin(), of_source.end(), std::back_inserter(drives));
  }
  reproductions::LineProblem<Real> problem;
  problem.subdomains = reproductions::cut_line(scene.setup, d, line, drives, *c.solver.subdomains);
  problem.reflections = c.solver.reflections;
  problem.steps = schedule.steps;
  problem.chunk = chunk_of(schedule);
  if (c.solver.window)
    problem.window =
        std::max<std::int64_t>(1, std::llround(*c.solver.window * double(schedule.steps_per_period) / problem.chunk));
  for (const auto& drive : drives)
    problem.tolerance = std::max(problem.tolerance, c.solver.steady_tolerance * std::abs(double(drive.weight)));
  for (const int cell : probes)
    for (const int n : {cell, cell + 1})
      if (n < line.cells()) problem.probes.push_back(n);  // E beyond the last cell is that of a metal wall
  return problem;
}

// Of nodes on both sides of a cell's centre, where the others of a grid's cells are sampled too.
template <class Real>
void write_probes(const config::Case& c, const std::vector<int>& cells, int line_cells, double dt,
                  const reproductions::LineResult<Real>& result) {
  const int digits = sizeof(Real) == 4 ? io::ProbeFile::digits_single : io::ProbeFile::digits_double;
  std::size_t recorded = 0;
  for (std::size_t p = 0; p < cells.size(); ++p) {
    const auto& here = result.probes[recorded++];
    const auto* above = cells[p] + 1 < line_cells ? &result.probes[recorded++] : nullptr;
    io::ProbeFile file(c.output.directory / ("probe_" + c.probes[p].name + ".csv"), digits);
    for (std::size_t n = static_cast<std::size_t>(c.probes[p].every); n <= here.magnetic.size();
         n += static_cast<std::size_t>(c.probes[p].every)) {
      const double e = 0.5 * (double(here.electric[n]) + (above != nullptr ? double(above->electric[n]) : 0));
      file.add(double(n) * dt, {0, 0, e}, {0, double(here.magnetic[n - 1]) / vacuum_impedance, 0});
    }
  }
}

template <class Real>
void write_fields(const config::Case& c, const grid::CartesianGrid& grid, const reproductions::LineResult<Real>& result,
                  const parallel::Communicator& comm) {
  io::Array electric{"E_V_per_m", 3, {}}, magnetic{"H_A_per_m", 3, {}};
  for (std::size_t i = 0; i < static_cast<std::size_t>(grid.cells(0)); ++i) {
    const double e =
        0.5 * (double(result.electric[i]) + (i + 1 < result.electric.size() ? double(result.electric[i + 1]) : 0));
    for (const double value : {0.0, 0.0, e}) electric.values.push_back(static_cast<float>(value));
    for (const double value : {0.0, double(result.magnetic[i]) / vacuum_impedance, 0.0})
      magnetic.values.push_back(static_cast<float>(value));
  }
  std::vector<io::Array> arrays;
  if (wants(c, "E")) arrays.push_back(std::move(electric));
  if (wants(c, "H")) arrays.push_back(std::move(magnetic));
  io::write_vtr(c.output.directory, "fields", grid, grid::block_of_rank(grid, {false, true, true}, 0, 1), arrays, comm);
}

// The saving that the paper's formula promises, as it is printed and as counting the solutions gives it
// (docs/theory.md).
void print_saving(const io::SubdomainFigures& f) {
  const double d = f.count, g = f.reflections, printed = d - 2 * (d - 1) * g;
  log::info(
      "{} subdomain{}, {} solutions of one, {:.4g} cell steps: {:.4g} times fewer than the whole line marched "
      "throughout",
      f.count, f.count > 1 ? "s" : "", f.solutions, double(f.cell_steps), f.saving);
  log::info("formula: D^2 / (D + 2 (D - 1) G) = {:.4g}; as printed, D^2 / (D - 2 (D - 1) G) {}",
            d * d / (d + 2 * (d - 1) * g), printed > 0 ? fmt::format("= {:.4g}", d * d / printed) : "is not defined");
}

io::Summary summary_of(const config::Case& c, const GridScene& scene, const monitor::Schedule& schedule,
                       const io::SubdomainFigures& subdomains, double wall_s, double setup_s, const Backend& backend) {
  io::Summary s;
  s.version = DGTD_VERSION;
  s.case_name = c.name;
  s.method = config::name_of(c.solver.method);
  s.on_grid = true;
  s.precision = c.solver.precision == config::Precision::single_precision ? "single" : "double";
  s.backend = backend.name();
  s.kernels = "fused";
  s.comm = backend.transport_name();
  s.elements = scene.setup.grid.cells(0);
  s.unknowns = 2 * s.elements;
  s.dt_s = schedule.time_step;
  s.steps = schedule.steps;
  if (schedule.steps_per_period > 0) s.steps_per_period = static_cast<double>(schedule.steps_per_period);
  s.wall_s = wall_s;
  s.setup_s = setup_s;
  s.performance.element_steps_per_s = double(subdomains.cell_steps) / wall_s;
  s.performance.unknowns_per_s = 2 * s.performance.element_steps_per_s;
  s.performance.gflop_per_s = 8 * s.performance.element_steps_per_s / 1e9;  // two differences, four products, two sums
  s.performance.peak_memory_bytes = static_cast<std::int64_t>(monitor::peak_memory_bytes());
  s.subdomains = subdomains;
  return s;
}

template <class Real>
void run(const config::Case& c, const GridScene& scene, const monitor::Schedule& schedule, const Backend& backend,
         const Timer& setup, const parallel::Communicator& comm) {
  const auto probes = probe_cells(c, scene.setup.grid);
  const auto problem = make_problem<Real>(c, scene, schedule, probes);
  io::make_directory(c.output.directory);
  io::write_text(c.output.directory / "resolved.cfg", config::resolved_text(c));
  const double setup_s = setup.seconds();
  const auto solve = [&] {
#if DGTD_CUDA
    if (backend.cuda) return reproductions::solve_line_on_cuda(problem);
#endif
    return reproductions::solve_line(problem);
  };
  const reproductions::LineResult<Real> result = solve();
  for (std::size_t i = 0; i < result.electric.size(); ++i)
    if (!std::isfinite(result.electric[i]) || !std::isfinite(result.magnetic[i]))
      throw Error(
          ExitCode::unstable,
          fmt::format("the fields are not finite in cell {} of the line; a smaller solver.cfl_fraction may help", i));

  const io::SubdomainFigures figures{
      *c.solver.subdomains,
      c.solver.reflections,
      result.solutions,
      result.cell_steps,
      backend.cuda ? std::nullopt : std::optional(result.cpu_s),
      double(c.grid.cells[0]) * double(schedule.steps) / std::max(1.0, double(result.cell_steps))};
  const auto summary = summary_of(c, scene, schedule, figures, result.solve_s, setup_s, backend);
  write_probes(c, probes, static_cast<int>(result.electric.size()), schedule.time_step, result);
  if (!wants(c, "none")) write_fields(c, scene.setup.grid, result, comm);
  io::write_summary(c.output.directory / "summary.json", summary);
  print_saving(figures);
  log::info("{:.3g} s, {:.3g} M cell steps/s", summary.wall_s, summary.performance.element_steps_per_s / 1e6);
  log::info("results in {}", c.output.directory.string());
}

}  // namespace

void run_line(const config::Case& c, const Backend& backend, const Timer& setup, const parallel::Communicator& comm,
              const RunOptions& options) {
  if (comm.size() > 1)
    throw Error(
        fmt::format("solver.subdomains = {} runs on one rank, and there are {}; start one, or leave the key out",
                    *c.solver.subdomains, comm.size()));
  const GridScene scene = make_grid_scene(c);
  const auto schedule =
      monitor::make_schedule(c, scene.setup.courant * fdtd::stability_limit(scene.setup), options.steps);
  const bool single = c.solver.precision == config::Precision::single_precision;
  const double needed = bytes_needed(c, schedule.steps, backend.cuda, single ? 4 : 8);
  if (backend.cuda) check_device_memory(needed, backend, comm, "fewer subdomains, steps or probes");
  check_host_memory(needed, comm, "fewer subdomains, steps or probes");
  log::info("line: {} cells in {} subdomain{}, {} re-reflection{}", c.grid.cells[0], *c.solver.subdomains,
            *c.solver.subdomains > 1 ? "s" : "", c.solver.reflections, c.solver.reflections == 1 ? "" : "s");
  log::info("time step {:.6g} s, {} steps{}", schedule.time_step, schedule.steps,
            schedule.steps_per_period > 0 ? fmt::format(", {} a period", schedule.steps_per_period) : "");
  if (options.dry_run) {
    log::info("\n{}", config::resolved_text(c));
    return;
  }
  if (single) run<float>(c, scene, schedule, backend, setup, comm);
  else run<double>(c, scene, schedule, backend, setup, comm);
}

}  // namespace dgtd::app
