#pragma once
// Half steps of curved elements of high order in two passes, a thread per element. The product of kernels/curved.hpp,
//   r_i(q) = sum_a V_qa r^i_a,   t_k = G_ki(q) r_i(q),   (G r)_k,a = sum_q D_qa t_k,
// point by point needs 3 Np rates and 3 Np sums at once, more registers than a thread has (P4: 210). Here t of all points
// is in shared memory, a column per thread, so that the rates have left the registers when the sums begin. The tables V, D
// and T are there, too, once per thread block, which walks through blocks of elements. No thread waits for another one. The
// sums have the order, and the fields the bits, of apply_curved_metric_at_points
// (docs/notebook/2026-11-29-curved-elements-on-a-gpu.md).
#include <algorithm>

#include "../parallel/cuda_check.hpp"
#include "cuda_kernel_table.hpp"
#include "cuda_view.hpp"
#include "dgtd/dg/kernels/element_update.hpp"

namespace dgtd::dg {

/// Reals that one load of shared memory brings.
template <class Real>
struct SharedWord;
template <>
struct SharedWord<float> {
  using type = float4;
  static constexpr int reals = 4;
};
template <>
struct SharedWord<double> {
  using type = double2;
  static constexpr int reals = 2;
};

/// Tables and columns of a thread block in shared memory: [point][V Np, D Np, T terms], each padded to whole words, then
/// [point][component 3][thread] t.
template <int p, class Real>
struct CurvedMemory {
  static constexpr int nodes = Bernstein<p>::nodes, points = curved_points(p), terms = curved_terms(p);
  static constexpr int padded(int n) {
    constexpr int word = SharedWord<Real>::reals;
    return (n + word - 1) / word * word;
  }
  static constexpr int D = padded(nodes), T = 2 * D, row = T + padded(terms), table = points * row;
  static constexpr int bytes(int threads) { return int(sizeof(Real)) * (table + 3 * points * threads); }

  /// By all threads of a thread block. tables: of CurvedArrays.
  static __device__ __forceinline__ void load_tables(Real* shared, const Real* tables) {
    for (int i = int(threadIdx.x); i < table; i += int(blockDim.x)) {
      const int place = i % row, part = place < D ? 0 : place < T ? 1 : 2, k = place - part * D;
      const Real* const from = tables + i / row * curved_row(p) + part * nodes;
      shared[i] = k < (part == 2 ? terms : nodes) ? from[k] : Real(0);
    }
    __syncthreads();
  }
};

/// f(k, value) of the reals 0 to count - 1 from the start of a word on.
template <int count, class Real, class F>
__device__ __forceinline__ void for_each_in_words(const Real* at, const F& f) {
  using Word = SharedWord<Real>;
  static_for<(count + Word::reals - 1) / Word::reals>([&](auto w) {
    constexpr int first = decltype(w)::v * Word::reals;
    const typename Word::type word = *reinterpret_cast<const typename Word::type*>(at + first);
    const Real* const value = reinterpret_cast<const Real*>(&word);
    static_for<Word::reals>([&](auto k) {
      if constexpr (first + decltype(k)::v < count) f(Index<first + decltype(k)::v>{}, value[k]);
    });
  });
}

/// curved() of a view: the product in two passes.
template <int p, class Real>
struct CurvedInTwoPasses {
  using Memory = CurvedMemory<p, Real>;
  static constexpr int nodes = Memory::nodes, points = Memory::points, terms = Memory::terms;
  const Real* metric;  // [terms][6][lane 32] at the lane
  const Real* table;   // of Memory
  Real* column;        // [point][component 3] t, `stride` apart
  int stride;

  __device__ __forceinline__ Real& t(int q, int k) const { return column[(3 * q + k) * stride]; }

