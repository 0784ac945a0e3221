#pragma once
// A CUDA device with the launches of potentials. kernels = split: a launch per step; fused: lines or tiles in registers
// for several steps.
#include "../parallel/cuda_backend.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/hpf/engine_on.hpp"
#include "dgtd/hpf/kernels/line_lane.hpp"
#include "dgtd/hpf/kernels/plain_update.hpp"
#include "dgtd/hpf/kernels/tile_patch.hpp"

namespace dgtd::hpf {

inline constexpr int lines_of_block = 8;  // 32 bytes of single precision side by side: what memory moves at least

/// A warp per line, or per piece of it.
template <class Real, int points, bool lossy>
__global__ void __launch_bounds__(32 * lines_of_block, 1)
    line_kernel(const PlaneView<Real> v, const AxisCut cut, int steps) {
  const int lane = int(threadIdx.x % 32), x = int(blockIdx.x * lines_of_block + threadIdx.x / 32),
            piece = int(blockIdx.y);
  if (x >= v.width) return;  // all lanes of the warp
  LineLane<Real, points, lossy> line;
  line.load(v, x, cut.begin(piece) + lane * points);
  for (int t = 0; t < steps; ++t) {
    Real below = __shfl_up_sync(0xffffffffu, line.psi[points - 1], 1),
         above = __shfl_down_sync(0xffffffffu, line.psi[0], 1);
    if (lane == 0) below = 0;
    if (lane == 31) above = 0;
    line.step(v, x, cut.begin(piece), below, above, t);
  }
  line.store(v, x, cut.store_first(piece), cut.store_end(piece));
}

/// Rows of psi at the edges of a tile's warps, in dynamic shared memory: [parity of the step][warp][low,
/// high][lane].
template <class Real, int warps>
using TileEdges = PatchColumns<Real>[2][warps][2][32];

/// A step of a warp's patches.
template <bool mirrors, int warps, class Real, int rows, bool lossy, bool one_medium>
__device__ __forceinline__ void tile_step(TilePatch<Real, rows, lossy, one_medium>& patch, const PlaneView<Real>& v,
                                          TileEdges<Real, warps>& edges, int warp, int lane, int t) {
  constexpr int columns = patch_columns;
  PatchColumns<Real> above{}, below{};
  if (warp > 0) below = edges[t & 1][warp - 1][1][lane];
  if (warp < warps - 1) above = edges[t & 1][warp + 1][0][lane];
  static_for<columns>([&](auto c) DGTD_INLINE { patch.below[c] = below.at[c]; });
  static_for<rows>([&](auto r) DGTD_INLINE {
    // A lane at the end of the warp gets its own value: the column that would use it is held.
    const Real left = __shfl_up_sync(0xffffffffu, patch.psi[r][columns - 1], 1),
               right = __shfl_down_sync(0xffffffffu, patch.psi[r][0], 1);
    patch.template update_row<mirrors, r>(v, left, right, above.at);
  });
}

/// Steps of a tile with walls of such kinds.
template <TileWalls walls, int warps, class Patch, class Real>
__device__ __forceinline__ void tile_steps(Patch& patch, const PlaneView<Real>& v, TileEdges<Real, warps>& edges,
                                           int steps) {
  const int lane = int(threadIdx.x % 32), warp = int(threadIdx.x / 32);
  // The same in all lanes of a warp, which exchange values below.
  const bool at_fixed = walls != TileWalls::none && __any_sync(0xffffffffu, patch.at_fixed(v)),
             at_mirror = walls == TileWalls::any && __any_sync(0xffffffffu, patch.at_mirror(v));
  DGTD_NO_UNROLL
  for (int t = 0; t < steps; ++t) {
    PatchColumns<Real> low, high;
    static_for<patch_columns>(
        [&](auto c) DGTD_INLINE { low.at[c] = patch.psi[0][c], high.at[c] = patch.psi[Patch::height - 1][c]; });
    edges[t & 1][warp][0][lane] = low;
    edges[t & 1][warp][1][lane] = high;
    __syncthreads();
    if (at_fixed) patch.hold_walls(v);
    if (at_mirror) tile_step<true, warps>(patch, v, edges, warp, lane, t);
    else tile_step<false, warps>(patch, v, edges, warp, lane, t);
    patch.add_sources(v, t);
    if (at_fixed) patch.move_walls(v);
  }
}

/// A block per tile of `warps * rows` rows. Dynamic shared memory: TileEdges.
template <class Real, int rows, bool lossy, int warps>
__global__ void __launch_bounds__(32 * warps, rows == 8 ? 2 : 1)
    patch_kernel(const PlaneView<Real> v, const TileCut<Real, warps * rows> cut, int steps) {
  extern __shared__ __align__(16) unsigned char shared[];
  auto& edges = *reinterpret_cast<TileEdges<Real, warps>*>(shared);
  const int lane = int(threadIdx.x % 32), tile_column = cut.x.begin(int(blockIdx.x)),
            tile_row = cut.y.begin(int(blockIdx.y)), column = tile_column + lane * patch_columns,
            row = tile_row + int(threadIdx.x / 32) * rows;
  const TileWalls walls = walls_of_tile(v, tile_column, tile_row, warps * rows, rows);
  const auto load = [&](auto& patch) DGTD_INLINE { patch.load(v, column, row, lane == 0, lane == 31); };
  const auto store = [&](const auto& patch) DGTD_INLINE {
    patch.store(v, cut.x.store_first(int(blockIdx.x)), cut.x.store_end(int(blockIdx.x)),
                cut.y.store_first(int(blockIdx.y)), cut.y.store_end(int(blockIdx.y)));
  };
  using Simple = TilePatch<Real, rows, lossy, true>;
  // Most tiles have short code of their own, and registers that media and walls do not take from the state.
  if (__syncthreads_and(walls != TileWalls::any && Simple::has_class_of(v, tile_column, tile_row, column, row))) {
    Simple patch;
    load(patch);
    if (walls == TileWalls::none) tile_steps<TileWalls::none, warps>(patch, v, edges, steps);
    else tile_steps<TileWalls::rows, warps>(patch, v, edges, steps);
    store(patch);
  } else {
    TilePatch<Real, rows, lossy> patch;
    load(patch);
    if (walls == TileWalls::none) tile_steps<TileWalls::none, warps>(patch, v, edges, steps);
    else tile_steps<TileWalls::any, warps>(patch, v, edges, steps);
    store(patch);
  }
}

class CudaBackend : public parallel::CudaBackend {
 public:
  CudaBackend(const Setup& setup, parallel::Transport transport, const parallel::Communicator& comm)
      : parallel::CudaBackend(transport, comm), kernels_(setup.kernels) {}
  static constexpr bool expands_media = false;
  template <class Real>
  int steps_at_once(const Setup& setup) const {
    return hpf::steps_at_once(setup, true);
  }

