// dgtd-bench [CASE] [options]: speed of the time step, for each order, precision and schedule.
#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <iostream>
#include <sstream>

#include "app/programs/bench.hpp"
#include "app/programs/bench_partition.hpp"
#include "app/programs/program.hpp"
#include "dgtd/base/error.hpp"

namespace {

namespace options = boost::program_options;

dgtd::app::BenchOptions parse(int argc, char** argv, std::string& help) {
  dgtd::app::BenchOptions bench;
  options::options_description visible("Options"), all;
  visible.add_options()("method", options::value(&bench.method),
                        "without a case: dgtd (default), fdtd3d (cells in vacuum with absorbing layers on all sides)")(
      "cells", options::value(&bench.cells)->multitoken()->value_name("N [N N]"),
      "without a case: a box of N x N x N cubes, six tetrahedra each, vacuum")(
      "set", options::value(&bench.overrides)->composing()->value_name("section.key=value"),
      "with a case: replaces a value of it; may be repeated")(
      "orders", options::value(&bench.orders)->multitoken()->value_name("P..."), "orders 1 to 6 (all that were built)")(
      "precisions", options::value(&bench.precisions)->multitoken(), "single, double (both); of fdtd3d also half")(
      "kernels", options::value(&bench.kernels)->multitoken(), "fused, split (both); of hpf2d fused, split, diagonal")(
      "backend", options::value(&bench.backend), "auto, cpu, cuda")(
      "comm", options::value(&bench.comm)->multitoken(),
      "auto, mpi-host, mpi-proxy, mpi-cuda, nccl, nvshmem, peer, peer-copy: one or more, measured in turn")(
      "monitors", options::bool_switch(&bench.monitors),
      "with a case: accumulate its DFT every step and measure the energy every 100")(
      "seconds", options::value(&bench.seconds), "to measure each for (1)")(
      "partition", options::value(&bench.partition)->multitoken()->value_name("N..."),
      "with a case, on one rank: print what each of N ranks has on each level of local time steps (CSV), and measure "
      "nothing")("output", options::value(&bench.output)->value_name("FILE"), "write the results as JSON")(
      "help", "print this");
  all.add(visible).add_options()("case", options::value(&bench.case_file));
  options::positional_options_description positional;
  positional.add("case", 1);
  options::variables_map values;
  try {
    options::store(options::command_line_parser(argc, argv).options(all).positional(positional).run(), values);
    options::notify(values);
  } catch (const options::error& error) {
    throw dgtd::Error(fmt::format("command line: {}; see dgtd-bench --help", error.what()));
  }
  if (values.count("help")) {
    std::ostringstream text;
    text << "Usage: [mpirun -np N] dgtd-bench [CASE] [options]\nMeasures the time step on a box, or on the mesh, "
            "materials, boundaries and sources of a case.\n\n"
         << visible;
    help = text.str();
  }
  return bench;
}

}  // namespace

int main(int argc, char** argv) {
  return dgtd::app::run_program("dgtd-bench", argc, argv,
                                [&](const dgtd::parallel::Communicator& comm, const dgtd::Timers&) {
                                  std::string help;
                                  const auto bench = parse(argc, argv, help);
                                  if (!help.empty()) {
                                    if (comm.is_root()) std::cout << help;
                                  } else if (!bench.partition.empty()) {
                                    std::cout << dgtd::app::partition_table(bench, comm);
                                  } else {
                                    dgtd::app::bench(bench, comm);
                                  }
                                });
}
