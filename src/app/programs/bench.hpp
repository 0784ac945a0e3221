#pragma once
// Measures the time step: dgtd-bench.
#include <string>
#include <vector>

#include "dgtd/parallel/communicator.hpp"

namespace dgtd::app {

struct BenchOptions {
  std::string method;                   // without a case: dgtd (also where empty), fdtd3d
  std::string case_file;                // empty: a box
  std::vector<std::string> overrides;   // of the case, section.key=value
  std::vector<std::int64_t> cells{48};  // of the box: along each axis, or the one for all
  std::vector<int> orders;              // empty: all that this program was built for
  std::vector<std::string> precisions{"single", "double"};
  std::vector<std::string> kernels{"fused", "split"};
  std::string backend = "auto";
  std::vector<std::string> comm{"auto"};  // transports of halos, each measured
  bool monitors = false;
  double seconds = 1;  // to measure each for
  std::string output;  // JSON file; empty: none
  std::vector<int> partition;  // numbers of ranks: prints how the case's mesh is divided, and measures nothing
};

/// Prints a table, and writes it as JSON to options.output. Collective. Throws Error.
void bench(const BenchOptions& options, const parallel::Communicator& comm);

}  // namespace dgtd::app
