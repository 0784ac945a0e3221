#include "dgtd/dosimetry/absorbed_power_density.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dgtd::dosimetry {

namespace {

// The integral over [first nodes, u] x [first nodes, v] of a density that is constant in each cell of a plane is linear
// in both within a cell.
class PlaneIntegral {
 public:
  // density: [cells of v][cells of u]
  PlaneIntegral(const std::vector<double>& u, const std::vector<double>& v, const std::vector<double>& density)
      : u_(u), v_(v), sums_(u.size() * v.size(), 0) {
    const std::size_t row = u.size();
    for (std::size_t j = 1; j < v.size(); ++j)
      for (std::size_t i = 1; i < row; ++i)
        sums_[j * row + i] = sums_[j * row + i - 1] + sums_[(j - 1) * row + i] - sums_[(j - 1) * row + i - 1] +
                             density[(j - 1) * (row - 1) + i - 1] * (u[i] - u[i - 1]) * (v[j] - v[j - 1]);
  }

  double over(double u0, double u1, double v0, double v1) const {
    return to(u1, v1) - to(u0, v1) - to(u1, v0) + to(u0, v0);
  }

 private:
  struct Place {
    std::size_t cell;
    double part;
  };
  static Place find(const std::vector<double>& nodes, double x) {
    const auto above = std::upper_bound(nodes.begin() + 1, nodes.end() - 1, x);
    const auto cell = static_cast<std::size_t>(above - nodes.begin()) - 1;
    return {cell, std::clamp((x - nodes[cell]) / (nodes[cell + 1] - nodes[cell]), 0.0, 1.0)};
  }
  double to(double u, double v) const {
    const Place a = find(u_, u), b = find(v_, v);
    const double* const low = sums_.data() + b.cell * u_.size() + a.cell;
    const double* const high = low + u_.size();
    return (1 - b.part) * ((1 - a.part) * low[0] + a.part * low[1]) +
           b.part * ((1 - a.part) * high[0] + a.part * high[1]);
  }

  const std::vector<double>&u_, &v_;
  std::vector<double> sums_;  // [nodes of v][nodes of u]
};

// visit(voxel, column, distance from the surface to its centre, m; its thickness, m; the surface, m) for the voxels of
// each column along an axis, from its surface on one side to the first end of the tissue. Columns: [cells of v][cells
// of u].
template <class Visit>
void for_columns(const VoxelGrid& voxels, int axis, bool from_above, Visit visit) {
  const int first = (axis + 1) % 3, second = (axis + 2) % 3;
  const std::int64_t step[3] = {1, voxels.cells(0), voxels.cells(0) * voxels.cells(1)};
  const auto& nodes = voxels.nodes[axis];
  std::size_t column = 0;
  for (std::int64_t v = 0; v < voxels.cells(second); ++v)
    for (std::int64_t u = 0; u < voxels.cells(first); ++u, ++column) {
      double depth = 0, surface = 0;
      bool inside = false;
      for (std::int64_t n = 0; n < voxels.cells(axis); ++n) {
        const std::int64_t w = from_above ? voxels.cells(axis) - 1 - n : n;
        const auto voxel = static_cast<std::size_t>(u * step[first] + v * step[second] + w * step[axis]);
        const bool tissue = voxels.density[voxel] > 0;
        if (inside && !tissue) break;
        if (!tissue) continue;
        const auto at = static_cast<std::size_t>(w);
        if (!inside) surface = nodes[from_above ? at + 1 : at];
        inside = true;
        const double thickness = nodes[at + 1] - nodes[at];
        visit(voxel, column, depth + 0.5 * thickness, thickness, surface);
        depth += thickness;
      }
    }
}

// m, from the centre of each voxel to the nearest surface along any axis.
std::vector<float> depths_of(const VoxelGrid& voxels) {
  std::vector<float> depths(static_cast<std::size_t>(voxels.cells()), std::numeric_limits<float>::infinity());
  for (int axis = 0; axis < 3; ++axis)
    for (const bool from_above : {false, true})
      for_columns(voxels, axis, from_above, [&](std::size_t voxel, std::size_t, double depth, double, double) {
        depths[voxel] = std::min(depths[voxel], float(depth));
      });
  return depths;
}

struct Columns {
  std::vector<double> power;    // W/m^2, of voxels to which no other surface is nearer
  std::vector<double> covered;  // 1 where there is tissue, else 0
  std::vector<double> surface;  // m, along the axis
};

Columns columns_of(const VoxelGrid& voxels, const std::vector<float>& depths, int axis, bool from_above) {
  constexpr double rounding = 1e-5;
  const auto count = static_cast<std::size_t>(voxels.cells((axis + 1) % 3) * voxels.cells((axis + 2) % 3));
  const std::vector<double> zeros(count);
  Columns columns{zeros, zeros, zeros};
  for_columns(voxels, axis, from_above,
              [&](std::size_t voxel, std::size_t column, double depth, double thickness, double surface) {
                columns.covered[column] = 1, columns.surface[column] = surface;
                if (depth <= (1 + rounding) * double(depths[voxel]))
                  columns.power[column] += double(voxels.density[voxel]) * double(voxels.sar[voxel]) * thickness;
              });
  return columns;
}

}  // namespace

std::optional<AbsorbedPowerDensity> peak_absorbed_power_density(const VoxelGrid& voxels, double area) {
  constexpr double whole = 1 - 1e-6;
  const double half = 0.5 * std::sqrt(area);
  const std::vector<float> depths = depths_of(voxels);
  std::optional<AbsorbedPowerDensity> peak;
  for (int axis = 0; axis < 3; ++axis) {
    const int first = (axis + 1) % 3, second = (axis + 2) % 3;
    const auto &u = voxels.nodes[first], &v = voxels.nodes[second];
    for (const bool from_above : {false, true}) {
      const Columns columns = columns_of(voxels, depths, axis, from_above);
      const PlaneIntegral power(u, v, columns.power), covered(u, v, columns.covered);
      for (std::size_t j = 0; j + 1 < v.size(); ++j)
        for (std::size_t i = 0; i + 1 < u.size(); ++i) {
          const double x = 0.5 * (u[i] + u[i + 1]), y = 0.5 * (v[j] + v[j + 1]);
          if (covered.over(x - half, x + half, y - half, y + half) < whole * area) continue;
          const double mean = power.over(x - half, x + half, y - half, y + half) / area;
          if (peak && mean <= peak->mean) continue;
          peak = AbsorbedPowerDensity{area, mean, axis, from_above, {}};
          peak->at[axis] = columns.surface[j * (u.size() - 1) + i];
          peak->at[first] = x, peak->at[second] = y;
        }
    }
  }
  return peak;
}

// ICNIRP 2020, Table 2: local absorbed power density above 6 GHz, over 4 cm^2; above 30 GHz twice that over 1 cm^2,
// too.
std::vector<PowerDensityLimit> power_density_limits(double frequency) {
  constexpr double low = 6e9, two_areas = 30e9, highest = 300e9;  // Hz
  constexpr double large = 4e-4, small = 1e-4;                    // m^2
  constexpr std::string_view guideline = "ICNIRP 2020", source = "Health Phys. 118 (2020) 483-524, Table 2";
  if (frequency <= low || frequency > highest) return {};
  std::vector<PowerDensityLimit> limits{{guideline, "general public", large, 20, source},
                                        {guideline, "occupational", large, 100, source}};
  if (frequency > two_areas) {
    limits.push_back({guideline, "general public", small, 40, source});
    limits.push_back({guideline, "occupational", small, 200, source});
  }
  return limits;
}

}  // namespace dgtd::dosimetry
