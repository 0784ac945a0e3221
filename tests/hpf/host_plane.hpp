#pragma once
// Planes on the host, on which schedules are compared with the plain update.
#include <gtest/gtest.h>

#include <cmath>

#include "dgtd/hpf/kernels/plain_update.hpp"
#include "hpf/problems.hpp"

namespace dgtd::hpf {

/// A plane's arrays as an engine has them, and a view of them.
template <class Real>
struct HostPlane {
  Discretisation d;
  std::vector<Coefficients<Real>> coefficients;
  std::vector<std::uint32_t> masks;
  std::vector<Real> arrays[4], series;
  std::vector<RowSource<Real>> sources;
  static constexpr int steps_of_series = 64;

  HostPlane(const PlaneProblem& p, int ghosts)
      : d(p.setup, grid::SceneMedia(grid::Scene(p.bodies, 0), p.setup.grid.materials, true), p.time_step(), ghosts, 0,
          1),
        masks(d.masks()) {
    for (const auto& c : d.classes) coefficients.push_back(d.coefficients<Real>(c));
    for (auto& a : arrays) a.assign(static_cast<std::size_t>(d.reals()), 0);
    for (std::size_t n = 0; n < arrays[0].size(); ++n)
      arrays[0][n] = static_cast<Real>(std::sin(0.7 * double(n) + 1e-4 * double(n * n)));
    for (std::size_t n = 0; n < arrays[0].size(); ++n)
      arrays[1][n] = static_cast<Real>(0.1 * std::cos(0.3 * double(n)));
    for (int j = 0; j < d.height; ++j)
      for (int i = 0; i < d.width; ++i) {
        const bool held =
            (j == 0 && d.walls[2] == Boundary::zero) || (j == d.height - 1 && d.walls[3] == Boundary::zero) ||
            d.classes[d.number_of_class(i, j)].conductor ||
            (d.stencil == Stencil::laplacian &&
             ((i == 0 && d.walls[0] == Boundary::zero) || (i == d.width - 1 && d.walls[1] == Boundary::zero)));
        if (held) arrays[0][d.index(i, j)] = arrays[1][d.index(i, j)] = 0;
      }
    int number = 0;
    for (const auto& s : p.sources) {
      const auto made = source_rows(d, s);
      for (const auto& r : made.rows)
        sources.push_back({r.row, r.first, r.last, number + r.series, static_cast<Real>(0.3 * number + 1)});
      number += static_cast<int>(made.series.size());
    }
    for (int n = 0; n < number * steps_of_series; ++n) series.push_back(static_cast<Real>(std::sin(0.9 * n)));
    if (sources.empty()) series.resize(1);
    fill_ghosts();
  }
  /// Fills the ghosts of a periodic axis y.
  void fill_ghosts() {
    if (d.walls[2] != Boundary::none) return;
    for (int a = 0; a < 2; ++a)
      for (int g = 1; g <= d.ghost_rows; ++g)
        for (int i = 0; i < d.width; ++i) {
          arrays[a][d.index(i, -g)] = arrays[a][d.index(i, d.height - g)];
          arrays[a][d.index(i, d.height + g - 1)] = arrays[a][d.index(i, g - 1)];
        }
  }
  PlaneView<Real> view(int step = 0) {
    PlaneView<Real> v{};
    v.width = d.width, v.height = d.height, v.ghost_rows = d.ghost_rows, v.pitch = d.pitch;
    v.coupled_x = d.stencil == Stencil::laplacian, v.wrap_x = d.wrap_x;
    for (int s = 0; s < 4; ++s) v.wall[s] = d.walls[s];
    v.ratio = static_cast<Real>(d.ratio()), v.centre = static_cast<Real>(d.centre());
    v.coefficients = coefficients.data(), v.masks = masks.data(), v.planes = d.planes(), v.words = d.words();
    v.psi = arrays[0].data(), v.increment = arrays[1].data(), v.new_psi = arrays[2].data(),
    v.new_increment = arrays[3].data();
    v.sources = sources.data(), v.source_count = static_cast<int>(sources.size());
    v.source_low = 1 << 30, v.source_high = -1;
    for (const auto& r : sources)
      v.source_low = std::min(v.source_low, r.row), v.source_high = std::max(v.source_high, r.row);
    v.series = series.data() + step, v.series_stride = steps_of_series;
    return v;
  }
};

template <bool coupled, bool lossy, class Real>
void plain_steps(HostPlane<Real>& plane, int steps) {
  for (int t = 0; t < steps; ++t) {
    plane.fill_ghosts();
    const auto v = plane.view(t);
    const PlainUpdate<Real, coupled, lossy> update{v};
    for (std::int64_t k = 0; k < std::int64_t(v.width) * v.height; ++k) update(k);
    for (int r = 0; r < v.source_count; ++r)
      for (int k = 0; k < v.sources[r].last - v.sources[r].first; ++k)
        if (v.sources[r].row >= 0 && v.sources[r].row < v.height) AddSource<Real>{v, r, 0}(k);
    for (const int side : {2, 3, 0, 1})
      if (v.wall[side] == Boundary::mur && (coupled || side >= 2))
        for (int k = 0; k < (side < 2 ? v.height : v.width); ++k) UpdateWall<Real>{v, side}(k);
    plane.arrays[0].swap(plane.arrays[2]);
    plane.arrays[1].swap(plane.arrays[3]);
  }
}

template <class Real>
void expect_equal(HostPlane<Real>& plain, HostPlane<Real>& other, const std::string& what) {
  std::int64_t different = 0;
  double size = 0;
  for (int a = 0; a < 2; ++a)  // the plain one has swapped its arrays
    for (int j = 0; j < plain.d.height; ++j)
      for (int i = 0; i < plain.d.width; ++i) {
        const std::size_t n = plain.d.index(i, j);
        different += !(plain.arrays[a][n] == other.arrays[2 + a][n]);
        size += std::abs(double(plain.arrays[a][n]));
      }
  EXPECT_EQ(different, 0) << what;
  EXPECT_GT(size, 1) << what;
}

template <bool coupled, bool lossy, class Real, class Run>
void compare(const PlaneProblem& problem, int steps, const std::string& what, const Run& run) {
  HostPlane<Real> plain(problem, steps), other(problem, steps);
  plain_steps<coupled, lossy>(plain, steps);
  run(other, steps);
  expect_equal(plain, other, what);
}

/// All kinds of walls, with sources and media.
inline std::vector<PlaneProblem> problems(Stencil stencil, bool lossy, int nx, int ny) {
  using physics::BoundaryKind;
  std::vector<PlaneProblem> made;
  for (const auto& [x, y] : {std::pair{physics::BoundaryKind::mur, physics::BoundaryKind::mur},
                             std::pair{physics::BoundaryKind::pec, physics::BoundaryKind::pmc},
                             std::pair{physics::BoundaryKind::pmc, physics::BoundaryKind::pec},
                             std::pair{physics::BoundaryKind::periodic, physics::BoundaryKind::periodic}}) {
    made.push_back(mixed_problem(stencil, lossy, nx, ny));
    made.back().set_sides(x, y);
  }
  made.push_back(mixed_problem(stencil, lossy, nx, ny));
  return made;
}

}  // namespace dgtd::hpf
