// Every schedule gives the bits of the plain update: the paper's diagonals, and the bodies of the GPU's lines and tiles
// with the exchange between their threads played on the host.
#include <gtest/gtest.h>

#include <cmath>

#include "dgtd/hpf/kernels/diagonal_sweep.hpp"
#include "dgtd/hpf/kernels/line_lane.hpp"
#include "dgtd/hpf/kernels/plain_update.hpp"
#include "dgtd/hpf/kernels/tile_patch.hpp"
#include "hpf/problems.hpp"

namespace dgtd::hpf {
namespace {

/// A plane's arrays as an engine has them, and a view of them.
template <class Real>
struct HostPlane {
  Discretisation d;
  std::vector<Coefficients<Real>> coefficients;
  std::vector<std::uint32_t> masks;
  std::vector<Real> arrays[4], series;
  std::vector<RowDrive<Real>> drives;
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
        const bool held = (j == 0 && d.walls[2] == Wall::zero) || (j == d.height - 1 && d.walls[3] == Wall::zero) ||
                          d.classes[d.number_of_class(i, j)].conductor ||
                          (d.stencil == Stencil::laplacian &&
                           ((i == 0 && d.walls[0] == Wall::zero) || (i == d.width - 1 && d.walls[1] == Wall::zero)));
        if (held) arrays[0][d.index(i, j)] = arrays[1][d.index(i, j)] = 0;
      }
    int number = 0;
    for (const auto& s : p.sources) {
      const auto made = source_drives(d, s);
      for (const auto& r : made.drives)
        drives.push_back({r.row, r.first, r.last, number + r.series, static_cast<Real>(0.3 * number + 1)});
      number += static_cast<int>(made.series.size());
    }
    for (int n = 0; n < number * steps_of_series; ++n) series.push_back(static_cast<Real>(std::sin(0.9 * n)));
    if (drives.empty()) series.resize(1);
    fill_ghosts();
  }
  /// Of a periodic axis y.
  void fill_ghosts() {
    if (d.walls[2] != Wall::none) return;
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
    v.drives = drives.data(), v.drive_count = static_cast<int>(drives.size());
    v.drive_low = 1 << 30, v.drive_high = -1;
    for (const auto& r : drives)
      v.drive_low = std::min(v.drive_low, r.row), v.drive_high = std::max(v.drive_high, r.row);
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
    for (int r = 0; r < v.drive_count; ++r)
      for (int k = 0; k < v.drives[r].last - v.drives[r].first; ++k)
        if (v.drives[r].row >= 0 && v.drives[r].row < v.height) DriveNodes<Real>{v, r, 0}(k);
    for (const int side : {2, 3, 0, 1})
      if (v.wall[side] == Wall::mur && (coupled || side >= 2))
        for (int k = 0; k < (side < 2 ? v.height : v.width); ++k) UpdateWall<Real>{v, side}(k);
    plane.arrays[0].swap(plane.arrays[2]);
    plane.arrays[1].swap(plane.arrays[3]);
  }
}

template <int points, bool lossy, class Real>
void line_steps(HostPlane<Real>& plane, int steps) {
  const auto v = plane.view();
  const AxisCut cut = line_cut(v, points, steps);
  ASSERT_FALSE(cut.impossible());
  for (int x = 0; x < v.width; ++x)
    for (int piece = 0; piece < cut.pieces; ++piece) {
      std::vector<LineLane<Real, points, lossy>> lanes(32);
      for (int l = 0; l < 32; ++l) lanes[l].load(v, x, cut.begin(piece) + l * points);
      for (int t = 0; t < steps; ++t) {
        Real below[32], above[32];
        for (int l = 0; l < 32; ++l)
          below[l] = l > 0 ? lanes[l - 1].psi[points - 1] : 0, above[l] = l < 31 ? lanes[l + 1].psi[0] : 0;
        for (int l = 0; l < 32; ++l) lanes[l].step(v, x, cut.begin(piece), below[l], above[l], t);
      }
      for (const auto& lane : lanes) lane.store(v, x, cut.store_first(piece), cut.store_end(piece));
    }
}

