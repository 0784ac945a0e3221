#pragma once
// Voxels with bodies to average SAR on.
#include <cmath>
#include <random>

#include "dgtd/dosimetry/voxel_grid.hpp"

namespace dgtd::dosimetry {

// Background on voxels of these widths along the axes, m.
inline VoxelGrid grid_of(const std::array<std::vector<double>, 3>& widths) {
  VoxelGrid g;
  for (int a = 0; a < 3; ++a) {
    g.nodes[a] = {-0.01 * (a + 1)};
    for (const double w : widths[a]) g.nodes[a].push_back(g.nodes[a].back() + w);
  }
  g.density.assign(static_cast<std::size_t>(g.cells()), 0);
  g.sar.assign(static_cast<std::size_t>(g.cells()), 0);
  return g;
}

// Fills the grid: density(i, j, k) and, where that is not 0, sar(i, j, k).
template <class Density, class Sar>
void fill(VoxelGrid& g, const Density& density, const Sar& sar) {
  for (std::int64_t v = 0; v < g.cells(); ++v) {
    const auto at = g.at(v);
    g.density[v] = static_cast<float>(density(at[0], at[1], at[2]));
    if (g.density[v] > 0) g.sar[v] = static_cast<float>(sar(at[0], at[1], at[2]));
  }
}

// A random body: an ellipsoid with holes, a thin plate, islands; random densities and SAR.
inline VoxelGrid random_body(unsigned seed, const std::array<std::vector<double>, 3>& widths) {
  VoxelGrid g = grid_of(widths);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  const double holes = 0.06 * uniform(random), islands = 0.05 * uniform(random), n = double(g.cells(0));
  const auto plate = static_cast<std::int64_t>(n * uniform(random));
  const bool equal = uniform(random) < 0.3;  // densities
  fill(
      g,
      [&](std::int64_t i, std::int64_t j, std::int64_t k) {
        const double x = (i + 0.5) / g.cells(0) - 0.5, y = (j + 0.5) / g.cells(1) - 0.5,
                     z = (k + 0.5) / g.cells(2) - 0.5;
        bool tissue = x * x / 0.2 + y * y / 0.16 + z * z / 0.18 < 1;
        if (uniform(random) < holes) tissue = false;
        if (uniform(random) < islands || i == plate) tissue = true;
        if (k == g.cells(2) / 2 && j > 2 && j < 7 && i < 8) tissue = false;  // a slit
        const double density = 900 + 1000 * uniform(random);
        return !tissue ? 0 : equal ? 1000 : density;
      },
      [&](std::int64_t, std::int64_t, std::int64_t) { return std::exp(3 * uniform(random)); });
  return g;
}

}  // namespace dgtd::dosimetry
