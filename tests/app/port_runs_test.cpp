// Runs with lumped ports and their scattering matrix, as a user sees them.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <fstream>
#include <sstream>

#include "app/program.hpp"

namespace {

using Complex = std::complex<double>;
constexpr double light = 299792458, vacuum = 4e-7 * M_PI * light;  // m/s; ohm

// A line along z between metal plates as far apart as they are wide, between magnetic walls: the impedance of vacuum.
// Its ports are both ends.
constexpr const char* line =
    "[solver]\nmethod = fdtd3d\nprecision = double\n[grid]\ncells = 2 2 30\nspacing = 1e-3\norigin = 0 0 0\n"
    "[boundary.*]\ntype = pmc\n[boundary.ymin]\ntype = pec\n[boundary.ymax]\ntype = pec\n"
    "[time]\nend = decayed\ndecay = -150\n"
    "[port.left]\ntype = lumped\ncentre = 1e-3 1e-3 0\nsize = 2e-3 2e-3 0\ndirection = 0 1 0\nimpedance = 100\n"
    "[port.right]\ntype = lumped\ncentre = 1e-3 1e-3 30e-3\nsize = 2e-3 2e-3 0\ndirection = 0 1 0\nimpedance = 200\n"
    "[sparameters]\nexcite = all\nfrequency_range = 0.4e9 5e9 24\n[output]\nfields = none\n";

fs::path write_port_case(const std::string& name, const std::string& text) {
  const fs::path directory = work(name);
  std::ofstream(directory / "line.cfg") << text << "directory = out\n";
  return directory;
}

std::string arguments(const fs::path& at, const std::string& more = "") { return (at / "line.cfg").string() + more; }

struct TwoPort {
  Complex s11, s21, s12, s22;
};

// S of a chain matrix A = D = cos theta, B = i Z sin theta, C = i sin theta / Z between two impedances (Frickey 1994,
// IEEE Trans. MTT 42, 205).
TwoPort line_between(double theta, double z, double z1, double z2) {
  const double a = std::cos(theta);
  const Complex b{0, z * std::sin(theta)}, c{0, std::sin(theta) / z};
  const Complex divisor = a * z2 + b + c * z1 * z2 + a * z1;
  const double transfer = 2 * std::sqrt(z1 * z2);
  return {(a * z2 + b - c * z1 * z2 - a * z1) / divisor, transfer / divisor, transfer / divisor,
          (-a * z2 + b - c * z1 * z2 + a * z1) / divisor};
}

// The same of the grid's line, a ladder of n cells d: sin(k d / 2) / d = sin(omega dt / 2) / (c dt), and at its ends,
// half cells, the impedance Z / cos(k d / 2); voltages of ports are means over a time step, cos(omega dt / 2) times the
// field's.
TwoPort grid_line(double frequency, double dt, double z1, double z2) {
  const double d = 1e-3, omega = 2 * M_PI * frequency;
  const double half = std::asin(d / (light * dt) * std::sin(omega * dt / 2));  // k d / 2
  return line_between(30 * 2 * half, vacuum * std::cos(omega * dt / 2) / std::cos(half), z1, z2);
}

std::vector<std::vector<double>> rows_of_touchstone(const fs::path& file, std::string& head) {
  std::istringstream lines(content(file));
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '!' || line[0] == '#') {
      head += line + "\n";
      continue;
    }
    std::istringstream words(line);
    auto& row = rows.emplace_back();
    for (double value; words >> value;) row.push_back(value);
  }
  return rows;
}

