#pragma once
// VTK's ImageData and RectilinearGrid files with tissue and SAR, for dgtd-sar.
#include <vtkDataSet.h>
#include <vtkSmartPointer.h>

#include <filesystem>

#include "dgtd/dosimetry/mass_average.hpp"

namespace dgtd::app {

/// A file as VTK has it, and what SAR is averaged on.
struct SarFile {
  vtkSmartPointer<vtkDataSet> data;
  dosimetry::VoxelGrid voxels;
};

/// Reads a .vti or .vtr file with cell arrays `density` (kg/m^3) and `sar` (W/kg), or density_kg_per_m3 and
/// the local SAR as in sar.vti of a run. unit: metres per length unit of the file. Throws Error (bad_input).
SarFile read_sar_file(const std::filesystem::path& file, double unit);

/// Adds the arrays SAR_1g_W_per_kg, SAR_1g_status, SAR_1g_orientation and SAR_1g_side_m (m) of this mass, in place of
/// those of that name.
void add_average(SarFile& file, const dosimetry::AveragedSar& average);

/// Throws Error (bad_input) where the file's ending is not that of the grid: .vti or .vtr.
void check_ending(const SarFile& sar, const std::filesystem::path& file);

/// Writes all arrays, raw. Throws Error where that fails.
void write_sar_file(const SarFile& sar, const std::filesystem::path& file);

}  // namespace dgtd::app
