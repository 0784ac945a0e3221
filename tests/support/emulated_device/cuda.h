#pragma once
// Parts of CUDA's language and headers that kernels use, for the host (emulated_device.hpp).
#include <algorithm>
#include <bit>
#include <cstdint>

#include "emulated_device.hpp"

#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__

namespace dgtd::emulation {
struct Index3 {
  unsigned x = 0, y = 0, z = 0;
};
}  // namespace dgtd::emulation
extern thread_local dgtd::emulation::Index3 threadIdx, blockIdx;

struct alignas(8) float2 {
  float x, y;
};
struct alignas(8) int2 {
  int x, y;
};
inline float2 make_float2(float x, float y) { return {x, y}; }

/// An array [c][z][y][x] and the box of it that is copied, in numbers of so many bytes.
struct CUtensorMap {
  const unsigned char* data;
  int bytes_of_number;
  std::int64_t size[4], stride[4];  // of x, y, z, c; strides in bytes
  int box[4];
};

using std::max;
using std::min;

template <class T>
T __ldg(const T* at) {
  return *at;
}
inline unsigned __float_as_uint(float value) { return std::bit_cast<unsigned>(value); }
inline int __popc(unsigned bits) { return std::popcount(bits); }
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
  const std::uint64_t bytes = low | std::uint64_t{high} << 32;
  unsigned result = 0;
  for (int n = 0; n < 4; ++n) result |= unsigned(bytes >> 8 * (selector >> 4 * n & 7) & 0xff) << 8 * n;
  return result;
}
inline unsigned atomicAdd(unsigned* at, unsigned value) { return (*at += value) - value; }

inline void __syncthreads() { dgtd::emulation::wait_for_block(); }
inline void __syncwarp() { dgtd::emulation::words_of_warp(0); }
inline bool __any_sync(unsigned, bool own) {
  const auto words = dgtd::emulation::words_of_warp(own);
  return std::any_of(words.begin(), words.end(), [](unsigned word) { return word != 0; });
}
template <class T>
T __shfl_sync(unsigned, T own, int lane) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 1);
  if constexpr (sizeof(T) == 1) return static_cast<T>(dgtd::emulation::words_of_warp(own)[static_cast<unsigned>(lane)]);
  else return std::bit_cast<T>(dgtd::emulation::words_of_warp(std::bit_cast<std::uint32_t>(own))[unsigned(lane)]);
}
template <class T>
T __shfl_down_sync(unsigned mask, T own, unsigned lanes) {
  const unsigned lane = threadIdx.x % dgtd::emulation::lanes_per_warp;
  return __shfl_sync(mask, own, int(lane + lanes < dgtd::emulation::lanes_per_warp ? lane + lanes : lane));
}
template <class T>
T __shfl_up_sync(unsigned mask, T own, unsigned lanes) {
  const unsigned lane = threadIdx.x % dgtd::emulation::lanes_per_warp;
  return __shfl_sync(mask, own, int(lane >= lanes ? lane - lanes : lane));
}
