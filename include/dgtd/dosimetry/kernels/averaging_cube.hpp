#pragma once
// One averaging cube: it expands until it has the mass (docs/theory.md, "Mass-averaged SAR"). Host and device.
//
// The cube of half side t has faces at  anchor_a - below_a t  and  anchor_a + above_a t  on each axis a; a cube with
// the voxel on a face has one slope 0 and the opposite one 2. Sums over a box come from the summed-volume table at its
// eight corners; inside of a voxel the table is trilinear. While no face passes a plane between voxels, a sum is
// therefore a cubic polynomial of t, which 64 entries of the table give exactly.
#include <cmath>
#include <cstdint>

#include "dgtd/base/host_device.hpp"
#include "dgtd/dosimetry/mass_average.hpp"

namespace dgtd::dosimetry {

/// Sums over a box up to a node of the grid: kg, W, m^3 of tissue, number of tissue voxels (exact).
struct alignas(32) Sums {
  double mass, power, tissue, count;
};
DGTD_HOST_DEVICE Sums operator+(const Sums& a, const Sums& b) {
  return {a.mass + b.mass, a.power + b.power, a.tissue + b.tissue, a.count + b.count};
}
DGTD_HOST_DEVICE Sums operator-(const Sums& a, const Sums& b) {
  return {a.mass - b.mass, a.power - b.power, a.tissue - b.tissue, a.count - b.count};
}
DGTD_HOST_DEVICE Sums operator*(double s, const Sums& a) {
  return {s * a.mass, s * a.power, s * a.tissue, s * a.count};
}

/// The summed-volume table of a grid: sums[(k (ny + 1) + j) (nx + 1) + i] is over the voxels below node (i, j, k).
struct SumTable {
  int cells[3];
  const double* nodes[3];  // [cells + 1] m
  const Sums* sums;

  DGTD_HOST_DEVICE std::int64_t row(int j, int k) const {
    return (std::int64_t{k} * (cells[1] + 1) + j) * (cells[0] + 1);
  }
  /// Tissue voxels from `first` to `last` - 1 on each axis.
  DGTD_HOST_DEVICE double count(const int first[3], const int last[3]) const {
    double total = 0;
    for (int corner = 0; corner < 4; ++corner) {
      const Sums* at = sums + row(corner & 1 ? last[1] : first[1], corner & 2 ? last[2] : first[2]);
      const double along = at[last[0]].count - at[first[0]].count;
      total += (corner == 0 || corner == 3) ? along : -along;
    }
    return total;
  }
};

/// Start of a cube, and the displacement of its faces with its half side t.
struct Placement {
  double anchor[3];                   // m
  double below[3], above[3];          // slopes of the lower and upper faces, 0, 1 or 2
  double per_below[3], per_above[3];  // one over them, 0 for 0

