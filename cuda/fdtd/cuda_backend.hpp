#pragma once
// A CUDA device with the launches of Yee's scheme: a thread block per tile, a thread per column of its cells.
#include <algorithm>

#include "../parallel/cuda_backend.hpp"
#include "fdtd/engine/engine_on.hpp"
#include "warp_line.hpp"

namespace dgtd::fdtd {

/// Thread blocks of 256 that a multiprocessor must hold at once, which bounds a thread's registers: the most that
/// each kernel can have without spilling (docs/notebook/2026-11-22-grids-half-steps.md).
template <class Body>
inline constexpr int resident_blocks = sizeof(typename Body::Number) <= 4 ? (Body::long_kernel ? 4 : 6)
                                                                          : (Body::long_kernel ? 3 : 4);

template <class Body, int resident>
__global__ void __launch_bounds__(256, resident) tile_kernel(const Body body, const Tile* __restrict__ tiles) {
  const Tile tile = tiles[blockIdx.x];
  const int i = int(threadIdx.x), j = int(threadIdx.y);
  if (tile.first[0] + i >= body.v.layout.cells[0] || tile.first[1] + j >= body.v.layout.cells[1]) return;
  const int planes = min(tile_cells(2), body.v.layout.cells[2] - tile.first[2]);
  for (int k = 0; k < planes; ++k) body.template cells<1>(tile, i, j, k);
}

/// A warp per task: strips beside each other in a block share what they read twice.
inline constexpr int warps_of_strips = 4;
/// Warps that a multiprocessor is to hold at once, which bounds a thread's registers.
inline constexpr int resident_strips(std::size_t real_bytes, bool layered) {
  return real_bytes == 4 && !layered ? 16 : 8;
}
template <class Real, PlaneFields fields, int steps, bool layered, bool mixed>
__global__ void __launch_bounds__(32 * warps_of_strips, resident_strips(sizeof(Real), layered) / warps_of_strips)
    strip_kernel(const PlaneView<Real> v, const PlaneTask* __restrict__ tasks, std::int64_t count) {
  const std::int64_t i = std::int64_t(blockIdx.x) * warps_of_strips + threadIdx.y;
  if (i >= count) return;
  // By a reduction the compiler sees that all threads of the warp have the same rows: they count in registers that
  // the warp shares, and shuffles need no code for threads that have left.
  const auto of_warp = [](int value) { return __reduce_max_sync(0xffffffffu, value); };
  const PlaneTask task{of_warp(tasks[i].first_column), of_warp(tasks[i].row_begin), of_warp(tasks[i].row_end),
                       of_warp(tasks[i].source_begin), of_warp(tasks[i].source_end)};
  PlaneTemporalBlocking<WarpLine<Real>, fields, steps, layered, mixed>(v, task).run();
}

class CudaBackend : public parallel::CudaBackend {
 public:
  using parallel::CudaBackend::CudaBackend;
  /// Kernels without layers take fewer registers.
  static constexpr bool joins_layers = false;
  static constexpr bool one_pass = false;
  /// A cell per thread where they are only read; a sample of a spectrum.
  static constexpr int cells_together = 1;
  static constexpr int samples_together = 1;

  template <class Body>
  void for_tiles(Queue queue, const Tile* tiles, std::int64_t count, const Body& body) const {
    if (count == 0) return;
    constexpr int resident = resident_blocks<Body>;
    tile_kernel<Body, resident>
        <<<static_cast<unsigned>(count), dim3(tile_cells(0), tile_cells(1)), 0, stream(queue)>>>(body, tiles);
    DGTD_CUDA_CHECK_LAUNCH();
  }

  template <PlaneFields fields, int steps, bool layered, bool mixed, class Real>
  void for_strips(const PlaneView<Real>& v, const PlaneTask* tasks, std::int64_t count) const {
    if (count == 0) return;
    const auto blocks = static_cast<unsigned>((count + warps_of_strips - 1) / warps_of_strips);
    strip_kernel<Real, fields, steps, layered, mixed>
        <<<blocks, dim3(32, warps_of_strips), 0, stream(Queue::main)>>>(v, tasks, count);
    DGTD_CUDA_CHECK_LAUNCH();
  }
  /// As many tasks as warps run at once.
  int rows_a_task(int strips, int rows, int real_bytes) const {
    int device = 0, multiprocessors = 0;
    DGTD_CUDA_CHECK(cudaGetDevice(&device));
    DGTD_CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const int chunks =
        std::max(1, multiprocessors * resident_strips(static_cast<std::size_t>(real_bytes), false) / strips);
    return std::max(8, (rows + chunks - 1) / chunks);
  }

  /// Half steps of compressed fields can be those of passes (half_arithmetic.hpp).
  static constexpr bool half_arithmetic = true;
  template <class Stored>
  static constexpr bool has_volume_passes = !std::is_same_v<Stored, double>;
  template <class Stored>
  VolumePassOr<Stored> make_volume_pass(const Discretisation<float>& d, const PassTerms& terms,
                                        const VolumeMargins& margins, const std::optional<HalfUnits>& half,
                                        const PassFields<Stored>& fields, double bytes_to_leave, Timers& timers) {
    return make_cuda_volume_pass(d, terms, margins, half, fields, bytes_to_leave, memory(),
                                 {stream(Queue::main), stream(Queue::halo)}, timers);
  }

  template <class Body>
  solver::Solver::Occupancy occupancy() const {
    const auto o =
        parallel::kernel_occupancy(reinterpret_cast<const void*>(&tile_kernel<Body, resident_blocks<Body>>), 256);
    return {o.registers, o.resident};
  }
};

}  // namespace dgtd::fdtd
