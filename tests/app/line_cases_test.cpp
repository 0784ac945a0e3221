// Cases of lines in subdomains and of other ways to compute a plane's half steps, as a user runs them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "app/program.hpp"

namespace {

/// E_z of a probe's table, a row a step.
std::vector<double> probe_table(const fs::path& path) {
  std::vector<double> values;
  for (const auto& row : table(path).rows) values.push_back(row.at(3));
  return values;
}
double difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double worst = 0, largest = 0;
  for (std::size_t n = 0; n < std::min(a.size(), b.size()); ++n)
    worst = std::max(worst, std::abs(a[n] - b[n])), largest = std::max(largest, std::abs(a[n]));
  return worst / largest;
}

// A slab of eps 4 cut in its middle with G = 3 re-reflections: what leaves it errs by (1/9)^4 (docs/theory.md); one
// subdomain is the grid's own engine to rounding.
TEST(LineCases, LinePulseCaseAgreesWithTheWholeLine) {
  const auto directory = work("line_pulse");
  const auto cut = dgtd(case_file("line_pulse.cfg") + " --set output.directory=" + (directory / "cut").string());
  ASSERT_EQ(cut.code, 0) << cut.output;
  EXPECT_NE(
      cut.output.find("formula: D^2 / (D + 2 (D - 1) G) = 0.7273; as printed, D^2 / (D - 2 (D - 1) G) is not defined"),
      std::string::npos)
      << cut.output;
  const auto whole = dgtd(
      case_file("line_pulse.cfg") +
      " --set solver.subdomains=1 --set solver.reflections=0 --set solver.steady_tolerance=0 --set output.directory=" +
      (directory / "whole").string());
  ASSERT_EQ(whole.code, 0) << whole.output;
  std::ifstream text(case_file("line_pulse.cfg"));
  std::ofstream engine_case(directory / "engine.cfg");
  for (std::string line; std::getline(text, line);)
    if (line.starts_with("method =")) engine_case << "method = fdtd1d\n";
    else if (!line.starts_with("subdomains =") && !line.starts_with("reflections =")) engine_case << line << "\n";
  engine_case.close();
  const auto engine =
      dgtd((directory / "engine.cfg").string() + " --set output.directory=" + (directory / "engine").string());
  ASSERT_EQ(engine.code, 0) << engine.output;
  for (const char* probe : {"probe_reflected.csv", "probe_transmitted.csv"})
    EXPECT_LT(difference(probe_table(directory / "engine" / probe), probe_table(directory / "whole" / probe)), 1e-12)
        << probe;
  const double transmitted = difference(probe_table(directory / "whole" / "probe_transmitted.csv"),
                                        probe_table(directory / "cut" / "probe_transmitted.csv"));
  const double reflected = difference(probe_table(directory / "whole" / "probe_reflected.csv"),
                                      probe_table(directory / "cut" / "probe_reflected.csv"));
  std::printf("line cut through a slab, 3 re-reflections: transmitted %.3g (theory %.3g), reflected %.3g\n",
              transmitted, std::pow(1.0 / 9, 4), reflected);
  EXPECT_LT(transmitted, 2 * std::pow(1.0 / 9, 4));
  EXPECT_LT(reflected, 3e-3);
  const auto s = summary(directory / "cut");
  EXPECT_EQ(s["method"], "fdtd1d-subdomains");
  EXPECT_EQ(s["cells"], 1100);
  EXPECT_EQ(s["subdomains"]["count"], 4);
  EXPECT_EQ(s["subdomains"]["solutions"], 22);
  EXPECT_TRUE(fs::exists(directory / "cut" / "fields.pvtr"));
  const auto again =
      dgtd((directory / "cut" / "resolved.cfg").string() + " --set output.directory=" + (directory / "again").string());
  ASSERT_EQ(again.code, 0) << again.output;
  EXPECT_EQ(difference(probe_table(directory / "cut" / "probe_reflected.csv"),
                       probe_table(directory / "again" / "probe_reflected.csv")),
            0);
}

TEST(LineCases, LineWaveCaseIsSteadyBehindTheCut) {
  const auto directory = work("line_wave");
  const auto cut = dgtd(case_file("line_wave.cfg") + " --set output.directory=" + (directory / "cut").string());
  ASSERT_EQ(cut.code, 0) << cut.output;
  EXPECT_EQ(summary(directory / "cut")["steps_per_period"], 200);
  EXPECT_EQ(summary(directory / "cut")["subdomains"]["cell_steps"], 25 * 200 * (1200 + 2 * 104));
  const auto values = probe_table(directory / "cut" / "probe_behind.csv");
  double peak = 0;
  for (std::size_t n = values.size() - 200; n < values.size(); ++n) peak = std::max(peak, std::abs(values[n]));
  EXPECT_NEAR(peak, 1, 1e-3);
}

