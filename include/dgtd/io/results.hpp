#pragma once
// Where the observers of a run put their results: files in the directory, keys of summary.json, sections of report.html
// and quantities of the last field file.
#include <span>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dgtd/dosimetry/mass_average.hpp"
#include "dgtd/io/summary.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::io {

/// A quantity of elements or cells, whose name contains the unit.
struct CellQuantity {
  std::string name;
  /// Values of local elements or cells, [places]. Called by several threads.
  std::function<void(std::span<const std::size_t> places, double* values)> fill;
  std::string convention = {};  // what the values refer to, in words; empty: see the name
};

/// The voxels on which SAR was averaged, already times sar.factor.
struct AveragedVoxels {
  dosimetry::VoxelGrid grid;
  std::vector<dosimetry::AveragedSar> averages;  // one per mass, in the order of Summary::averages
  std::vector<std::string> conventions = {};     // field data `conventions` of the file
};

struct Results {
  std::filesystem::path directory;
  const parallel::Communicator& comm;
  Summary summary;                       // counts on root alone
  std::vector<CellQuantity> quantities;  // of this rank's elements or cells, for the last field file
  std::int64_t field_bytes = 0;          // of field files that this rank has written
  /// This rank's, of the run; null without SAR. Times summary.sar.factor it is at the chosen power.
  std::shared_ptr<const dosimetry::Exposure> exposure = {};
  std::shared_ptr<const AveragedVoxels> voxels = {};  // on root, where sar.mass is given; else null
};

}  // namespace dgtd::io
