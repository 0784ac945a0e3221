#pragma once
// Two halves in a word, which one instruction of a device computes with, each rounded as HalfNumber's.
#include "dgtd/base/half_number.hpp"

namespace dgtd::fdtd {

/// Values of a cell in the lower rows of a tile (in the lower bits), and of one so many rows above.
struct HalfPair {
  std::uint32_t bits;
};

#if !defined(__CUDA_ARCH__)
/// f(HalfNumber of each...) of both halves: for tests on the host.
template <class F, class... Pairs>
__device__ __forceinline__ HalfPair of_both_halves(const F& f, Pairs... pairs) {
  const auto half = [&](int shift) {
    const auto number = [&](HalfPair a) {
      HalfNumber n;
      n.bits = static_cast<std::uint16_t>(a.bits >> shift);
      return n;
    };
    return static_cast<std::uint32_t>(f(number(pairs)...).bits) << shift;
  };
  return {half(0) | half(16)};
}
#endif

__device__ __forceinline__ HalfPair pair_of(float lower, float upper) {
#if defined(__CUDA_ARCH__)
  HalfPair both;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both.bits) : "f"(upper), "f"(lower));
  return both;
#else
  return {half_bits::encode(lower) | static_cast<std::uint32_t>(half_bits::encode(upper)) << 16};
#endif
}
__device__ __forceinline__ HalfPair operator-(HalfPair a) {
#if defined(__CUDA_ARCH__)
  HalfPair negative;
  asm("neg.f16x2 %0, %1;" : "=r"(negative.bits) : "r"(a.bits));
  return negative;
#else
  return {a.bits ^ 0x80008000u};
#endif
}
__device__ __forceinline__ HalfPair operator-(HalfPair a, HalfPair b) {
#if defined(__CUDA_ARCH__)
  HalfPair difference;
  asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(difference.bits) : "r"(a.bits), "r"(b.bits));
  return difference;
#else
  return of_both_halves([](HalfNumber m, HalfNumber n) { return m - n; }, a, b);
#endif
}
__device__ __forceinline__ HalfPair operator*(HalfPair a, HalfPair b) {
#if defined(__CUDA_ARCH__)
  HalfPair product;
  asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(product.bits) : "r"(a.bits), "r"(b.bits));
  return product;
#else
  return of_both_halves([](HalfNumber m, HalfNumber n) { return m * n; }, a, b);
#endif
}
/// a b + c, rounded once.
__device__ __forceinline__ HalfPair multiply_add(HalfPair a, HalfPair b, HalfPair c) {
#if defined(__CUDA_ARCH__)
  HalfPair sum;
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(sum.bits) : "r"(a.bits), "r"(b.bits), "r"(c.bits));
  return sum;
#else
  return of_both_halves([](HalfNumber m, HalfNumber n, HalfNumber o) { return dgtd::multiply_add(m, n, o); }, a, b, c);
#endif
}

}  // namespace dgtd::fdtd
