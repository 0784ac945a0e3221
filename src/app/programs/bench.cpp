#include "app/programs/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "app/problems/dg_layers.hpp"
#include "app/problems/dg_problem.hpp"
#include "app/problems/methods.hpp"
#include "app/problems/problem.hpp"
#include "app/problems/read_case.hpp"
#include "app/programs/bench_common.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/dg/kernel_table.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/parallel/threads.hpp"

namespace dgtd::app {

namespace {

config::Case base_case(const BenchOptions& options, const parallel::Communicator& comm) {
  config::Case c;
  if (!options.case_file.empty()) {
    c = read_case(options.case_file, options.overrides, comm);
  } else {
    c.name = "box";
    c.solver.method = method("dgtd");
    c.mesh.generator = config::Mesh::Generator::box;
    const std::string all = "*";
    c.materials.emplace_back().name = all;   // vacuum
    c.boundaries.emplace_back().name = all;  // pec
    c.mesh.cells = box_cells(options);
    for (int k = 0; k < 3; ++k) c.mesh.size[k] = double(c.mesh.cells[k]) / double(c.mesh.cells[0]);  // cubes
    c.time.steps = 1;
  }
  choose_executor(options, options.comm.at(0), c.solver);
  return c;
}

bool is_on_grid(const BenchOptions& options, const parallel::Communicator& comm) {
  if (options.case_file.empty()) {
    if (!options.overrides.empty()) throw Error("command line: --set is for runs with a case");
    if (!options.method.empty() && options.method != "dgtd" && options.method != "fdtd3d")
      throw Error(fmt::format("command line: --method {}: allowed are dgtd, fdtd3d", options.method));
    return options.method == "fdtd3d";
  }
  if (!options.method.empty())
    throw Error("command line: --method is for runs without a case; with one, solver.method says it");
  return !read_case(options.case_file, options.overrides, comm).solver.method.has.tetrahedra;
}

/// The orders of the command line; without any, all that this program was built for.
std::vector<int> chosen_orders(const BenchOptions& options) {
  std::vector<int> orders = options.orders;
  if (orders.empty()) {
    orders.resize(dg::highest_order());
    std::iota(orders.begin(), orders.end(), 1);
  }
  for (const int order : orders) {
    if (order < 1 || order > 6) throw Error(fmt::format("command line: --orders {}: allowed are 1 to 6", order));
    dg::check_order(order);
  }
  return orders;
}

// Any small step will do: the time a step takes does not depend on it.
nlohmann::json measure_variant(config::Case& c, const mesh::Subdomain& mesh, const BenchVariant& variant,
                               const BenchOptions& options, const parallel::Communicator& comm) {
  const Backend backend = choose_backend(c, comm);
  Timers timers;
  DgOptions of_step{1, 1e-15};
  of_step.expected_steps = std::numeric_limits<std::int64_t>::max();
  auto problem = make_dg_problem(c, mesh, backend, comm, of_step, timers);
  if (options.monitors) {
    std::vector<double> angular;
    for (const double f : c.dft.frequencies) angular.push_back(2 * pi * f);
    problem.solver->start_dft(angular);
  }
  auto result = measure(*problem.solver, double(mesh.global_elements), "element_steps_per_s", options, comm);
  const auto figure = [&](const char* key) { return result[key].get<double>(); };
  result["order"] = c.solver.order, result["precision"] = variant.precision, result["kernels"] = variant.kernels;
  result["comm"] = backend.transport_name();
  result["elements"] = mesh.global_elements, result["pole_bytes_per_step"] = problem.pole_bytes;
  result["gflop_per_s"] = problem.solver->costs().operations_per_step / figure("seconds_per_step") / 1e9;
  log::info(
      "P{}    {:9} {:7}  {:10.4g}     {:10.4g}  {:8.4g}    {:8.4g}   {:6.1f}       {:10.4g}  {:9}      {:6.1f}  {}",
      c.solver.order, variant.precision, variant.kernels, figure("element_steps_per_s"), figure("unknowns_per_s"),
      figure("GB_per_s"), figure("copy_GB_per_s"), 100 * figure("roofline_fraction"), figure("gflop_per_s"),
      figure("registers"), 100 * figure("occupancy"), backend.transport_name());
  return result;
}

/// The mesh with the absorbing layers of an order.
mesh::Subdomain load_mesh(config::Case& c, int order, const parallel::Communicator& comm) {
  c.solver.order = order;
  mesh::MeshSource source = c.mesh;
  source.layers = added_layers(c);
  return mesh::load(source, comm);
}

}  // namespace

void bench(const BenchOptions& options, const parallel::Communicator& comm) {
  if (is_on_grid(options, comm)) return bench_grid(options, comm);
  const std::vector<int> orders = chosen_orders(options);
  config::Case c = base_case(options, comm);
  for (config::Material& m : c.materials) m.order.reset();  // the orders of the options
  const Backend backend = choose_backend(c, comm);
  const int threads = parallel::set_threads(c.solver.threads, comm);
  auto mesh = load_mesh(c, orders.front(), comm);
  log::info("dgtd-bench {}: {}, {} tetrahedra, {} rank{}, backend {} ({}), {} threads per rank", DGTD_VERSION, c.name,
            mesh.global_elements, comm.size(), comm.size() > 1 ? "s" : "", backend.name(), backend.reason, threads);
  log::info(
      "order precision kernels  elements/s     unknowns/s     GB/s   copy GB/s  share %  GFLOP/s (dense)  registers  "
      "resident %  halos");
  nlohmann::json results = nlohmann::json::array();
  for (const int order : orders) {
    const auto elements = mesh.global_elements;
    if (order != c.solver.order && !added_layers(c).empty()) mesh = load_mesh(c, order, comm);
    if (mesh.global_elements != elements)
      log::info("{} tetrahedra with the layers of P{}", mesh.global_elements, order);
    c.solver.order = order;
    for (const BenchVariant& variant : variants(options)) {
      choose_variant(variant.precision, variant.kernels, c.solver);
      choose_executor(options, variant.halos, c.solver);
      results.push_back(measure_variant(c, mesh, variant, options, comm));
    }
  }
  write_results(options, {{"case", c.name}, {"elements", mesh.global_elements}, {"threads", threads}}, backend, results,
                comm);
}

}  // namespace dgtd::app
