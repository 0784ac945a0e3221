#pragma once
// Classes of cells: components whose media have equal coefficients share a number.
#include <bit>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace dgtd::fdtd {

/// What makes a class.
struct MediumKey {
  static constexpr double series = -1;  // relative of components that UpdateSeries finishes

  double relative = 1;  // permittivity or permeability; 0: a perfect conductor
  double loss = 0;      // conductivity over the constant of vacuum, 1/s
  int pole_set = 0;     // 0: none
  bool operator==(const MediumKey&) const = default;
};

struct MediumKeyHash {
  std::size_t operator()(const MediumKey& key) const {
    const std::uint64_t mixed = (std::bit_cast<std::uint64_t>(key.relative) * 0x9E3779B97F4A7C15u) ^
                                (std::bit_cast<std::uint64_t>(key.loss) * 0xC2B2AE3D27D4EB4Fu) ^
                                static_cast<std::uint64_t>(key.pole_set);
    return static_cast<std::size_t>(mixed ^ (mixed >> 29));
  }
};

/// Numbers keys in the order in which they first come. What mixtures have is rounded to 2^-13 of itself: few classes,
/// and an error far below that of a mixture. The rounded value counts, so that a class does not depend on which others
/// are in the table.
class ClassTable {
 public:
  int of(const MediumKey& key) {
    if (last_ >= 0 && key == last_key_) return last_;  // neighbours are mostly alike
    last_key_ = key;
    return last_ = find(key);
  }
  const std::vector<MediumKey>& list() const { return list_; }  // [class], rounded
  void clear() {
    number_.clear();
    list_.clear();
    last_ = -1;
  }

 private:
  int find(const MediumKey& key) {
    const MediumKey entry{rounded(key.relative), rounded(key.loss), key.pole_set};
    const auto [at, fresh] = number_.emplace(entry, static_cast<int>(list_.size()));
    if (fresh) list_.push_back(entry);
    return at->second;
  }
  static double rounded(double x) {
    if (x == 0 || x == MediumKey::series) return x;
    const double step = std::ldexp(1.0, std::ilogb(x) - 13);
    return step * double(std::llround(x / step));
  }
  MediumKey last_key_;
  int last_ = -1;  // number of last_key_; -1: none
  std::vector<MediumKey> list_;
  std::unordered_map<MediumKey, int, MediumKeyHash> number_;
};

}  // namespace dgtd::fdtd
