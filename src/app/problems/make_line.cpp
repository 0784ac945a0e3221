// The problem of method fdtd1d-subdomains: a line in subdomains that are solved one by one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/problems/grid_scene.hpp"
#include "app/problems/line_solver.hpp"
#include "app/problems/methods.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/io/results.hpp"

namespace dgtd::app {

namespace {

// A period, for waves that become periodic, unless it is longer than a block of a device can keep.
int chunk_of(const TimePlan& plan) {
  constexpr std::int64_t longest = 1024, otherwise = 128;
  return static_cast<int>(plan.steps_per_period > 0 && plan.steps_per_period <= longest ? plan.steps_per_period
                                                                                        : otherwise);
}

// Records of interfaces (on a device twice), of probes, and the sources' waveforms.
double bytes_needed(const config::Case& c, std::int64_t steps, bool cuda, double real) {
  const double interfaces = double(c.solver.subdomains - 1) * (cuda ? 4 : 2),
               records = interfaces + 2 * double(c.probes.size());
  return double(steps) * real * (2 * records + 4 * double(c.sources.size())) + 64 * double(c.grid.cells[0]) * real;
}

template <class Real>
reproductions::LineProblem<Real> line_problem(const config::Case& c, const GridScene& scene, const TimePlan& plan,
                                              const fdtd::Discretisation<Real>& d) {
  const auto line = reproductions::line_of(d);
  std::vector<reproductions::CellSource<Real>> drives;
  for (const auto& source : c.sources) {
    auto of_source = reproductions::cell_sources(scene.setup, d, source, plan.steps);
    std::move(of_source.begin(), of_source.end(), std::back_inserter(drives));
  }
  reproductions::LineProblem<Real> problem;
  problem.subdomains = reproductions::cut_line(scene.setup, d, line, drives, c.solver.subdomains);
  problem.reflections = c.solver.reflections;
  problem.steps = plan.steps;
  problem.chunk = chunk_of(plan);
  if (c.solver.window)
    problem.window =
        std::max<std::int64_t>(1, std::llround(*c.solver.window * double(plan.steps_per_period) / problem.chunk));
  for (const auto& drive : drives)
    problem.tolerance = std::max(problem.tolerance, c.solver.steady_tolerance * std::abs(double(drive.weight)));
  return problem;
}

// The saving that the paper's formula promises, as it is printed and as counting the solutions gives it
// (docs/theory.md).
std::string saving_text(int count, int reflections) {
  const double d = count, g = reflections, printed = d - 2 * (d - 1) * g;
  return fmt::format("formula: D^2 / (D + 2 (D - 1) G) = {:.4g}; as printed, D^2 / (D - 2 (D - 1) G) {}",
                     d * d / (d + 2 * (d - 1) * g),
                     printed > 0 ? fmt::format("= {:.4g}", d * d / printed) : "is not defined");
}

/// The figures of the sweeps, in place of those of a loop over time steps.
template <class Real>
class SubdomainFigures final : public solver::Observer {
 public:
  SubdomainFigures(const LineSolver<Real>& solver, int count, int reflections, bool cuda)
      : solver_(solver), count_(count), reflections_(reflections), cuda_(cuda) {}

  std::int64_t next(std::int64_t) const override { return solver::never; }
  void observe(const solver::Clock&) override {}
  void finish(io::Results& results) override {
    const auto& result = solver_.result();
    io::Summary& s = results.summary;
    const double saving = double(s.elements) * double(s.steps) / std::max(1.0, double(result.cell_steps));
    s.keys["subdomains"] = io::Value::Object{{"count", count_},
                                             {"reflections", reflections_},
                                             {"solutions", result.solutions},
                                             {"cell_steps", result.cell_steps},
                                             {"cpu_s", cuda_ ? io::Value() : io::Value(result.cpu_s)},
                                             {"saving", saving}};
    s.sections.push_back(
        {io::Chapter::method,
         "Subdomains",
         {io::Entries{{{"Subdomains", io::count(count_)},
                       {"Solutions of one", io::count(result.solutions)},
                       {"Cell steps", io::count(result.cell_steps)},
                       {"Of the whole line, times as many", io::number(saving)}}}},
         fmt::format("{} subdomain{}, {} solutions of one, {:.4g} cell steps: {:.4g} times fewer than the whole line "
                     "marched throughout\n{}",
                     count_, count_ > 1 ? "s" : "", result.solutions, double(result.cell_steps), saving,
                     saving_text(count_, reflections_))});
    s.wall_s = result.solve_s;
    io::Performance& p = s.performance;
    p.element_steps_per_s = double(result.cell_steps) / s.wall_s;
    p.unknowns_per_s = 2 * p.element_steps_per_s;
    p.gflop_per_s = 8 * p.element_steps_per_s / 1e9;  // two differences, four products, two sums
    p.GB_per_s = p.bytes_per_step = p.halo_wait_fraction = 0;
    p.copy_GB_per_s.reset(), p.roofline_fraction.reset();
  }

 private:
  const LineSolver<Real>& solver_;
  int count_, reflections_;
  bool cuda_;
};

template <class Real>
void make_solver(Problem& problem, const GridScene& scene, const ProblemRequest& request) {
  const config::Case& c = request.c;
  const bool cuda = request.backend.cuda;
  auto d = std::make_unique<fdtd::Discretisation<Real>>(scene.setup, *scene.media, problem.plan.time_step, 0, 1);
  auto line = line_problem<Real>(c, scene, problem.plan, *d);
  auto engine = fdtd::make_cpu_engine<Real>(*d, solver::KernelFusion::fused, request.comm);
  auto whole = std::make_unique<fdtd::FdtdSolver<Real>>(scene.setup, std::move(d), std::move(engine),
                                                        std::vector<physics::Source>{}, request.comm);
  auto solver = std::make_unique<LineSolver<Real>>(std::move(line), std::move(whole), cuda);
  problem.observers.push_back(
      std::make_unique<SubdomainFigures<Real>>(*solver, c.solver.subdomains, c.solver.reflections, cuda));
  complete_grid_problem(problem, std::move(solver), scene, request);
}

}  // namespace

// Fields of the whole line are known at the first and the last step only: energies are those of these two.
Problem make_line(const ProblemRequest& request) {
  const config::Case& c = request.c;
  const parallel::Communicator& comm = request.comm;
  check_one_rank(request);
  const auto scene = std::make_shared<GridScene>(make_grid_scene(c, request.timers));
  const auto stage = request.timers.measure("discretise");
  Problem problem;
  problem.domain = scene;
  problem.plan = make_time_plan(c, c.solver.cfl_fraction * fdtd::stability_limit(scene->setup), request.steps);
  problem.plan.energy_interval = problem.plan.steps;
  const bool single = c.solver.precision == config::Precision::single_precision;
  const double needed = bytes_needed(c, problem.plan.steps, request.backend.cuda, single ? 4 : 8);
  if (request.backend.cuda) check_device_memory(needed, request.backend, comm, "fewer subdomains, steps or probes");
  check_host_memory(needed, comm, "fewer subdomains, steps or probes");
  if (single) make_solver<float>(problem, *scene, request);
  else make_solver<double>(problem, *scene, request);
  problem.description.front() =
      fmt::format("line: {} cells in {} subdomain{}, {} re-reflection{}", c.grid.cells[0], c.solver.subdomains,
                  c.solver.subdomains > 1 ? "s" : "", c.solver.reflections, c.solver.reflections == 1 ? "" : "s");
  return problem;
}

}  // namespace dgtd::app
