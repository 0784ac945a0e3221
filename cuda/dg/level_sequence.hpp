#pragma once
// Successive half steps inside levels of local time steps in one kernel, for levels of so few elements that the launch
// of a kernel would take longer than its work. Thread block b takes part in a half step if b is below the step's number
// of thread blocks, and begins it when all thread blocks of the half step before have finished: they write what it
// reads and read what it writes. Those have waited in turn, so that all earlier half steps are done as well. A half
// step of one thread block after another one needs only the barrier inside the thread block.
#include <cstdint>

#include "dgtd/dg/kernels/level_view.hpp"

namespace dgtd::dg {

/// A half step of blocks list[0] to list[blocks - 1], by thread blocks 0 to thread_blocks - 1; see LevelFields.
template <class Real>
struct SequenceStep {
  const std::uint32_t* neighbour;
  const Real *Cb, *mirror;
  const LevelBlock* list;
  const Real* source;
  const Real* base;
  Real *target, *saved;
  const Real* other_source;
  std::uint32_t other_first, other_end;
  std::uint32_t blocks, base_blocks, saved_blocks, thread_blocks;
  Real factor;
  bool from_zero;
};

/// The parameter of the kernel, at most 4 KB.
template <class Real>
struct LevelSequence {
  static constexpr int most_steps = 32;
  SequenceStep<Real> steps[most_steps];
  int count = 0;
  const Real* metric = nullptr;
  unsigned* finished = nullptr;  // [most_steps + 1] thread blocks that have finished a step, and the kernel; 0 between
                                 // kernels
};
static_assert(sizeof(LevelSequence<double>) <= 4096);

#ifdef __CUDACC__
namespace sequence {

/// Adds one with release semantics: those that have waited for the count see what the thread block wrote before.
__device__ __forceinline__ void add_one(unsigned* count) {
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(count) : "memory");
}
__device__ __forceinline__ void wait_for(const unsigned* count, unsigned wanted) {
  unsigned present;
  do {
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(present) : "l"(count) : "memory");
  } while (present < wanted);
}

/// Before step i: all thread blocks of the step before have finished it.
template <class Real>
__device__ __forceinline__ void begin(const LevelSequence<Real>& s, int i) {
  if (i == 0) return;
  const unsigned before = s.steps[i - 1].thread_blocks;
  if (threadIdx.x == 0 && (before > 1 || s.steps[i].thread_blocks > 1)) wait_for(s.finished + i - 1, before);
  __syncthreads();
}
/// After step i.
template <class Real>
__device__ __forceinline__ void finish(const LevelSequence<Real>& s, int i) {
  const bool is_awaited = i + 1 < s.count && (s.steps[i].thread_blocks > 1 || s.steps[i + 1].thread_blocks > 1);
  if (!is_awaited) return;
  __syncthreads();
  if (threadIdx.x == 0) add_one(s.finished + i);
}
/// The last thread block clears the counts for the next kernel: nobody waits any more.
template <class Real>
__device__ __forceinline__ void leave(const LevelSequence<Real>& s) {
  if (threadIdx.x != 0) return;
  unsigned* const left = s.finished + LevelSequence<Real>::most_steps;
  if (atomicAdd(left, 1) + 1 < gridDim.x) return;
  for (int i = 0; i < s.count; ++i) s.finished[i] = 0;
  *left = 0;
}

}  // namespace sequence
#endif

}  // namespace dgtd::dg
