// Averages over masses of runs on tetrahedra and on a grid, on several ranks, and the same by dgtd-sar.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>

#include "app/program.hpp"

namespace {

using Json = nlohmann::json;

// A block of two tissues; the feed is inside of it. Voxels fill it exactly.
const char* const on_tetrahedra =
    "[solver]\norder = 1\nthreads = 1\n[mesh]\ngenerator = box\ncells = 5 5 5\nsize = 0.05 0.05 0.05\n"
    "[time]\nfrequency = 1e9\nperiods = 1\n[material.gel]\neps_r = 20\nsigma = 1\ndensity = 1000\n"
    "[boundary.*]\ntype = silver-muller\n[source.d]\ntype = dipole\nposition = 0.01 0.026 0.024\ndirection = 0 0 1\n"
    "waveform = ramped-sine\n[sar]\nnormalise = emitted\nmass = 1 10\nvoxel = 2.5e-3\n";

// A ball beside a dipole.
const char* const on_a_grid =
    "[solver]\nmethod = fdtd3d\nthreads = 1\n[grid]\ncells = 24 22 22\nspacing = 2.5e-3\npml = 4\n"
    "[time]\nfrequency = 2e9\nperiods = 2\n[material.gel]\neps_r = 4\nsigma = 0.5\ndensity = 1100\n[material.bone]\n"
    "eps_r = 3\nsigma = 0.2\ndensity = 1800\n[shape.s]\ntype = sphere\nmaterial = gel\nradius = 0.015\ncentre = "
    "2.5e-3 0 0\n[shape.t]\ntype = sphere\nmaterial = bone\nradius = 0.008\ncentre = 2.5e-3 0 0\n[source.d]\ntype = "
    "dipole\nposition = -0.0175 0 0\ndirection = 0 0 1\nwaveform = ramped-sine\n[sar]\nnormalise = emitted\nmass = 0.2 "
    "1\nwhole_body = on\n";

void expect_near(const Json& a, const Json& b) {
  EXPECT_NEAR(a.get<double>(), b.get<double>(), 2e-6 * std::abs(b.get<double>()));
}

// Sums over ranks differ in their last digits, and so do the factors of SAR.
void expect_same_averages(const Json& a, const Json& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [mass, average] : a.items()) {
    const Json &peak = average["peak"], &other = b[mass]["peak"];
    expect_near(peak["sar"], other["sar"]);
    expect_near(peak["side_m"], other["side_m"]);
    EXPECT_EQ(peak["at"], other["at"]);
    EXPECT_EQ(peak["orientation"], other["orientation"]);
    EXPECT_EQ(average["voxels"], b[mass]["voxels"]);
    for (const auto& [tissue, largest] : average["tissues"].items())
      expect_near(largest["sar"], b[mass]["tissues"][tissue]["sar"]);
  }
}

Json run_on_ranks(const fs::path& directory, const char* text) {
  std::ofstream(directory / "a.cfg") << text;
  Json first;
  for (const int ranks : {1, 3}) {
    const auto at = directory / std::to_string(ranks);
    const auto run = dgtd_on(ranks, (directory / "a.cfg").string() + " --set output.directory=" + at.string());
    EXPECT_EQ(run.code, 0) << run.output;
    if (run.code != 0) return {};
    EXPECT_NE(run.output.find(": peak "), std::string::npos) << run.output;
    const auto s = summary(at);
    if (ranks == 1) first = s;
    else {
      EXPECT_EQ(s["fields_hash"], first["fields_hash"]);
      expect_same_averages(s["sar_averages"], first["sar_averages"]);
    }
  }
  EXPECT_NE(content(directory / "1" / "report.html").find("Averaged SAR"), std::string::npos);
  return first;
}

// How many limits of each quantity report.json compares.
std::map<std::string, int> compared_limits(const fs::path& directory) {
  std::map<std::string, int> number_of;
  const Json report = Json::parse(content(directory / "report.json"));
  for (const Json& limit : report["limits"]) ++number_of[limit["quantity"].get<std::string>()];
  return number_of;
}

// dgtd-sar averages the run's own file to the same numbers.
void expect_same_by_program(const fs::path& file, const Json& averages, const std::string& masses) {
  const auto run = shell(fmt::format("{} {} --mass {}", DGTD_SAR_PROGRAM, file.string(), masses));
  ASSERT_EQ(run.code, 0) << run.output;
  for (const auto& [mass, average] : averages.items()) {
    const std::string begin = "SAR " + mass + ": peak ";
    const auto at = run.output.find(begin);
    ASSERT_NE(at, std::string::npos) << run.output;
    EXPECT_NEAR(std::stod(run.output.substr(at + begin.size())), average["peak"]["sar"],
                1e-3 * double(average["peak"]["sar"]));
    EXPECT_NE(run.output.find(average["voxels"]["valid"].dump() + " valid, " + average["voxels"]["used"].dump() +
                              " used, " + average["voxels"]["unused"].dump() + " unused voxels, 0 without a cube"),
              std::string::npos)
        << run.output;
  }
}