  template <bool coupled, bool lossy, class Real>
  void advance(const PlaneView<Real>& v, int steps, const std::vector<RowSource<Real>>& sources) const {
    // A single step, as for a sample of the fields, costs least with a thread per node.
    if (kernels_ == solver::KernelFusion::split || (kernels_ == solver::KernelFusion::fused && steps == 1)) {
      for_each(std::int64_t(v.width) * v.height, PlainUpdate<Real, coupled, lossy>{v});
      for (std::size_t d = 0; d < sources.size(); ++d)
        for_each(sources[d].last - sources[d].first, AddSource<Real>{v, static_cast<int>(d), 0});
      for (const int side : {2, 3, 0, 1})
        if (v.wall[side] == Boundary::mur && (coupled || side >= 2))
          for_each(side < 2 ? v.height : v.width, UpdateWall<Real>{v, side});
    } else if constexpr (coupled) {
      advance_tiles<lossy>(v, steps);
    } else {
      advance_lines<lossy>(v, steps);
    }
  }

  template <class Real, bool coupled>
  solver::Solver::Occupancy occupancy(bool lossy) const {
    const auto of = [](const void* kernel, int threads) {
      const auto o = parallel::kernel_occupancy(kernel, threads);
      return solver::Solver::Occupancy{o.registers, o.resident};
    };
    using parallel::each_kernel;
    if (kernels_ == solver::KernelFusion::split)
      return of(reinterpret_cast<const void*>(&each_kernel<PlainUpdate<Real, coupled, false>>), 256);
    if constexpr (coupled)
      return lossy ? of(reinterpret_cast<const void*>(
                            &patch_kernel<Real, rows_of_patch<Real>(true), true, warps_of_tile<Real>(true)>),
                        32 * warps_of_tile<Real>(true))
                   : of(reinterpret_cast<const void*>(
                            &patch_kernel<Real, rows_of_patch<Real>(false), false, warps_of_tile<Real>(false)>),
                        32 * warps_of_tile<Real>(false));
    else
      return of(reinterpret_cast<const void*>(&line_kernel<Real, most_points<Real>(false), false>),
                32 * lines_of_block);
  }

