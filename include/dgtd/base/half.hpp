#pragma once
// IEEE half precision (binary16: sign, 5 bits of exponent, 10 of fraction) as a type of storage: numbers are computed
// with in single precision and rounded to the nearest half, ties to even, where they are stored. The host and a device
// round to the same bits.
#include <bit>
#include <cstdint>

#include "dgtd/base/host_device.hpp"

namespace dgtd {

namespace half_bits {

/// The number of a half's bits, exact. No operation has a subnormal single number, which threads of this program take
/// for zero.
DGTD_HOST_DEVICE float decode(std::uint16_t bits) {
#if defined(__CUDA_ARCH__)
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
#else
  const std::uint32_t magnitude = bits & 0x7fffu, sign = (bits & 0x8000u) << 16;
  const auto subnormal = std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<int>(magnitude)) * 0x1p-24f);
  std::uint32_t number = magnitude < 0x400u ? subnormal : (magnitude << 13) + 0x38000000u;
  number = magnitude >= 0x7c00u ? number | 0x7f800000u : number;  // infinite, or no number
  return std::bit_cast<float>(number | sign);
#endif
}

/// The bits of the half nearest to a number; of two, the one whose last bit is 0. 65520 and more are infinite.
DGTD_HOST_DEVICE std::uint16_t encode(float value) {
#if defined(__CUDA_ARCH__)
  std::uint16_t bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
#else
  const std::uint32_t all = std::bit_cast<std::uint32_t>(value), sign = (all >> 16) & 0x8000u, u = all & 0x7fffffffu;
  // Normal halves: half a unit in the last place less one, and one more where the last bit kept is odd, carries.
  const std::uint32_t normal = (u - 0x38000000u + 0xfffu + ((u >> 13) & 1u)) >> 13;
  // Subnormal ones: the sum with 1/2 has them in its last bits, rounded; a subnormal single number is nothing beside
  // them.
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(std::bit_cast<float>(u) + 0.5f) - 0x3f000000u;
  std::uint32_t bits = u < 0x38800000u ? subnormal : normal;
  bits = u >= 0x477ff000u ? 0x7c00u : bits;
  bits = u > 0x7f800000u ? 0x7e00u : bits;
  return static_cast<std::uint16_t>(bits | sign);
#endif
}

}  // namespace half_bits

/// A number in half precision.
struct Half {
  std::uint16_t bits;

  Half() = default;
  DGTD_HOST_DEVICE explicit Half(float value) : bits(half_bits::encode(value)) {}
  DGTD_HOST_DEVICE operator float() const { return half_bits::decode(bits); }
};
static_assert(sizeof(Half) == 2);

/// Arithmetic type in which numbers of a type of storage are computed.
template <class Stored>
struct ArithmeticOf {
  using Type = Stored;
};
template <>
struct ArithmeticOf<Half> {
  using Type = float;
};
template <class Stored>
using arithmetic_t = typename ArithmeticOf<Stored>::Type;

/// Whether fields are stored with fewer digits than they are computed with.
template <class Stored>
inline constexpr bool is_compressed = sizeof(Stored) < sizeof(arithmetic_t<Stored>);

}  // namespace dgtd
