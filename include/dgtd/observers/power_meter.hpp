#pragma once
// Powers of a run from its Fourier sums, as a method measures them.
#include <optional>
#include <string>
#include <vector>

#include "dgtd/dosimetry/sar.hpp"
#include "dgtd/dosimetry/voxel_grid.hpp"

namespace dgtd::observers {

/// Tissue on voxels, on root, with SAR at the power of the exposure; tissue_names are those of the meter's rows.
struct VoxelSar {
  dosimetry::VoxelGrid grid;
  bool is_sampled =
      false;  // at the voxels' centres, so that the power of a tissue is not exact; else the cells are voxels
};

/// Powers are means over a period where the sums are peak phasors.
class PowerMeter {
 public:
  virtual ~PowerMeter() = default;
  struct Measured {
    dosimetry::Exposure exposure;            // this rank's elements or cells
    std::vector<dosimetry::TissueRow> rows;  // masses, absorbed powers and SAR of materials, all ranks
  };
  /// At one of the frequencies of the sums. Collective.
  virtual Measured measure(std::size_t frequency) const = 0;
  virtual std::vector<std::string> names() const = 0;  // [materials]
  /// Power that each material absorbs at one of the frequencies, W, all ranks, [materials]. Collective.
  virtual std::vector<double> absorbed(std::size_t frequency) const = 0;
  /// Power that leaves at one of the frequencies, W, all ranks. Collective.
  virtual double outflow(std::size_t frequency) const = 0;
  /// Absorbed power and outflow of the field with the opposite phases (solver::Phases) between Bloch sides, W, all ranks;
  /// nothing where fields are real. In a steady state the sources supply the mean of that and of the power of the field
  /// with the phases of the sides. Collective.
  virtual std::optional<double> loss_of_opposite_phases(std::size_t frequency) const {
    (void)frequency;
    return {};
  }
  /// The exposure on voxels, at its power. Root needs about 60 bytes per voxel. Collective. Only where voxel_count() is
  /// positive.
  virtual VoxelSar voxels(const dosimetry::Exposure& exposure) const = 0;
  /// Voxels of the box around all tissue, all ranks; 0: this meter has none. Collective.
  virtual double voxel_count() const = 0;
  /// Whether these are cubes of one size. Collective.
  virtual bool has_cubic_voxels() const = 0;
  struct ExposureBytes {
    double making, kept;  // of host memory while measure() runs; of what it returns
  };
  /// Host memory of this rank that an exposure takes, bytes. Collective.
  virtual ExposureBytes exposure_bytes() const = 0;
};

}  // namespace dgtd::observers
