#pragma once
// Common part of the benchmarks of all methods: options, timing, the result file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/problems/backend.hpp"
#include "app/programs/bench.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/timer.hpp"
#include "dgtd/parallel/root_or_throw.hpp"
#include "dgtd/solver/solver.hpp"

namespace dgtd::app {

/// On a grid of cells in vacuum with absorbing layers, or on a case's.
void bench_grid(const BenchOptions& options, const parallel::Communicator& comm);

template <class E>
E choice(const std::string& text, const char* option, std::initializer_list<std::pair<const char*, E>> allowed) {
  std::string names;
  for (const auto& [name, value] : allowed) {
    if (text == name) return value;
    if (!names.empty()) names += ", ";
    names += name;
  }
  throw Error(fmt::format("command line: --{} {}: allowed are {}", option, text, names));
}

/// comm: one of options.comm.
inline void choose_executor(const BenchOptions& options, const std::string& comm, config::Solver& solver) {
  using config::Backend, config::Transport;
  solver.backend = choice<Backend>(options.backend, "backend",
                                   {{"auto", Backend::automatic}, {"cpu", Backend::cpu}, {"cuda", Backend::cuda}});
  const auto& has = solver.method.has;
  if ((solver.backend == Backend::cpu && !has.on_cpu) || (solver.backend == Backend::cuda && !has.on_cuda))
    throw Error(fmt::format("command line: --backend {}: method {} has the other one only", options.backend,
                            solver.method.name));
  solver.halo_transport = choice<Transport>(comm, "comm",
                                            {{"auto", Transport::automatic},
                                             {"mpi-host", Transport::mpi_host},
                                             {"mpi-proxy", Transport::mpi_proxy},
                                             {"mpi-cuda", Transport::mpi_cuda},
                                             {"nccl", Transport::nccl},
                                             {"nvshmem", Transport::nvshmem},
                                             {"peer", Transport::peer},
                                             {"peer-copy", Transport::peer_copy}});
}

inline void choose_variant(const std::string& precision, const std::string& kernels, config::Solver& solver) {
  using solver::KernelFusion, config::Precision;
  solver.precision = choice<Precision>(precision, "precisions",
                                       {{"half", Precision::half_precision},
                                        {"single", Precision::single_precision},
                                        {"double", Precision::double_precision}});
  if (solver.precision == Precision::half_precision && !solver.method.has.half_precision)
    throw Error(fmt::format("command line: --precisions half: is of method fdtd3d; {} has single and double",
                            solver.method.name));
  solver.kernels = choice<KernelFusion>(
      kernels, "kernels",
      {{"fused", KernelFusion::fused}, {"split", KernelFusion::split}, {"diagonal", KernelFusion::diagonal}});
}

struct BenchVariant {
  std::string precision, kernels, halos;
};

/// Variants that are measured one after the other: transports in turn, so that they compare.
inline std::vector<BenchVariant> variants(const BenchOptions& options) {
  std::vector<BenchVariant> all;
  for (const std::string& precision : options.precisions)
    for (const std::string& kernels : options.kernels)
      for (const std::string& halos : options.comm) all.push_back({precision, kernels, halos});
  return all;
}

// Seconds per step, the fastest of three stretches of at least seconds / 3. A stretch is a multiple of 8 steps: passes
// over memory, of four steps on a GPU, leave none to slower single ones.
inline double seconds_per_step(solver::Solver& solver, const BenchOptions& options,
                               const parallel::Communicator& comm) {
  constexpr std::int64_t energy_every = 100, unit = 8;
  const auto advance = [&](std::int64_t steps) {
    if (!options.monitors) solver.advance(steps);
    for (std::int64_t i = 0; options.monitors && i < steps; ++i) {
      if (i % energy_every == energy_every - 1) (void)solver.energy();
      solver.advance(1);
      solver.accumulate_dft(1e-12);
    }
    solver.wait();
    comm.barrier();
  };
  advance(3);
  std::int64_t steps = unit;
  double best = 1e30;
  for (int stretch = 0; stretch < 3;) {
    const Timer timer;
    advance(steps);
    const double elapsed = comm.max(timer.seconds());
    if (elapsed < options.seconds / 3 && steps < 1'000'000) {
      steps = std::max(
          steps + 1, static_cast<std::int64_t>(std::ceil(1.2 * steps * options.seconds / 3 / std::max(elapsed, 1e-6))));
      steps = std::min(steps, std::int64_t{1'000'000});
      const std::int64_t multiple = options.monitors ? energy_every : unit;
      steps = (steps + multiple - 1) / multiple * multiple;
    } else {
      best = std::min(best, elapsed / double(steps));
      ++stretch;
    }
  }
  return best;
}

/// Measures a solver of so many elements (cells); rate: what their number per second is called. Keys as in the result
/// file.
inline nlohmann::json measure(solver::Solver& solver, double elements, const char* rate, const BenchOptions& options,
                              const parallel::Communicator& comm) {
  solver.randomise_fields();
  const double seconds = seconds_per_step(solver, options, comm), copy = comm.sum(solver.copy_bandwidth());
  const solver::Costs costs = solver.costs();
  const double bandwidth = costs.compulsory_bytes_per_step / seconds;
  const auto occupancy = solver.occupancy();
  return {{"seconds_per_step", seconds},
          {rate, elements / seconds},
          {"unknowns_per_s", double(costs.unknowns) / seconds},
          {"GB_per_s", bandwidth / 1e9},
          {"copy_GB_per_s", copy / 1e9},
          {"roofline_fraction", bandwidth / copy},
          {"registers", occupancy.registers},
          {"occupancy", occupancy.resident},
          {"memory_bytes", comm.sum(solver.memory_bytes())}};
}

/// Cells along x, y and z of a box without a case. Throws Error.
inline std::array<std::int64_t, 3> box_cells(const BenchOptions& options) {
  const auto& cells = options.cells;
  if ((cells.size() != 1 && cells.size() != 3) || *std::min_element(cells.begin(), cells.end()) < 1)
    throw Error(fmt::format("command line: --cells {}: one or three numbers of at least 1", fmt::join(cells, " ")));
  return {cells[0], cells[cells.size() / 2], cells.back()};
}

/// JSON of a benchmark, where options.output is set.
inline void write_results(const BenchOptions& options, nlohmann::json head, const Backend& backend,
                          const nlohmann::json& results, const parallel::Communicator& comm) {
  if (options.output.empty()) return;
  head.update({{"version", DGTD_VERSION},
               {"ranks", comm.size()},
               {"backend", backend.name()},
               {"device", backend.device.name},
               {"comm", results.empty() ? "" : results.back().value("comm", "")},
               {"results", results}});
  parallel::root_or_throw(comm, [&] {
    std::ofstream file(options.output);
    file << head.dump(2) << "\n";
    if (!file) throw Error(fmt::format("{}: cannot be written", options.output));
  });
}

}  // namespace dgtd::app
