#pragma once
// SAR averaged over cubes of given masses (IEC/IEEE 62704-1), at the end of a run.
#include <vector>

#include "dgtd/io/results.hpp"
#include "dgtd/observers/power_meter.hpp"
#include "dgtd/solver/observer.hpp"

namespace dgtd::observers {

struct MassAveragingSettings {
  std::vector<double> masses;  // kg
  bool write_file = true;      // sar.vti or sar.vtr
  dosimetry::Processor processor = dosimetry::Processor::cpu;
};

/// Comes after Powers, whose exposure it takes. Root averages with all its threads.
class MassAveraging final : public solver::Observer {
 public:
  /// The meter outlives the observer.
  MassAveraging(MassAveragingSettings settings, const PowerMeter& meter)
      : settings_(std::move(settings)), meter_(meter) {}

  std::int64_t next(std::int64_t) const override { return solver::never; }
  void observe(const solver::Clock&) override {}
  /// Keys and section of averages; the voxels of the results. SAR that was sampled is scaled per tissue so that its
  /// power on the voxels is that of the tissue.
  void finish(io::Results& results) override;
  void finish_fields(io::Results& results) override;
  std::vector<solver::FileSize> field_files(std::int64_t steps) const override;
  double output_bytes() const override;

 private:
  MassAveragingSettings settings_;
  const PowerMeter& meter_;
};

/// A tissue on the voxels on which SAR is averaged, at the power of the exposure.
struct VoxelTissue {
  std::string name;
  std::int64_t voxels = 0;
  double mass_kg = 0, absorbed_W = 0;
  double power_factor = 1;  // by which SAR was multiplied so that the power is that of the tissue
};

/// Scales the SAR of each tissue so that its power is that of its row, and returns what was done: one entry per row
/// with a mass. The factor is 1 where there is no power on the voxels. The grid's tissue names are those of the rows.
std::vector<VoxelTissue> conserve_power(dosimetry::VoxelGrid& grid, const std::vector<dosimetry::TissueRow>& rows);

/// The same entries for voxels that have the power of their tissues. factors: [rows] by which their SAR was multiplied
/// for that; empty: none.
std::vector<VoxelTissue> voxel_tissues(const dosimetry::VoxelGrid& grid, const std::vector<dosimetry::TissueRow>& rows,
                                       const std::vector<double>& factors = {});

/// Tissues of the voxels, and the way their SAR was computed.
struct VoxelFigures {
  bool is_sampled = false;  // at their centres; else they are the cells of the method
  std::vector<VoxelTissue> tissues;
};

/// The voxels on which an exposure was averaged, at its power.
struct AveragedExposure {
  std::shared_ptr<io::AveragedVoxels> voxels;  // null beside root
  VoxelFigures figures;
};

/// Averages an exposure on the meter's voxels, of which there are some; warns of tissues that these represent badly.
/// Collective.
AveragedExposure averaged_exposure(const PowerMeter& meter, const dosimetry::Exposure& exposure,
                                   const MassAveragingSettings& settings, const parallel::Communicator& comm);

/// Writes the voxels to sar.vti or sar.vtr with a suffix of its name. On root only.
void write_voxel_file(io::Results& results, const io::AveragedVoxels& voxels, const std::string& suffix = {});

/// An average in summary.json and in report.json.
io::Value summary_value(const dosimetry::MassAverage& average);
io::Value report_value(const dosimetry::MassAverage& average);

/// Keys and section of averages: of exposure the scaling and the tissues count.
void add_averages(io::Summary& summary, const dosimetry::Exposure& exposure, const io::AveragedVoxels& voxels,
                  const VoxelFigures& figures);

}  // namespace dgtd::observers
