#pragma once
// Instantiates the CUDA kernels of one order and precision, in a file of its own that CMake writes.
#include <algorithm>
#include <type_traits>

#include "../parallel/cuda_check.hpp"
#include "component_kernel.hpp"
#include "cuda_kernel_table.hpp"
#include "cuda_view.hpp"
#include "two_pass_kernel.hpp"
#include "energy_kernel.hpp"

namespace dgtd::dg {

/// Threads per thread block, and thread blocks that a multiprocessor must hold, which bounds the registers per thread.
/// Measured on an H200 (docs/notebook/2026-11-22-tetrahedra-on-a-gpu.md): larger thread blocks keep more of the
/// neighbours in L1; where a few registers less allow one more thread block without spills, as in P3 single, it is
/// faster.
template <int p, class Real, bool curved = false>
struct LaunchShape {
  static constexpr bool single = sizeof(Real) == 4;
  static constexpr int threads = !single ? 128 : p == 1 ? 384 : p == 2 ? 256 : p == 3 ? 192 : 128;
  static constexpr int resident = single && (p == 1 || p == 3) ? 2 : 1;
};
/// Curved elements: 3 Np rates and 3 Np increments, and as many registers as there are.
template <int p, class Real>
struct LaunchShape<p, Real, true> {
  static constexpr int threads = 128, resident = 1;
};

struct Fused {
  template <int p, KernelTraits traits, class Real>
  static __device__ __forceinline__ void run(const CudaView<p, Real>& view) {
    element_update<p, traits, Real>(view);
  }
};
struct Volume {
  template <int p, KernelTraits, class Real>
  static __device__ __forceinline__ void run(const CudaView<p, Real>& view) {
    element_volume<p, Real>(view);
  }
};
struct Surface {
  template <int p, KernelTraits traits, class Real>
  static __device__ __forceinline__ void run(const CudaView<p, Real>& view) {
    element_surface<p, traits, Real>(view);
  }
};
struct FieldUpdate {
  template <int p, KernelTraits traits, class Real>
  static __device__ __forceinline__ void run(const CudaView<p, Real>& view) {
    element_field<p, traits, Real>(view);
  }
};

template <int p, class Real, int traits>
using ShapeOf = LaunchShape<p, Real, KernelTraits::of_number(traits).curved>;

template <int p, int traits, class Stage, class Real>  // traits: KernelTraits::number()
__global__ void __launch_bounds__(ShapeOf<p, Real, traits>::threads, ShapeOf<p, Real, traits>::resident)
    half_step_kernel(const ElementArrays<Real> arrays, const Real* __restrict__ source, Real* target,
                     std::int64_t first, std::int64_t blocks) {
  const std::int64_t thread = std::int64_t(blockIdx.x) * ShapeOf<p, Real, traits>::threads + threadIdx.x;
  const std::int64_t block = thread / block_lanes;
  if (block >= blocks) return;
  Stage::template run<p, KernelTraits::of_number(traits), Real>(
      CudaView<p, Real>{{arrays, first + block, int(threadIdx.x % block_lanes)}, source, target});
}

template <int p, KernelTraits traits, class Stage, class Real>
void launch(const ElementArrays<Real>& arrays, const Real* source, Real* target, std::int64_t first,
            std::int64_t blocks, cudaStream_t stream) {
  constexpr int threads = LaunchShape<p, Real, traits.curved>::threads;
  const auto grid = static_cast<unsigned>((blocks * block_lanes + threads - 1) / threads);
  half_step_kernel<p, traits.number(), Stage, Real>
      <<<grid, threads, 0, stream>>>(arrays, source, target, first, blocks);
  DGTD_CUDA_CHECK_LAUNCH();
}

/// Small thread blocks, so that the last ones leave no multiprocessor idle for long.
template <int p, class Real>
struct JointShape {
  static constexpr int threads = 128;
  static constexpr int resident = sizeof(Real) == 8 ? 1 : p == 1 ? 6 : p == 2 ? 4 : p == 3 ? 3 : 1;
};

/// The half step of the block of a warp. prepare(part, code): before it, with the NeighbourCode of the lane's faces.
template <int p, class Real, class Prepare>
__device__ __forceinline__ void update_of_warp(const JointBatches<Real>& batches, std::uint32_t warp,
                                               const Real* source, Real* target, const Prepare& prepare) {
  int part = 0;
  std::uint32_t begin = 0;
  while (part < batches.count && warp >= batches.parts[part].end) begin = batches.parts[part++].end;
  if (part == batches.count) return;
  const auto& of = batches.parts[part];
  ElementArrays<Real> arrays = batches.arrays;
  arrays.first_boundary_block = of.first_boundary_block;
  const CudaView<p, Real> view{
      {arrays, of.first_block + (warp - begin), int(threadIdx.x % block_lanes)}, source, target};
  prepare(of, arrays.neighbour + view.element_offset(4));
  switch (of.kernel) {
    case KernelTraits{MediumKind::lossless, false}.number():
      return element_update<p, KernelTraits{MediumKind::lossless, false}, Real>(view);
    case KernelTraits{MediumKind::conductive, false}.number():
      return element_update<p, KernelTraits{MediumKind::conductive, false}, Real>(view);
    default: return element_update<p, KernelTraits{MediumKind::conductive, true}, Real>(view);
  }
}

template <int p, class Real>
__global__ void __launch_bounds__(JointShape<p, Real>::threads, JointShape<p, Real>::resident)
    joint_kernel(const __grid_constant__ JointBatches<Real> batches, const Real* __restrict__ source, Real* target) {
  update_of_warp<p>(batches, (blockIdx.x * JointShape<p, Real>::threads + threadIdx.x) / block_lanes, source, target,
                    [](const auto&, const std::uint32_t*) {});
}

template <int p, class Real>
void launch_joint(const JointBatches<Real>& batches, const Real* source, Real* target, cudaStream_t stream) {
  constexpr unsigned warps = JointShape<p, Real>::threads / block_lanes;
  const unsigned blocks = batches.parts[batches.count - 1].end;
  joint_kernel<p, Real>
      <<<(blocks + warps - 1) / warps, JointShape<p, Real>::threads, 0, stream>>>(batches, source, target);
  DGTD_CUDA_CHECK_LAUNCH();
}

/// Thread blocks that move what a proxy has received; they wait for it while others update the interior.
inline unsigned relaying_thread_blocks(const parallel::KernelExchange& e, unsigned threads) {
  constexpr unsigned most = 16;
  return e.from_host == nullptr ? 0 : std::min(most, (e.packets + threads - 1) / threads);
}

template <int p, class Real>
unsigned sending_thread_blocks(const HaloTraces& halo, unsigned threads) {
  return (halo.exchange.faces * packets_of_trace<Real>(Bernstein<p>::face_nodes) + threads - 1) / threads;
}

// The first `sending` thread blocks send, the next ones relay. Those that wait for packets come last, so that others
// have the multiprocessors meanwhile.
template <int p, class Real>
__global__ void __launch_bounds__(JointShape<p, Real>::threads, JointShape<p, Real>::resident)
    joint_exchange_kernel(const __grid_constant__ JointBatches<Real> batches, const __grid_constant__ HaloTraces halo,
                          unsigned sending, unsigned relaying, Real* source, Real* target) {
  constexpr int threads = JointShape<p, Real>::threads;
  if (blockIdx.x < sending) {
    send_packet<p, Real>(halo, SplitField<Real>{source}, blockIdx.x * threads + threadIdx.x);
    return end_sending(halo.exchange, sending);
  }
  if (blockIdx.x < sending + relaying)
    return relay_packets(halo.exchange, (blockIdx.x - sending) * threads + threadIdx.x, relaying * threads);
  update_of_warp<p>(batches, ((blockIdx.x - sending - relaying) * threads + threadIdx.x) / block_lanes,
                    static_cast<const Real*>(source), target, [&](const auto& part, const std::uint32_t* code) {
                      if (part.halo) receive_traces<p, Real>(halo, code, source);
                    });
}

template <int p, class Real>
void launch_joint_exchange(const JointBatches<Real>& batches, const HaloTraces& halo, bool sends, Real* source,
                           Real* target, cudaStream_t stream) {
  constexpr unsigned threads = JointShape<p, Real>::threads, warps = threads / block_lanes;
  const unsigned sending = sends ? sending_thread_blocks<p, Real>(halo, threads) : 0;
  const unsigned relaying = sends ? relaying_thread_blocks(halo.exchange, threads) : 0;
  const unsigned blocks = batches.parts[batches.count - 1].end;
  joint_exchange_kernel<p, Real><<<sending + relaying + (blocks + warps - 1) / warps, threads, 0, stream>>>(
      batches, halo, sending, relaying, source, target);
  DGTD_CUDA_CHECK_LAUNCH();
}

template <int p, bool curved, class Real>
__device__ __forceinline__ void update_listed(const ElementArrays<Real>& arrays, const LevelBlock& at, int lane,
                                              const Real* source, const LevelFields<Real>& fields) {
  constexpr bool at_once = 3 * Bernstein<p>::nodes <= 30;  // 1 % faster (docs/performance.md); more would be spilled
  element_update<p, KernelTraits{MediumKind::lossless, false, curved}, Real>(CudaLevelView<p, Real, at_once>{
      {{arrays, at.block, lane}, source, fields.target}, fields, mirrors_of(arrays, at, lane)});
}

template <int p, bool curved, class Real>
__global__ void __launch_bounds__(LaunchShape<p, Real, curved>::threads, LaunchShape<p, Real, curved>::resident)
    level_kernel(const ElementArrays<Real> arrays, const LevelBlock* list, const Real* __restrict__ source,
                 const LevelFields<Real> fields, std::int64_t blocks) {
  const std::int64_t thread = std::int64_t(blockIdx.x) * LaunchShape<p, Real, curved>::threads + threadIdx.x;
  if (thread / block_lanes >= blocks) return;
  const LevelBlock at = list[thread / block_lanes];
  const int lane = int(threadIdx.x % block_lanes);
  update_listed<p, curved>(arrays, at, lane, source, fields);
}

template <int p, bool curved, class Real>
void launch_level(const ElementArrays<Real>& arrays, const LevelBlock* list, const Real* source,
                  const LevelFields<Real>& fields, std::int64_t blocks, cudaStream_t stream) {
  if (blocks == 0) return;
  constexpr int threads = LaunchShape<p, Real, curved>::threads;
  const auto grid = static_cast<unsigned>((blocks * block_lanes + threads - 1) / threads);
  level_kernel<p, curved, Real><<<grid, threads, 0, stream>>>(arrays, list, source, fields, blocks);
  DGTD_CUDA_CHECK_LAUNCH();
}

// As joint_exchange_kernel.
template <int p, class Real>
__global__ void __launch_bounds__(LaunchShape<p, Real>::threads, LaunchShape<p, Real>::resident)
    level_exchange_kernel(const ElementArrays<Real> arrays, const __grid_constant__ ListedBlocks list,
                          const __grid_constant__ HaloTraces halo, unsigned sending, unsigned relaying, Real* source,
                          const LevelFields<Real> fields) {
  constexpr unsigned threads = LaunchShape<p, Real>::threads;
  if (blockIdx.x < sending) {
    send_packet<p, Real>(halo, fields.source(source), blockIdx.x * threads + threadIdx.x);
    return end_sending(halo.exchange, sending);
  }
  if (blockIdx.x < sending + relaying)
    return relay_packets(halo.exchange, (blockIdx.x - sending) * threads + threadIdx.x, relaying * threads);
  const std::uint32_t warp = ((blockIdx.x - sending - relaying) * threads + threadIdx.x) / block_lanes;
  const int lane = int(threadIdx.x % block_lanes);
  if (warp >= list.interior_blocks + list.halo_blocks) return;
  const bool in_halo = warp >= list.interior_blocks;
  const LevelBlock at = in_halo ? list.halo[warp - list.interior_blocks] : list.interior[warp];
  if (in_halo) receive_traces<p, Real>(halo, arrays.neighbour + std::size_t(at.block) * 4 * block_lanes + lane, source);
  update_listed<p, false>(arrays, at, lane, static_cast<const Real*>(source), fields);
}

template <int p, class Real>
void launch_level_exchange(const ElementArrays<Real>& arrays, const ListedBlocks& list, const HaloTraces& halo,
                           Real* source, const LevelFields<Real>& fields, cudaStream_t stream) {
  constexpr unsigned threads = LaunchShape<p, Real>::threads, warps = threads / block_lanes;
  const unsigned sending = sending_thread_blocks<p, Real>(halo, threads);
  const unsigned relaying = relaying_thread_blocks(halo.exchange, threads);
  const unsigned grid = sending + relaying + (list.interior_blocks + list.halo_blocks + warps - 1) / warps;
  if (grid == 0) return;
  level_exchange_kernel<p, Real><<<grid, threads, 0, stream>>>(arrays, list, halo, sending, relaying, source, fields);
  DGTD_CUDA_CHECK_LAUNCH();
}

// Element data, which no half step writes, are loaded before the wait for the half step before: each load takes a good
// part of the time of a half step of few elements.
template <int p, class Real>
__global__ void __launch_bounds__(LaunchShape<p, Real>::threads, 1)
    sequence_kernel(const __grid_constant__ LevelSequence<Real> sequence) {
  constexpr unsigned warps = LaunchShape<p, Real>::threads / block_lanes;
  const int lane = int(threadIdx.x % block_lanes);
  for (int i = 0; i < sequence.count; ++i) {
    const SequenceStep<Real>& step = sequence.steps[i];
    if (blockIdx.x >= step.thread_blocks) continue;
    ElementArrays<Real> arrays{};
    arrays.neighbour = step.neighbour, arrays.metric = sequence.metric;
    arrays.Cb = step.Cb, arrays.mirror = step.mirror;
    const LevelFields<Real> fields{step.base,         step.base_blocks,  step.target,      step.from_zero, step.saved,
                                   step.saved_blocks, step.other_source, step.other_first, step.other_end, step.factor};
    const unsigned share = (step.blocks + step.thread_blocks - 1) / step.thread_blocks;
    const unsigned end = min(step.blocks, (blockIdx.x + 1) * share);
    unsigned k = blockIdx.x * share + threadIdx.x / block_lanes;
    LevelBlock at = step.list[k < end ? k : 0];
    SequenceData<p, Real> data(arrays, at, lane);
    sequence::begin(sequence, i);
    while (k < end) {
      element_update<p, KernelTraits{}, Real>(CudaSequenceView<p, Real>{
          {{{arrays, at.block, lane}, step.source, step.target}, fields, mirrors_of(arrays, at, lane)}, data});
      k += warps;
      if (k >= end) break;
      at = step.list[k];
      data = SequenceData<p, Real>(arrays, at, lane);
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
  config.numAttrs = 1;
  DGTD_CUDA_CHECK(cudaLaunchKernelEx(&config, sequence_kernel<p, Real>, sequence));
}

// Null where the order has no kernels of such elements.
template <int p, KernelTraits traits, class Stage, class Real>
constexpr LaunchBlocks<Real> launch_of() {
  constexpr bool plain = !traits.boundary && !traits.curved && traits.medium <= MediumKind::conductive;
  if constexpr (std::is_same_v<Stage, Fused> && plain && has_component_kernel<p, Real>)
    return launch_components<p, traits.medium == MediumKind::conductive, Real>;
  else if constexpr (std::is_same_v<Stage, Fused> && traits.curved && has_two_passes<p>)
    return launch_two_passes<p, traits, Real>;
  else if constexpr (has_kernel(traits, p)) return launch<p, traits, Stage, Real>;
  else return nullptr;
}

template <int p, class Real>
struct CudaStages {
  template <KernelTraits traits>
  static constexpr LaunchBlocks<Real> fused = launch_of<p, traits, Fused, Real>();
  static constexpr LaunchBlocks<Real> volume = launch<p, KernelTraits{}, Volume, Real>;
  template <KernelTraits traits>
  static constexpr LaunchBlocks<Real> surface = launch<p, traits, Surface, Real>;
  template <KernelTraits traits>
  static constexpr LaunchBlocks<Real> field = launch_of<p, traits, FieldUpdate, Real>();
};

template <int p, class Real>
CudaKernelTable<Real> make_cuda_kernel_table() {
  CudaKernelTable<Real> table{stage_kernels<LaunchBlocks<Real>, CudaStages<p, Real>>(),
                              nullptr,
                              launch_joint_exchange<p, Real>,
                              {launch_level<p, false, Real>, nullptr},
                              launch_level_exchange<p, Real>,
                              launch_sequence<p, Real>,
                              {launch_energy<p, false, Real>, nullptr},
                              {launch_boundary_energy<p, false, Real>, nullptr},
                              reinterpret_cast<const void*>(&sequence_kernel<p, Real>),
                              nullptr,
                              LaunchShape<p, Real>::threads,
                              LaunchShape<p, Real>::threads,
                              0};
  if constexpr (has_component_kernel<p, Real>) {
    table.fused_lossless = reinterpret_cast<const void*>(&component_kernel<p, false, Real>);
    table.fused_threads = component_threads;
    table.fused_shared_bytes = component_bytes<p, Real>;
  } else {
    table.joint = launch_joint<p, Real>;
    table.fused_lossless =
        reinterpret_cast<const void*>(&half_step_kernel<p, KernelTraits{}.number(), Fused, Real>);
  }
  if constexpr (p <= highest_curved_order) {
    if constexpr (has_two_passes<p>) table.level[true] = launch_level_in_two_passes<p, Real>;
    else table.level[true] = launch_level<p, true, Real>;
    table.energy[true] = launch_energy<p, true, Real>;
    table.boundary_energy[true] = launch_boundary_energy<p, true, Real>;
  }
  return table;
}

}  // namespace dgtd::dg
