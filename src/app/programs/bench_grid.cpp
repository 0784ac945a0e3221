#include "app/problems/methods.hpp"
#include "app/problems/read_case.hpp"
#include "app/programs/bench_common.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/parallel/threads.hpp"

namespace dgtd::app {

namespace {

config::Case grid_case(const BenchOptions& options, const parallel::Communicator& comm) {
  if (!options.case_file.empty()) return read_case(options.case_file, options.overrides, comm);
  config::Case c;
  c.name = "grid";
  c.solver.method = method("fdtd3d");
  c.grid.cells = box_cells(options);
  for (int a = 0; a < 3; ++a) c.grid.spacings[a].assign(static_cast<std::size_t>(c.grid.cells[a]), 1e-3);
  c.time.steps = 1;
  return c;
}

}  // namespace

void bench_grid(const BenchOptions& options, const parallel::Communicator& comm) {
  config::Case c = grid_case(options, comm);
  choose_executor(options, options.comm.at(0), c.solver);
  Backend backend = choose_backend(c, comm);
  const int threads = parallel::set_threads(c.solver.threads, comm);
  const std::int64_t cells = c.grid.cells[0] * c.grid.cells[1] * c.grid.cells[2];
  log::info("dgtd-bench {}: {}, {}, {} x {} x {} cells, {} rank{}, backend {} ({}), {} threads per rank", DGTD_VERSION,
            c.name, c.solver.method.name, c.grid.cells[0], c.grid.cells[1], c.grid.cells[2], comm.size(),
            comm.size() > 1 ? "s" : "", backend.name(), backend.reason, threads);
  log::info("precision kernels  Gcells/s   GB/s   copy GB/s  share %  registers  resident %  halos");
  nlohmann::json results = nlohmann::json::array();
  for (const auto& [precision, kernels, halos] : variants(options)) {
    choose_variant(precision, kernels, c.solver);
    for (const auto& m : c.materials)
      if (c.solver.precision == config::Precision::half_precision && !m.poles.empty())
        throw Error(
            fmt::format("command line: --precisions half: requires media without poles, and [material.{}] at "
                        "{} has some",
                        m.name, m.origin));
    choose_executor(options, halos, c.solver);
    backend = choose_backend(c, comm);
    Timers timers;
    io::ResultFiles files(c.output.directory);
    const Problem problem = make_problem({c, backend, comm, files, 0, timers});
    auto result = measure(*problem.solver, double(cells), "cell_steps_per_s", options, comm);
    const auto figure = [&](const char* key) { return result[key].get<double>(); };
    result["precision"] = precision, result["kernels"] = kernels, result["comm"] = backend.transport_name();
    log::info("{:9} {:7}  {:8.4g} {:8.4g}  {:8.4g}   {:6.1f}  {:9}      {:6.1f}  {}", precision, kernels,
              figure("cell_steps_per_s") / 1e9, figure("GB_per_s"), figure("copy_GB_per_s"),
              100 * figure("roofline_fraction"), figure("registers"), 100 * figure("occupancy"),
              backend.transport_name());
    results.push_back(std::move(result));
  }
  write_results(options, {{"case", c.name}, {"method", c.solver.method.name}, {"cells", cells}, {"threads", threads}},
                backend, results, comm);
}

}  // namespace dgtd::app
