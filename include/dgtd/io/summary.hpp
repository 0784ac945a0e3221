#pragma once
// summary.json: what a run did and found, for scripts and comparisons. One file a run, SI units; its
// keys are a contract (docs/architecture.md). A value that a run does not have is null.
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dgtd/dosimetry/mass_average.hpp"
#include "dgtd/dosimetry/limits.hpp"
#include "dgtd/dosimetry/sar.hpp"
#include "dgtd/io/pictures.hpp"

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

  // For the report only.
  struct Group {
    std::string name;
    std::int64_t elements = 0;
    double volume_m3 = 0;
  };
  std::optional<double> smallest_inradius_m;
  std::optional<double> worst_shape;  // 2 sqrt(6) inradius / longest edge of an element: 1 for the regular one
  std::vector<Group> groups;          // volumes
};

/// A material at the run's first frequency; without a frequency as the case gives it.
struct MaterialRow {
  std::string name, tissue;                   // tissue: of the library, or empty
  double permittivity = 1, permeability = 1;  // relative
  double conductivity = 0;                    // S/m, of conduction and poles
  std::optional<double> density;              // kg/m^3
  bool perfect_conductor = false;
  std::string dielectric_source, density_source;
};

/// Whether the last period has repeated the one before.
struct SteadyState {
  double frequency_Hz = 0;
  std::int64_t places = 0;         // elements or cells at which E was compared
  bool in_tissue = false;          // all of them
  std::optional<double> change_E;  // of its phasor, root mean square over the places, relative to the last period
  std::optional<double> source_W, source_before_W;  // mean emitted power of the last period and of the one before
};

/// A line in subdomains that are marched one by one.
struct SubdomainFigures {
  int count = 1, reflections = 0;  // D, G
  int solutions = 1;               // of a subdomain, D + 2 (D - 1) G
  std::int64_t cell_steps = 0;     // marched, absorbing layers included
  std::optional<double> cpu_s;     // of the sweeps, on a CPU
  double saving = 1;               // cells times steps of the whole line over that
};

/// A tissue on the voxels on which SAR is averaged, at the chosen power.
struct VoxelTissue {
  std::string name;
  std::int64_t voxels = 0;
  double mass_kg = 0, absorbed_W = 0;
  double power_factor = 1;  // by which sampled SAR was multiplied so that the power is that of the elements
};

struct VoxelFigures {
  std::array<std::int64_t, 3> cells{};  // along the axes
  std::optional<double> edge_m;         // of cubic voxels
  bool is_sampled = false;              // at their centres; else they are the cells of the method
  std::vector<VoxelTissue> tissues;
};

/// A section of the report: names and values, the units in the names.
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
  std::vector<dosimetry::TissueRow> tissues;     // volume groups in order, already scaled by sar.factor
  std::vector<dosimetry::MassAverage> averages;  // one per mass of sar.mass, already scaled by sar.factor; empty: none
  Performance performance;

  // Beyond the contract.
  std::optional<double> steps_per_period;
  MeshFigures mesh;
  dosimetry::SarScaling sar;
  std::vector<double> dft_frequencies_Hz;
  std::optional<SubdomainFigures> subdomains;
  std::optional<VoxelFigures> voxels;                                // of averaged SAR
  std::vector<std::pair<std::string, double>> timers;                // s, named stages of the run
  std::vector<std::pair<std::string, std::vector<double>>> figures;  // further keys: a number, or several as a list
  std::vector<ReportSection> sections;                               // of the report only
  std::vector<std::string> warnings;                                 // of the console, in order
  std::optional<SteadyState> steady;

  // For the report only.
  std::optional<double> frequency_Hz;  // of the materials' values
  std::vector<MaterialRow> materials;
  std::vector<dosimetry::LimitCheck> limits;
  std::vector<PictureRow> pictures;
};

/// The file's text: indented, numbers in the fewest digits that give the same number back, null for
/// NaN and infinity.
std::string summary_text(const Summary& summary);

/// Whole or not at all (see write_text).
void write_summary(const std::filesystem::path& file, const Summary& summary);

}  // namespace dgtd::io
