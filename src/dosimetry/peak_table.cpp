#include "dgtd/dosimetry/peak_table.hpp"

#include <fmt/format.h>

namespace dgtd::dosimetry {

std::string mass_text(double mass_kg) { return fmt::format("{:.6g}g", mass_kg * 1e3); }

namespace {

std::string peak_text(const PeakAverage& peak) {
  constexpr double millimetres = 1e3;
  std::string text = fmt::format("{:.4g} W/kg at ({:.2f}, {:.2f}, {:.2f}) mm", peak.sar, peak.at.x * millimetres,
                                 peak.at.y * millimetres, peak.at.z * millimetres);
  if (!peak.tissue.empty()) text += " in " + peak.tissue;
  if (peak.status == VoxelStatus::used) return text + ", inside of the cube of another voxel";
  return text + fmt::format(", cube of {:.2f} mm, {}", peak.side * millimetres, name_of(peak.orientation));
}

}  // namespace

std::string format_peaks(const std::vector<MassAverage>& averages) {
  std::string text;
  for (const MassAverage& average : averages) {
    const std::string mass = mass_text(average.mass_kg);
    const auto in = [&](VoxelStatus status) { return average.voxels_in[static_cast<std::size_t>(status)]; };
    if (!text.empty()) text += '\n';
    if (average.peak) text += fmt::format("SAR {}: peak {}\n", mass, peak_text(*average.peak));
    else
      text += fmt::format("SAR {}: no cube has this mass, so there is no average{}\n", mass,
                          average.tissue_kg < average.mass_kg
                              ? fmt::format("; all tissue together has {:.6g} g", average.tissue_kg * 1e3)
                              : "");
    text += fmt::format("SAR {}: {} valid, {} used, {} unused voxels, {} without a cube", mass, in(VoxelStatus::valid),
                        in(VoxelStatus::used), in(VoxelStatus::unused), in(VoxelStatus::no_cube));
  }
  return text;
}

}  // namespace dgtd::dosimetry
