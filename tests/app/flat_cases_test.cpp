// Methods fdtd2d and fdtd1d as a user runs them.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "app/program.hpp"

namespace {

TEST(FlatCases, PlaneCavityIsRightAndTheSameOnAnyNumberOfRanks) {
  const auto directory = work("plane_cavity");
  std::string hash;
  for (const int ranks : {1, 2, 4}) {
    const auto at = directory / std::to_string(ranks);
    const auto run = dgtd_on(ranks, case_file("plane_cavity.cfg") + " --set output.directory=" + at.string());
    ASSERT_EQ(run.code, 0) << run.output;
    const auto s = summary(at);
    EXPECT_LT(s["error"]["l2_E"], 2e-2);  // 0.0162 after seven periods
    EXPECT_LT(std::abs(s["energy"]["relative_drift"].get<double>()), 1e-12);
    EXPECT_EQ(s["method"], "fdtd2d");
    EXPECT_NE(content(at / "report.html").find("<h2>Field at the end</h2>"), std::string::npos);
    if (ranks == 1) hash = s["fields_hash"].dump();
    EXPECT_EQ(s["fields_hash"].dump(), hash);
  }
}

// The scattering width is positive and of the cylinder's size; nothing is absorbed. (fdtd_cylinder_test has the
// series.)
TEST(FlatCases, CylinderScatters) {
  const auto directory = work("cylinder");
  const auto run =
      dgtd_on(2, case_file("cylinder.cfg") + " --set time.end=60e-15 --set output.directory=" + directory.string());
  ASSERT_EQ(run.code, 0) << run.output;
  const auto scattered = table(directory / "flux_scattered.csv").rows,
             absorbed = table(directory / "flux_absorbed.csv").rows;
  ASSERT_EQ(scattered.size(), 81u);
  ASSERT_EQ(absorbed.size(), 81u);
  for (std::size_t i = 0; i < 81; ++i) {
    EXPECT_GT(scattered[i].at(3), 1e-7);        // m
    EXPECT_LT(scattered[i].at(3), 8 * 0.4e-6);  // diameters: four in the series' resonances
    EXPECT_LT(std::abs(absorbed[i].at(3)), 0.05 * scattered[i].at(3));
  }
}

// The wave of the hard source, and no power of it that is not known.
TEST(FlatCases, GolovashkinsExperimentRuns) {
  const auto directory = work("golovashkin");
  const auto run = dgtd_on(
      2, case_file("golovashkin.cfg") +
             " --set grid.cells='100 100' --set source.node.position='0.75e-6 0.75e-6' --set output.directory=" +
             directory.string());
  ASSERT_EQ(run.code, 0) << run.output;
  const auto s = summary(directory);
  EXPECT_EQ(s["steps"], 400);
  EXPECT_EQ(s["cells"], 10000);
  const auto powers = dgtd(case_file("golovashkin.cfg") +
                           " --set grid.cells='100 100' --set source.node.position='0.75e-6 0.75e-6' --set "
                           "time.frequency=999.3e12 --set output.directory=" +
                           directory.string());
  ASSERT_EQ(powers.code, 0) << powers.output;
  EXPECT_TRUE(summary(directory)["power"]["source_W"].is_null()) << summary(directory)["power"].dump();
}

const char* const fields_case =
    "[solver]\nmethod = fdtd2d\nprecision = double\n[grid]\ncells = 20 16\nspacing = 0.05\norigin = 0 "
    "0\n[boundary.*]\ntype = pec\n"
    "[time]\nsteps = 50\n[output]\nfields = none\ndirectory = out\n";

// A cavity's mode (2, 1) at t = 0, where H is near zero: from the program's own mode, by a formula, and from a file.
TEST(FlatCases, InitialFieldsByFormulaAndFile) {
  const auto directory = work("initial");
  std::ofstream(directory / "a.cfg") << fields_case
                                     << "[initial]\ntype = formula\nEz = sin(2*pi*x/1) * sin(pi*y/0.8)\n";
  std::ofstream(directory / "b.cfg") << fields_case << "[initial]\ntype = file\nfile = ez.txt\n";
  {
    std::ofstream file(directory / "ez.txt");
    file.precision(17);
    file << "# Ez at the nodes, V/m\n";
    for (int j = 0; j <= 16; ++j) {
      for (int i = 0; i <= 20; ++i)
        file << std::sin(2 * std::acos(-1) * (i * 0.05)) * std::sin(std::acos(-1) * (j * 0.05) / 0.8)
             << (i < 20 ? " " : "\n");
    }
  }
  const auto formula = dgtd((directory / "a.cfg").string()), file = dgtd((directory / "b.cfg").string());
  ASSERT_EQ(formula.code, 0) << formula.output;
  const double energy = summary(directory / "out")["energy"]["last_J"];
  ASSERT_EQ(file.code, 0) << file.output;
  // eps0 a b / 8 a metre, but for (w dt / 2)^2.
  EXPECT_NEAR(energy / (8.8541878128e-12 * 1 * 0.8 / 8), 1, 0.03);
  EXPECT_NEAR(summary(directory / "out")["energy"]["last_J"].get<double>() / energy, 1, 1e-12);
  EXPECT_LT(std::abs(summary(directory / "out")["energy"]["relative_drift"].get<double>()), 1e-12);
  const auto again =
      dgtd((directory / "out" / "resolved.cfg").string() + " --set output.directory=" + (directory / "again").string());
  ASSERT_EQ(again.code, 0) << again.output;
  EXPECT_EQ(summary(directory / "again")["fields_hash"], summary(directory / "out")["fields_hash"]);
}

TEST(FlatCases, BadInitialFieldsEndWithOneLine) {
  const auto directory = work("bad_initial");
  std::ofstream(directory / "a.cfg") << fields_case << "[initial]\ntype = file\nfile = ez.txt\n";
  const std::string at = (directory / "ez.txt").string();
  const auto of = [&](const std::string& text) {
    std::ofstream(directory / "ez.txt") << text;
    return dgtd((directory / "a.cfg").string());
  };
  const std::string row = "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1\n";
  std::string rows;
  for (int j = 0; j < 17; ++j) rows += row;
  const struct {
    std::string text, message;
  } cases[] = {{"# none\n1 2\n", at + ":2: 2 numbers; the grid has 21 nodes along x\n"},
               {row + "1 x\n", at + ":2: must be numbers\n"},
               {row, at + ": 1 rows; the grid has 17 nodes along y\n"},
               {rows + "\n" + row, at + ":19: the grid has 17 rows of nodes\n"}};
  for (const auto& bad : cases) {
    const auto run = of(bad.text);
    expect_bad_input(run, "dgtd: error: " + bad.message);
  }
  EXPECT_EQ(of(rows).code, 0);
  fs::remove(directory / "ez.txt");
  EXPECT_NE(dgtd((directory / "a.cfg").string()).output.find("dgtd: error: " + at + ": cannot be opened\n"),
            std::string::npos);
  const auto formula_case = directory / "f.cfg";
  std::ofstream(formula_case) << fields_case << "[initial]\ntype = formula\nEz = exp(1000*(x+y+1))\n";
  const auto infinite = dgtd(formula_case.string());
  expect_bad_input(infinite, "dgtd: error: initial.Ez = exp(1000*(x+y+1)): is inf at x y z = ");
}

// eps_r from a picture is that of the same body as a shape: a bar of glass, grey 255, in the upper half of the plane.
TEST(FlatCases, PermittivityFromAPicture) {
  const auto directory = work("picture");
  const std::string head =
      "[solver]\nmethod = fdtd2d\nprecision = double\n[grid]\ncells = 40 30\nspacing = 0.01\norigin = 0 "
      "0\n[time]\nsteps = 120\n[material.glass]\neps_r = 4\n"
      "[source.s]\ntype = dipole\nposition = 0.2 0.1\ndirection = 0 0 1\nwaveform = modulated-gaussian\nfrequency = "
      "1e9\nbandwidth = 1e9\n"
      "[output]\nfields = none\ndirectory = out\n";
  {
    std::ofstream file(directory / "bar.pgm",
                       std::ios::binary);  // pixels of 5 mm: 80 x 60; the bar is x 0.1 to 0.3, y 0.2 to 0.25
    file << "P5\n80 60\n255\n";
    for (int row = 0; row < 60; ++row)
      for (int column = 0; column < 80; ++column)
        file.put(row >= 10 && row < 20 && column >= 20 && column < 60 ? '\377' : '\0');
  }
  std::ofstream(directory / "a.cfg") << head
                                     << "[shape.bar]\ntype = labels\nfile = bar.pgm\nunit = 5e-3\nlabels = 255 glass\n";
  std::ofstream(directory / "b.cfg")
      << head << "[shape.bar]\ntype = box\nmaterial = glass\ncentre = 0.2 0.225\nsize = 0.2 0.05\n";
  std::ofstream(directory / "c.cfg") << head;
  std::vector<double> energies;
  for (const char* name : {"a.cfg", "b.cfg", "c.cfg"}) {
    const auto run = dgtd((directory / name).string() + " --set output.energy_interval=1");
    ASSERT_EQ(run.code, 0) << run.output;
    energies.push_back(summary(directory / "out")["energy"]["last_J"]);
  }
  EXPECT_NEAR(energies[0] / energies[1], 1, 1e-9);
  EXPECT_GT(std::abs(energies[2] / energies[1] - 1), 1e-3);
}

}  // namespace