// The pulse ends 1e-7 of its field (150 dB in energy) before the run does, hence 1e-6 of S.
TEST(SParameterRuns, AreThoseOfALineBetweenUnequalPorts) {
  const fs::path at = write_port_case("sparameters_line", line);
  const auto run = dgtd(arguments(at));
  ASSERT_EQ(run.code, 0) << run.output;
  const double dt = summary(at / "out" / "excite_left")["dt_s"];
  const Table s = table(at / "out" / "sparameters.csv");
  EXPECT_EQ(s.head.substr(0, 84),
            "frequency_Hz,S_left_left_real,S_left_left_imag,S_left_left_dB,S_left_left_deg,S_righ");
  ASSERT_EQ(s.rows.size(), 24u);
  std::string head;
  const auto touchstone = rows_of_touchstone(at / "out" / "line.s2p", head);
  EXPECT_NE(head.find("! Port[1] = left, impedance 100 ohm\n! Port[2] = right, impedance 200 ohm\n"),
            std::string::npos);
  EXPECT_NE(head.find("! renormalised to 100 ohm at all ports\n# Hz S RI R 100\n"), std::string::npos) << head;
  ASSERT_EQ(touchstone.size(), 24u);
  for (std::size_t f = 0; f < s.rows.size(); ++f) {
    const auto& row = s.rows[f];
    const auto expect = [&](const std::vector<double>& values, std::size_t first, std::size_t step, const TwoPort& is) {
      const Complex expected[] = {is.s11, is.s21, is.s12, is.s22};
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_LT(std::abs(Complex(values[first + step * i], values[first + step * i + 1]) - expected[i]), 1e-6)
            << row[0] << " " << i;
    };
    ASSERT_EQ(row.size(), 17u);
    expect(row, 1, 4, grid_line(row[0], dt, 100, 200));
    const Complex s11{row[1], row[2]};
    EXPECT_NEAR(row[3], 20 * std::log10(std::abs(s11)), 1e-5);
    EXPECT_NEAR(row[4], std::arg(s11) * 180 / M_PI, 1e-5);
    ASSERT_EQ(touchstone[f].size(), 9u);
    EXPECT_EQ(touchstone[f][0], row[0]);
    expect(touchstone[f], 1, 2, grid_line(row[0], dt, 100, 100));
    // The line without the grid's dispersion, (k d)^2 / 36 of 2 pi x 0.5 at most: 1e-3, twice at the slopes of S.
    const TwoPort exact = line_between(2 * M_PI * row[0] / light * 30e-3, vacuum, 100, 200);
    EXPECT_LT(std::abs(s11 - exact.s11), 2e-3);
  }
  const auto numbers = summary(at / "out")["sparameters"];
  EXPECT_LT(numbers["reciprocity_defect"].get<double>(), 1e-6);
  EXPECT_NEAR(numbers["largest_singular_value"].get<double>(), 1, 1e-6);
  EXPECT_NEAR(numbers["power_sum"]["left"]["least"].get<double>(), 1, 1e-6);
  EXPECT_EQ(numbers["excited"], (nlohmann::json{"left", "right"}));
  EXPECT_EQ(summary(at / "out")["warnings"], nlohmann::json::array());
  const std::string page = content(at / "out" / "report.html");
  for (const char* text :
       {"|S| in dB", "Phase in degrees", "the dot is the lowest frequency", "S_right_left", "excite_left/report.html"})
    EXPECT_NE(page.find(text), std::string::npos) << text;
  const auto files = nlohmann::json::parse(content(at / "out" / "files.json"));
  std::string kinds;
  for (const auto& file : files["files"])
    kinds += file["name"].get<std::string>() + " " + file["kind"].get<std::string>() + "\n";
  EXPECT_NE(kinds.find("line.s2p network\n"), std::string::npos) << kinds;
  EXPECT_NE(kinds.find("sparameters.csv table\n"), std::string::npos) << kinds;
}

TEST(SParameterRuns, ContinuePortByPort) {
  const fs::path at = write_port_case("sparameters_continued", line);
  ASSERT_EQ(dgtd(arguments(at)).code, 0);
  const std::string matrix = content(at / "out" / "sparameters.csv");
  fs::remove_all(at / "out" / "excite_right");
  fs::remove(at / "out" / "sparameters.csv");
  const auto before = fs::last_write_time(at / "out" / "excite_left" / "summary.json");
  const auto run = dgtd(arguments(at, " --restart"));
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("port left: complete in "), std::string::npos) << run.output;
  EXPECT_EQ(run.output.find("port right: complete in "), std::string::npos) << run.output;
  EXPECT_TRUE(fs::last_write_time(at / "out" / "excite_left" / "summary.json") == before);
  EXPECT_EQ(content(at / "out" / "sparameters.csv"), matrix);
  // Another case is not complete.
  const auto other = dgtd(arguments(at, " --restart --set port.right.impedance=210"));
  ASSERT_EQ(other.code, 0) << other.output;
  EXPECT_EQ(other.output.find("complete in "), std::string::npos) << other.output;
  expect_bad_input(
      dgtd(arguments(at, " --restart out/excite_left/checkpoint-1.h5")),
      "--restart: a case with [sparameters] has several runs, each with checkpoints of its own; allowed is "
      "--restart without a file");
}

TEST(SParameterRuns, OfOnePortAreItsColumn) {
  const fs::path at = write_port_case("sparameters_column", line);
  ASSERT_EQ(dgtd(arguments(at)).code, 0);
  const auto whole = table(at / "out" / "sparameters.csv").rows;
  ASSERT_EQ(dgtd(arguments(at, " --set sparameters.excite=right")).code, 0);
  const auto rows = table(at / "out" / "sparameters.csv").rows;
  ASSERT_EQ(rows.size(), whole.size());
  for (std::size_t f = 0; f < rows.size(); ++f) {
    ASSERT_EQ(rows[f].size(), 9u);
    for (std::size_t i : {1u, 2u, 5u, 6u}) EXPECT_NEAR(rows[f][i], whole[f][i + 8], 1e-6);
  }
  EXPECT_FALSE(fs::exists(at / "out" / "line.s2p"));
  EXPECT_TRUE(fs::exists(at / "out" / "line.s1p"));
}

