#pragma once
// Tissue and its local specific absorption rate on the cells of a rectilinear grid.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dgtd/base/vec3.hpp"

namespace dgtd::dosimetry {

/// Voxels are numbered with x fastest. Outside of the grid is background.
struct VoxelGrid {
  std::array<std::vector<double>, 3> nodes;  // [voxels of the axis + 1] m, ascending
  std::vector<float> density;                // [voxels] kg/m^3; 0: background
  std::vector<float> sar;                    // [voxels] W/kg, local; 0 in background
  std::vector<std::uint16_t> tissue;         // [voxels] index into tissue_names; empty: not given
  std::vector<std::string> tissue_names;

  std::int64_t cells(int axis) const { return static_cast<std::int64_t>(nodes[axis].size()) - 1; }
  std::int64_t cells() const { return cells(0) * cells(1) * cells(2); }
  /// Numbers of a voxel along the three axes.
  std::array<std::int64_t, 3> at(std::int64_t voxel) const {
    return {voxel % cells(0), voxel / cells(0) % cells(1), voxel / cells(0) / cells(1)};
  }
  Vec3 centre(std::int64_t voxel) const {  // m
    const auto i = at(voxel);
    Vec3 c;
    for (int a = 0; a < 3; ++a) c[a] = 0.5 * (nodes[a][i[a]] + nodes[a][i[a] + 1]);
    return c;
  }
  double tissue_mass() const;  // kg, of all voxels
  /// Whether the voxels are cubes of one size, to 1e-6 of it.
  bool is_uniform() const;
};

/// Throws Error (bad_input) where nodes are not finite and ascending, or a density or SAR is negative or not finite,
/// or the numbers of values differ. what: named in the message, such as a file.
void check(const VoxelGrid& voxels, const std::string& what);

}  // namespace dgtd::dosimetry
