// Every schedule gives the bits of the plain update: the bodies of the GPU's lines and tiles with the exchange between
// their threads played on the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "dgtd/hpf/kernels/line_lane.hpp"
#include "dgtd/hpf/kernels/tile_patch.hpp"
#include "hpf/host_plane.hpp"

namespace dgtd::hpf {
namespace {

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

/// Tiles of every kind that the kernel has code for.
struct KindsOfTiles {
  int number[2][2] = {{0, 0}, {0, 0}};  // [simple, others][without walls, with walls]
};

template <TileWalls walls, class Patch, class Real>
void steps_of_tile(const PlaneView<Real>& v, const TileCut<Real>& cut, int tx, int ty, int steps) {
  constexpr int rows = Patch::height, warps = tile_rows / rows, columns = patch_columns;
  std::vector<Patch> patches(warps * 32);
  for (int w = 0; w < warps; ++w)
    for (int l = 0; l < 32; ++l)
      patches[w * 32 + l].load(v, cut.x.begin(tx) + l * columns, cut.y.begin(ty) + w * rows, l == 0, l == 31);
  for (int t = 0; t < steps; ++t) {
    std::vector<std::array<Real, columns>> low(warps * 32), high(warps * 32);
    for (int k = 0; k < warps * 32; ++k)
      for (int c = 0; c < columns; ++c) low[k][c] = patches[k].psi[0][c], high[k][c] = patches[k].psi[rows - 1][c];
    for (int w = 0; w < warps; ++w) {
      bool mirrors = false, fixed = false;
      for (int l = 0; l < 32; ++l) {
        mirrors = mirrors || (walls == TileWalls::any && patches[w * 32 + l].at_mirror(v));
        fixed = fixed || (walls != TileWalls::none && patches[w * 32 + l].at_fixed(v));
      }
      for (int l = 0; l < 32; ++l) {
        auto& patch = patches[w * 32 + l];
        for (int c = 0; c < columns; ++c) patch.below[c] = w > 0 ? high[(w - 1) * 32 + l][c] : 0;
        if (fixed) patch.hold_walls(v);
      }
      static_for<rows>([&](auto r) {
        Real left[32], right[32];
        for (int l = 0; l < 32; ++l)
          left[l] = patches[w * 32 + std::max(l - 1, 0)].psi[r][columns - 1],
          right[l] = patches[w * 32 + std::min(l + 1, 31)].psi[r][0];
        for (int l = 0; l < 32; ++l) {
          const std::array<Real, columns> above = w < warps - 1 ? low[(w + 1) * 32 + l] : std::array<Real, columns>{};
          if (mirrors) patches[w * 32 + l].template update_row<true, r>(v, left[l], right[l], above.data());
          else patches[w * 32 + l].template update_row<false, r>(v, left[l], right[l], above.data());
        }
      });
      for (int l = 0; l < 32; ++l) {
        patches[w * 32 + l].add_sources(v, t);
        if (fixed) patches[w * 32 + l].move_walls(v);
      }
    }
  }
  for (const auto& patch : patches)
    patch.store(v, cut.x.store_first(tx), cut.x.store_end(tx), cut.y.store_first(ty), cut.y.store_end(ty));
}

template <int rows, bool lossy, class Real>
void tile_steps(HostPlane<Real>& plane, int steps, KindsOfTiles* kinds) {
  const auto v = plane.view();
  const TileCut<Real> cut(v, rows, steps);
  ASSERT_FALSE(cut.x.impossible() || cut.y.impossible());
  using Patch = TilePatch<Real, rows, lossy>;
  using Simple = TilePatch<Real, rows, lossy, true>;
  for (int ty = 0; ty < cut.y.pieces; ++ty)
    for (int tx = 0; tx < cut.x.pieces; ++tx) {
      const int column = cut.x.begin(tx), row = cut.y.begin(ty);
      const TileWalls walls = walls_of_tile(v, column, row, tile_rows, rows);
      bool simple = walls != TileWalls::any;
      for (int w = 0; w < tile_rows / rows; ++w)
        for (int l = 0; l < 32; ++l)
          simple = simple && Simple::has_class_of(v, column, row, column + l * patch_columns, row + w * rows);
      ++kinds->number[simple ? 0 : 1][walls == TileWalls::none ? 0 : 1];
      if (simple && walls == TileWalls::none) steps_of_tile<TileWalls::none, Simple>(v, cut, tx, ty, steps);
      else if (simple) steps_of_tile<TileWalls::rows, Simple>(v, cut, tx, ty, steps);
      else if (walls == TileWalls::none) steps_of_tile<TileWalls::none, Patch>(v, cut, tx, ty, steps);
      else steps_of_tile<TileWalls::any, Patch>(v, cut, tx, ty, steps);
    }
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
  KindsOfTiles kinds;
  for (const auto& [nx, ny] : {std::pair{61, 83}, std::pair{150, 130}}) {
    for (const auto& p : problems(Stencil::laplacian, false, nx, ny))
      for (const int steps : {7, 8})
        compare<true, false, float>(p, steps, std::to_string(nx),
                                    [&](auto& plane, int n) { tile_steps<8, false>(plane, n, &kinds); });
    for (const auto& p : problems(Stencil::laplacian, true, nx, ny))
      compare<true, true, double>(p, 12, std::to_string(nx),
                                  [&](auto& plane, int steps) { tile_steps<4, true>(plane, steps, &kinds); });
  }
  for (const auto& [low, high] : {std::pair{physics::BoundaryKind::mur, physics::BoundaryKind::mur},
                                  std::pair{physics::BoundaryKind::mur, physics::BoundaryKind::pec},
                                  std::pair{physics::BoundaryKind::pmc, physics::BoundaryKind::mur}})
    for (const int ny : {24, 133, 200}) {
      auto p = mixed_problem(Stencil::laplacian, false, 400, ny);
      p.set_sides(physics::BoundaryKind::periodic, low);
      p.setup.grid.sides[3] = high;
      for (const bool empty : {false, true}) {
        if (empty) p.bodies.clear();
        compare<true, false, float>(p, 8, std::to_string(ny),
                                    [&](auto& plane, int steps) { tile_steps<8, false>(plane, steps, &kinds); });
      }
    }
  for (const auto& of_walls : kinds.number)
    for (const int number : of_walls) EXPECT_GT(number, 10);
}

}  // namespace
}  // namespace dgtd::hpf