TEST(MassAverageRuns, TetrahedraKeepTheirPowerOnVoxels) {
  const auto directory = work("mass_average_tetrahedra");
  const Json s = run_on_ranks(directory, on_tetrahedra);
  ASSERT_TRUE(s.contains("sar_voxels"));
  EXPECT_EQ(s["sar_voxels"]["cells"], Json({20, 20, 20}));
  expect_near(s["sar_voxels"]["edge_m"], 2.5e-3);
  const Json& voxels = s["sar_voxels"]["tissues"]["gel"];
  EXPECT_EQ(voxels["voxels"], 8000);
  expect_near(voxels["mass_kg"], 0.125);
  expect_near(voxels["absorbed_W"], s["tissues"]["gel"]["absorbed_W"]);
  EXPECT_NEAR(voxels["power_factor"], 1, 0.2);
  EXPECT_GT(s["sar_averages"]["1g"]["peak"]["sar"], s["sar_averages"]["10g"]["peak"]["sar"]);
  EXPECT_GT(s["tissues"]["gel"]["sar_max"], s["sar_averages"]["1g"]["peak"]["sar"]);
  expect_same_by_program(directory / "1" / "sar.vti", s["sar_averages"], "1 10");
  EXPECT_EQ(compared_limits(directory / "1"),
            (std::map<std::string, int>{{"peak SAR over 10 g", 2}, {"peak SAR over 1 g", 2}}));
}

TEST(MassAverageRuns, GridsAverageOnTheirOwnCells) {
  const auto directory = work("mass_average_grid");
  const Json s = run_on_ranks(directory, on_a_grid);
  ASSERT_TRUE(s.contains("sar_voxels"));
  EXPECT_EQ(s["sar_voxels"]["cells"], Json({12, 12, 12}));
  const Json& averages = s["sar_averages"];
  EXPECT_EQ(averages["0.2g"]["tissues"].size(), 2u);
  EXPECT_EQ(averages["0.2g"]["peak"]["tissue"], "gel");
  double mass = 0, grid = 0;
  for (const char* tissue : {"gel", "bone"}) {
    mass += s["tissues"][tissue]["mass_kg"].get<double>();
    grid += s["sar_voxels"]["tissues"][tissue]["mass_kg"].get<double>();
    const Json& voxels = s["sar_voxels"]["tissues"][tissue];
    EXPECT_NEAR(voxels["power_factor"], 1, 0.2);
    const double absorbed = s["tissues"][tissue]["absorbed_W"];
    EXPECT_NEAR(voxels["absorbed_W"], absorbed, 1e-6 * absorbed) << tissue;
  }
  EXPECT_NEAR(grid, mass, 1e-6 * mass);
  expect_same_by_program(directory / "1" / "sar.vti", averages, "0.2 1");
  // The case says that the model is a whole body: the mean over both tissues is compared with two limits.
  EXPECT_EQ(compared_limits(directory / "1"),
            (std::map<std::string, int>{{"whole-body mean SAR", 4}, {"peak SAR over 1 g", 2}}));
  double absorbed = 0;
  for (const char* tissue : {"gel", "bone"}) absorbed += s["tissues"][tissue]["absorbed_W"].get<double>();
  const Json report = Json::parse(content(directory / "1" / "report.json"));
  for (const Json& limit : report["limits"]) {
    if (limit["quantity"] != "whole-body mean SAR") continue;
    EXPECT_NEAR(limit["sar_W_per_kg"].get<double>(), absorbed / mass, 1e-6 * absorbed / mass);
  }
}

TEST(MassAverageRuns, BodiesMayBeTooLight) {
  const auto directory = work("mass_average_light");
  std::ofstream(directory / "a.cfg") << on_a_grid;
  const auto run =
      dgtd((directory / "a.cfg").string() + " --set sar.mass=100 --set output.directory=" + directory.string());
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("SAR 100g: no cube has this mass, so there is no average"), std::string::npos)
      << run.output;
  const auto s = summary(directory);
  EXPECT_TRUE(s["sar_averages"]["100g"]["peak"].is_null());
  EXPECT_GT(s["sar_averages"]["100g"]["voxels"]["no_cube"], 0);
}

TEST(MassAverageRuns, VoxelsMayBeTooMany) {
  const auto directory = work("mass_average_many");
  std::ofstream(directory / "a.cfg") << on_tetrahedra;
  expect_bad_input(
      dgtd((directory / "a.cfg").string() + " --dry-run --set sar.voxel=1e-5"),
      "sar.voxel = 1e-05 m: the box around the tissues has 1.25e+11 voxels, and at most 2e+09 are allowed; "
      "use at least 4e-05 m");
  const auto run = dgtd((directory / "a.cfg").string() + " --dry-run");
  EXPECT_NE(run.output.find("output: sar.vti with its pieces at most 176.0 kB"), std::string::npos) << run.output;
}

}  // namespace
