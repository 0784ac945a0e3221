#pragma once
// Absorbed power density at the surface of a body, and its limits above 6 GHz.
#include <optional>
#include <string_view>
#include <vector>

#include "dgtd/dosimetry/voxel_grid.hpp"

namespace dgtd::dosimetry {

/// The largest mean over a square of an area, IEC/IEEE 63195-2:2022, by the power that is absorbed below it:
///   S_ab = 1/A integral over A of (integral of SAR rho along the inward normal) dA
struct AbsorbedPowerDensity {
  double area = 0;          // m^2
  double mean = 0;          // W/m^2, at the power of the voxels' SAR
  int axis = 0;             // normal of the square
  bool from_above = false;  // the power enters towards lower coordinates of that axis
  Vec3 at;                  // m, middle of the square on the surface
};

/// Searches all squares with edges along the axes that tissue fills, seen along any axis from either side. The power
/// below one is that of the voxels up to the first end of the tissue to which no other surface is nearer along an axis.
/// Where the surface is inclined the area is the projected one, so that the mean is not too small. Absent where tissue
/// fills no such square.
std::optional<AbsorbedPowerDensity> peak_absorbed_power_density(const VoxelGrid& voxels, double area);

struct PowerDensityLimit {
  std::string_view guideline, population;
  double area = 0;   // m^2
  double limit = 0;  // W/m^2
  std::string_view source;
};

/// Those of ICNIRP 2020 at a frequency, Hz; empty up to 6 GHz.
std::vector<PowerDensityLimit> power_density_limits(double frequency);

}  // namespace dgtd::dosimetry