  template <int count>
  __device__ __forceinline__ void set_points(int q, const Real& Cb, const Real (&G)[terms][6],
                                             const Real (&rates)[3][nodes]) const {
    Real r[count][3];
    static_for<3 * count>([&](auto i) { r[i / 3][i % 3] = 0; });
    static_for<count>([&](auto i) {
      for_each_in_words<nodes>(table + (q + i) * Memory::row, [&](auto a, Real value) {
        static_for<3>([&](auto k) { r[i][k] = fma(value, rates[k][a], r[i][k]); });
      });
    });
    static_for<count>([&](auto i) {
      Real g[6] = {0, 0, 0, 0, 0, 0}, product[3];
      for_each_in_words<terms>(table + (q + i) * Memory::row + Memory::T, [&](auto m, Real value) {
        static_for<6>([&](auto entry) { g[entry] = fma(value, G[m][entry], g[entry]); });
      });
      multiply_by_metric(Cb, g, r[i], product);
      static_for<3>([&](auto k) { t(q + i, k) = product[k]; });
    });
  }

  __device__ __forceinline__ void multiply(const Real& Cb, const Real (&rates)[3][nodes], Real (&product)[3][nodes]) const {
    {
      Real G[terms][6];
      static_for<6 * terms>([&](auto i) { G[i / 6][i % 6] = __ldg(metric + i * block_lanes); });
      constexpr int at_once = 2, even = points / at_once * at_once;
#pragma unroll 1
      for (int q = 0; q < even; q += at_once) set_points<at_once>(q, Cb, G, rates);
      if constexpr (even < points) set_points<points - even>(even, Cb, G, rates);
    }
    static_for<3 * nodes>([&](auto i) { product[i / nodes][i % nodes] = 0; });
#pragma unroll 2
    for (int q = 0; q < points; ++q) {
      const Real at_point[3] = {t(q, 0), t(q, 1), t(q, 2)};
      for_each_in_words<nodes>(table + q * Memory::row + Memory::D, [&](auto a, Real value) {
        static_for<3>([&](auto k) { product[k][a] = fma(value, at_point[k], product[k][a]); });
      });
    }
  }
};

/// A view whose product with the metric is that one. View: CudaView or CudaLevelView.
template <int p, class Real, class View>
struct TwoPassView : View {
  Real* shared;  // of the thread block

