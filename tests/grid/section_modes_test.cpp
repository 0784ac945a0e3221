// Modes of cross-sections of any media: against one-dimensional problems of the grid, their orthogonality, and over a
// band.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <functional>

#include "dgtd/base/constants.hpp"
#include "dgtd/grid/band_mode.hpp"
#include "support/error_message.hpp"

namespace dgtd::grid {
namespace {

constexpr double h = 40e-9, frequency = speed_of_light / 1.55e-6,
                 time_step = 0.9 * 1.444 * h / (1.7320508 * speed_of_light);

// Cells of h between walls of metal, the permittivity by component (0, 1: along the axes, 2: the normal) and by its
// lower node.
using Permittivity = std::function<double(int component, int i, int j)>;
CrossSection section_of(int wide, int high, const Permittivity& permittivity) {
  CrossSection s;
  s.normal = 2, s.axes = {0, 1}, s.spacing = h;
  for (int i = 0; i <= wide; ++i) s.at[0].push_back(i * h);
  for (int j = 0; j <= high; ++j) s.at[1].push_back(j * h);
  for (auto& values : s.permittivities) values.assign(s.numbers(), 0);
  for (int j = 0; j <= high; ++j)
    for (int i = 0; i <= wide; ++i)
      for (int c = 0; c < 3; ++c)
        if ((c != 0 || i < wide) && (c != 1 || j < high))
          s.permittivities[std::size_t(c)][std::size_t(s.number(i, j))] = permittivity(c, i, j);
  for (const std::size_t w : {0, 1})
    for (const double value : s.permittivities[w]) s.is_free[w].push_back(value > 0);
  for (const double value : s.permittivities[2]) s.node_is_free.push_back(value > 0);
  return s;
}
// Metal along the sides.
void put_in_metal(CrossSection& s) {
  for (int j = 0; j < s.nodes(1); ++j)
    for (int i = 0; i < s.nodes(0); ++i) {
      const auto n = static_cast<std::size_t>(s.number(i, j));
      const bool on_first = i == 0 || i + 1 == s.nodes(0), on_second = j == 0 || j + 1 == s.nodes(1);
      if (on_second) s.permittivities[0][n] = s.is_free[0][n] = 0;
      if (on_first) s.permittivities[1][n] = s.is_free[1][n] = 0;
      if (on_first || on_second) s.permittivities[2][n] = s.node_is_free[n] = 0;
    }
}

double wave_number() { return 2 / (speed_of_light * time_step) * std::sin(pi * frequency * time_step); }

// 480 x 240 nm of silicon in glass; mixtures where a component is on the surface.
CrossSection strip(int wide, int high) {
  return section_of(wide, high, [=](int c, int i, int j) {
    const auto share = [](int at, bool on_node, int cells, int core) {
      const double x = at + (on_node ? 0 : 0.5), half = 0.5 * core, d = std::abs(x - 0.5 * cells);
      return std::clamp(half + 0.5 - d, 0.0, 1.0);
    };
    return 2.085 + 10.025 * share(i, c != 0, wide, 12) * share(j, c != 1, high, 6);
  });
}

// A guide of metal with a slab across: E_y does not vary along y, and B^2 E = d'd E + K^2 eps E in one dimension.
TEST(SectionModes, OfASlabInMetalAreThoseOfOneDimension) {
  constexpr int wide = 14, high = 5;
  const auto eps = [](int node) { return node > 4 && node < 8 ? 6.0 : 1.5; };
  CrossSection s =
      section_of(wide, high, [&](int c, int i, int) { return c == 0 ? 0.5 * (eps(i) + eps(i + 1)) : eps(i); });
  put_in_metal(s);
  const double k = wave_number();
  Eigen::MatrixXd line = Eigen::MatrixXd::Zero(wide - 1, wide - 1);
  for (int i = 1; i < wide; ++i) {
    line(i - 1, i - 1) = k * k * eps(i) - 2 / (h * h);
    if (i > 1) line(i - 1, i - 2) = line(i - 2, i - 1) = 1 / (h * h);
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> exact(line);
  const auto modes = SectionModes(s).at(k, 1);
  ASSERT_EQ(modes.size(), 1u);
  const double square = exact.eigenvalues()(wide - 2);
  EXPECT_NEAR(modes[0].square, square, 1e-9 * square);
  // Z0 H_x = -B / K E_y, and E H is the power.
  for (int i = 1; i < wide; ++i) {
    const auto n = static_cast<std::size_t>(s.number(i, 2));
    EXPECT_NEAR(std::abs(modes[0].electric[1][n] / modes[0].electric[1][std::size_t(s.number(wide / 2, 2))]),
                std::abs(exact.eigenvectors()(i - 1, wide - 2) / exact.eigenvectors()(wide / 2 - 1, wide - 2)), 1e-7);
    EXPECT_NEAR(modes[0].magnetic[1][n], std::sqrt(square) / k * modes[0].electric[1][n],
                1e-7 * std::abs(modes[0].electric[1][n]));
  }
  EXPECT_TRUE(is_guided(s, modes[0], k));
  EXPECT_EQ(share_at_rim(s, modes[0]), 0);
}

// Lorentz's reciprocity in the grid: waves of different beta carry no power together, to the precision of the solver. A
// block beside and below the strip leaves no symmetry by which sums would vanish.
TEST(SectionModes, AreOrthogonal) {
  const CrossSection symmetric = strip(40, 30);
  const CrossSection s = section_of(40, 30, [&](int c, int i, int j) {
    const double here = symmetric.permittivities[std::size_t(c)][std::size_t(symmetric.number(i, j))];
    return i < 17 && j < 12 ? 6.0 : here;
  });
  const auto modes = SectionModes(s).at(wave_number(), 3);
  ASSERT_EQ(modes.size(), 3u);
  for (const SectionMode& a : modes)
    for (const SectionMode& b : modes) {
      if (&a == &b) continue;
      EXPECT_LT(std::abs(power_of(s, a, b)), 1e-9 * power_of(s, a, a));
    }
  EXPECT_TRUE(is_guided(s, modes[0], wave_number()));
  EXPECT_GT(modes[0].square, modes[1].square);
}

// The modes te 1 0 and te 0 1 of a square: sums of both are modes, and the first one is that with E along the first
// axis. Of the grid, B^2 = K^2 eps - (2/h sin(pi / (2 N)))^2.
TEST(SectionModes, OfOneIndexAreTurned) {
  constexpr int cells = 12;
  CrossSection s = section_of(cells, cells, [](int, int, int) { return 9.0; });
  put_in_metal(s);
  const double k = wave_number();
  const auto modes = SectionModes(s).at(k, 2);
  ASSERT_EQ(modes.size(), 2u);
  const double square = 9 * k * k - std::pow(2 / h * std::sin(pi / (2 * cells)), 2);
  for (const std::size_t m : {0, 1}) {
    EXPECT_NEAR(modes[m].square, square, 1e-9 * square);
    double other = 0;
    for (const double value : modes[m].electric[1 - m]) other = std::max(other, std::abs(value * h));
    EXPECT_LT(other, 1e-6);
  }
}

// Half of a strip on a magnetic wall has the mode of the whole.
TEST(SectionModes, GoOnBehindMagneticWalls) {
  const CrossSection whole = strip(32, 24);
  CrossSection half = section_of(32, 12, [&](int c, int i, int j) {
    return whole.permittivities[std::size_t(c)][std::size_t(whole.number(i, j + 12))];
  });
  half.on_magnetic_wall[1][0] = true;
  const double k = wave_number();
  const auto of_whole = SectionModes(whole).at(k, 1), of_half = SectionModes(half).at(k, 1);
  ASSERT_EQ(of_half.size(), 1u);
  EXPECT_NEAR(of_half[0].square, of_whole[0].square, 1e-9 * of_whole[0].square);
}

// Solutions at some frequencies of the band stand for all of it.
TEST(BandModes, AreThoseOfEachFrequency) {
  const CrossSection s = strip(30, 22);
  const Band band{speed_of_light / 1.7e-6, speed_of_light / 1.4e-6};
  const BandMode mode(s, 1, band, time_step, "case.cfg:1: port.in");
  const SectionModes exact(s);
  for (const double share : {0.0, 0.13, 0.5, 0.77, 1.0}) {
    const double f = std::lerp(band.first, band.last, share),
                 k = 2 / (speed_of_light * time_step) * std::sin(pi * f * time_step);
    const auto one = exact.at(k, 1);
    ASSERT_EQ(one.size(), 1u);
    EXPECT_NEAR(mode.square(f), one[0].square, 1e-7 * one[0].square);
    const SectionMode there = mode.at(f);
    EXPECT_NEAR(power_of(s, there, one[0]), power_of(s, one[0], one[0]), 1e-6 * power_of(s, one[0], one[0]));
  }
  EXPECT_EQ(mode.square(0.5 * band.first), mode.square(band.first));
}

TEST(BandModes, AreRefused) {
  const Band band{frequency, frequency};
  const auto refusal = [&](const CrossSection& s, int number) {
    return message([&] { BandMode(s, number, band, time_step, "case.cfg:1: port.in"); });
  };
  const CrossSection glass = section_of(20, 20, [](int, int, int) { return 2.085; });
  EXPECT_EQ(refusal(glass, 1),
            "case.cfg:1: port.in: its plane guides no mode at 193.4 THz; a guide must cross it, with fields that decay "
            "towards the ends of the plane");
  const std::string few = refusal(strip(30, 22), 5);
  EXPECT_NE(few.find("case.cfg:1: port.in: modes = 5: at 193.4 THz its plane guides "), std::string::npos) << few;
  EXPECT_NE(few.find(" alone, of effective ind"), std::string::npos) << few;
}

}  // namespace
}  // namespace dgtd::grid