 private:
  // As many nodes a thread as its registers hold: psi, increment, Cb and, with losses, Ca.
  template <class Real>
  static constexpr int most_points(bool lossy) {
    return sizeof(Real) == 8 && lossy ? 16 : 32;
  }
  template <class Real>
  static constexpr int rows_of_patch(bool lossy) {
    return sizeof(Real) == 4 && !lossy ? 8 : 4;
  }
  template <class Real>
  static constexpr int warps_of_tile(bool lossy) {
    return tile_rows / rows_of_patch<Real>(lossy);
  }

  // The shortest lanes that hold whole lines, else the longest.
  template <bool lossy, class Real>
  void advance_lines(const PlaneView<Real>& v, int steps) const {
    constexpr int most = most_points<Real>(lossy);
    const auto fits = [&](int points) { return line_cut(v, points, steps).pieces == 1; };
    if (fits(8)) launch_lines<8, lossy>(v, steps);
    else if (most == 16 || fits(16)) launch_lines<16, lossy>(v, steps);
    else launch_lines<most, lossy>(v, steps);
  }
  template <int points, bool lossy, class Real>
  void launch_lines(const PlaneView<Real>& v, int steps) const {
    const AxisCut cut = line_cut(v, points, steps);
    if (cut.impossible())
      throw Error("solver.block_timesteps: lines that a warp does not hold as a whole allow 200 at most");
    line_kernel<Real, points, lossy><<<dim3(static_cast<unsigned>((v.width + lines_of_block - 1) / lines_of_block),
                                            static_cast<unsigned>(cut.pieces)),
                                       32 * lines_of_block, 0, stream(parallel::Queue::main)>>>(v, cut, steps);
    DGTD_CUDA_CHECK_LAUNCH();
  }

  template <bool lossy, class Real>
  void advance_tiles(const PlaneView<Real>& v, int steps) const {
    constexpr int rows = rows_of_patch<Real>(lossy), warps = warps_of_tile<Real>(lossy);
    const TileCut<Real> cut(v, rows, steps);
    constexpr int bytes = sizeof(TileEdges<Real, warps>);
    if (bytes > 48 * 1024)
      DGTD_CUDA_CHECK(cudaFuncSetAttribute(patch_kernel<Real, rows, lossy, warps>,
                                           cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    patch_kernel<Real, rows, lossy, warps>
        <<<dim3(static_cast<unsigned>(cut.x.pieces), static_cast<unsigned>(cut.y.pieces)), 32 * warps, bytes,
           stream(parallel::Queue::main)>>>(v, cut, steps);
    DGTD_CUDA_CHECK_LAUNCH();
  }

  solver::KernelFusion kernels_;
};

}  // namespace dgtd::hpf