  __device__ __forceinline__ CurvedInTwoPasses<p, Real> curved() const {
    return {View::curved().at, shared, shared + CurvedMemory<p, Real>::table + threadIdx.x, int(blockDim.x)};
  }
};

/// Calls work(block) for the blocks 0 to blocks - 1 of a walk through all, with the tables in shared memory.
template <int p, class Real, class Work>
__device__ __forceinline__ void walk_with_tables(const ElementArrays<Real>& arrays, std::int64_t blocks, const Work& work) {
  extern __shared__ __align__(16) unsigned char memory[];
  Real* const shared = reinterpret_cast<Real*>(memory);
  CurvedMemory<p, Real>::load_tables(shared, arrays.curved.tables);
  const unsigned warps = blockDim.x / block_lanes;
  for (std::int64_t block = std::int64_t(blockIdx.x) * warps + threadIdx.x / block_lanes; block < blocks;
       block += std::int64_t(gridDim.x) * warps)
    work(block, int(threadIdx.x % block_lanes), shared);
}

/// Whether curved elements of an order take two passes. P1 and P2 have registers for all in one.
template <int p>
inline constexpr bool has_two_passes = p >= 3 && p <= highest_curved_order;

/// Threads per thread block, and thread blocks that a multiprocessor must hold (measured on an H200: the notebook).
template <int p, class Real>
struct TwoPassShape {
  static constexpr bool single = sizeof(Real) == 4;
  static constexpr int threads = !single && p >= 4 ? 64 : 128;
  static constexpr int resident(const KernelTraits& traits) {
    const bool plain = !traits.boundary && traits.medium <= MediumKind::conductive;
    return single && p == 3 && plain ? 3 : 2;
  }
  static constexpr int bytes = CurvedMemory<p, Real>::bytes(threads);
};

template <int p, int traits, class Real>  // traits: KernelTraits::number()
__global__ void __launch_bounds__(TwoPassShape<p, Real>::threads,
                                  TwoPassShape<p, Real>::resident(KernelTraits::of_number(traits)))
    two_pass_kernel(const ElementArrays<Real> arrays, const Real* __restrict__ source, Real* target, std::int64_t first,
                    std::int64_t blocks) {
  walk_with_tables<p, Real>(arrays, blocks, [&](std::int64_t block, int lane, Real* shared) {
    element_update<p, KernelTraits::of_number(traits), Real>(
        TwoPassView<p, Real, CudaView<p, Real>>{{{arrays, first + block, lane}, source, target}, shared});
  });
}

/// Blocks of a list (level_kernel).
template <int p, class Real>
__global__ void __launch_bounds__(TwoPassShape<p, Real>::threads, TwoPassShape<p, Real>::resident({}))
    two_pass_level_kernel(const ElementArrays<Real> arrays, const LevelBlock* list, const Real* __restrict__ source,
                          const LevelFields<Real> fields, std::int64_t blocks) {
  walk_with_tables<p, Real>(arrays, blocks, [&](std::int64_t block, int lane, Real* shared) {
    const LevelBlock at = list[block];
    element_update<p, KernelTraits{MediumKind::lossless, false, true}, Real>(
        TwoPassView<p, Real, CudaLevelView<p, Real, false>>{
            {{{arrays, at.block, lane}, source, fields.target}, fields, mirrors_of(arrays, at, lane)}, shared});
  });
}

/// Thread blocks of a kernel that the device holds at once; at least 1. Permits its shared memory.
inline std::int64_t thread_blocks_of_device(const void* kernel, int threads, int bytes) {
  DGTD_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  int device = 0, multiprocessors = 0, of_each = 0;
  DGTD_CUDA_CHECK(cudaGetDevice(&device));
  DGTD_CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  DGTD_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_each, kernel, threads, std::size_t(bytes)));
  return std::max(1, multiprocessors * of_each);
}

/// Thread blocks of a walk through blocks of elements.
template <int threads>
unsigned walking_thread_blocks(std::int64_t of_device, std::int64_t blocks) {
  constexpr std::int64_t warps = threads / block_lanes;
  return static_cast<unsigned>(std::min(of_device, (blocks + warps - 1) / warps));
}

template <int p, KernelTraits traits, class Real>
void launch_two_passes(const ElementArrays<Real>& arrays, const Real* source, Real* target, std::int64_t first,
                       std::int64_t blocks, cudaStream_t stream) {
  using Shape = TwoPassShape<p, Real>;
  if (blocks == 0) return;
  const auto kernel = two_pass_kernel<p, traits.number(), Real>;
  static const std::int64_t of_device =
      thread_blocks_of_device(reinterpret_cast<const void*>(kernel), Shape::threads, Shape::bytes);
  kernel<<<walking_thread_blocks<Shape::threads>(of_device, blocks), Shape::threads, Shape::bytes, stream>>>(
      arrays, source, target, first, blocks);
  DGTD_CUDA_CHECK_LAUNCH();
}

template <int p, class Real>
void launch_level_in_two_passes(const ElementArrays<Real>& arrays, const LevelBlock* list, const Real* source,
                                const LevelFields<Real>& fields, std::int64_t blocks, cudaStream_t stream) {
  using Shape = TwoPassShape<p, Real>;
  if (blocks == 0) return;
  const auto kernel = two_pass_level_kernel<p, Real>;
  static const std::int64_t of_device =
      thread_blocks_of_device(reinterpret_cast<const void*>(kernel), Shape::threads, Shape::bytes);
  kernel<<<walking_thread_blocks<Shape::threads>(of_device, blocks), Shape::threads, Shape::bytes, stream>>>(
      arrays, list, source, fields, blocks);
  DGTD_CUDA_CHECK_LAUNCH();
}

}  // namespace dgtd::dg
