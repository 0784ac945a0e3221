#pragma once
// summary.json: what a run did and found, for scripts and comparisons. One file a run, SI units; its
// keys are a contract (docs/architecture.md). A value that a run does not have is null.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dgtd/dosimetry/sar.hpp"

namespace dgtd::io {

struct Energy {
  std::optional<double> first_J, last_J;
  std::optional<double> relative_drift;  // only of a closed run without sources
};

/// Relative errors against an exact solution at the end time (H at its half step).
struct FieldError {
  double l2_E = 0, l2_H = 0;
};

/// Means over the last period.
struct PowerBalance {
  std::optional<double> source_W, absorbed_W, outflow_W;
  std::optional<double> defect;  // (source - absorbed - outflow) / source
};

struct Performance {
  double element_steps_per_s = 0;
  double unknowns_per_s = 0;
  double bytes_per_step = 0;            // compulsory
  double GB_per_s = 0;                  // 1e9 bytes
  std::optional<double> copy_GB_per_s;  // measured in the same process
  std::optional<double> roofline_fraction;
  double gflop_per_s = 0;
  double halo_wait_fraction = 0;
  std::int64_t peak_memory_bytes = 0;
};

struct MeshFigures {
  std::int64_t vertices = 0;
  std::optional<double> shortest_edge_m, longest_edge_m, mean_edge_m;
};

/// A line in subdomains that are marched one by one.
struct SubdomainFigures {
  int count = 1, reflections = 0;  // D, G
  int solutions = 1;               // of a subdomain, D + 2 (D - 1) G
  std::int64_t cell_steps = 0;     // marched, absorbing layers included
  std::optional<double> cpu_s;     // of the sweeps, on a CPU
  double saving = 1;               // cells times steps of the whole line over that
};

/// A section of report.html: names and values, the units in the names.
struct ReportSection {
  std::string title;
  std::vector<std::pair<std::string, std::string>> entries;
};

struct Summary {
  std::string version, case_name;
  std::string method, precision, backend, kernels, comm;
  int order = 0;
  int ranks = 1;
  std::int64_t elements = 0, unknowns = 0;  // tetrahedra, or cells (key `cells`) of a method on a grid
  bool on_grid = false;
  double dt_s = 0;
  std::int64_t steps = 0;
  std::string interruption;  // why the run ended before its last step; empty: it did not
  double wall_s = 0, setup_s = 0;
  Energy energy;
  std::optional<FieldError> error;
  std::optional<std::uint64_t> fields_hash;
  PowerBalance power;
  std::vector<dosimetry::TissueRow> tissues;  // volume groups in order, already scaled by sar.factor
  Performance performance;

  // Beyond the contract.
  std::optional<double> steps_per_period;
  MeshFigures mesh;
  dosimetry::SarScaling sar;
  std::vector<double> dft_frequencies_Hz;
  std::optional<SubdomainFigures> subdomains;
  std::vector<std::pair<std::string, double>> timers;                // s, named stages of the run
  std::vector<std::pair<std::string, std::vector<double>>> figures;  // further keys: a number, or several as a list
  std::vector<ReportSection> sections;                               // of the report only
};

/// The file's text: indented, numbers in the fewest digits that give the same number back, null for
/// NaN and infinity.
std::string summary_text(const Summary& summary);

/// Whole or not at all (see write_text).
void write_summary(const std::filesystem::path& file, const Summary& summary);

}  // namespace dgtd::io
