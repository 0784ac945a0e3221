#include "dgtd/parallel/reproducible_sum.hpp"

#include <cmath>

namespace dgtd::parallel {

namespace {
constexpr int lowest_exponent = -1088;  // of limb 0

double rounded(std::vector<std::int64_t> limb) {
  for (std::size_t i = 0; i + 1 < limb.size(); ++i) {  // carry: limbs in [0, 2^32) but the last
    const std::int64_t carry = limb[i] >> 32;
    limb[i] -= carry * (std::int64_t{1} << 32);
    limb[i + 1] += carry;
  }
  double sum = 0;
  for (std::size_t i = limb.size(); i-- > 0;) sum += std::ldexp(static_cast<double>(limb[i]), 32 * static_cast<int>(i) + lowest_exponent);
  return sum;
}
}  // namespace

void ReproducibleSum::add(double term) {
  if (term == 0) return;
  int exponent = 0;
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(term, &exponent), 53));  // term = mantissa 2^(exponent-53)
  const int shift = exponent - 53 - lowest_exponent;
  const int first = shift / 32;
  const bool negative = mantissa < 0;
  const auto wide = static_cast<unsigned __int128>(negative ? -mantissa : mantissa) << (shift % 32);
  for (int i = 0; i < 3; ++i) {
    const auto part = static_cast<std::int64_t>((wide >> (32 * i)) & 0xffffffffu);
    limb_[first + i] += negative ? -part : part;
  }
}

void ReproducibleSum::add(const ReproducibleSum& other) {
  for (int i = 0; i < limbs; ++i) limb_[i] += other.limb_[i];
}

double ReproducibleSum::value() const { return rounded({limb_.begin(), limb_.end()}); }

double ReproducibleSum::value(const Communicator& comm) const {
  return rounded(comm.sum(std::vector<std::int64_t>(limb_.begin(), limb_.end())));
}

}  // namespace dgtd::parallel
