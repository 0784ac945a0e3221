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

std::vector<std::uint32_t> tissue_voxels(const VoxelGrid& voxels, const TissueBox& box) {
  std::vector<std::uint32_t> list;
  std::uint32_t local = 0;
  for (std::int64_t k = box.first[2]; k < box.last[2]; ++k)
    for (std::int64_t j = box.first[1]; j < box.last[1]; ++j) {
      const float* const density = voxels.density.data() + (k * voxels.cells(1) + j) * voxels.cells(0);
      for (std::int64_t i = box.first[0]; i < box.last[0]; ++i, ++local)
        if (density[i] > 0) list.push_back(local);
    }
  return list;
}

namespace {

// S(i, j, k) = sum over the voxels below node (i, j, k): rows and columns plane by plane, then planes. x: nodes of the
// box.
void sum_up(const VoxelGrid& voxels, const TissueBox& box, const std::array<std::vector<double>, 3>& x, Sums* sums) {
  const std::int64_t nx = box.cells(0), ny = box.cells(1), nz = box.cells(2), plane = (nx + 1) * (ny + 1);
#pragma omp parallel for schedule(static)
  for (std::int64_t k = 0; k < nz; ++k) {
    Sums* const below = sums + (k + 1) * plane;
    const double dz = x[2][k + 1] - x[2][k];
    for (std::int64_t j = 0; j < ny; ++j) {
      const std::int64_t first =
          ((box.first[2] + k) * voxels.cells(1) + box.first[1] + j) * voxels.cells(0) + box.first[0];
      const double area = dz * (x[1][j + 1] - x[1][j]);
      const Sums* const previous = below + j * (nx + 1);
      Sums* const row = below + (j + 1) * (nx + 1);
      Sums along{0, 0, 0, 0};
      for (std::int64_t i = 0; i < nx; ++i) {
        const double density = voxels.density[first + i];
        if (density > 0) {
          const double volume = area * (x[0][i + 1] - x[0][i]), mass = density * volume;
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

}  // namespace

BoxSums::BoxSums(const VoxelGrid& voxels, const TissueBox& box, parallel::Memory& memory) {
  std::array<std::vector<double>, 3> x;
  std::size_t nodes = 1;
  for (int a = 0; a < 3; ++a) {
    x[a].assign(voxels.nodes[a].begin() + box.first[a], voxels.nodes[a].begin() + box.last[a] + 1);
    nodes_[a] = parallel::Array<double>(x[a], memory);
    nodes *= x[a].size();
  }
  sums_ = parallel::Array<Sums>(nodes, memory);
  sum_up(voxels, box, x, sums_.host_for_writing());
  sums_.read();
  sums_.release_host_copy();
}

SumTable BoxSums::table() const {
  SumTable table{};
  for (int a = 0; a < 3; ++a) {
    table.cells[a] = static_cast<int>(nodes_[a].size()) - 1;
    table.nodes[a] = nodes_[a].read();
  }
  table.sums = sums_.read();
  return table;
}

}  // namespace dgtd::dosimetry
