// The exact sum: order, cancellation, sign, rounding, range.
#include "dgtd/parallel/reproducible_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace dgtd::parallel {
namespace {

double sum_of(const std::vector<double>& terms) {
  ReproducibleSum sum;
  for (const double t : terms) sum.add(t);
  return sum.value();
}

/// Terms of both signs over sixty decades.
std::vector<double> wide_terms(int count) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> mantissa(-1, 1), exponent(-30, 30);
  std::vector<double> terms;
  for (int i = 0; i < count; ++i) terms.push_back(mantissa(random) * std::pow(10, exponent(random)));
  return terms;
}

TEST(ReproducibleSum, OfNothingIsZero) { EXPECT_EQ(ReproducibleSum().value(), 0); }

TEST(ReproducibleSum, OfOneTermIsTheTerm) {
  using Limits = std::numeric_limits<double>;
  for (const double t : {1.0, -1.0, 0.1, -0.1, 1e300, -1e300, 1e-300, -1e-300, Limits::max(), Limits::lowest(),
                         Limits::min(), Limits::denorm_min(), -Limits::denorm_min(), 0.0})
    EXPECT_EQ(sum_of({t}), t) << t;
}

TEST(ReproducibleSum, DoesNotDependOnTheOrder) {
  auto terms = wide_terms(1000);
  const double first = sum_of(terms);
  std::mt19937_64 random(2);
  for (int i = 0; i < 20; ++i) {
    std::shuffle(terms.begin(), terms.end(), random);
    ASSERT_EQ(sum_of(terms), first);
  }
}

TEST(ReproducibleSum, OfPartsIsThatOfTheWhole) {
  const auto terms = wide_terms(1000);
  ReproducibleSum left, right;
  for (std::size_t i = 0; i < terms.size(); ++i) (i % 3 == 0 ? left : right).add(terms[i]);
  left.add(right);
  EXPECT_EQ(left.value(), sum_of(terms));
}

// Integers below 2^63 are exact in a long double.
TEST(ReproducibleSum, RoundsTheExactSumOnce) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 1000; ++trial) {
    std::vector<double> terms;
    long double exact = 0;
    for (int i = 0; i < 20; ++i) {
      terms.push_back(static_cast<double>(static_cast<std::int64_t>(random()) >> (6 + i)));
      exact += terms.back();
    }
    ASSERT_EQ(sum_of(terms), static_cast<double>(exact));
  }
}

TEST(ReproducibleSum, KeepsWhatCancellationLeaves) {
  EXPECT_EQ(sum_of({1e300, 1.0, -1e300}), 1);
  EXPECT_EQ(sum_of({1e300, -1.0, -1e300}), -1);
  EXPECT_EQ(sum_of({1e300, 1e-300, -1e300, -1e-300}), 0);
  EXPECT_EQ(sum_of({0x1p60, 0x1p-60, -0x1p60}), 0x1p-60);
}

// Round to nearest, ties to even, with a last bit far below that decides.
TEST(ReproducibleSum, RoundsTiesByTheBitsBelow) {
  EXPECT_EQ(sum_of({1, 0x1p-53}), 1);
  EXPECT_EQ(sum_of({1, 0x1p-53, 0x1p-200}), 1 + 0x1p-52);
  EXPECT_EQ(sum_of({1, 0x1p-53, -0x1p-200}), 1);
  EXPECT_EQ(sum_of({1, 0x1p-52, 0x1p-53}), 1 + 0x1p-51);
  EXPECT_EQ(sum_of({1, 0x1p-52, 0x1p-53, -0x1p-200}), 1 + 0x1p-52);
  EXPECT_EQ(sum_of({-1, -0x1p-53, -0x1p-200}), -1 - 0x1p-52);
}

TEST(ReproducibleSum, OfManyTerms) {
  ReproducibleSum sum;
  for (int i = 0; i < 1 << 20; ++i) sum.add(0.1);
  EXPECT_EQ(sum.value(), 0.1 * (1 << 20));  // a power of two times 0.1 is exact
}

}  // namespace
}  // namespace dgtd::parallel