template <int rows, bool lossy, class Real>
void tile_steps(HostPlane<Real>& plane, int steps) {
  constexpr int warps = tile_rows / rows, columns = patch_columns;
  const auto v = plane.view();
  const TileCut<Real> cut(v, rows, steps);
  ASSERT_FALSE(cut.x.impossible() || cut.y.impossible());
  using Patch = TilePatch<Real, rows, lossy>;
  for (int ty = 0; ty < cut.y.pieces; ++ty)
    for (int tx = 0; tx < cut.x.pieces; ++tx) {
      std::vector<Patch> patches(warps * 32);
      for (int w = 0; w < warps; ++w)
        for (int l = 0; l < 32; ++l)
          patches[w * 32 + l].load(v, cut.x.begin(tx) + l * columns, cut.y.begin(ty) + w * rows);
      for (int t = 0; t < steps; ++t) {
        std::vector<std::array<Real, columns>> low(warps * 32), high(warps * 32);
        for (int k = 0; k < warps * 32; ++k)
          for (int c = 0; c < columns; ++c) low[k][c] = patches[k].psi[0][c], high[k][c] = patches[k].psi[rows - 1][c];
        for (int w = 0; w < warps; ++w) {
          bool walls = false;
          for (int l = 0; l < 32; ++l) walls = walls || patches[w * 32 + l].at_wall(v);
          for (int l = 0; l < 32; ++l)
            for (int c = 0; c < columns; ++c) patches[w * 32 + l].below[c] = w > 0 ? high[(w - 1) * 32 + l][c] : 0;
          static_for<rows>([&](auto r) {
            Real left[32], right[32];
            for (int l = 0; l < 32; ++l)
              left[l] = l > 0 ? patches[w * 32 + l - 1].psi[r][columns - 1] : 0,
              right[l] = l < 31 ? patches[w * 32 + l + 1].psi[r][0] : 0;
            for (int l = 0; l < 32; ++l) {
              const std::array<Real, columns> above =
                  w < warps - 1 ? low[(w + 1) * 32 + l] : std::array<Real, columns>{};
              if (walls) patches[w * 32 + l].template update_row<true, r>(v, left[l], right[l], above.data());
              else patches[w * 32 + l].template update_row<false, r>(v, left[l], right[l], above.data());
            }
          });
        }
        for (auto& patch : patches) {
          patch.drive(v, t);
          if (patch.at_wall(v)) patch.move_walls(v);
        }
      }
      for (const auto& patch : patches)
        patch.store(v, cut.x.store_first(tx), cut.x.store_end(tx), cut.y.store_first(ty), cut.y.store_end(ty));
    }
}

template <bool lossy, class Real>
void diagonal_steps(HostPlane<Real>& plane, int steps) {
  const auto v = plane.view();
  std::vector<Real> work(static_cast<std::size_t>(3) * steps);
  for (int x = 0; x < v.width; ++x) sweep_diagonally<Real, lossy>(v, x, steps, work.data(), 1);
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
std::vector<PlaneProblem> problems(Stencil stencil, bool lossy, int nx, int ny) {
  using grid::BoundaryKind;
  std::vector<PlaneProblem> made;
  for (const auto& [x, y] :
       {std::pair{BoundaryKind::mur, BoundaryKind::mur}, std::pair{BoundaryKind::pec, BoundaryKind::pmc},
        std::pair{BoundaryKind::pmc, BoundaryKind::pec}, std::pair{BoundaryKind::periodic, BoundaryKind::periodic}}) {
    made.push_back(mixed_problem(stencil, lossy, nx, ny));
    made.back().set_sides(x, y);
  }
  made.push_back(mixed_problem(stencil, lossy, nx, ny));
  return made;
}

TEST(Schedules, LinesAreThePlainUpdate) {
  // Whole lines, and pieces that overlap; walls at all places of a lane.
  for (const int ny : {83, 90, 300}) {
    for (const auto& p : problems(Stencil::line, false, 9, ny))
      compare<false, false, float>(p, 21, std::to_string(ny),
                                   [](auto& plane, int steps) { line_steps<8, false>(plane, steps); });
    for (const auto& p : problems(Stencil::line, true, 9, ny))
      compare<false, true, double>(p, 13, std::to_string(ny),
                                   [](auto& plane, int steps) { line_steps<4, true>(plane, steps); });
  }
}

TEST(Schedules, TilesAreThePlainUpdate) {
  for (const auto& [nx, ny] : {std::pair{61, 83}, std::pair{150, 130}}) {
    for (const auto& p : problems(Stencil::laplacian, false, nx, ny))
      compare<true, false, float>(p, 7, std::to_string(nx),
                                  [](auto& plane, int steps) { tile_steps<8, false>(plane, steps); });
    for (const auto& p : problems(Stencil::laplacian, true, nx, ny))
      compare<true, true, double>(p, 12, std::to_string(nx),
                                  [](auto& plane, int steps) { tile_steps<4, true>(plane, steps); });
  }
}

TEST(Schedules, DiagonalsAreThePlainUpdate) {
  for (const int steps : {1, 18, 32}) {
    for (const auto& p : problems(Stencil::line, false, 9, 83))
      compare<false, false, float>(p, steps, std::to_string(steps),
                                   [](auto& plane, int n) { diagonal_steps<false>(plane, n); });
    for (const auto& p : problems(Stencil::line, true, 9, 84))
      compare<false, true, double>(p, steps, std::to_string(steps),
                                   [](auto& plane, int n) { diagonal_steps<true>(plane, n); });
  }
}

// And the solver with the paper's schedule, that of rows, with looks at the fields between.
TEST(Schedules, SolversAgree) {
  const parallel::Communicator comm(MPI_COMM_SELF);
  for (const bool lossy : {false, true})
    for (auto p : problems(Stencil::line, lossy, 20, 83)) {
      std::uint64_t hashes[2];
      for (const auto kernels : {Kernels::fused, Kernels::diagonal}) {
        p.setup.kernels = kernels;
        p.setup.block_timesteps = 14;
        auto solver = p.make<float>(comm);
        for (int n = 0; n < 1100; ++n) {
          if (n % 50 == 0) (void)solver->energy();
          solver->advance(1);
        }
        hashes[kernels == Kernels::diagonal] = solver->fields_hash();
      }
      EXPECT_EQ(hashes[0], hashes[1]);
    }
}

}  // namespace
}  // namespace dgtd::hpf
