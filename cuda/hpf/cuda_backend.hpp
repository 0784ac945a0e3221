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
/// high][columns].
template <class Real, int warps>
using TileEdges = Real[2][warps][2][tile_columns];

/// A step of a warp's patches.
template <bool walls, class Real, int rows, bool lossy, int warps>
__device__ __forceinline__ void tile_step(TilePatch<Real, rows, lossy>& patch, const PlaneView<Real>& v,
                                          TileEdges<Real, warps>& edges, int warp, int lane, int t) {
  constexpr int columns = patch_columns;
  Real above[columns];
  static_for<columns>([&](auto c) DGTD_INLINE {
    patch.below[c] = warp > 0 ? edges[t & 1][warp > 0 ? warp - 1 : 0][1][lane * columns + c] : Real(0);
    above[c] = warp < warps - 1 ? edges[t & 1][warp < warps - 1 ? warp + 1 : warp][0][lane * columns + c] : Real(0);
  });
  static_for<rows>([&](auto r) DGTD_INLINE {
    Real left = __shfl_up_sync(0xffffffffu, patch.psi[r][columns - 1], 1),
         right = __shfl_down_sync(0xffffffffu, patch.psi[r][0], 1);
    if (lane == 0) left = 0;
    if (lane == 31) right = 0;
    patch.template update_row<walls, r>(v, left, right, above);
  });
}

/// A block per tile. Dynamic shared memory: TileEdges.
template <class Real, int rows, bool lossy>
__global__ void __launch_bounds__(32 * (tile_rows / rows), rows == 8 ? 2 : 1)
    patch_kernel(const PlaneView<Real> v, const TileCut<Real> cut, int steps) {
  constexpr int warps = tile_rows / rows, columns = patch_columns;
  extern __shared__ unsigned char shared[];
  auto& edges = *reinterpret_cast<TileEdges<Real, warps>*>(shared);
  const int lane = int(threadIdx.x % 32), warp = int(threadIdx.x / 32);
  TilePatch<Real, rows, lossy> patch;
  patch.load(v, cut.x.begin(int(blockIdx.x)) + lane * columns, cut.y.begin(int(blockIdx.y)) + warp * rows);
  const bool at_wall = __any_sync(0xffffffffu, patch.at_wall(v));
  for (int t = 0; t < steps; ++t) {
    static_for<columns>([&](auto c) DGTD_INLINE {
      edges[t & 1][warp][0][lane * columns + c] = patch.psi[0][c];
      edges[t & 1][warp][1][lane * columns + c] = patch.psi[rows - 1][c];
    });
    __syncthreads();
    if (at_wall) tile_step<true, Real, rows, lossy, warps>(patch, v, edges, warp, lane, t);
    else tile_step<false, Real, rows, lossy, warps>(patch, v, edges, warp, lane, t);
    if (v.source_count > 0) patch.add_sources(v, t);
    if (at_wall) patch.move_walls(v);
  }
  patch.store(v, cut.x.store_first(int(blockIdx.x)), cut.x.store_end(int(blockIdx.x)),
              cut.y.store_first(int(blockIdx.y)), cut.y.store_end(int(blockIdx.y)));
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
      return lossy ? of(reinterpret_cast<const void*>(&patch_kernel<Real, rows_of_patch<Real>(true), true>),
                        32 * (tile_rows / rows_of_patch<Real>(true)))
                   : of(reinterpret_cast<const void*>(&patch_kernel<Real, rows_of_patch<Real>(false), false>),
                        32 * (tile_rows / rows_of_patch<Real>(false)));
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
    constexpr int rows = rows_of_patch<Real>(lossy);
    const TileCut<Real> cut(v, rows, steps);
    constexpr int bytes = sizeof(TileEdges<Real, tile_rows / rows>);
    if (bytes > 48 * 1024)
      DGTD_CUDA_CHECK(
          cudaFuncSetAttribute(patch_kernel<Real, rows, lossy>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    patch_kernel<Real, rows, lossy><<<dim3(static_cast<unsigned>(cut.x.pieces), static_cast<unsigned>(cut.y.pieces)),
                                      32 * (tile_rows / rows), bytes, stream(parallel::Queue::main)>>>(v, cut, steps);
    DGTD_CUDA_CHECK_LAUNCH();
  }

  solver::KernelFusion kernels_;
};

}  // namespace dgtd::hpf
