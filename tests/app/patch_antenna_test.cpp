// The shipped patch antenna.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "app/program.hpp"

namespace {

// The transmission-line model of a rectangular patch: an effective permittivity of its width and an open end that acts
// as if it were longer (Balanis, Antenna Theory, (14-1) to (14-4)). Some per cent.
double transmission_line_resonance(double length, double width, double height, double permittivity) {
  const double effective = (permittivity + 1) / 2 + (permittivity - 1) / 2 / std::sqrt(1 + 12 * height / width);
  const double ratio = width / height;
  const double end = 0.412 * height * (effective + 0.3) * (ratio + 0.264) / ((effective - 0.258) * (ratio + 0.8));
  return 299792458 / (2 * (length + 2 * end) * std::sqrt(effective));
}

// Half the cells along all axes, and twice as many in the substrate, give 2.4560 GHz and 6.641 dBi: the case is within
// 0.5 % and 0.2 dB of these.
TEST(PatchAntenna, HasItsResonanceAndItsGain) {
  const fs::path at = work("patch_antenna");
  const auto run = dgtd(case_file("patch_antenna.cfg") + " --set output.directory=" + at.string());
  ASSERT_EQ(run.code, 0) << run.output;
  const Table port = table(at / "port_feed.csv"), antenna = table(at / "antenna_pattern.csv");
  const auto reflection = [](const std::vector<double>& row) {
    return std::abs(std::complex(row[9], row[10]) / std::complex(row[7], row[8]));
  };
  ASSERT_EQ(port.rows.size(), 301u);
  const auto matched = *std::min_element(port.rows.begin(), port.rows.end(),
                                         [&](const auto& a, const auto& b) { return reflection(a) < reflection(b); });
  const double resonance = matched[0];
  EXPECT_NEAR(resonance, 2.4560e9, 0.005 * 2.4560e9);
  EXPECT_LT(reflection(matched), 0.1);
  EXPECT_NEAR(resonance, transmission_line_resonance(32e-3, 40e-3, 1.524e-3, 3.38), 0.03 * resonance);
  ASSERT_EQ(antenna.rows.size(), 31u);
  const auto there = *std::min_element(antenna.rows.begin(), antenna.rows.end(), [&](const auto& a, const auto& b) {
    return std::abs(a[0] - resonance) < std::abs(b[0] - resonance);
  });
  EXPECT_NEAR(there[1], 6.641, 0.2);  // dBi
  EXPECT_NEAR(there[6], 0, 1e-9);     // upwards
  EXPECT_GT(there[4], 0.9);           // the substrate's loss is 4 %
  EXPECT_LT(there[4], 1);
}

}  // namespace
