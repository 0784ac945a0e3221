#include "sum_table.hpp"

#include <algorithm>

namespace dgtd::dosimetry {

TissueBox tissue_box(const VoxelGrid& voxels) {
  const std::int64_t nx = voxels.cells(0), ny = voxels.cells(1), nz = voxels.cells(2);
  std::int64_t x0 = nx, x1 = 0, y0 = ny, y1 = 0, z0 = nz, z1 = 0;
#pragma omp parallel for schedule(static) reduction(min : x0, y0, z0) reduction(max : x1, y1, z1)
  for (std::int64_t row = 0; row < ny * nz; ++row) {
    const float* const density = voxels.density.data() + row * nx;
    const float* const first = std::find_if(density, density + nx, [](float d) { return d > 0; });
    if (first == density + nx) continue;
    std::int64_t last = nx - 1;
    while (!(density[last] > 0)) --last;
    const std::int64_t j = row % ny, k = row / ny;
    x0 = std::min<std::int64_t>(x0, first - density), x1 = std::max(x1, last + 1);
    y0 = std::min(y0, j), y1 = std::max(y1, j + 1);
    z0 = std::min(z0, k), z1 = std::max(z1, k + 1);
  }
  if (x1 == 0) return {};
  return {{x0, y0, z0}, {x1, y1, z1}};
}

// S(i, j, k) = sum over the voxels below node (i, j, k): rows and columns plane by plane, then planes.
BoxSums::BoxSums(const VoxelGrid& voxels, const TissueBox& box) {
  for (int a = 0; a < 3; ++a)
    nodes_[a].assign(voxels.nodes[a].begin() + box.first[a], voxels.nodes[a].begin() + box.last[a] + 1);
  const std::int64_t nx = box.cells(0), ny = box.cells(1), nz = box.cells(2), plane = (nx + 1) * (ny + 1);
  sums_ = uninitialised<Sums>(static_cast<std::size_t>(plane * (nz + 1)));
  Sums* const sums = sums_.get();
  std::fill(sums, sums + plane, Sums{0, 0, 0, 0});
#pragma omp parallel for schedule(static)
  for (std::int64_t k = 0; k < nz; ++k) {
    Sums* const below = sums + (k + 1) * plane;
    std::fill(below, below + nx + 1, Sums{0, 0, 0, 0});
    const double dz = nodes_[2][k + 1] - nodes_[2][k];
    for (std::int64_t j = 0; j < ny; ++j) {
      const std::int64_t first =
          ((box.first[2] + k) * voxels.cells(1) + box.first[1] + j) * voxels.cells(0) + box.first[0];
      const double area = dz * (nodes_[1][j + 1] - nodes_[1][j]);
      const Sums* const previous = below + j * (nx + 1);
      Sums* const row = below + (j + 1) * (nx + 1);
      Sums along{0, 0, 0, 0};
      row[0] = along;
      for (std::int64_t i = 0; i < nx; ++i) {
        const double density = voxels.density[first + i];
        if (density > 0) {
          const double volume = area * (nodes_[0][i + 1] - nodes_[0][i]), mass = density * volume;
          along = along + Sums{mass, mass * voxels.sar[first + i], volume, 1};
        }
        row[i + 1] = previous[i + 1] + along;
      }
    }
  }
#pragma omp parallel for schedule(static)
  for (std::int64_t j = 0; j <= ny; ++j)
    for (std::int64_t k = 1; k < nz; ++k) {
      const Sums* const from = sums + k * plane + j * (nx + 1);
      Sums* const to = sums + (k + 1) * plane + j * (nx + 1);
      for (std::int64_t i = 0; i <= nx; ++i) to[i] = to[i] + from[i];
    }
}

SumTable BoxSums::table() const {
  SumTable table{};
  for (int a = 0; a < 3; ++a) {
    table.cells[a] = static_cast<int>(nodes_[a].size()) - 1;
    table.nodes[a] = nodes_[a].data();
  }
  table.sums = sums_.get();
  return table;
}

}  // namespace dgtd::dosimetry
