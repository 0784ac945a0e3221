#pragma once
// Container of the results of observers: files, keys of summary.json and report.json, sections of the report
// and quantities of the last field file; and what one observer leaves for the next.
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dgtd/dosimetry/mass_average.hpp"
#include "dgtd/dosimetry/sar.hpp"
#include "dgtd/io/result_files.hpp"
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

/// The voxels on which SAR was averaged, at the power of the exposure.
struct AveragedVoxels {
  dosimetry::VoxelGrid grid;
  std::vector<dosimetry::AveragedSar> averages;    // one per mass
  std::vector<dosimetry::MassAverage> peaks = {};  // of each of these
  bool is_sampled = false;                         // the local SAR is that at the voxels' centres, else their mean
  std::vector<std::string> conventions = {};       // field data `conventions` of the file
};

struct Results {
  ResultFiles& files;
  const parallel::Communicator& comm;
  Summary summary = {};                       // counts on root alone
  std::vector<CellQuantity> quantities = {};  // of this rank's elements or cells, for the last field file
  std::int64_t field_bytes = 0;               // of field files that this rank has written
  std::shared_ptr<const dosimetry::Exposure> exposure = {};  // this rank's, of the run; null without SAR
  std::shared_ptr<const AveragedVoxels> voxels = {};         // on root, where sar.mass is given; else null

  /// The path of a file that is written at the end, which is noted as one of the run (ResultFiles::add).
  std::filesystem::path file(std::string name) { return files.add({std::move(name)}); }
};

}  // namespace dgtd::io