  /// For a voxel with numbers `at`.
  DGTD_HOST_DEVICE static Placement of(const SumTable& table, const int at[3], Orientation orientation) {
    Placement p{};
    for (int a = 0; a < 3; ++a) {
      p.anchor[a] = 0.5 * (table.nodes[a][at[a]] + table.nodes[a][at[a] + 1]);
      p.below[a] = p.above[a] = p.per_below[a] = p.per_above[a] = 1;
    }
    if (orientation == Orientation::centred) return p;
    const int face = static_cast<int>(orientation) - 1, a = face / 2, upper = face % 2;
    p.anchor[a] = table.nodes[a][at[a] + upper];
    p.below[a] = upper ? 2 : 0;
    p.above[a] = upper ? 0 : 2;
    p.per_below[a] = upper ? 0.5 : 0;
    p.per_above[a] = upper ? 0 : 0.5;
    return p;
  }
};

/// The voxels in which the faces of a cube are; -1 and `cells` are outside of the grid.
struct FaceCells {
  int low[3], high[3];
};

/// Values of t at which a face that moves reaches a node.
DGTD_HOST_DEVICE double time_below(const SumTable& table, const Placement& p, int a, int node) {
  return (p.anchor[a] - table.nodes[a][node]) * p.per_below[a];
}
DGTD_HOST_DEVICE double time_above(const SumTable& table, const Placement& p, int a, int node) {
  return (table.nodes[a][node] - p.anchor[a]) * p.per_above[a];
}

/// Range of t in which no face passes a node: begin < t <= end.
struct Interval {
  double begin = 0, end = HUGE_VAL;
};

/// Moves the cells, a guess, to those of t > 0 and returns the interval around it. Begins and ends of neighbouring
/// intervals are the same numbers, so that a t above an end is in another interval.
DGTD_HOST_DEVICE Interval locate(const SumTable& table, const Placement& p, double t, FaceCells& cells) {
  Interval range;
  for (int a = 0; a < 3; ++a) {
    if (p.below[a] > 0) {
      int& l = cells.low[a];
      while (l >= 0 && time_below(table, p, a, l) < t) --l;
      while (time_below(table, p, a, l + 1) >= t) ++l;
      if (l >= 0) range.end = fmin(range.end, time_below(table, p, a, l));
      range.begin = fmax(range.begin, time_below(table, p, a, l + 1));
    }
    if (p.above[a] > 0) {
      int& h = cells.high[a];
      while (h < table.cells[a] && time_above(table, p, a, h + 1) < t) ++h;
      while (h > 0 && time_above(table, p, a, h) >= t) --h;
      if (h < table.cells[a]) range.end = fmin(range.end, time_above(table, p, a, h + 1));
      range.begin = fmax(range.begin, time_above(table, p, a, h));
    }
  }
  return range;
}

/// A face inside a voxel: the table between nodes `first` and `second` at the share  at_begin + rise u  of the way.
struct FaceShare {
  int first, second;
  double at_begin, rise;
};
DGTD_HOST_DEVICE FaceShare share_of(const SumTable& table, int a, int cell, double begin, double end) {
  if (cell < 0) return {0, 0, 0, 0};
  if (cell >= table.cells[a]) return {table.cells[a], table.cells[a], 0, 0};
  const double x = table.nodes[a][cell], width = table.nodes[a][cell + 1] - x;
  return {cell, cell + 1, (begin - x) / width, (end - begin) / width};
}

/// Sums over the cube for t = begin + u (end - begin): c[0] + c[1] u + c[2] u^2 + c[3] u^3.
struct CubePolynomial {
  Sums c[4];

  DGTD_HOST_DEVICE CubePolynomial(const SumTable& table, const Placement& p, const FaceCells& cells,
                                  const Interval& range) {
    // Outside of the grid nothing is added, so the end does not matter where all faces are there.
    const double end = range.end < HUGE_VAL ? range.end : range.begin;
    FaceShare low[3], high[3];
    for (int a = 0; a < 3; ++a) {
      low[a] = share_of(table, a, cells.low[a], p.anchor[a] - p.below[a] * range.begin, p.anchor[a] - p.below[a] * end);
      high[a] =
          share_of(table, a, cells.high[a], p.anchor[a] + p.above[a] * range.begin, p.anchor[a] + p.above[a] * end);
    }
    for (auto& s : c) s = {0, 0, 0, 0};
    const FaceShare* const faces_y[2] = {&low[1], &high[1]};
    const FaceShare* const faces_z[2] = {&low[2], &high[2]};
    for (int side_z = 0; side_z < 2; ++side_z)
      for (int node_z = 0; node_z < 2; ++node_z) {
        const FaceShare& z = *faces_z[side_z];
        Sums plane[3] = {};
        for (int side_y = 0; side_y < 2; ++side_y)
          for (int node_y = 0; node_y < 2; ++node_y) {
            const FaceShare& y = *faces_y[side_y];
            const Sums* at = table.sums + table.row(node_y ? y.second : y.first, node_z ? z.second : z.first);
            const Sums l = at[low[0].first], dl = at[low[0].second] - l, h = at[high[0].first],
                       dh = at[high[0].second] - h;
            const Sums line0 = h + high[0].at_begin * dh - l - low[0].at_begin * dl,
                       line1 = high[0].rise * dh - low[0].rise * dl;
            const double sign = side_y ? 1 : -1, w0 = sign * (node_y ? y.at_begin : 1 - y.at_begin),
                         w1 = sign * (node_y ? y.rise : -y.rise);
            plane[0] = plane[0] + w0 * line0;
            plane[1] = plane[1] + w0 * line1 + w1 * line0;
            plane[2] = plane[2] + w1 * line1;
          }
        const double sign = side_z ? 1 : -1, w0 = sign * (node_z ? z.at_begin : 1 - z.at_begin),
                     w1 = sign * (node_z ? z.rise : -z.rise);
        c[0] = c[0] + w0 * plane[0];
        c[1] = c[1] + w0 * plane[1] + w1 * plane[0];
        c[2] = c[2] + w0 * plane[2] + w1 * plane[1];
        c[3] = c[3] + w1 * plane[2];
      }
  }

