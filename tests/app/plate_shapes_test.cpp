// Plates of thickness zero on both methods, as a user gives them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>

#include "app/program.hpp"

namespace {

// A metal box along x with a dipole in its left third.
constexpr const char* cavity = R"([time]
end = 4e-9
[boundary.*]
type = pec
[material.tin]
conductor = perfect
[source.d]
type = dipole
position = 0.05 0.08 0.1
direction = 0 0 1
waveform = modulated-gaussian
frequency = 1.1e9
bandwidth = 0.6e9
[probe.left]
position = 0.07 0.12 0.1
[output]
fields = none
report_pictures = off
)";
constexpr const char* whole = R"([domain]
size = 0.3 0.2 0.2
origin = 0 0 0
[probe.right]
position = 0.2 0.1 0.1
)";
constexpr const char* left_third = R"([domain]
size = 0.1 0.2 0.2
origin = 0 0 0
)";
constexpr const char* plate = R"([shape.wall]
type = plate
material = tin
centre = 0.1 0.1 0.1
size = 0 0.3 0.3
)";
const std::string grid = "[solver]\nmethod = fdtd3d\n[grid]\nspacing = 0.01\n",
                  // The dipole's current is a bump of some elements, which is not to reach through the plate.
                  mesh = "[solver]\norder = 2\n[mesh]\nper_wavelength = 6\n[refine.d]\ncentre = 0.05 0.08 0.1\n"
                         "size = 0.02 0.02 0.02\nspacing = 0.008\n";

class PlateShapes : public ::testing::Test {
 protected:
  void SetUp() override { directory_ = work("plate_shapes"); }

  // Rows of probe_NAME.csv: time, and a component.
  std::vector<std::array<double, 2>> probe(const std::string& name, std::size_t column) const {
    std::vector<std::array<double, 2>> rows;
    for (const auto& row : table(directory_ / "out" / ("probe_" + name + ".csv")).rows)
      rows.push_back({row.at(0), row.at(column)});
    return rows;
  }

  Outcome run(const std::string& text, const std::string& arguments = "") const {
    std::ofstream(directory_ / "case.cfg") << text;
    return shell("XDG_CACHE_HOME=" + directory_.string() + " " + dgtd_program() + " " +
                 (directory_ / "case.cfg").string() + arguments + " --set output.directory=" +
                 (directory_ / "out").string());
  }

  std::vector<std::array<double, 2>> left(const std::string& text, const std::string& arguments = "") const {
    const auto outcome = run(text, arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    return probe("left", 3);
  }

  fs::path directory_;
};

double largest(const std::vector<std::array<double, 2>>& rows) {
  double most = 0;
  for (const auto& row : rows) most = std::max(most, std::abs(row[1]));
  return most;
}

// At the times of the first one, between samples of the second; their time steps differ.
double difference(const std::vector<std::array<double, 2>>& a, const std::vector<std::array<double, 2>>& b) {
  double worst = 0;
  std::size_t at = 0;
  for (const auto& [time, value] : a) {
    while (at + 1 < b.size() && b[at + 1][0] <= time) ++at;
    if (at + 1 == b.size()) break;
    const double share = (time - b[at][0]) / (b[at + 1][0] - b[at][0]);
    worst = std::max(worst, std::abs(value - (1 - share) * b[at][1] - share * b[at + 1][1]));
  }
  return worst;
}

// A plate across a box leaves nothing behind it, and in front of it the fields of a box that ends there: on a grid the
// same numbers, on tetrahedra, whose meshes differ, to the error of four elements per wavelength.
TEST_F(PlateShapes, AWallOfNoThicknessDividesACavity) {
  for (const auto& method : {grid, mesh}) {
    const auto with_plate = left(method + cavity + whole + plate);
    ASSERT_GT(with_plate.size(), 50u);
    EXPECT_EQ(largest(probe("right", 3)), 0) << method;
    const auto alone = left(method + cavity + left_third), open = left(method + cavity + whole);
    const double scale = largest(alone);
    if (method == grid) { EXPECT_EQ(alone, with_plate); }
    else { EXPECT_LT(difference(with_plate, alone), 0.1 * scale); }
    EXPECT_GT(difference(open, alone), 0.5 * scale) << method;
  }
}

// A quarter turn is the plate along other axes; an oblique one has nothing behind it either.
TEST_F(PlateShapes, Turn) {
  const std::string turn = " --set shape.wall.rotation='0 0 1 ";
  for (const auto& method : {grid, mesh}) {
    const auto straight = left(method + cavity + whole + plate);
    const auto quarter = left(method + cavity + whole + plate, turn + "90 deg' --set shape.wall.size='0.3 0 0.3'");
    if (method == grid) { EXPECT_EQ(quarter, straight); }
    else { EXPECT_LT(difference(quarter, straight), 0.1 * largest(straight)); }
    const auto oblique = left(method + cavity + whole + plate, turn + "20 deg' --set shape.wall.size='0 0.6 0.6' " +
                                                                   "--set shape.wall.centre='0.12 0.1 0.1'");
    EXPECT_EQ(largest(probe("right", 3)), 0) << method;
    EXPECT_GT(difference(oblique, straight), 0.05 * largest(straight)) << method;
  }
  const auto drawn = run(grid + cavity + whole + plate, turn + "20 deg' --dry-run");
  EXPECT_NE(drawn.output.find("shape.wall: is oblique to the grid: it is drawn 20 mm thick, two of its cells"), std::string::npos)
      << drawn.output;
}

TEST_F(PlateShapes, MistakesAreOneLine) {
  const std::string of_plate = std::string(cavity) + whole + plate;
  const struct {
    std::string method, arguments, message;
  } cases[] = {
      {mesh, " --set shape.wall.centre='0.3 0.1 0.1'",
       "shape.wall: lies on a side of the domain, whose x goes from 0 to 0.3 m: [boundary.xmax] type = pec is a wall "
       "there\n"},
      {mesh, " --set shape.wall.centre='0.5 0.1 0.1'", "shape.wall: lies outside the domain, whose x goes from 0 to 0.3 m\n"},
      {grid, " --set shape.wall.centre='0.5 0.1 0.1'", "shape.wall: lies outside the grid, whose x goes from 0 to "},
      {mesh, " --set boundary.tin.type=pmc", "[boundary.tin]: surface group 'tin (plate)' is a plate, whose type is pec\n"},
  };
  for (const auto& bad : cases) expect_bad_input(run(bad.method + of_plate, bad.arguments), bad.message);
  // Between nodes it is drawn where the grid has some.
  const auto moved = run(grid + of_plate, " --set shape.wall.centre='0.103 0.1 0.1' --dry-run");
  EXPECT_EQ(moved.code, 0) << moved.output;
  EXPECT_NE(moved.output.find("shape.wall: there are no nodes of the grid in its plane: it is drawn at x = 0.1 m, 3 mm away"),
            std::string::npos)
      << moved.output;
}

}  // namespace
