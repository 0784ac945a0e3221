#pragma once
// Instantiates the CUDA kernels of one order and precision (cuda_kernels_pN_real.cu).
#include <cstdlib>

#include "../parallel/cuda_bandwidth.hpp"
#include "../parallel/cuda_check.hpp"
#include "cuda_kernel_table.hpp"
#include "cuda_view.hpp"

namespace dgtd::dg {

/// Threads per thread block, and thread blocks that a multiprocessor must hold, which bounds the registers per thread.
/// Measured on an H200 (docs/performance.md): larger thread blocks keep more of the neighbours in L1; where a few
/// registers less allow one more thread block without spills, as in P3 single, it is faster.
template <int p, class Real>
struct LaunchShape {
  static constexpr bool single = sizeof(Real) == 4;
  static constexpr int threads = !single ? 128 : p == 1 ? 384 : p == 2 ? 256 : p == 3 ? 192 : 128;
  static constexpr int resident = single && (p == 1 || p == 3) ? 2 : 1;
  static constexpr int resident_level = single && p <= 3 ? 2 : 1;  // of kernels of levels
};

struct Fused {
  template <int p, class Traits, class Real>
  static __device__ __forceinline__ void run(const CudaView<p, Real>& view) {
    element_update<p, Traits, Real>(view);
  }
};
struct Volume {
  template <int p, class, class Real>
  static __device__ __forceinline__ void run(const CudaView<p, Real>& view) {
    element_volume<p, Real>(view);
  }
};
struct Surface {
  template <int p, class Traits, class Real>
  static __device__ __forceinline__ void run(const CudaView<p, Real>& view) {
    element_surface<p, Traits, Real>(view);
  }
};
struct FieldUpdate {
  template <int p, class Traits, class Real>
  static __device__ __forceinline__ void run(const CudaView<p, Real>& view) {
    element_field<p, Traits, Real>(view);
  }
};

template <int p, class Traits, class Stage, class Real>
__global__ void __launch_bounds__(LaunchShape<p, Real>::threads, LaunchShape<p, Real>::resident)
    half_step_kernel(const ElementArrays<Real> arrays, const Real* __restrict__ source, Real* target,
                     std::int64_t first, std::int64_t blocks) {
  const std::int64_t thread = std::int64_t(blockIdx.x) * LaunchShape<p, Real>::threads + threadIdx.x;
  const std::int64_t block = thread / block_lanes;
  if (block >= blocks) return;
  Stage::template run<p, Traits, Real>(
      CudaView<p, Real>{{arrays, first + block, int(threadIdx.x % block_lanes)}, source, target});
}

template <int p, class Traits, class Stage, class Real>
void launch(const ElementArrays<Real>& arrays, const Real* source, Real* target, std::int64_t first,
            std::int64_t blocks, cudaStream_t stream) {
  constexpr int threads = LaunchShape<p, Real>::threads;
  const auto grid = static_cast<unsigned>((blocks * block_lanes + threads - 1) / threads);
  half_step_kernel<p, Traits, Stage, Real><<<grid, threads, 0, stream>>>(arrays, source, target, first, blocks);
  DGTD_CUDA_CHECK_LAUNCH();
}

template <int p, class Real, int trial>
struct LevelShape {
  static constexpr int threads = trial == 5 ? 512 : LaunchShape<p, Real>::threads;
  static constexpr int resident = trial == 5 ? 1 : LaunchShape<p, Real>::resident_level;
};

template <int p, class Real, int trial>
__global__ void __launch_bounds__(LevelShape<p, Real, trial>::threads, LevelShape<p, Real, trial>::resident)
    level_kernel(const ElementArrays<Real> arrays, const LevelBlock* list, const Real* __restrict__ source,
                 const LevelFields<Real> fields, unsigned blocks, unsigned share) {
  constexpr unsigned warps = LevelShape<p, Real, trial>::threads / block_lanes;
  const int lane = int(threadIdx.x % block_lanes);
  const unsigned end = min(blocks, (blockIdx.x + 1) * share);
  for (unsigned k = blockIdx.x * share + threadIdx.x / block_lanes; k < end; k += warps) {
    const LevelBlock at = list[k];
    level_update<p, Real>(CudaLevelView<p, Real, false, trial>{
        {{arrays, at.block, lane}, source, fields.target}, fields, mirrors_of(arrays, at, lane)});
  }
}

template <int p, class Real, int trial>
void launch_trial(const ElementArrays<Real>& arrays, const LevelBlock* list, const Real* source,
                  const LevelFields<Real>& fields, std::int64_t blocks, cudaStream_t stream) {
  constexpr int threads = LevelShape<p, Real, trial>::threads;
  constexpr std::int64_t warps = threads / block_lanes;
  static const std::int64_t rounds =
      std::getenv("DGTD_LEVEL_ROUNDS") ? std::atoll(std::getenv("DGTD_LEVEL_ROUNDS")) : 1;
  static const std::int64_t resident =
      parallel::resident_thread_blocks(reinterpret_cast<const void*>(&level_kernel<p, Real, trial>), threads);
  // rounds < 0: so many parts for each thread block that is resident
  const std::int64_t parts = -rounds * resident * warps;
  const std::int64_t wanted = rounds > 0 ? rounds * warps : (blocks + parts - 1) / parts * warps;
  const std::int64_t share = blocks < 4 * resident * warps ? warps : wanted;
  const auto grid = static_cast<unsigned>((blocks + share - 1) / share);
  level_kernel<p, Real, trial>
      <<<grid, threads, 0, stream>>>(arrays, list, source, fields, unsigned(blocks), unsigned(share));
  DGTD_CUDA_CHECK_LAUNCH();
}

template <int p, class Real>
void launch_level(const ElementArrays<Real>& arrays, const LevelBlock* list, const Real* source,
                  const LevelFields<Real>& fields, std::int64_t blocks, cudaStream_t stream) {
  if (blocks == 0) return;
  static const int trial = std::getenv("DGTD_LEVEL_TRIAL") ? std::atoi(std::getenv("DGTD_LEVEL_TRIAL")) : 0;
  if constexpr (p == 2 && sizeof(Real) == 4) {
    if (trial == 1) return launch_trial<p, Real, 1>(arrays, list, source, fields, blocks, stream);
    if (trial == 2) return launch_trial<p, Real, 2>(arrays, list, source, fields, blocks, stream);
    if (trial == 4) return launch_trial<p, Real, 4>(arrays, list, source, fields, blocks, stream);
    if (trial == 5) return launch_trial<p, Real, 5>(arrays, list, source, fields, blocks, stream);
  }
  launch_trial<p, Real, 0>(arrays, list, source, fields, blocks, stream);
}

template <int p, class Real>
__global__ void __launch_bounds__(LaunchShape<p, Real>::threads, LaunchShape<p, Real>::resident_level)
    sequence_kernel(const __grid_constant__ LevelSequence<Real> sequence) {
  constexpr unsigned warps = LaunchShape<p, Real>::threads / block_lanes;
  const int lane = int(threadIdx.x % block_lanes);
  for (int i = 0; i < sequence.count; ++i) {
    const SequenceStep<Real>& step = sequence.steps[i];
    if (blockIdx.x >= step.thread_blocks) continue;
    sequence::begin(sequence, i);
    const ElementArrays<Real> arrays{step.neighbour, sequence.metric, step.rate, nullptr,
                                     nullptr,        step.mirror,     nullptr};
    const LevelFields<Real> fields{step.base,  step.base_blocks,  step.target, step.from_zero,
                                   step.saved, step.saved_blocks, step.factor};
    const unsigned share = (step.blocks + step.thread_blocks - 1) / step.thread_blocks;
    const unsigned end = min(step.blocks, (blockIdx.x + 1) * share);
    for (unsigned k = blockIdx.x * share + threadIdx.x / block_lanes; k < end; k += warps) {
      const LevelBlock at = step.list[k];
      level_update<p, Real>(CudaLevelView<p, Real, true>{
          {{arrays, at.block, lane}, step.source, step.target}, fields, mirrors_of(arrays, at, lane)});
    }
    sequence::finish(sequence, i);
  }
  sequence::leave(sequence);
}

template <int p, class Real>
void launch_sequence(const LevelSequence<Real>& sequence, unsigned thread_blocks, cudaStream_t stream) {
  cudaLaunchAttribute resident{};
  resident.id = cudaLaunchAttributeCooperative;
  resident.val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = thread_blocks;
  config.blockDim = LaunchShape<p, Real>::threads;
  config.stream = stream;
  config.attrs = &resident;
  config.numAttrs = std::getenv("DGTD_NOT_COOPERATIVE") == nullptr && thread_blocks > 1 ? 1 : 0;
  DGTD_CUDA_CHECK(cudaLaunchKernelEx(&config, sequence_kernel<p, Real>, sequence));
}

template <int p, class Real>
CudaKernelTable<Real> make_cuda_kernel_table() {
  using Lossless = KernelTraits<false, false>;
  using Conductive = KernelTraits<true, false>;
  using Boundary = KernelTraits<true, true>;  // conductive or not
  return {{{launch<p, Lossless, Fused, Real>, launch<p, Conductive, Fused, Real>},
           {launch<p, Boundary, Fused, Real>, launch<p, Boundary, Fused, Real>}},
          launch<p, Lossless, Volume, Real>,
          {launch<p, Lossless, Surface, Real>, launch<p, Boundary, Surface, Real>},
          {launch<p, Lossless, FieldUpdate, Real>, launch<p, Conductive, FieldUpdate, Real>},
          launch_level<p, Real>,
          launch_sequence<p, Real>,
          reinterpret_cast<const void*>(&sequence_kernel<p, Real>),
          reinterpret_cast<const void*>(&half_step_kernel<p, Lossless, Fused, Real>),
          LaunchShape<p, Real>::threads};
}

}  // namespace dgtd::dg
