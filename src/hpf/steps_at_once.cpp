#include <fmt/format.h>

#include "dgtd/base/error.hpp"
#include "dgtd/hpf/engine.hpp"
#include "dgtd/hpf/kernels/tile_patch.hpp"

namespace dgtd::hpf {

// Of lines and tiles that overlap as many as leave half of them useful, a quarter of a tile. Whole lines allow any
// number: theirs is bounded by the table of time series.
int steps_at_once(const Setup& setup, bool cuda, bool single_precision) {
  if (!cuda || setup.kernels == Kernels::split) return 1;
  const int asked = setup.block_timesteps;
  if (setup.stencil == Stencil::laplacian) {
    if (asked > tile_rows / 4)
      throw Error(
          fmt::format("solver.block_timesteps = {}: with stencil = laplacian at most {}", asked, tile_rows / 4));
    return asked > 0 ? asked : 8;
  }
  constexpr int most = 256;
  if (asked > most)
    throw Error(fmt::format("solver.block_timesteps = {}: with stencil = line at most {}", asked, most));
  return asked > 0 ? asked : 64;
}

}  // namespace dgtd::hpf
