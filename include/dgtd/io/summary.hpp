#pragma once
// Results of a run and of its observers: keys of summary.json and report.json, whose names are a contract
// (docs/contracts.md), and sections for people. One file each per run, SI units; a value that a run does not have is
// null.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dgtd/io/section.hpp"
#include "dgtd/io/value.hpp"

namespace dgtd::io {

struct Performance {
  double element_steps_per_s = 0;
  double unknowns_per_s = 0;
  double bytes_per_step = 0;            // compulsory
  double GB_per_s = 0;                  // 1e9 bytes
  std::optional<double> copy_GB_per_s;  // measured in the same process
  std::optional<double> roofline_fraction;
  double gflop_per_s = 0;
  double halo_wait_fraction = 0;
  double peak_memory_bytes = 0;               // resident on the host, of the rank with most
  std::optional<double> device_memory_bytes;  // arrays on the device, of the rank with most
};

struct Summary {
  std::string version, case_name;
  std::string method, precision, backend, kernels, comm;
  int order = 0;
  int ranks = 1;
  std::int64_t elements = 0, unknowns = 0;  // tetrahedra, or cells of a method on a grid
  bool on_grid = false;
  double dt_s = 0;
  std::int64_t steps = 0;
  std::optional<double> steps_per_period;
  std::string interruption;  // why the run ended before its last step; empty: it did not
  double wall_s = 0, setup_s = 0;
  std::optional<std::uint64_t> fields_hash;
  std::vector<double> dft_frequencies_Hz;
  Performance performance;
  std::vector<std::pair<std::string, double>> timers;  // s, named stages of the run
  std::vector<std::string> warnings;                   // of the console, in order

  // Set by observers and methods. Keys that every run has, and their places, are in summary.cpp and report_json.cpp.
  Value keys;    // of summary.json
  Value report;  // keys of report.json
  std::vector<Section> sections;
};

/// The text of summary.json.
std::string summary_text(const Summary& summary);

/// Whole or not at all (see write_text).
void write_summary(const std::filesystem::path& file, const Summary& summary);

}  // namespace dgtd::io