  DGTD_HOST_DEVICE Sums at(double u) const { return c[0] + u * (c[1] + u * (c[2] + u * c[3])); }
  DGTD_HOST_DEVICE double mass(double u) const { return c[0].mass + u * (c[1].mass + u * (c[2].mass + u * c[3].mass)); }

  /// u in [0, 1] at which the mass, which grows with u, is `target`: mass(0) < target <= mass(1).
  DGTD_HOST_DEVICE double solve(double target) const {
    constexpr int most = 60;
    double low = 0, high = 1, u = (target - c[0].mass) / (mass(1) - c[0].mass);
    for (int i = 0; i < most; ++i) {
      if (!(u > low && u < high)) u = 0.5 * (low + high);
      const double excess = mass(u) - target, slope = c[1].mass + u * (2 * c[2].mass + u * 3 * c[3].mass);
      (excess < 0 ? low : high) = u;
      const double next = u - excess / slope;
      if (fabs(excess) <= 1e-15 * target || fabs(next - u) <= 1e-15 || high - low <= 1e-15) break;
      u = next;
    }
    return u;
  }
};

/// A cube that has its mass.
struct Cube {
  bool found = false;
  double half = 0;  // m, of its side
  Sums sums{};
  FaceCells cells{};
};

/// Masses are met far below this relative tolerance of the standard; a body that is lighter by less is heavy enough.
inline constexpr double mass_tolerance = 1e-6;

/// Expands the cube until its mass is `target` (kg). guess: of the half side, > 0, with cells to start the search from.
DGTD_HOST_DEVICE Cube expand(const SumTable& table, const Placement& p, double target, double guess, FaceCells cells) {
  // At t = all, every face that moves has left the grid.
  double all = 0;
  for (int a = 0; a < 3; ++a) {
    if (p.below[a] > 0) all = fmax(all, time_below(table, p, a, 0));
    if (p.above[a] > 0) all = fmax(all, time_above(table, p, a, table.cells[a]));
  }
  double low = 0, high = all, t = fmin(guess, all);
  bool relaxed = false;
  for (int i = 0;; ++i) {
    const Interval range = locate(table, p, t, cells);
    const CubePolynomial polynomial(table, p, cells, range);
    const double at_begin = polynomial.c[0].mass, at_end = polynomial.mass(1);
    const double end = fmin(range.end, all);
    double u = -1;
    if (target <= at_begin) {
      if (range.begin <= low) u = 0;  // rounding differs between neighbouring intervals
    } else if (target <= at_end) u = polynomial.solve(target);
    else if (end >= high) {
      if (high < all) u = 1;
      else if (!relaxed && at_end >= (1 - mass_tolerance) * target) {
        target = (1 - 1e-9) * at_end;
        relaxed = true;
        low = 0;
        t = 0.5 * all;
        continue;
      } else return {};
    }
    if (u >= 0) return {true, range.begin + u * (end - range.begin), polynomial.at(u), cells};
    // The next guess: the mass grows like t^3, or bisection where that is slow.
    constexpr int patience = 8;
    double next = 0;
    if (target <= at_begin) {
      high = range.begin;
      next = at_begin > 0 ? range.begin * cbrt(target / at_begin) : 0;
    } else {
      low = end;
      next = at_end > 0 ? fmax(end * cbrt(target / at_end), end * (1 + 1e-9)) : 2 * end;
    }
    t = i < patience && next > low && next <= high ? next : 0.5 * (low + high);
    if (!(t > low)) t = high;
  }
}

/// Start of the search for a cube: the last one that was found.
struct Guess {
  double half = 0;             // m; 0: none was found yet
  int below[3]{}, above[3]{};  // voxels from the last voxel to the faces of its cube
};

/// The cube of a voxel with numbers `at`. density: of the voxel, kg/m^3, for the first guess.
DGTD_HOST_DEVICE Cube expand_from(const SumTable& table, const Placement& p, const int at[3], double mass,
                                  double density, Guess& guess) {
  FaceCells cells;
  for (int a = 0; a < 3; ++a) {
    cells.low[a] = cells.high[a] = at[a];
    if (p.below[a] > 0 && at[a] - guess.below[a] >= -1) cells.low[a] = at[a] - guess.below[a];
    if (p.above[a] > 0 && at[a] + guess.above[a] <= table.cells[a]) cells.high[a] = at[a] + guess.above[a];
  }
  const Cube cube = expand(table, p, mass, guess.half > 0 ? guess.half : 0.5 * cbrt(mass / density), cells);
  if (!cube.found) return cube;
  guess.half = cube.half;
  for (int a = 0; a < 3; ++a) {
    guess.below[a] = at[a] - cube.cells.low[a];
    guess.above[a] = cube.cells.high[a] - at[a];
  }
  return cube;
}

/// A face closer to a plane between voxels than this share of their width counts as on it.
inline constexpr double plane_tolerance = 1e-6;

/// The voxels of a cube along an axis: those that it meets and those that are wholly inside; last is one behind.
struct CubeRange {
  int first, last;                // met; first < 0 or last > cells: outside of the grid
  int inside_first, inside_last;  // wholly inside
  bool on_low_plane, on_high_plane;
};
DGTD_HOST_DEVICE CubeRange range_of(const SumTable& table, const Placement& p, const Cube& cube, int a) {
  const double* x = table.nodes[a];
  const double low = p.anchor[a] - p.below[a] * cube.half, high = p.anchor[a] + p.above[a] * cube.half;
  const int n = table.cells[a];
  int l = cube.cells.low[a], h = cube.cells.high[a];
  if (l < 0 && x[0] - low <= plane_tolerance * (x[1] - x[0])) l = 0;
  if (h >= n && high - x[n] <= plane_tolerance * (x[n] - x[n - 1])) h = n - 1;
  CubeRange r{l, h + 1, l + 1, h, false, false};
  if (l >= 0) {
    const double covered = (x[l + 1] - low) / (x[l + 1] - x[l]);
    if (covered <= plane_tolerance) r.first = l + 1;
    if (covered >= 1 - plane_tolerance) r.inside_first = l;
    r.on_low_plane = covered <= plane_tolerance || covered >= 1 - plane_tolerance;
  }
  if (h < n) {
    const double covered = (high - x[h]) / (x[h + 1] - x[h]);
    if (covered <= plane_tolerance) r.last = h;
    if (covered >= 1 - plane_tolerance) r.inside_last = h + 1;
    r.on_high_plane = covered <= plane_tolerance || covered >= 1 - plane_tolerance;
  }
  return r;
}

/// The voxels wholly inside of a cube that has no face outside of the grid; last is one behind.
struct EnclosedBox {
  int first[3], last[3];
};

/// Whether a centred cube is valid: at most 10 % of its volume is background, and each face meets or touches tissue.
/// Sets the voxels that are wholly inside.
DGTD_HOST_DEVICE bool is_valid(const SumTable& table, const Placement& p, const Cube& cube, EnclosedBox& enclosed) {
  constexpr double most_background = 0.1, rounding = 1e-9;
  const double volume = 8 * cube.half * cube.half * cube.half;
  if (volume - cube.sums.tissue > (most_background + rounding) * volume) return false;
  CubeRange ranges[3];
  for (int a = 0; a < 3; ++a) {
    ranges[a] = range_of(table, p, cube, a);
    if (ranges[a].first < 0 || ranges[a].last > table.cells[a]) return false;  // a face outside of the grid
    enclosed.first[a] = ranges[a].inside_first;
    enclosed.last[a] = ranges[a].inside_last;
  }
  for (int a = 0; a < 3; ++a)
    for (int upper = 0; upper < 2; ++upper) {
      const CubeRange& r = ranges[a];
      int first[3], last[3];
      for (int b = 0; b < 3; ++b) first[b] = ranges[b].first, last[b] = ranges[b].last;
      if (upper) {
        first[a] = r.last - 1;
        last[a] = r.on_high_plane && r.last < table.cells[a] ? r.last + 1 : r.last;
      } else {
        first[a] = r.on_low_plane && r.first > 0 ? r.first - 1 : r.first;
        last[a] = r.first + 1;
      }
      if (table.count(first, last) < 0.5) return false;
    }
  return true;
}

}  // namespace dgtd::dosimetry
