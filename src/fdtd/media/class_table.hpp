#pragma once
// Classes of cells: components whose media have equal coefficients share a number.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <unordered_map>
#include <vector>

namespace dgtd::fdtd {

/// Key of a class of media.
struct MediumKey {
  static constexpr double series = -1;  // relative of components that UpdateSeries finishes

  double relative = 1;      // permittivity or permeability; 0: a perfect conductor
  double conductivity = 0;  // over the constant of vacuum, 1/s
  int pole_set = 0;         // 0: none
  bool operator==(const MediumKey&) const = default;
};

struct MediumKeyHash {
  std::size_t operator()(const MediumKey& key) const {
    const std::uint64_t mixed = (std::bit_cast<std::uint64_t>(key.relative) * 0x9E3779B97F4A7C15u) ^
                                (std::bit_cast<std::uint64_t>(key.conductivity) * 0xC2B2AE3D27D4EB4Fu) ^
                                static_cast<std::uint64_t>(key.pole_set);
    return static_cast<std::size_t>(mixed ^ (mixed >> 29));
  }
};

/// A number with so many bits behind the leading one of its binary fraction; halves go up.
inline double rounded(double x, int bits) {
  if (x == 0 || x == MediumKey::series) return x;
  const double step = std::ldexp(1.0, std::ilogb(x) - bits);
  return step * double(std::llround(x / step));
}
inline MediumKey rounded(const MediumKey& key, int bits) {
  return {rounded(key.relative, bits), rounded(key.conductivity, bits), key.pole_set};
}

/// Numbers keys in the order in which they first come. What mixtures have is rounded to 2^-13 of itself: few classes,
/// and an error far below that of a mixture. The rounded value counts, so that a class does not depend on which others
/// are in the table.
class ClassTable {
 public:
  static constexpr int bits = 13;

  int of(const MediumKey& key) {
    if (last_ >= 0 && key == last_key_) return last_;  // neighbours are mostly alike
    last_key_ = key;
    return last_ = find(key);
  }
  /// Numbers of n media that differ from `key` by their permittivities; fewer than 2^16 of the table.
  void of_permittivities(const MediumKey& key, const double* relative, std::size_t n, std::uint16_t* numbers) {
    if (!of_code_) start_codes(key);
    const bool has_codes = is_like_base(rounded(key, bits));
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t code = code_of(relative[i]);
      int number = has_codes && code < codes ? of_code_.get()[code] - 1 : -1;
      if (number < 0) number = find({relative[i], key.conductivity, key.pole_set});
      numbers[i] = static_cast<std::uint16_t>(number);
    }
  }
  const std::vector<MediumKey>& list() const { return list_; }  // [class], rounded

 private:
  // A rounded positive number as an integer: its exponent and the bits of its fraction, from that of the smallest float
  // on. Pages of the list of all of them exist from their first use on.
  static constexpr int dropped = 52 - bits, least_exponent = -150, greatest_exponent = 128;
  static constexpr std::uint64_t codes = std::uint64_t{greatest_exponent - least_exponent} << bits;
  static std::uint64_t code_of(double x) {
    const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
    return ((std::bit_cast<std::uint64_t>(x) + half) >> dropped) -
           (static_cast<std::uint64_t>(1023 + least_exponent) << bits);
  }
  bool is_like_base(const MediumKey& entry) const {
    return entry.conductivity == base_.conductivity && entry.pole_set == base_.pole_set;
  }
  // Where the number of an entry is in the list of codes; null: elsewhere.
  int* place_of(const MediumKey& entry) {
    const std::uint64_t code = code_of(entry.relative);
    return of_code_ && is_like_base(entry) && code < codes ? of_code_.get() + code : nullptr;
  }
  void start_codes(const MediumKey& key) {
    base_ = rounded(key, bits);
    of_code_.reset(static_cast<int*>(std::calloc(codes, sizeof(int))));
    if (!of_code_) throw std::bad_alloc();
    for (std::size_t n = 0; n < list_.size(); ++n)
      if (int* const place = place_of(list_[n])) *place = static_cast<int>(n) + 1;
  }
  int find(const MediumKey& key) {
    const MediumKey entry = rounded(key, bits);
    const auto next = static_cast<int>(list_.size());
    if (int* const place = place_of(entry)) {
      if (*place > 0) return *place - 1;
      *place = next + 1;
    } else if (const auto [at, fresh] = number_.emplace(entry, next); !fresh) {
      return at->second;
    }
    list_.push_back(entry);
    return next;
  }
  struct Free {
    void operator()(int* at) const { std::free(at); }
  };
  MediumKey last_key_;
  MediumKey base_;  // rounded, but for the permittivity
  int last_ = -1;   // number of last_key_; -1: none
  std::vector<MediumKey> list_;
  std::unordered_map<MediumKey, int, MediumKeyHash> number_;  // of keys that have no code
  std::unique_ptr<int, Free> of_code_;  // [codes] numbers of keys that are like base_, plus 1; 0: not in the table yet
};

}  // namespace dgtd::fdtd
