#pragma once
// Halves that follow each other, decoded and encoded in the processor's widest vectors: loops over what comes out load
// vectors of that width, and would wait long for narrower stores.
#include <cstring>

#include "dgtd/base/half.hpp"

namespace dgtd {

namespace half_bits {

template <int lanes>
struct Vectors {
  using Halves [[gnu::vector_size(2 * lanes)]] = short;
  using Floats [[gnu::vector_size(4 * lanes)]] = float;
};

/// `lanes` at once: 16 and 8 where the processor has such an instruction.
template <int lanes>
inline void decode_vector(const Half* from, float* to) {
#if !defined(__CUDACC__) && defined(__F16C__)
  typename Vectors<lanes>::Halves halves;
  typename Vectors<lanes>::Floats floats{};
  std::memcpy(&halves, from, sizeof halves);
#if defined(__AVX512F__)
  constexpr int current_rounding = 4;
  if constexpr (lanes == 16) floats = __builtin_ia32_vcvtph2ps512_mask(halves, floats, -1, current_rounding);
#endif
  if constexpr (lanes == 8) floats = __builtin_ia32_vcvtph2ps256(halves);
  std::memcpy(to, &floats, sizeof floats);
#else
#pragma omp simd
  for (int i = 0; i < lanes; ++i) to[i] = decode(from[i].bits);
#endif
}
template <int lanes>
inline void encode_vector(const float* from, Half* to) {
#if !defined(__CUDACC__) && defined(__F16C__)
  constexpr int nearest_even = 0;
  typename Vectors<lanes>::Halves halves{};
  typename Vectors<lanes>::Floats floats;
  std::memcpy(&floats, from, sizeof floats);
#if defined(__AVX512F__)
  if constexpr (lanes == 16) halves = __builtin_ia32_vcvtps2ph512_mask(floats, nearest_even, halves, -1);
#endif
  if constexpr (lanes == 8) halves = __builtin_ia32_vcvtps2ph256(floats, nearest_even);
  std::memcpy(to, &halves, sizeof halves);
#else
#pragma omp simd
  for (int i = 0; i < lanes; ++i) to[i].bits = encode(from[i]);
#endif
}

#if defined(__AVX512F__)
inline constexpr int widest = 16;
#else
inline constexpr int widest = 8;
#endif
template <int count>
inline constexpr int vector_of = count % widest == 0 ? widest : 8;

}  // namespace half_bits

/// to[i] = from[i] for `count` numbers, a multiple of eight.
template <int count>
inline void decode_lanes(const Half* from, float* to) {
  constexpr int lanes = half_bits::vector_of<count>;
  static_assert(count % lanes == 0);
  for (int i = 0; i < count; i += lanes) half_bits::decode_vector<lanes>(from + i, to + i);
}
/// to[i] = Half(from[i])
template <int count>
inline void encode_lanes(const float* from, Half* to) {
  constexpr int lanes = half_bits::vector_of<count>;
  static_assert(count % lanes == 0);
  for (int i = 0; i < count; i += lanes) half_bits::encode_vector<lanes>(from + i, to + i);
}

}  // namespace dgtd
