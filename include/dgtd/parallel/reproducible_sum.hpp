#pragma once
// A sum of doubles that does not depend on the order of its terms, for everything that decides
// something (the time step): every bit of every term is kept in one long fixed-point number.
#include <array>
#include <cstdint>
#include <vector>

#include "dgtd/parallel/communicator.hpp"

namespace dgtd::parallel {

class ReproducibleSum {
 public:
  void add(double term);  // finite
  void add(const ReproducibleSum& other);
  double value() const;                          // rounded once
  double value(const Communicator& comm) const;  // over all ranks, the same on each

 private:
  // Limb i counts units of 2^(32 i - 1152). A term adds less than 2^32 to three limbs at most, so
  // 2^30 terms fit without a carry.
  static constexpr int limbs = 72;
  std::array<std::int64_t, limbs> limb_{};
};

}  // namespace dgtd::parallel
