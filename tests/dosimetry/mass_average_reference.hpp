#pragma once
// Mass-averaged SAR by IEC/IEEE 62704-1 as its text reads (docs/theory.md, "Mass-averaged SAR"): every cube is summed
// voxel by voxel and expanded by bisection, and every voxel is looked up in every cube. It shares no code with the
// program's, and takes the time of all voxels times all voxels.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "dgtd/dosimetry/voxel_grid.hpp"

namespace reference {

struct Box {
  std::array<double, 3> low, high;  // m
};

struct Average {
  int status = 0;       // 0 background, 1 valid, 2 used, 3 unused, 4 no cube
  int orientation = 0;  // 7 centred, 1 to 6 the face -x +x -y +y -z +z that has the voxel
  double sar = 0, side = 0;
};

class MassAverage {
 public:
  MassAverage(const dgtd::dosimetry::VoxelGrid& voxels, double mass) : v_(voxels), mass_(mass) {}

  std::vector<Average> run() const {
    const auto n = static_cast<std::size_t>(v_.cells());
    std::vector<Average> result(n);
    std::vector<double> largest(n, -1);
    for (std::size_t i = 0; i < n; ++i) {
      if (v_.density[i] == 0) continue;
      const auto cube = grow(i, 7);
      if (!cube || !is_valid(*cube)) continue;
      result[i] = {1, 7, mean_sar(*cube), side(*cube)};
      for (std::size_t other = 0; other < n; ++other)
        if (is_inside(other, *cube)) largest[other] = std::max(largest[other], result[i].sar);
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (v_.density[i] == 0 || result[i].status == 1) continue;
      if (largest[i] >= 0) result[i] = {2, 0, largest[i], 0};
      else result[i] = on_a_face(i);
    }
    return result;
  }

 private:
  Average on_a_face(std::size_t i) const {
    std::array<std::optional<Box>, 7> cubes;
    double smallest = 1e300;
    for (int f = 1; f <= 6; ++f) {
      cubes[f] = grow(i, f);
      if (cubes[f]) smallest = std::min(smallest, std::pow(side(*cubes[f]), 3));
    }
    Average best{4, 0, 0, 0};
    for (int f = 1; f <= 6; ++f) {
      if (!cubes[f] || std::pow(side(*cubes[f]), 3) > 1.05 * (1 + 1e-9) * smallest) continue;
      const double sar = mean_sar(*cubes[f]);
      if (best.status == 4 || sar > best.sar * (1 + 1e-9)) best = {3, f, sar, side(*cubes[f])};
    }
    return best;
  }

  Box placed(std::size_t i, int orientation, double half) const {
    const auto at = v_.at(static_cast<std::int64_t>(i));
    Box box;
    for (int a = 0; a < 3; ++a) {
      const double low = v_.nodes[a][at[a]], high = v_.nodes[a][at[a] + 1], centre = (low + high) / 2;
      box.low[a] = centre - half;
      box.high[a] = centre + half;
      if (orientation == 2 * a + 1) box.low[a] = low, box.high[a] = low + 2 * half;
      if (orientation == 2 * a + 2) box.high[a] = high, box.low[a] = high - 2 * half;
    }
    return box;
  }

  // The smallest cube that has the mass.
  std::optional<Box> grow(std::size_t i, int orientation) const {
    double extent = 0;
    for (const auto& x : v_.nodes) extent += x.back() - x.front();
    const double most = mass_of(placed(i, orientation, extent));
    if (most < mass_ * (1 - 1e-6)) return {};
    const double target = std::min(mass_, most * (1 - 1e-9));
    double low = 0, high = extent;
    for (int n = 0; n < 200 && high - low > 1e-16 * extent; ++n) {
      const double middle = (low + high) / 2;
      (mass_of(placed(i, orientation, middle)) < target ? low : high) = middle;
    }
    return placed(i, orientation, high);
  }

  static double side(const Box& box) { return box.high[0] - box.low[0]; }
  double width(int a, std::int64_t i) const { return v_.nodes[a][i + 1] - v_.nodes[a][i]; }
  // Length of a voxel inside of a box along an axis, m.
  double covered(const Box& box, int a, std::int64_t i) const {
    return std::max(0.0, std::min(box.high[a], v_.nodes[a][i + 1]) - std::max(box.low[a], v_.nodes[a][i]));
  }

  // visit(voxel, volume inside of the box, m^3)
  template <class Visit>
  void for_voxels(const Box& box, const Visit& visit) const {
    for (std::int64_t k = 0; k < v_.cells(2); ++k) {
      const double z = covered(box, 2, k);
      if (z == 0) continue;
      for (std::int64_t j = 0; j < v_.cells(1); ++j) {
        const double y = covered(box, 1, j);
        if (y == 0) continue;
        for (std::int64_t i = 0; i < v_.cells(0); ++i) {
          const double x = covered(box, 0, i);
          if (x > 0) visit(static_cast<std::size_t>((k * v_.cells(1) + j) * v_.cells(0) + i), x * y * z);
        }
      }
    }
  }
  double mass_of(const Box& box) const {
    double mass = 0;
    for_voxels(box, [&](std::size_t v, double volume) { mass += v_.density[v] * volume; });
    return mass;
  }
  double mean_sar(const Box& box) const {
    double mass = 0, power = 0;
    for_voxels(box, [&](std::size_t v, double volume) {
      mass += v_.density[v] * volume;
      power += v_.density[v] * volume * v_.sar[v];
    });
    return power / mass;
  }

  // A plane between voxels counts as reached within 1e-6 of the voxel's width.
  static constexpr double tolerance = 1e-6;
  bool meets(const Box& box, int a, std::int64_t i) const { return covered(box, a, i) > tolerance * width(a, i); }
  bool is_inside(std::size_t voxel, const Box& box) const {
    const auto at = v_.at(static_cast<std::int64_t>(voxel));
    for (int a = 0; a < 3; ++a)
      if (covered(box, a, at[a]) < (1 - tolerance) * width(a, at[a])) return false;
    return true;
  }

  bool is_valid(const Box& box) const {
    double tissue = 0;
    for_voxels(box, [&](std::size_t v, double volume) { tissue += v_.density[v] > 0 ? volume : 0; });
    const double volume = std::pow(side(box), 3);
    if (volume - tissue > (0.1 + 1e-9) * volume) return false;
    for (int a = 0; a < 3; ++a)
      for (const double face : {box.low[a], box.high[a]})
        if (!face_has_tissue(box, a, face)) return false;
    return true;
  }
  // Tissue in a voxel that the face cuts, or that has the face on its boundary.
  bool face_has_tissue(const Box& box, int a, double face) const {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    for (std::int64_t v = 0; v < v_.cells(); ++v) {
      const auto at = v_.at(v);
      const double slack = tolerance * width(a, at[a]);
      if (v_.density[static_cast<std::size_t>(v)] > 0 && face >= v_.nodes[a][at[a]] - slack &&
          face <= v_.nodes[a][at[a] + 1] + slack && meets(box, b, at[b]) && meets(box, c, at[c]))
        return true;
    }
    return false;
  }

  const dgtd::dosimetry::VoxelGrid& v_;
  double mass_;
};

}  // namespace reference
