// Spacings of graded axes: nodes, sums and ratios.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "config/graded_axis.hpp"

namespace dgtd::config {
namespace {

using Spacings = std::vector<double>;
using Intervals = std::vector<FineInterval>;

// The sum, the ends of intervals, the largest spacings and the ratio are what they must be.
void expect_good(const GradedAxis& axis, const Intervals& intervals, const Spacings& h) {
  Spacings nodes{0};
  double worst = 1;
  for (std::size_t k = 0; k < h.size(); ++k) {
    ASSERT_GT(h[k], 0);
    const double middle = nodes.back() + h[k] / 2;
    nodes.push_back(nodes.back() + h[k]);
    EXPECT_LE(h[k], axis.spacing * (1 + 1e-8));
    for (const auto& i : intervals)
      if (i.lower < middle && middle < i.upper) { EXPECT_LE(h[k], i.spacing * (1 + 1e-8)) << k; }
    if (k > 0 || axis.periodic) {
      const double before = k > 0 ? h[k - 1] : h.back();
      worst = std::max({worst, h[k] / before, before / h[k]});
    }
  }
  EXPECT_LE(worst, axis.ratio * (1 + 1e-8));
  EXPECT_NEAR(nodes.back(), axis.length, 1e-9 * axis.length);
  for (const auto& i : intervals)
    for (const double x : {i.lower, i.upper}) {
      if (x <= 0 || x >= axis.length) continue;
      double nearest = axis.length;
      for (const double node : nodes) nearest = std::min(nearest, std::abs(node - x));
      EXPECT_LE(nearest, 2e-6 * axis.spacing) << x;
    }
}

TEST(GradedAxis, UniformInputStaysWhatItIs) {
  const GradedAxis axis{50 * 2e-9, 2e-9, 1.3, false, 10, 10};
  EXPECT_EQ(graded_spacings(axis, {}), Spacings(50, 2e-9));
  EXPECT_EQ(graded_spacings(axis, {{14 * 2e-9, 33 * 2e-9, 2e-9}}), Spacings(50, 2e-9));
  EXPECT_EQ(graded_spacings(axis, {{-1, 1, 2e-9}}), Spacings(50, 2e-9));
}

// Cells of 1/4 from 20 to 22: outside they grow by 1.3 to 1, and 10 cells at each end are of 1.
TEST(GradedAxis, GrowsFromABoxToTheCoarseSpacing) {
  const GradedAxis axis{40, 1, 1.3, false, 10, 10};
  const Intervals box{{20, 22, 0.25}};
  const Spacings h = graded_spacings(axis, box);
  expect_good(axis, box, h);
  EXPECT_EQ(std::count(h.begin(), h.end(), 0.25), 8);
  for (int k = 0; k < 10; ++k) {
    EXPECT_EQ(h[static_cast<std::size_t>(k)], 1);
    EXPECT_EQ(h[h.size() - 1 - static_cast<std::size_t>(k)], 1);
  }
  // ln 4 / ln 1.3 = 5.3: five graded cells a side, of sum 0.325 (1.3^5 - 1) / 0.3 = 2.94, and what is left in cells of
  // at most 1.
  EXPECT_LE(h.size(), 8u + 2 * 5 + 18 + 16 + 2);
}

TEST(GradedAxis, TheSpacingOfABoxIsAtMostItsOwn) {
  const GradedAxis axis{40, 1, 1.3};
  const Intervals box{{20.1, 21.1, 0.3}};
  const Spacings h = graded_spacings(axis, box);
  expect_good(axis, box, h);
  EXPECT_EQ(std::count_if(h.begin(), h.end(), [](double d) { return std::abs(d - 0.25) < 1e-9; }), 4);
}

TEST(GradedAxis, BoxesOfDifferentSpacingApartTogetherAndOverlapping) {
  for (const double ratio : {1.05, 1.3, 2.0})
    for (const double shift : {-8.0, -2.0, -0.01, 0.0, 0.01, 0.7, 5.0}) {
      const GradedAxis axis{60, 1, ratio, false, 8, 8};
      const Intervals boxes{{20, 28, 0.5}, {28 + shift, 34 + shift, 0.1}};
      SCOPED_TRACE(testing::Message() << ratio << " " << shift);
      expect_good(axis, boxes, graded_spacings(axis, boxes));
    }
}

TEST(GradedAxis, ABoxAtTheEndAndOneAcrossTheWholeGrid) {
  const GradedAxis axis{30, 1, 1.3, false, 6, 6};
  for (const Intervals& box :
       {Intervals{{-1, 5, 0.4}}, Intervals{{0, 5, 0.4}}, Intervals{{2, 5, 0.4}}, Intervals{{28, 31, 0.4}}}) {
    const Spacings h = graded_spacings(axis, box);
    expect_good(axis, box, h);
    const bool lower = box[0].lower < 15;
    for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(lower ? h[h.size() - 1 - k] : h[k], 1);
  }
  const Spacings whole = graded_spacings(axis, {{-1, 31, 0.4}});
  EXPECT_EQ(whole, Spacings(75, 0.4));
}

// Where the coarse spacing is out of reach the layer is of a finer one, but uniform.
TEST(GradedAxis, ALayerIsUniformBesideABox) {
  const GradedAxis axis{30, 1, 1.3, false, 6, 6};
  const Intervals box{{6.5, 23.5, 0.1}};
  const Spacings h = graded_spacings(axis, box);
  expect_good(axis, box, h);
  for (std::size_t k = 1; k < 6; ++k) {
    EXPECT_NEAR(h[k], h[0], 1e-12);
    EXPECT_NEAR(h[h.size() - 1 - k], h.back(), 1e-12);
  }
}

TEST(GradedAxis, TheEndsOfAPeriodicAxisAreNeighbours) {
  const GradedAxis axis{30, 1, 1.2, true};
  const Intervals box{{0, 5, 0.2}};
  const Spacings h = graded_spacings(axis, box);
  expect_good(axis, box, h);
  EXPECT_LE(h.back(), 0.2 * 1.2 * (1 + 1e-9));
}

// A gap of one and a half cells between cells of 1: the ratio 1.3 forbids one of 1.5, and two of 0.75 beside cells
// of 1.
TEST(GradedAxis, AGapThatFitsNoCellsIsRefined) {
  const GradedAxis axis{40, 1, 1.3};
  const Intervals boxes{{10, 20, 1}, {21.5, 30, 0.95}};
  expect_good(axis, boxes, graded_spacings(axis, boxes));
}

TEST(GradedAxis, AnyBoxes) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> share(0, 1);
  for (int t = 0; t < 2000; ++t) {
    GradedAxis axis{20 + std::floor(100 * share(random)), 1,
                    std::array{1.05, 1.1, 1.3, 1.5, 2.0}[static_cast<std::size_t>(t % 5)]};
    axis.periodic = t % 3 == 0;
    if (!axis.periodic) axis.lower_layer = axis.upper_layer = 5;
    Intervals boxes;
    for (int n = 1 + t % 4; n > 0; --n) {
      const double centre = axis.length * share(random), half = 0.3 * axis.length * std::pow(share(random), 3);
      boxes.push_back({centre - half, centre + half, std::pow(10, -share(random))});
    }
    SCOPED_TRACE(t);
    expect_good(axis, boxes, graded_spacings(axis, boxes));
  }
}

}  // namespace
}  // namespace dgtd::config
