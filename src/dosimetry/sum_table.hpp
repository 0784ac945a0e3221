#pragma once
// Sums of mass, power, tissue volume and tissue voxels over boxes of voxels, from a table of sums below each node.
#include <memory>

#include "dgtd/dosimetry/kernels/averaging_cube.hpp"

namespace dgtd::dosimetry {

/// The box of voxels around all tissue; last is one behind. Empty without tissue: last = first.
struct TissueBox {
  std::array<std::int64_t, 3> first{}, last{};
  bool is_empty() const { return last[0] <= first[0]; }
  std::int64_t cells(int axis) const { return last[axis] - first[axis]; }
  std::int64_t cells() const { return cells(0) * cells(1) * cells(2); }
};
TissueBox tissue_box(const VoxelGrid& voxels);

/// Memory that no thread has touched yet, so that pages are where they are first written.
template <class T>
std::unique_ptr<T[]> uninitialised(std::size_t count) {
  return std::unique_ptr<T[]>(new T[count]);
}

/// The table of a box, in double precision: 32 bytes per node.
class BoxSums {
 public:
  BoxSums(const VoxelGrid& voxels, const TissueBox& box);
  SumTable table() const;

 private:
  std::array<std::vector<double>, 3> nodes_;  // [cells + 1] m, of the box
  std::unique_ptr<Sums[]> sums_;              // [nz + 1][ny + 1][nx + 1]
};

}  // namespace dgtd::dosimetry
