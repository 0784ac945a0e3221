#include "dgtd/dosimetry/limits.hpp"

#include <gtest/gtest.h>

namespace dgtd::dosimetry {
namespace {

using Quantity = Limit::Quantity;

// ICNIRP 2020, Table 2 (head and torso), and 47 CFR 1.1310, W/kg.
TEST(Limits, AreThePublishedOnes) {
  std::vector<double> local_10g, local_1g, whole;
  for (const Limit& l : exposure_limits())
    (l.quantity == Quantity::local_10g  ? local_10g
     : l.quantity == Quantity::local_1g ? local_1g
                                        : whole)
        .push_back(l.sar);
  EXPECT_EQ(local_10g, (std::vector<double>{2, 10}));
  EXPECT_EQ(local_1g, (std::vector<double>{1.6}));
  EXPECT_EQ(whole, (std::vector<double>{0.08, 0.4}));
}

// SAR grows with power: at 0.25 W a peak of 0.5 W/kg over 10 g reaches 2 W/kg at 1 W and 10 W/kg at 5 W.
TEST(Limits, PowerAtWhichTheyAreReached) {
  ExposureFigures figures;
  figures.peak_10g = 0.5;
  const auto checks = compare_with_limits(figures, 1.8e9, 0.25);
  ASSERT_EQ(checks.size(), 2u);
  EXPECT_EQ(checks[0].limit.sar, 2);
  EXPECT_DOUBLE_EQ(checks[0].share, 0.25);
  EXPECT_DOUBLE_EQ(*checks[0].power, 1);
  EXPECT_DOUBLE_EQ(checks[1].share, 0.05);
  EXPECT_DOUBLE_EQ(*checks[1].power, 5);
}

TEST(Limits, OnlyWhatWasComputed) {
  EXPECT_TRUE(compare_with_limits({}, 1.8e9, 1.0).empty());
  ExposureFigures figures;
  figures.peak_1g = 3.2;
  const auto one = compare_with_limits(figures, 1.8e9, 1.0);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_DOUBLE_EQ(*one[0].power, 0.5);
  figures.whole_body = 0.02;
  EXPECT_EQ(compare_with_limits(figures, 1.8e9, 1.0).size(), 3u);
}

TEST(Limits, OnlyAtTheirFrequencies) {
  ExposureFigures figures{0.01, 1.0, 1.0};
  EXPECT_EQ(compare_with_limits(figures, 6e9, 1.0).size(), 5u);
  EXPECT_EQ(compare_with_limits(figures, 10e9, 1.0).size(), 2u);
  EXPECT_EQ(compare_with_limits(figures, 50, 1.0).size(), 0u);
}

TEST(Limits, NoPowerWithoutOneOrWithoutExposure) {
  ExposureFigures figures;
  figures.peak_10g = 1;
  EXPECT_FALSE(compare_with_limits(figures, 1e9, {})[0].power);
  figures.peak_10g = 0;
  EXPECT_FALSE(compare_with_limits(figures, 1e9, 1.0)[0].power);
}

}  // namespace
}  // namespace dgtd::dosimetry
