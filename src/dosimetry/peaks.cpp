// The largest averages, of all voxels and of each tissue.
#include <limits>

#include "dgtd/dosimetry/mass_average.hpp"

namespace dgtd::dosimetry {

namespace {

constexpr std::int64_t nowhere = -1;

PeakAverage describe(const VoxelGrid& voxels, const AveragedSar& averages, std::int64_t voxel) {
  const auto v = static_cast<std::size_t>(voxel);
  PeakAverage peak{
      averages.sar[v], voxels.centre(voxel), averages.status[v], averages.orientation[v], averages.side[v], {}, {}, {}};
  peak.lower = peak.upper = peak.at;
  if (peak.orientation != Orientation::none) {
    const Vec3 half{0.5 * peak.side, 0.5 * peak.side, 0.5 * peak.side};
    peak.lower -= half;
    peak.upper += half;
  }
  if (peak.orientation != Orientation::none && peak.orientation != Orientation::centred) {
    const int face = static_cast<int>(peak.orientation) - 1, a = face / 2, upper = face % 2;
    const double plane = voxels.nodes[a][voxels.at(voxel)[a] + upper];
    peak.lower[a] = upper ? plane - peak.side : plane;
    peak.upper[a] = upper ? plane : plane + peak.side;
  }
  if (!voxels.tissue.empty() && voxels.tissue[v] < voxels.tissue_names.size())
    peak.tissue = voxels.tissue_names[voxels.tissue[v]];
  return peak;
}

}  // namespace

MassAverage peaks(const VoxelGrid& voxels, const AveragedSar& averages) {
  MassAverage result{averages.mass_kg, {}, {}, {}, voxels.tissue_mass()};
  std::int64_t best = nowhere;
  std::vector<std::int64_t> of_tissue(voxels.tissue_names.size(), nowhere);
  const auto is_larger = [&](std::int64_t v, std::int64_t than) {
    return than == nowhere || averages.sar[v] > averages.sar[than];
  };
  for (std::int64_t v = 0; v < voxels.cells(); ++v) {
    const VoxelStatus status = averages.status[v];
    ++result.voxels_in[static_cast<std::size_t>(status)];
    if (status == VoxelStatus::background || status == VoxelStatus::no_cube) continue;
    if (status != VoxelStatus::used && is_larger(v, best)) best = v;
    if (voxels.tissue.empty() || voxels.tissue[v] >= of_tissue.size()) continue;
    std::int64_t& most = of_tissue[voxels.tissue[v]];
    if (is_larger(v, most)) most = v;
  }
  if (best != nowhere) result.peak = describe(voxels, averages, best);
  for (const std::int64_t v : of_tissue)
    if (v != nowhere) result.of_tissues.push_back(describe(voxels, averages, v));
  return result;
}

std::string_view name_of(Orientation orientation) {
  switch (orientation) {
    case Orientation::none: return "none";
    case Orientation::lower_x: return "voxel on the lower x face";
    case Orientation::upper_x: return "voxel on the upper x face";
    case Orientation::lower_y: return "voxel on the lower y face";
    case Orientation::upper_y: return "voxel on the upper y face";
    case Orientation::lower_z: return "voxel on the lower z face";
    case Orientation::upper_z: return "voxel on the upper z face";
    case Orientation::centred: break;
  }
  return "centred";
}

}  // namespace dgtd::dosimetry
