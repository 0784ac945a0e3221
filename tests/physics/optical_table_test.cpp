// Tables of n and k: how they are read, and what poles make of them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/physics/optical_table.hpp"

namespace dgtd::physics {
namespace {

class OpticalTable : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(file_); }
  std::vector<OpticalPoint> read(const std::string& text) const {
    std::ofstream(file_) << text;
    return read_optical_table(file_);
  }
  // Message that reading throws, without the folder.
  std::string message(const std::string& text) const {
    try {
      read(text);
    } catch (const Error& error) {
      const std::string what = error.what(), folder = file_.parent_path().string() + "/";
      return what.starts_with(folder) ? what.substr(folder.size()) : what;
    }
    return "no error";
  }
  std::filesystem::path file_;

  void SetUp() override {
    file_ = std::filesystem::temp_directory_path() / ("nk_" + std::to_string(getpid()) + ".txt");
  }
};

// P. B. Johnson, R. W. Christy, Phys. Rev. B 6 (1972) 4370: gold, wavelength in um, n, k.
const std::string johnson_gold =
    "wavelength (um), n, k\n0.3974, 1.47, 1.952\n0.4133, 1.46, 1.958\n0.4305, 1.45, 1.948\n0.4509, 1.38, 1.914\n"
    "0.4714, 1.31, 1.849\n0.4959, 1.04, 1.833\n0.5209, 0.62, 2.081\n0.5486, 0.43, 2.455\n0.5821, 0.29, 2.863\n"
    "0.6168, 0.21, 3.272\n0.6595, 0.14, 3.697\n0.7045, 0.13, 4.103\n0.7560, 0.14, 4.542\n0.8211, 0.16, 5.083\n"
    "0.8920, 0.17, 5.663\n0.9840, 0.22, 6.350\n";

// Three rows in each notation: eps = (n + i k)^2 at c / wavelength, by rising frequency.
TEST_F(OpticalTable, HasUnitsAndSeparators) {
  const auto expected = read("4e-7 2 0.5\n5e-7 1.5 0\n6e-7 1.4 0\n");
  ASSERT_EQ(expected.size(), 3u);
  EXPECT_NEAR(expected[0].frequency, speed_of_light / 6e-7, 1e3);
  EXPECT_NEAR(std::abs(expected[2].permittivity - std::complex<double>(3.75, 2)), 0, 1e-12);
  for (const std::string text : {"# gold\nwavelength (nm), n, k\n400, 2, 0.5\n\n500, 1.5, 0\n600, 1.4, 0\n",
                                 "wavelength_um n k\r\n0.6 1.4 0\r\n0.5 1.5 0\r\n0.4 2 0.5 # violet\r\n",
                                 "lambda / \u00b5m;n;k\n0.4;2;0.5\n0.6;1.4;0\n0.5;1.5;0"}) {
    const auto points = read(text);
    ASSERT_EQ(points.size(), 3u) << text;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(points[i].frequency / expected[i].frequency, 1, 1e-12) << text;
      EXPECT_EQ(points[i].permittivity, expected[i].permittivity) << text;
    }
  }
}

TEST_F(OpticalTable, MistakesHaveOneLine) {
  const std::string name = file_.filename().string(), row = "; a row has wavelength > 0, n >= 0 and k >= 0, not both 0";
  EXPECT_EQ(message("energy n k\n1 2 3\n"),
            name +
                ":1: the header names no unit of the wavelength; allowed are nm, um, mm and m, as in \"wavelength "
                "(nm) n k\"");
  EXPECT_EQ(message("4e-7 2 0\n5e-7 2\n"), name + ":2: 2 columns in place of 3" + row);
  EXPECT_EQ(message("4e-7 2 x\n"), name + ":1: 'x' is no number" + row);
  EXPECT_EQ(message("4e-7 2 nan\n"), name + ":1: 'nan' is no number" + row);
  EXPECT_EQ(message("4e-7 2 -1\n"), name + ":1: n = 2, k = -1" + row);
  EXPECT_EQ(message("0 2 1\n"), name + ":1: a wavelength of 0 m" + row);
  EXPECT_EQ(message("4e-7 2 0\n5e-7 2 0\n"), name + ": has 2 rows of wavelength, n and k, and a fit needs at least 3");
  EXPECT_EQ(message("4e-7 2 0\n5e-7 2 0\n4e-7 2 0\n"), name + ": the wavelength 400 nm is there twice");
  std::filesystem::remove(file_);
  EXPECT_THROW(read_optical_table(file_), Error);
}

// A Drude and two Lorentz poles come back as a permittivity, within the 0.2 % that end the search, also between the
// points; all strengths and dampings are positive.
TEST_F(OpticalTable, KnownPolesComeBack) {
  const Medium exact{.permittivity = 2.5,
                     .poles = {{Pole::Type::drude, 1.2e16, 0, 1e14},
                               {Pole::Type::lorentz, 4e15, 4.2e15, 8e14},
                               {Pole::Type::lorentz, 6e15, 6.5e15, 1.2e15}}};
  std::vector<OpticalPoint> points;
  constexpr double lowest = 2.5e14, highest = 8.5e14;
  for (int i = 0; i <= 40; ++i) {
    const double f = lowest + (highest - lowest) * i / 40;
    points.push_back({f, permittivity(exact, 2 * pi * f)});
  }
  const PoleFit fit = fit_poles(points);
  EXPECT_LE(fit.largest_error, 2e-3);
  EXPECT_GE(fit.medium.permittivity, 1);
  for (int i = 0; i <= 1000; ++i) {
    const double f = lowest + (highest - lowest) * i / 1000;
    const auto there = permittivity(exact, 2 * pi * f);
    EXPECT_LE(std::abs(permittivity(fit.medium, 2 * pi * f) - there), 3e-3 * std::abs(there)) << f;
  }
  for (const Pole& pole : fit.medium.poles) {
    EXPECT_GT(pole.strength, 0);
    EXPECT_GT(pole.damping, 0);
  }
}

// Measured gold within 2 % on average, 4 % where its n, known to some 10 %, jumps, and positive losses from a tenth of
// the band to ten times it.
TEST_F(OpticalTable, FitsGold) {
  const auto points = read(johnson_gold);
  const PoleFit fit = fit_poles(points);
  EXPECT_LT(fit.mean_error, 0.02);
  EXPECT_LT(fit.largest_error, 0.04);
  RecordProperty("errors", std::to_string(fit.mean_error) + " " + std::to_string(fit.largest_error));
  for (double f = 0.1 * points.front().frequency; f < 10 * points.back().frequency; f *= 1.01)
    EXPECT_GT(permittivity(fit.medium, 2 * pi * f).imag(), 0) << f;
}

// Glass without loss (Sellmeier terms of fused silica in the ultraviolet: I. H. Malitson, J. Opt. Soc. Am. 55 (1965)
// 1205) within 0.2 %.
TEST_F(OpticalTable, FitsGlassWithoutLoss) {
  std::vector<OpticalPoint> points;
  for (double um = 1.2; um > 0.39; um -= 0.02) {
    const double x = um * um;
    points.push_back({speed_of_light / (um * 1e-6), 1 + 0.6961663 * x / (x - 0.0684043 * 0.0684043) +
                                                        0.4079426 * x / (x - 0.1162414 * 0.1162414) +
                                                        0.8974794 * x / (x - 9.896161 * 9.896161)});
  }
  const PoleFit fit = fit_poles(points);
  EXPECT_LE(fit.largest_error, 2e-3);
  EXPECT_LE(fit.medium.poles.size(), 2u);
}

}  // namespace
}  // namespace dgtd::physics
