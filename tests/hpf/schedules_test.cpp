// Every schedule gives the bits of the plain update: the bodies of the GPU's lines and tiles with the exchange between
// their threads played on the host.
#include <gtest/gtest.h>

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
          patch.add_sources(v, t);
          if (patch.at_wall(v)) patch.move_walls(v);
        }
      }
      for (const auto& patch : patches)
        patch.store(v, cut.x.store_first(tx), cut.x.store_end(tx), cut.y.store_first(ty), cut.y.store_end(ty));
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
  for (const auto& [nx, ny] : {std::pair{61, 83}, std::pair{150, 130}}) {
    for (const auto& p : problems(Stencil::laplacian, false, nx, ny))
      compare<true, false, float>(p, 7, std::to_string(nx),
                                  [](auto& plane, int steps) { tile_steps<8, false>(plane, steps); });
    for (const auto& p : problems(Stencil::laplacian, true, nx, ny))
      compare<true, true, double>(p, 12, std::to_string(nx),
                                  [](auto& plane, int steps) { tile_steps<4, true>(plane, steps); });
  }
}

}  // namespace
}  // namespace dgtd::hpf
