#pragma once
// Sums of mass, power, tissue volume and tissue voxels over boxes of voxels, from a table of sums below each node.
#include <vector>

#include "dgtd/dosimetry/kernels/averaging_cube.hpp"
#include "dgtd/parallel/array.hpp"

namespace dgtd::dosimetry {

/// The box of voxels around all tissue; last is one behind. Empty without tissue: last = first.
struct TissueBox {
  std::array<std::int64_t, 3> first{}, last{};
  bool is_empty() const { return last[0] <= first[0]; }
  std::int64_t cells(int axis) const { return last[axis] - first[axis]; }
  std::int64_t cells() const { return cells(0) * cells(1) * cells(2); }
};
TissueBox tissue_box(const VoxelGrid& voxels);

/// Tissue voxels by their numbers in the box, x fastest, ascending.
std::vector<std::uint32_t> tissue_voxels(const VoxelGrid& voxels, const TissueBox& box);

/// The table of a box, in double precision: 32 bytes per node.
class BoxSums {
 public:
  /// memory: where the table is used. It outlives the table. Made by threads on the host.
  BoxSums(const VoxelGrid& voxels, const TissueBox& box, parallel::Memory& memory);
  SumTable table() const;

 private:
  std::array<parallel::Array<double>, 3> nodes_;  // [cells + 1] m, of the box
  parallel::Array<Sums> sums_;                    // [nz + 1][ny + 1][nx + 1]
};

}  // namespace dgtd::dosimetry
