// Estimates of errors, as a user sees them.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>

#include "app/program.hpp"

namespace {

// Tissue in a box with a dipole above it.
constexpr const char* tissue_case =
    "[solver]\norder = 2\n[mesh]\ngenerator = box\ncells = 4 4 4\nsize = 0.12 0.12 0.12\n[time]\nfrequency = 1e9\n"
    "periods = 3\n[material.body]\neps_r = 4\nsigma = 0.2\ndensity = 1000\n[boundary.*]\ntype = silver-muller\n"
    "[source.d]\ntype = dipole\nposition = 0.06 0.06 0.09\ndirection = 0 0 1\nradius = 0.03\nwaveform = ramped-sine\n"
    "[sar]\nmass = 10\nvoxel = 0.01\n";

constexpr const char* cavity_case =
    "[solver]\norder = 2\nprecision = double\n[mesh]\ngenerator = box\ncells = 4 4 4\nsize = 1 1 1\n[time]\nend = "
    "3e-9\n"
    "[initial]\ntype = cavity-mode\nmode = 1 1 0\n";

fs::path written(const std::string& name, const std::string& text, const std::string& output = "") {
  const fs::path directory = work(name);
  std::ofstream(directory / "a.cfg") << text << "[output]\ndirectory = out\n" << output;
  return directory;
}

std::set<std::string> arrays_in(const fs::path& out) {
  std::set<std::string> names;
  const auto list = nlohmann::json::parse(content(out / "files.json"));
  for (const auto& file : list["files"])
    if (file["name"] == "result.pvtu")
      for (const auto& array : file["arrays"]) names.insert(array["name"].get<std::string>());
  return names;
}

TEST(ErrorRuns, StateTheErrorPerMaterialAndOfSarAndLeaveTheFieldsAsTheyAre) {
  const fs::path with = written("error_runs_tissue", tissue_case, "error = on\n");
  const auto run = dgtd((with / "a.cfg").string());
  ASSERT_EQ(run.code, 0) << run.output;
  const auto numbers = summary(with / "out");
  const auto& estimate = numbers["error_estimate"].at(0);
  EXPECT_EQ(estimate["frequency_Hz"], 1e9);
  for (const char* field : {"E", "H"}) {
    EXPECT_GT(estimate["materials"]["body"][field].get<double>(), 1e-3);
    EXPECT_LT(estimate["materials"]["body"][field].get<double>(), 1);
  }
  for (const char* peak : {"local", "10g"}) {
    const double about = estimate["sar_peak"][peak]["about"].get<double>();
    EXPECT_GT(about, 1e-4);
    EXPECT_NEAR(estimate["sar_peak"][peak]["at_most"].get<double>(), about + 2 * std::sqrt(about), 1e-12);
  }
  EXPECT_NE(run.output.find("estimated errors in space"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("SAR peak uncertain by about "), std::string::npos) << run.output;
  EXPECT_NE(content(with / "out" / "report.html").find("Estimated error in space"), std::string::npos);
  const auto arrays = arrays_in(with / "out");
  for (const char* name : {"E_error_V_per_m", "E_error_relative", "highest_degree_share", "jump_share", "SAR_W_per_kg"})
    EXPECT_EQ(arrays.count(name), 1u) << name;

  const fs::path without = written("error_runs_without", tissue_case);
  ASSERT_EQ(dgtd((without / "a.cfg").string()).code, 0);
  EXPECT_EQ(summary(without / "out")["fields_hash"], numbers["fields_hash"]);
  EXPECT_FALSE(summary(without / "out").contains("error_estimate"));
  EXPECT_EQ(arrays_in(without / "out").count("jump_share"), 0u);

  const auto parallel = dgtd_on(2, (with / "a.cfg").string());
  ASSERT_EQ(parallel.code, 0) << parallel.output;
  const auto on_two = summary(with / "out");
  EXPECT_EQ(on_two["fields_hash"], numbers["fields_hash"]);
  const auto& again = on_two["error_estimate"].at(0);
  for (const char* field : {"E", "H", "highest_degree_share", "jump_share"})
    EXPECT_NEAR(again["materials"]["body"][field].get<double>() / estimate["materials"]["body"][field].get<double>(), 1,
                1e-9);
  for (const char* peak : {"local", "10g"})
    EXPECT_NEAR(again["sar_peak"][peak]["about"].get<double>() / estimate["sar_peak"][peak]["about"].get<double>(), 1,
                1e-6);
}

// Without Fourier sums it is that of the fields at the end: of the cavity's mode within a factor of two of the exact
// one.
TEST(ErrorRuns, OfTheFieldsAtTheEndAreInTheirFile) {
  const fs::path at = written("error_runs_cavity", cavity_case, "error = on\n");
  const auto run = dgtd((at / "a.cfg").string());
  ASSERT_EQ(run.code, 0) << run.output;
  const auto numbers = summary(at / "out");
  const auto& estimate = numbers["error_estimate"].at(0);
  EXPECT_TRUE(estimate["frequency_Hz"].is_null());
  EXPECT_TRUE(estimate["sar_peak"].is_null());
  const double ratio =
      estimate["materials"].begin().value()["E"].get<double>() / numbers["error"]["l2_E"].get<double>();
  EXPECT_GT(ratio, 0.5);
  EXPECT_LT(ratio, 2);
  const auto arrays = arrays_in(at / "out");
  EXPECT_EQ(arrays.count("E_error_V_per_m"), 1u);
  EXPECT_EQ(arrays.count("E_V_per_m"), 1u);
}

TEST(ErrorRuns, AreOfTetrahedraOnly) {
  const fs::path at = work("error_runs_grid");
  std::ofstream(at / "a.cfg") << "[solver]\nmethod = fdtd3d\n[grid]\ncells = 4 4 4\nspacing = 1\n[time]\nsteps = 3\n"
                                 "[output]\nerror = on\n";
  expect_bad_input(dgtd((at / "a.cfg").string()), "a.cfg:9: output.error");
}

}  // namespace
