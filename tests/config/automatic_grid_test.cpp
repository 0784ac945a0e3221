// Grids that follow from a domain and its shapes.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "config/case_fixture.hpp"

namespace dgtd::config {
namespace {

using AutomaticGridOfCase = CaseFile;

constexpr double wave = 299792458.0 / 1e9;  // m, of `start` in vacuum

const std::string start =
    "[solver]\nmethod = fdtd3d\n[time]\nperiods = 2\nfrequency = 1e9\n[material.wax]\neps_r = 4\n[material.tin]\n"
    "conductor = perfect\n[domain]\nsize = 0.6\n";
const std::string slab = "[shape.slab]\ntype = box\nmaterial = wax\nsize = 1 0.2 0.07\ncentre = 0 0 0.0317\n";

// Nodes of an axis, m.
std::vector<double> nodes(const Case& c, int a) {
  std::vector<double> x{c.grid.origin[a]};
  for (const double s : c.grid.spacings[static_cast<std::size_t>(a)]) x.push_back(x.back() + s);
  return x;
}

bool has_node(const Case& c, int a, double at) {
  const auto x = nodes(c, a);
  return std::any_of(x.begin(), x.end(), [&](double node) { return std::abs(node - at) < 1e-9; });
}

// The largest cell whose centre lies between two places of an axis, m.
double largest_between(const Case& c, int a, double low, double high) {
  const auto x = nodes(c, a);
  double largest = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    if (const double middle = 0.5 * (x[i] + x[i + 1]); low < middle && middle < high)
      largest = std::max(largest, x[i + 1] - x[i]);
  return largest;
}

// Lambda / 20 in vacuum and half of that in eps_r = 4, faces on lines, neighbours within the ratio, layers of ten cells
// as large as the outermost one.
TEST_F(AutomaticGridOfCase, HasCellsByWavelengthAndLinesOnFaces) {
  const Case c = read(start + slab);
  const double outside = wave / 20, inside = wave / 40;
  for (const double face : {0.0317 - 0.035, 0.0317 + 0.035}) EXPECT_TRUE(has_node(c, 2, face)) << face;
  for (const double face : {-0.1, 0.1}) EXPECT_TRUE(has_node(c, 1, face)) << face;
  for (int a = 0; a < 3; ++a) {
    const auto& s = c.grid.spacings[static_cast<std::size_t>(a)];
    EXPECT_TRUE(has_node(c, a, -0.3) && has_node(c, a, 0.3)) << a;
    EXPECT_LE(*std::max_element(s.begin(), s.end()), outside * (1 + 1e-9));
    for (std::size_t i = 0; i + 1 < s.size(); ++i) {
      EXPECT_LE(s[i + 1], s[i] * 1.3 * (1 + 1e-9));
      EXPECT_LE(s[i], s[i + 1] * 1.3 * (1 + 1e-9));
    }
    for (std::size_t i = 0; i < 10; ++i) {
      EXPECT_EQ(s[i], s[10]);
      EXPECT_EQ(s[s.size() - 1 - i], s[s.size() - 11]);
    }
    EXPECT_NEAR(std::accumulate(s.begin(), s.end(), -10 * (s.front() + s.back())), 0.6, 1e-9);
  }
  EXPECT_LE(largest_between(c, 2, -0.0033, 0.0667), inside * (1 + 1e-9));
  EXPECT_LE(largest_between(c, 0, -0.3, 0.3), inside * (1 + 1e-9));  // the slab is there all along x
  EXPECT_GT(largest_between(c, 1, 0.1, 0.3), 1.5 * inside);          // and not here
  // Twice as many cells where they are asked for, and a pulse's monitors raise the highest frequency.
  const Case fine = read(start + "[grid]\nper_wavelength = 40\n" + slab);
  EXPECT_LE(largest_between(fine, 2, -0.0033, 0.0667), inside / 2 * (1 + 1e-9));
  const Case high = read(start + slab + "[dft]\nfrequencies = 2e9\nwindow = all\n");
  EXPECT_LE(largest_between(high, 2, -0.0033, 0.0667), inside / 2 * (1 + 1e-9));
}

// The text of the resolved case has the spacings and gives the same ones again.
TEST_F(AutomaticGridOfCase, IsSpacingsInTheResolvedCase) {
  const Case c = read(start + slab + "[refine.gap]\ncentre = 0 0.2 0\nsize = 0.01 0.02 0.01\nspacing = 2e-3\n");
  EXPECT_LE(largest_between(c, 1, 0.19, 0.21), 2e-3 * (1 + 1e-9));
  write("again.cfg", resolved_text(c));
  const Case again = read_case("again.cfg", {}, app::methods());
  EXPECT_EQ(c.grid.spacings, again.grid.spacings);
  EXPECT_EQ(resolved_text(c).find("per_wavelength"), std::string::npos);
}

// A ball of metal has 12 cells across, a wire one line through its axis; grid.finest bounds what they ask for.
TEST_F(AutomaticGridOfCase, ResolvesRoundBodies) {
  const std::string ball = "[shape.ball]\ntype = sphere\nmaterial = tin\nradius = 0.03\n";
  const std::string wire =
      "[shape.wire]\ntype = cylinder\nmaterial = tin\nradius = 1e-4\nheight = 0.2\ncentre = 0.013 0 0\n";
  EXPECT_LE(largest_between(read(start + ball), 0, -0.03, 0.03), 0.06 / 12 * (1 + 1e-9));
  EXPECT_GT(largest_between(read(start + ball + "[grid]\nfinest = 9e-3\n"), 0, -0.03, 0.03), 0.06 / 12);
  const Case c = read(start + wire);
  EXPECT_TRUE(has_node(c, 0, 0.013) && has_node(c, 1, 0) && has_node(c, 2, 0.1) && has_node(c, 2, -0.1));
  EXPECT_GT(*std::min_element(c.grid.spacings[0].begin(), c.grid.spacings[0].end()), 0.5 * wave / 20);
}

// Faces 0.1 mm apart have a line each, or share one.
TEST_F(AutomaticGridOfCase, SharesLinesOfNearFaces) {
  const std::string film = slab + "[shape.film]\ntype = box\nmaterial = tin\nsize = 1 0.2 1e-4\ncentre = 0 0 0.06675\n";
  const auto finest = [](const Case& c) {
    return *std::min_element(c.grid.spacings[2].begin(), c.grid.spacings[2].end());
  };
  EXPECT_NEAR(finest(read(start + film)), 1e-4, 1e-9);
  EXPECT_GT(finest(read(start + "[grid]\nfinest = 1e-3\n" + film)), 1e-3);
}

// The two edges of a polygon across x are lines, its oblique one is none.
TEST_F(AutomaticGridOfCase, HasLinesOnTheSidesOfPolygons) {
  const Case c = read(start +
                      "[shape.patch]\ntype = prism\nmaterial = tin\nheight = 0.05\npoints = -0.1 -0.1, 0.1333 "
                      "-0.1, 0.1333 0, 0.0501 0, 0.0501 0.1, -0.07 0.15\n");
  for (const double x : {0.1333, 0.0501, -0.1}) EXPECT_TRUE(has_node(c, 0, x)) << x;
  for (const double y : {-0.1, 0.0, 0.15}) EXPECT_TRUE(has_node(c, 1, y)) << y;
  EXPECT_FALSE(has_node(c, 0, -0.07));
}

// A lumped port has lines at its two ends; a side shares a line within half a cell, which in vacuum is 15 mm long.
TEST_F(AutomaticGridOfCase, HasLinesAtPorts) {
  const std::string port =
      "[port.feed]\ntype = lumped\ncentre = 0.0411 0 0.0017\nsize = 0.05 0 0.0026\ndirection = 0 0 "
      "1\nexcite = 1\nfrequency = 1e9\nbandwidth = 2e8\nfrequencies = 1e9\n";
  const Case c = read(start + port);
  for (const double z : {0.0004, 0.003}) EXPECT_TRUE(has_node(c, 2, z)) << z;
  for (const double x : {0.0161, 0.0661}) EXPECT_TRUE(has_node(c, 0, x)) << x;
  const Case beside = read(start + port +
                           "[shape.block]\ntype = box\nmaterial = tin\nsize = 0.1 0.1 0.1\ncentre = -0.0361 "
                           "0 -0.0496\n");  // its faces at x = 0.0139 and z = 0.0004
  EXPECT_TRUE(has_node(beside, 0, 0.0139));
  EXPECT_FALSE(has_node(beside, 0, 0.0161));
  EXPECT_TRUE(has_node(beside, 2, 0.0004) && has_node(beside, 2, 0.003));
  const Case guide = read(start +
                          "[port.end]\ntype = mode\ncentre = 0.0433 0 0\nsize = 0 0.1 0.1\ndirection = 1 0 0\n"
                          "excite = 1\nfrequency = 1e9\nbandwidth = 2e8\nfrequencies = 1e9\n");
  EXPECT_FALSE(has_node(guide, 0, 0.0433));
  EXPECT_FALSE(has_node(guide, 1, 0.05));
}

TEST_F(AutomaticGridOfCase, MistakesHaveOneLine) {
  EXPECT_EQ(message(start + "[grid]\nspacing = 0.01\nper_wavelength = 10\n"),
            "head.cfg:14: grid.per_wavelength = 10: belongs to cases with a [domain] in which no other key gives "
            "cells");
  EXPECT_EQ(message("[solver]\nmethod = fdtd3d\n[time]\nsteps = 2\n[domain]\nsize = 1\n"),
            "head.cfg: grid.spacing is required (1 or 3 numbers > 0, m): cells by wavelength require a frequency, that "
            "of a source, of a monitor or time.frequency");
  EXPECT_EQ(
      message(start + slab, {"material.wax.sigma=1e20"}),
      "head.cfg: the grid by grid.per_wavelength: along x: cells of 0.354 pm would be more than 1048576; a larger "
      "grid.finest, a smaller grid.per_wavelength or conductor = perfect is needed");
  EXPECT_EQ(message(start + "[refine.far]\ncentre = 0 9 0\nsize = 1 1 1\nspacing = 0.1\n"),
            "head.cfg: the grid by grid.per_wavelength: along y: refine.far lies outside the domain");
  EXPECT_EQ(
      message("[solver]\nmethod = hpf2d\n[time]\nsteps = 2\nfrequency = 1e9\n[domain]\nsize = 1\n"),
      "head.cfg: grid.spacing is required (1 or 2 numbers > 0, m; or grid.spacings_x, spacings_y and spacings_z)");
}

}  // namespace
}  // namespace dgtd::config
