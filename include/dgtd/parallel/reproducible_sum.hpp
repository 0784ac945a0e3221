#pragma once
// A sum of doubles that does not depend on the order of its terms, for everything that decides
// something (the time step): every bit of every term is kept in one long fixed-point number.
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "dgtd/base/host_device.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::parallel {

/// Parts of a finite number in three neighbouring limbs of a ReproducibleSum, the lowest one first.
struct LimbParts {
  int first = 0;
  std::int64_t part[3] = {0, 0, 0};
};
DGTD_HOST_DEVICE LimbParts limb_parts(double term) {
  std::uint64_t bits;
  std::memcpy(&bits, &term, sizeof bits);
  const std::uint64_t fraction = bits & 0xfffffffffffffu;
  const int exponent = static_cast<int>(bits >> 52 & 0x7ffu);
  // |term| = mantissa 2^(shift - 1152)
  const std::uint64_t mantissa = exponent == 0 ? fraction : fraction | std::uint64_t{1} << 52;
  const int shift = (exponent == 0 ? 1 : exponent) + 77, in_limb = shift % 32;
  LimbParts parts;
  parts.first = shift / 32;
  parts.part[0] = static_cast<std::int64_t>(mantissa << in_limb & 0xffffffffu);
  parts.part[1] = static_cast<std::int64_t>(mantissa >> (32 - in_limb) & 0xffffffffu);
  parts.part[2] = in_limb == 0 ? 0 : static_cast<std::int64_t>(mantissa >> (64 - in_limb));
  if (bits >> 63 != 0)
    for (std::int64_t& part : parts.part) part = -part;
  return parts;
}

class ReproducibleSum {
 public:
  // Limb i counts units of 2^(32 i - 1152). A term adds less than 2^32 to three limbs at most, so
  // 2^30 terms fit without a carry.
  static constexpr int limbs = 72;

  void add(double term) {  // finite
    const LimbParts parts = limb_parts(term);
    for (int i = 0; i < 3; ++i) limb_[parts.first + i] += parts.part[i];
  }
  void add(const ReproducibleSum& other) { add_limbs(other.limb_); }
  /// [limbs] sums of limb parts that were made elsewhere.
  void add_limbs(const std::array<std::int64_t, limbs>& others) {
    for (int i = 0; i < limbs; ++i) limb_[i] += others[i];
  }
  double value() const;                          // rounded once
  double value(const Communicator& comm) const;  // over all ranks, the same on each

 private:
  std::array<std::int64_t, limbs> limb_{};
};

}  // namespace dgtd::parallel
