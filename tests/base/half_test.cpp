// Half precision as a type of storage: its values, rounding, and the group functions of vectors.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "dgtd/base/half_lanes.hpp"

namespace dgtd {
namespace {

// (-1)^s 2^(e - 15) (1 + f / 1024), or without the 1 and with e = 1 where the exponent is 0 (IEEE 754, binary16).
double value_of(unsigned bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31u), fraction = static_cast<int>(bits & 1023u);
  const double sign = (bits & 0x8000u) != 0 ? -1 : 1;
  if (exponent == 31) return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::nan("");
  return sign * std::ldexp((exponent > 0 ? 1024 : 0) + fraction, std::max(exponent, 1) - 25);
}
Half half_of(unsigned bits) {
  Half h;
  h.bits = static_cast<std::uint16_t>(bits);
  return h;
}

TEST(Half, AllValuesAreExactAndComeBack) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const Half h = half_of(bits);
    const float f = h;
    if (std::isnan(value_of(bits))) {
      EXPECT_TRUE(std::isnan(f)) << bits;
      EXPECT_TRUE(std::isnan(float(Half(f)))) << bits;
      continue;
    }
    ASSERT_EQ(double(f), value_of(bits)) << bits;
    ASSERT_EQ(Half(f).bits, bits);
  }
}

// With the processor's modes that take subnormal single numbers for zero.
TEST(Half, SubnormalNumbersSurviveTheModesOfThreads) {
#if defined(__x86_64__)
  const unsigned before = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(before | 0x8040u);
  int wrong = 0;
  for (unsigned bits = 0; bits < 0x7c00u; ++bits) {
    Half group[8];
    for (Half& h : group) h = half_of(bits);
    const float one = half_of(bits);
    float several[8];
    decode_lanes<8>(group, several);
    wrong += double(one) != value_of(bits) || several[5] != one || Half(one).bits != bits;
  }
  __builtin_ia32_ldmxcsr(before);
  EXPECT_EQ(wrong, 0);
#endif
}

// Between neighbours the nearest is taken, half way the one with an even last bit; 65520 is half way to 2^16.
TEST(Half, RoundsToTheNearestTiesToEven) {
  for (unsigned bits = 0; bits < 0x7c00u; ++bits)
    for (const unsigned sign : {0u, 0x8000u}) {
      const double above = bits == 0x7bffu ? 65536 : std::abs(value_of(bits + 1));
      const double middle = 0.5 * (value_of(bits) + above);
      const auto f = static_cast<float>(sign == 0 ? middle : -middle);
      ASSERT_EQ(std::abs(double(f)), middle);
      ASSERT_EQ(Half(f).bits, (bits % 2 == 0 ? bits : bits + 1) | sign) << middle;
      ASSERT_EQ(Half(std::nextafter(f, 0.0f)).bits, bits | sign) << middle;
      ASSERT_EQ(Half(std::nextafter(f, 2 * f)).bits, (bits + 1) | sign) << middle;
    }
  EXPECT_EQ(Half(std::numeric_limits<float>::max()).bits, 0x7c00u);
  EXPECT_EQ(Half(-std::numeric_limits<float>::infinity()).bits, 0xfc00u);
  EXPECT_EQ(Half(std::numeric_limits<float>::denorm_min()).bits, 0u);
}

TEST(Half, GroupsAreTheSame) {
  std::vector<float> from;
  for (unsigned bits = 0; bits < 65536; ++bits)
    if (!std::isnan(value_of(bits))) from.push_back(static_cast<float>(value_of(bits)));
  std::mt19937 random(7);
  std::uniform_real_distribution<float> exponent(-30, 20);
  while (from.size() < 200000 || from.size() % 32 != 0) from.push_back(std::exp2(exponent(random)));
  for (std::size_t i = 0; i < from.size(); i += 32) {
    Half groups[32];
    float back[32];
    encode_lanes<32>(from.data() + i, groups);
    decode_lanes<32>(groups, back);
    for (std::size_t k = 0; k < 32; ++k) {
      ASSERT_EQ(groups[k].bits, Half(from[i + k]).bits) << from[i + k];
      ASSERT_EQ(back[k], float(groups[k]));
    }
  }
}

}  // namespace
}  // namespace dgtd
