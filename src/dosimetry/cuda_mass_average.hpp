#pragma once
// Mass averaging on the current CUDA device, in builds with CUDA.
#include <string>
#include <vector>

#include "dgtd/dosimetry/mass_average.hpp"

namespace dgtd::dosimetry {

/// Reason why the device cannot average on these voxels: it is missing, or its memory is too small. Empty: it can.
std::string why_not_on_device(const VoxelGrid& voxels);

/// As average_sar, with the same result. Throws Error (device, out_of_memory, bad_input).
std::vector<AveragedSar> average_on_device(const VoxelGrid& voxels, const std::vector<double>& masses);

}  // namespace dgtd::dosimetry