// Circuits other than their impedances send waves back, which are part of what comes in.
TEST(SParameterRuns, DoNotDependOnTheCircuitsOfPorts) {
  const fs::path at = write_port_case("sparameters_circuits", line);
  ASSERT_EQ(dgtd(arguments(at)).code, 0);
  const auto plain = table(at / "out" / "sparameters.csv").rows;
  const auto run = dgtd(arguments(at,
                                  " --set port.left.inductance=3e-9 --set port.right.resistance=30 --set "
                                  "port.right.capacitance=2e-12 --set port.right.circuit=series"));
  ASSERT_EQ(run.code, 0) << run.output;
  const auto rows = table(at / "out" / "sparameters.csv").rows;
  ASSERT_EQ(rows.size(), plain.size());
  for (std::size_t f = 0; f < rows.size(); ++f)
    for (std::size_t i : {1u, 2u, 5u, 6u, 9u, 10u, 13u, 14u})
      EXPECT_NEAR(rows[f][i], plain[f][i], 1e-5) << f << " " << i;
}

TEST(SParameterRuns, WarnWhereTheyAreTooShort) {
  const fs::path at = write_port_case("sparameters_short", line);
  const auto run = dgtd(arguments(at, " --set time.end=0.9e-9"));
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("warning: [sparameters]: S is not "), std::string::npos) << run.output;
}

TEST(SParameterRuns, AreCheckedBeforeTheyStart) {
  const fs::path at = write_port_case("sparameters_errors", line);
  const auto expect = [&](const std::string& set, const std::string& message) {
    expect_bad_input(dgtd(arguments(at, " --dry-run" + set)), message);
  };
  expect(" --set 'sparameters.excite=left middle'", "there is no port.middle; allowed are all, and left, right");
  expect(
      " --set source.d.type=dipole --set 'source.d.position=0 0 0' --set 'source.d.direction=0 0 1' --set "
      "source.d.waveform=modulated-gaussian --set source.d.frequency=1e9 --set source.d.bandwidth=1e9",
      "source.d would send into the ports; allowed are ports alone");
  expect(" --set sparameters.excite=left --set port.right.resistance=20",
         "must name port.right, too, or its circuit must be a resistor of its impedance");
  expect(" --set port.left.frequencies=1e9", "must be those of [sparameters], or absent");
  expect(" --set port.left.excite=1 --set port.left.waveform=ramped-sine --set port.left.frequency=1e9",
         "must be modulated-gaussian in a case with [sparameters]");
  const auto dry = dgtd(arguments(at, " --dry-run"));
  EXPECT_EQ(dry.code, 0) << dry.output;
  EXPECT_NE(dry.output.find("S-parameters: one run per excited port, in excite_left, excite_right\n"),
            std::string::npos)
      << dry.output;
  EXPECT_FALSE(fs::exists(at / "out"));
  const auto preview = dgtd(arguments(at, " --preview"));
  EXPECT_EQ(preview.code, 0) << preview.output;
  EXPECT_NE(content(at / "out" / "preview.html").find("port, 200 ohm"), std::string::npos);
}

// Runs that go on from the checkpoint of a step, on one rank and on two, against the whole one: fields to the bit, and
// tables of ports; on several ranks voltages have another order of summation.
void expect_same_when_continued(const fs::path& at, int step) {
  for (const int ranks : {1, 2}) {
    const fs::path out = at / ("on_" + std::to_string(ranks));
    const auto again =
        dgtd_on(ranks, arguments(at, " --set output.directory=" + out.string() + " --restart " +
                                         (at / "out" / ("checkpoint-" + std::to_string(step) + ".h5")).string()));
    ASSERT_EQ(again.code, 0) << again.output;
    EXPECT_EQ(summary(out)["fields_hash"], summary(at / "out")["fields_hash"]);
    for (const char* file : {"port_series.csv", "port_parallel.csv"}) {
      const auto rows = table(at / "out" / file).rows, same = table(out / file).rows;
      ASSERT_EQ(rows.size(), 3u);
      EXPECT_TRUE(ranks > 1 || content(out / file) == content(at / "out" / file)) << file;
      for (std::size_t f = 0; f < 3; ++f)
        for (std::size_t i = 1; i < 5; ++i) EXPECT_NEAR(same[f][i], rows[f][i], 1e-12 * std::abs(rows[f][1])) << file;
    }
  }
}

