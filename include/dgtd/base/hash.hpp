#pragma once
// Hashes of fields, and pseudorandom numbers.
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "dgtd/base/host_device.hpp"

namespace dgtd {

/// FNV-1a over the bytes of values. Sums of hashes of numbered values have no order.
class Hash {
 public:
  template <class T>
  DGTD_HOST_DEVICE Hash& add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* const bytes = reinterpret_cast<const unsigned char*>(&value);
    for (std::size_t b = 0; b < sizeof value; ++b) hash_ = (hash_ ^ bytes[b]) * 0x100000001b3u;
    return *this;
  }
  DGTD_HOST_DEVICE std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

/// Bits without pattern that depend on n alone: the last steps of splitmix64 (Steele, Lea, Flood, "Fast splittable
/// pseudorandom number generators", 2014).
DGTD_HOST_DEVICE constexpr std::uint64_t mixed_bits(std::uint64_t n) {
  n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9u;
  n = (n ^ (n >> 27)) * 0x94d049bb133111ebu;
  return n ^ (n >> 31);
}

/// Two numbers from -0.5 to 0.5 without structure, which depend on the number alone.
inline std::array<double, 2> pseudorandom_pair(std::uint64_t number) {
  const std::uint64_t mixed = number * 0x9E3779B97F4A7C15u;
  return {double(mixed >> 32) / 4294967296.0 - 0.5, double(mixed & 0xffffffffu) / 4294967296.0 - 0.5};
}

}  // namespace dgtd
