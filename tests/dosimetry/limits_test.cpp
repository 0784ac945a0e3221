#include "dgtd/dosimetry/limits.hpp"

#include <gtest/gtest.h>

namespace dgtd::dosimetry {
namespace {

using Quantity = Limit::Quantity;

// The limits of a part of the body that are compared where all quantities are known, W/kg, by guideline.
std::vector<double> limits_of(BodyPart part, std::string_view guideline, Quantity quantity) {
  std::vector<double> limits;
  ExposureFigures figures{0.01, 1.0, 1.0, part};
  for (const auto& check : compare_with_limits(figures, 1e9, 1.0))
    if (check.limit.guideline.starts_with(guideline) && check.limit.quantity == quantity)
      limits.push_back(check.limit.sar);
  return limits;
}

// ICNIRP 2020, Table 2: head and torso 2 and 10, limbs 4 and 20 over 10 g, whole body 0.08 and 0.4. 47 CFR 1.1310: 1.6
// and 8 over 1 g, extremities 4 and 20 over 10 g, whole body 0.08 and 0.4.
TEST(Limits, AreThePublishedOnes) {
  using List = std::vector<double>;
  using enum BodyPart;
  for (const BodyPart part : {head, torso, limb, extremity}) {
    const bool trunk = part == head || part == torso;
    EXPECT_EQ(limits_of(part, "ICNIRP", Quantity::local_10g), trunk ? (List{2, 10}) : (List{4, 20}));
    EXPECT_EQ(limits_of(part, "ICNIRP", Quantity::local_1g), List{});
    EXPECT_EQ(limits_of(part, "United States", Quantity::local_1g), part == extremity ? List{} : (List{1.6, 8}));
    EXPECT_EQ(limits_of(part, "United States", Quantity::local_10g), part == extremity ? (List{4, 20}) : List{});
    for (const auto* guideline : {"ICNIRP", "United States"})
      EXPECT_EQ(limits_of(part, guideline, Quantity::whole_body), (List{0.08, 0.4}));
  }
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
  ASSERT_EQ(one.size(), 2u);
  EXPECT_DOUBLE_EQ(*one[0].power, 0.5);
  EXPECT_DOUBLE_EQ(*one[1].power, 2.5);
  figures.whole_body = 0.02;
  EXPECT_EQ(compare_with_limits(figures, 1.8e9, 1.0).size(), 6u);
}

TEST(Limits, OnlyAtTheirFrequencies) {
  ExposureFigures figures{0.01, 1.0, 1.0};
  EXPECT_EQ(compare_with_limits(figures, 6e9, 1.0).size(), 8u);
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
