#include "dgtd/dosimetry/voxel_grid.hpp"

#include <fmt/format.h>

#include <cmath>

#include "dgtd/base/error.hpp"

namespace dgtd::dosimetry {

bool VoxelGrid::is_uniform() const {
  constexpr double same = 1e-6;
  const double width = nodes[0][1] - nodes[0][0];
  for (const auto& x : nodes)
    for (std::size_t i = 1; i < x.size(); ++i)
      if (std::abs(x[i] - x[i - 1] - width) > same * width) return false;
  return true;
}

double VoxelGrid::tissue_mass() const {
  double mass = 0;
  std::size_t v = 0;
  for (std::size_t k = 1; k < nodes[2].size(); ++k)
    for (std::size_t j = 1; j < nodes[1].size(); ++j) {
      double row = 0;  // kg/m^2
      for (std::size_t i = 1; i < nodes[0].size(); ++i) row += (nodes[0][i] - nodes[0][i - 1]) * double(density[v++]);
      mass += row * (nodes[1][j] - nodes[1][j - 1]) * (nodes[2][k] - nodes[2][k - 1]);
    }
  return mass;
}

namespace {

void check_axis(const std::vector<double>& x, char axis, const std::string& what) {
  if (x.size() < 2)
    throw Error(fmt::format("{}: no voxels along {}; allowed are volumes of at least one voxel", what, axis));
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i]) || (i > 0 && !(x[i] > x[i - 1])))
      throw Error(
          fmt::format("{}: {} coordinate {} is {}; coordinates must be finite and ascending", what, axis, i, x[i]));
}

// The first value that is negative or not finite; its size where there is none.
std::size_t first_bad(const std::vector<float>& values) {
  std::size_t bad = values.size();
  const auto count = static_cast<std::ptrdiff_t>(values.size());
#pragma omp parallel for schedule(static) reduction(min : bad)
  for (std::ptrdiff_t i = 0; i < count; ++i)
    if (!(values[i] >= 0 && std::isfinite(values[i]))) bad = std::min(bad, static_cast<std::size_t>(i));
  return bad;
}

void check_values(const VoxelGrid& voxels, const std::vector<float>& values, const char* name, const char* unit,
                  const std::string& what) {
  if (static_cast<std::int64_t>(values.size()) != voxels.cells())
    throw Error(fmt::format("{}: {} values of {} for {} voxels", what, values.size(), name, voxels.cells()));
  const std::size_t bad = first_bad(values);
  if (bad == values.size()) return;
  const auto i = voxels.at(static_cast<std::int64_t>(bad));
  throw Error(fmt::format("{}: {} of voxel ({}, {}, {}) is {} {}; it must be finite and not negative", what, name, i[0],
                          i[1], i[2], values[bad], unit));
}

}  // namespace

void check(const VoxelGrid& voxels, const std::string& what) {
  for (int a = 0; a < 3; ++a) check_axis(voxels.nodes[a], "xyz"[a], what);
  check_values(voxels, voxels.density, "density", "kg/m^3", what);
  check_values(voxels, voxels.sar, "sar", "W/kg", what);
  if (!voxels.tissue.empty() && voxels.tissue.size() != voxels.density.size())
    throw Error(fmt::format("{}: {} tissue labels for {} voxels", what, voxels.tissue.size(), voxels.cells()));
}

}  // namespace dgtd::dosimetry
