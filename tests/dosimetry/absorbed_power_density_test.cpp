#include "dgtd/dosimetry/absorbed_power_density.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace dgtd::dosimetry {
namespace {

// A block of tissue, 1000 kg/m^3, with SAR f(x, y, z) at the centres, between vacuum of a voxel.
template <class F>
VoxelGrid block(const std::array<std::vector<double>, 3>& nodes, F sar) {
  VoxelGrid voxels;
  voxels.nodes = nodes;
  const auto count = static_cast<std::size_t>(voxels.cells());
  voxels.density.assign(count, 0), voxels.sar.assign(count, 0);
  for (std::int64_t n = 0; n < voxels.cells(); ++n) {
    const auto at = voxels.at(n);
    bool inside = true;
    for (int a = 0; a < 3; ++a) inside = inside && at[a] > 0 && at[a] + 1 < voxels.cells(a);
    if (!inside) continue;
    const Vec3 c = voxels.centre(n);
    voxels.density[std::size_t(n)] = 1000;
    voxels.sar[std::size_t(n)] = float(sar(c));
  }
  return voxels;
}

std::vector<double> even_nodes(double first, double step, int cells) {
  std::vector<double> nodes;
  for (int i = 0; i <= cells; ++i) nodes.push_back(first + i * step);
  return nodes;
}

// Power enters through -z and decays over 2 mm; across it falls off as cos^2 from the middle, so that the square there
// has the largest mean. With voxels of 1 mm the sums are the midpoint rule's: (d / 2 mm)^2 / 24 = 1.04 % of the decay.
// The square is half a voxel beside the middle: (pi / 60)^2 / 4 of it along two axes, 0.14 %. What is more than half as
// deep as the block is that of the other side, exp(-7.5) = 0.06 %.
TEST(AbsorbedPowerDensity, IsTheMeanOverTheSquareWithMostPower) {
  constexpr double mm = 1e-3, depth = 2 * mm, length = 60 * mm;
  const auto profile = [&](double x) { return std::pow(std::cos(M_PI * x / length), 2); };
  const VoxelGrid voxels =
      block({even_nodes(-31 * mm, mm, 62), even_nodes(-31 * mm, mm, 62), even_nodes(-mm, mm, 32)},
            [&](const Vec3& c) { return 7 * std::exp(-c.z / depth) * profile(c.x) * profile(c.y); });
  for (const double area : {4e-4, 1e-4}) {
    const auto peak = peak_absorbed_power_density(voxels, area);
    ASSERT_TRUE(peak);
    const double half = 0.5 * std::sqrt(area);
    const double mean = 0.5 + length / (4 * M_PI * half) * std::sin(2 * M_PI * half / length);
    const double through = 7 * 1000 * depth * (1 - std::exp(-15.0));
    EXPECT_NEAR(peak->mean, through * mean * mean, 0.015 * through * mean * mean);
    EXPECT_EQ(peak->axis, 2);
    EXPECT_FALSE(peak->from_above);
    EXPECT_NEAR(peak->at.z, 0, 1e-12);
    EXPECT_NEAR(peak->at.x, 0, 0.51 * mm);
    EXPECT_NEAR(peak->at.y, 0, 0.51 * mm);
  }
}

// Where the SAR is uniform in a layer the mean is SAR rho times its thickness, on any voxels and for squares that cut
// them.
TEST(AbsorbedPowerDensity, OfAUniformLayerIsExactOnUnevenVoxels) {
  std::vector<double> uneven{-1e-3};
  for (double step = 0.4e-3; uneven.back() < 34e-3; step *= 1.1) uneven.push_back(uneven.back() + step);
  const VoxelGrid voxels = block({uneven, even_nodes(0, 1.3e-3, 22), uneven},
                                 [](const Vec3& c) { return c.y < 3 * 1.3e-3 ? 2 : 0; });  // two cells of tissue
  const auto peak = peak_absorbed_power_density(voxels, 4e-4);
  ASSERT_TRUE(peak);
  EXPECT_NEAR(peak->mean, 2 * 1000 * 2 * 1.3e-3, 1e-6 * peak->mean);
  EXPECT_EQ(peak->axis, 1);
  EXPECT_NEAR(peak->at.y, 1.3e-3, 1e-12);
}

TEST(AbsorbedPowerDensity, NeedsASquareOfTissue) {
  const VoxelGrid voxels = block({even_nodes(0, 1e-3, 20), even_nodes(0, 1e-3, 60), even_nodes(0, 1e-3, 20)},
                                 [](const Vec3&) { return 1; });  // 18 mm x 58 mm x 18 mm
  EXPECT_FALSE(peak_absorbed_power_density(voxels, 4e-4));
  EXPECT_TRUE(peak_absorbed_power_density(voxels, 1e-4));
}

// Tissue behind a gap is not below the surface: 5 W/kg in the two uppermost layers count, 3 W/kg below a gap do not.
TEST(AbsorbedPowerDensity, EndsAtTheFirstEndOfTheTissue) {
  VoxelGrid voxels =
      block({even_nodes(0, 1e-3, 30), even_nodes(0, 1e-3, 30), even_nodes(0, 1e-3, 12)}, [](const Vec3& c) {
        return c.z > 9e-3 ? 5 : c.z > 4e-3 && c.z < 5e-3 ? 3 : 0;
      });
  for (std::int64_t n = 0; n < voxels.cells(); ++n)
    if (voxels.at(n)[2] == 5) voxels.density[std::size_t(n)] = 0, voxels.sar[std::size_t(n)] = 0;
  const auto peak = peak_absorbed_power_density(voxels, 4e-4);
  ASSERT_TRUE(peak);
  EXPECT_NEAR(peak->mean, 1000 * 5 * 2e-3, 1e-6);
  EXPECT_TRUE(peak->from_above);
}

TEST(PowerDensityLimits, AreThoseOfIcnirp) {
  EXPECT_TRUE(power_density_limits(6e9).empty());
  EXPECT_TRUE(power_density_limits(301e9).empty());
  const auto low = power_density_limits(10e9), high = power_density_limits(60e9);
  ASSERT_EQ(low.size(), 2u);
  EXPECT_EQ(low[0].limit, 20);
  EXPECT_EQ(low[1].limit, 100);
  EXPECT_EQ(low[1].area, 4e-4);
  ASSERT_EQ(high.size(), 4u);
  EXPECT_EQ(high[2].limit, 40);
  EXPECT_EQ(high[3].limit, 200);
  EXPECT_EQ(high[3].area, 1e-4);
}

}  // namespace
}  // namespace dgtd::dosimetry