// The same line of tetrahedra, by the same keys. 30 elements per wavelength of P2 at 5 GHz, where the time step's own
// error, (omega dt)^2 / 24 of the phase (2e-5) at the slopes of S, is largest.
TEST(SParameterRuns, OnTetrahedraAreThoseOfTheExactLine) {
  std::string text = line;
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("method = fdtd3d", "method = dgtd\norder = 2");
  replace("[grid]\ncells = 2 2 30\nspacing = 1e-3\norigin = 0 0 0\n",
          "[mesh]\ngenerator = box\ncells = 1 1 15\nsize = 2e-3 2e-3 30e-3\n[material.air]\n");
  replace("decay = -150", "decay = -80");
  const fs::path at = write_port_case("sparameters_tetrahedra", text);
  const auto run = dgtd(arguments(at));
  ASSERT_EQ(run.code, 0) << run.output;
  const Table s = table(at / "out" / "sparameters.csv");
  ASSERT_EQ(s.rows.size(), 24u);
  for (const auto& row : s.rows) {
    const TwoPort exact = line_between(2 * M_PI * row[0] / light * 30e-3, vacuum, 100, 200);
    const Complex expected[] = {exact.s11, exact.s21, exact.s12, exact.s22};
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_LT(std::abs(Complex(row[1 + 4 * i], row[2 + 4 * i]) - expected[i]), 5e-4) << row[0] << " " << i;
  }
  const auto numbers = summary(at / "out")["sparameters"];
  EXPECT_LT(numbers["reciprocity_defect"].get<double>(), 1e-4);
  EXPECT_NEAR(numbers["largest_singular_value"].get<double>(), 1, 1e-4);
  EXPECT_TRUE(fs::exists(at / "out" / "line.s2p"));
  EXPECT_EQ(summary(at / "out" / "excite_left")["ports"]["left"]["cell_capacitance_F"], 0.0);

  // Refusals.
  const auto expect = [&](const std::string& set, const std::string& message) {
    expect_bad_input(dgtd(arguments(at, " --dry-run" + set)), message);
  };
  expect(" --set 'port.right.size=0 2e-3 0'", "port.right: size: on tetrahedra a port is a rectangle of faces");
  expect(" --set 'port.right.centre=1e-3 1e-3 29e-3'",
         "port.right: the mesh has no face between elements in its rectangle of centre and size");
  expect(" --set boundary.zmax.type=pec", "is on a boundary that is not of type pmc");
}

TEST(PortRuns, ContinueFromACheckpointOnTetrahedra) {
  const fs::path at = write_port_case(
      "ports_continued_tetrahedra",
      "[solver]\nmethod = dgtd\norder = 2\n[mesh]\ngenerator = box\ncells = 2 2 8\nsize = 4e-3 4e-3 16e-3\n"
      "[material.air]\n[boundary.*]\ntype = silver-muller\n[time]\nend = 40e-12\n"
      "[port.series]\ntype = lumped\ncentre = 2e-3 2e-3 4e-3\nsize = 0 4e-3 4e-3\ndirection = 0 1 0\nexcite = 1\n"
      "frequency = 50e9\nbandwidth = 50e9\ninductance = 2e-9\ncapacitance = 1e-12\nfrequencies = 1e10 3e10 5e10\n"
      "[port.parallel]\ntype = lumped\ncentre = 2e-3 2e-3 12e-3\nsize = 4e-3 4e-3 0\ndirection = 0 1 0\n"
      "inductance = 2e-9\ncapacitance = 1e-12\ncircuit = parallel\nfrequencies = 1e10 3e10 5e10\n[output]\nfields = "
      "none\n");
  const auto whole = dgtd(arguments(at, " --set checkpoint.steps=23 --set checkpoint.keep=10"));
  ASSERT_EQ(whole.code, 0) << whole.output;
  expect_same_when_continued(at, 23);
}

// Charges and currents of circuits, and what was recorded, to the bit.
TEST(PortRuns, ContinueFromACheckpoint) {
  const fs::path at = write_port_case(
      "ports_continued",
      "[solver]\nmethod = fdtd3d\n[grid]\ncells = 12 12 12\nspacing = 1e-3\norigin = 0 0 0\npml = 3\n[time]\nsteps = "
      "300\n"
      "[port.series]\ntype = lumped\ncentre = 4e-3 6e-3 6e-3\nsize = 0 2e-3 0\ndirection = 0 1 0\nexcite = 1\n"
      "frequency = 5e9\nbandwidth = 5e9\ninductance = 2e-9\ncapacitance = 1e-12\nfrequencies = 1e9 3e9 5e9\n"
      "[port.parallel]\ntype = lumped\ncentre = 8e-3 6e-3 6e-3\nsize = 0 2e-3 2e-3\ndirection = 0 1 0\n"
      "inductance = 2e-9\ncapacitance = 1e-12\ncircuit = parallel\nfrequencies = 1e9 3e9 5e9\n[output]\nfields = "
      "none\n");
  ASSERT_EQ(dgtd(arguments(at, " --set checkpoint.steps=137 --set checkpoint.keep=10")).code, 0);
  expect_same_when_continued(at, 137);
}

}  // namespace