TEST(LineCases, BadLinesEndWithOneLine) {
  const struct {
    const char *arguments, *message;
  } cases[] = {
      {"--set solver.subdomains=200",
       "dgtd: error: solver.subdomains = 200: subdomain 1 would have 5 cells between absorbing layers and interfaces, "
       "allowed are 8 or more\n"},
      {"--set probe.reflected.position=1", "probe.reflected: position = 1 lies outside the grid, whose x goes from"},
      {"--set source.wave.polarisation='0 1 0' --set solver.polarisation=ez",
       "source.wave: subdomains carry E along z and H along y; its polarisation must be 0 0 1\n"},
  };
  for (const auto& bad : cases) {
    const auto run = dgtd(case_file("line_pulse.cfg") + " " + bad.arguments +
                          " --set output.directory=" + work("bad_line").string());
    expect_bad_input(run, bad.message);
  }
  const auto ranks = dgtd_on(2, case_file("line_pulse.cfg") + " --set output.directory=" + work("bad_line").string());
  expect_bad_input(ranks, "solver.method = fdtd1d-subdomains: requires 1 rank, and there are 2");
}

TEST(LineCases, ScalarHalfStepsOfAPlaneRun) {
  const auto directory = work("plane_variants");
  const std::string arguments = case_file("plane_cavity.cfg") + " --set output.directory=";
  const auto native = dgtd(arguments + (directory / "native").string() + " --set solver.backend=cpu");
  const auto scalar = dgtd(arguments + (directory / "scalar").string() + " --set solver.method=fdtd2d-scalar");
  ASSERT_EQ(native.code, 0) << native.output;
  ASSERT_EQ(scalar.code, 0) << scalar.output;
  const auto a = summary(directory / "native"), b = summary(directory / "scalar");
  EXPECT_EQ(a["kernels"], "fused");
  EXPECT_EQ(b["kernels"], "scalar");
  EXPECT_NEAR(b["error"]["l2_E"].get<double>(), a["error"]["l2_E"].get<double>(), 1e-11);
  EXPECT_LT(std::abs(b["energy"]["relative_drift"].get<double>()), 1e-12);
  const auto again = dgtd((directory / "scalar" / "resolved.cfg").string());
  ASSERT_EQ(again.code, 0) << again.output;
  EXPECT_EQ(summary(directory / "scalar")["fields_hash"], b["fields_hash"]);

  const auto ranks = dgtd_on(2, arguments + (directory / "ranks").string() + " --set solver.method=fdtd2d-scalar");
  expect_bad_input(ranks, "solver.method = fdtd2d-scalar: requires 1 rank, and there are 2");
  const auto device = dgtd(arguments + (directory / "device").string() + " --set solver.method=fdtd2d-cublas-vector");
  if (device.code == 0) return;  // there is a CUDA device, and cuBLAS
  EXPECT_EQ(device.code, 5) << device.output;
  EXPECT_NE(device.output.find("dgtd: error: "), std::string::npos) << device.output;
  EXPECT_EQ(device.output.find('\n'), device.output.size() - 1) << device.output;
}

// The spellings of earlier versions give the same fields, with a line of warning.
TEST(LineCases, OldSpellingsRun) {
  const auto directory = work("old_methods");
  const auto run = [&](const std::string& name, const std::string& arguments) {
    const auto done = dgtd(arguments + " --set output.directory=" + (directory / name).string());
    EXPECT_EQ(done.code, 0) << done.output;
    return done.output;
  };
  const std::string plane = case_file("plane_cavity.cfg") + " --steps 20",
                    line = case_file("line_wave.cfg") + " --steps 400";
  run("new_plane", plane + " --set solver.method=fdtd2d-scalar");
  const std::string plane_output = run("old_plane", plane + " --set solver.variant=scalar");
  EXPECT_NE(
      plane_output.find("dgtd: warning: --set solver.variant=scalar: solver.variant = scalar is now solver.method "
                        "= fdtd2d-scalar; the old spelling is accepted in this version\n"),
      std::string::npos)
      << plane_output;
  run("new_line", line);
  const std::string line_output = run("old_line", line + " --set solver.method=fdtd1d");
  EXPECT_NE(
      line_output.find(": solver.method = fdtd1d with solver.subdomains is now solver.method = fdtd1d-subdomains;"),
      std::string::npos)
      << line_output;
  for (const std::string name : {"plane", "line"}) {
    const auto a = summary(directory / ("new_" + name)), b = summary(directory / ("old_" + name));
    EXPECT_EQ(a["fields_hash"], b["fields_hash"]);
    EXPECT_EQ(a["method"], b["method"]);
  }
}

}  // namespace
