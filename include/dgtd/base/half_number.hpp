#pragma once
// Arithmetic in half precision: each operation is rounded to the nearest half, ties to even. A device has instructions
// for it, with the same results for two numbers in a word (cuda/fdtd/volume_numbers.hpp); the host computes them by
// way of double precision, for tests.
#include "dgtd/base/half.hpp"

namespace dgtd {

namespace half_bits {

/// The half nearest to a number in double precision, by way of the single one next to it of which the last bit says
/// whether it is exact, so that nothing is rounded twice.
inline std::uint16_t encode_double(double value) {
  auto single = static_cast<float>(value);
  if (static_cast<double>(single) != value && value - value == 0) {
    auto bits = std::bit_cast<std::uint32_t>(single);
    const bool away =
        (value < 0 ? -static_cast<double>(single) : static_cast<double>(single)) > (value < 0 ? -value : value);
    bits -= away ? 1 : 0;
    single = std::bit_cast<float>(bits | 1u);
  }
  return encode(single);
}

}  // namespace half_bits

struct HalfNumber {
  std::uint16_t bits;

  HalfNumber() = default;
  DGTD_HOST_DEVICE explicit HalfNumber(float value) : bits(half_bits::encode(value)) {}
  DGTD_HOST_DEVICE explicit HalfNumber(Half value) : bits(value.bits) {}
  DGTD_HOST_DEVICE explicit operator float() const { return half_bits::decode(bits); }
  DGTD_HOST_DEVICE Half stored() const {
    Half half;
    half.bits = bits;
    return half;
  }
  DGTD_HOST_DEVICE HalfNumber operator-() const {
    HalfNumber negative = *this;
    negative.bits ^= 0x8000u;
    return negative;
  }
};

DGTD_HOST_DEVICE HalfNumber operator*(HalfNumber a, HalfNumber b) {
  HalfNumber product;
#if defined(__CUDA_ARCH__)
  asm("mul.rn.f16 %0, %1, %2;" : "=h"(product.bits) : "h"(a.bits), "h"(b.bits));
#else
  product.bits = half_bits::encode(float(a) * float(b));  // exact before it is rounded
#endif
  return product;
}
DGTD_HOST_DEVICE HalfNumber operator-(HalfNumber a, HalfNumber b) {
  HalfNumber difference;
#if defined(__CUDA_ARCH__)
  asm("sub.rn.f16 %0, %1, %2;" : "=h"(difference.bits) : "h"(a.bits), "h"(b.bits));
#else
  difference.bits = half_bits::encode_double(double(float(a)) - double(float(b)));
#endif
  return difference;
}
/// a b + c, rounded once.
DGTD_HOST_DEVICE HalfNumber multiply_add(HalfNumber a, HalfNumber b, HalfNumber c) {
  HalfNumber sum;
#if defined(__CUDA_ARCH__)
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(sum.bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
#else
  sum.bits = half_bits::encode_double(double(float(a)) * double(float(b)) + double(float(c)));
#endif
  return sum;
}

}  // namespace dgtd
