#include <fmt/format.h>

#include <algorithm>

#include "dgtd/base/error.hpp"
#include "dgtd/hpf/engine.hpp"
#include "dgtd/hpf/kernels/tile_patch.hpp"

namespace dgtd::hpf {

namespace {

// Whether a warp holds a whole line, in either precision.
bool has_whole_lines(const Setup& setup) {
  const auto& materials = setup.grid.materials;
  const bool lossy = std::any_of(materials.begin(), materials.end(), [](const auto& m) { return m.conductivity > 0; });
  const std::int64_t nodes = setup.grid.grid.cells(1) + 1;
  return setup.grid.sides[2] != physics::BoundaryKind::periodic && nodes <= 32 * (lossy ? 16 : 32);
}

}  // namespace

// Lines and tiles that overlap allow as many steps as leave half of a line useful, a quarter of a tile. Tiles are the
// fastest with 12 (docs/notebook/2026-11-22-potentials.md). Whole lines allow any number: theirs is bounded by the table
// of time series.
int steps_at_once(const Setup& setup, bool cuda) {
  if (!cuda || setup.kernels == solver::KernelFusion::split) return 1;
  const int given = setup.block_timesteps;
  if (setup.stencil == Stencil::laplacian) {
    if (given > tile_rows / 4)
      throw Error(
          fmt::format("solver.block_timesteps = {}: with stencil = laplacian at most {}", given, tile_rows / 4));
    return given > 0 ? given : 12;
  }
  constexpr int most = 256;
  if (given > most)
    throw Error(fmt::format("solver.block_timesteps = {}: with stencil = line at most {}", given, most));
  return given > 0 ? given : has_whole_lines(setup) ? most : 64;
}

}  // namespace dgtd::hpf
