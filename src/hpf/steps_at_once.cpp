#include <fmt/format.h>

#include "dgtd/base/error.hpp"
#include "dgtd/hpf/engine.hpp"
#include "dgtd/hpf/kernels/diagonal_sweep.hpp"
#include "dgtd/hpf/kernels/tile_patch.hpp"

namespace dgtd::hpf {

// Of a diagonal the bits of a mask's window; of lines and tiles that overlap what leaves half of a piece useful, a
// quarter of a tile. Whole lines stand any number: theirs is bounded by the table of time series.
int steps_at_once(const Setup& setup, bool cuda, bool single_precision) {
  if (setup.kernels == Kernels::diagonal && setup.stencil != Stencil::line)
    throw Error("solver.kernels = diagonal goes with stencil = line only");
  if (setup.kernels == Kernels::diagonal) {
    const int steps = setup.block_timesteps > 0 ? setup.block_timesteps
                      : single_precision        ? 18
                                                : 8;  // the paper's best
    if (steps > most_diagonal_steps)
      throw Error(
          fmt::format("solver.block_timesteps = {}: with kernels = diagonal at most {}", steps, most_diagonal_steps));
    return steps;
  }
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
