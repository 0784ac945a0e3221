#include "dgtd/parallel/reproducible_sum.hpp"

#include <cmath>

namespace dgtd::parallel {

namespace {
constexpr int lowest_exponent = -1152;  // of limb 0; the last bit of the smallest double is 2^-1074

/// Brings all limbs but the last into [0, 2^32).
void carry(std::vector<std::int64_t>& limb) {
  for (std::size_t i = 0; i + 1 < limb.size(); ++i) {
    const std::int64_t over = limb[i] >> 32;
    limb[i] -= over * (std::int64_t{1} << 32);
    limb[i + 1] += over;
  }
}

double rounded(std::vector<std::int64_t> limb) {
  carry(limb);
  const bool negative = limb.back() < 0;  // of a negative sum all higher limbs are 2^32 - 1
  if (negative) {
    for (auto& l : limb) l = -l;
    carry(limb);
  }
  std::size_t first = limb.size() - 1;
  while (first > 2 && limb[first] == 0) --first;
  // Three limbs hold 65 bits or more; whether anything stands below them decides ties.
  auto top = static_cast<unsigned __int128>(limb[first]) << 64 | static_cast<unsigned __int128>(limb[first - 1]) << 32 |
             static_cast<unsigned __int128>(limb[first - 2]);
  for (std::size_t i = 0; i + 2 < first; ++i) top |= limb[i] != 0;
  const double sum = std::ldexp(static_cast<double>(top), 32 * static_cast<int>(first - 2) + lowest_exponent);
  return negative ? -sum : sum;
}
}  // namespace

double ReproducibleSum::value() const { return rounded({limb_.begin(), limb_.end()}); }

double ReproducibleSum::value(const Communicator& comm) const {
  return rounded(comm.sum(std::vector<std::int64_t>(limb_.begin(), limb_.end())));
}

}  // namespace dgtd::parallel
