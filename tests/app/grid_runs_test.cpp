// Runs on grids in three dimensions, as a user starts them: ranks, sides, powers and SAR.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "app/program.hpp"

namespace {

TEST(GridRuns, GridCavityIsRightAndTheSameOnAnyNumberOfRanks) {
  const auto directory = work("grid_cavity");
  const std::string arguments = case_file("fdtd_cavity.cfg") + " --set output.directory=";
  const auto serial = dgtd(arguments + (directory / "1").string());
  ASSERT_EQ(serial.code, 0) << serial.output;
  const auto s = summary(directory / "1");
  EXPECT_LT(s["error"]["l2_E"], 1e-2);
  EXPECT_LT(std::abs(s["energy"]["relative_drift"].get<double>()), 1e-12);
  EXPECT_EQ(s["cells"], 8000);
  EXPECT_GT(s["performance"]["cell_steps_per_s"].get<double>(), 0);
  EXPECT_FALSE(s.contains("elements") || s.contains("order"));
  EXPECT_TRUE(fs::exists(directory / "1" / "fields.pvtr"));
  for (const int ranks : {2, 4}) {
    const auto at = directory / std::to_string(ranks);
    const auto run = dgtd_on(ranks, arguments + at.string());
    ASSERT_EQ(run.code, 0) << run.output;
    EXPECT_EQ(summary(at)["fields_hash"], s["fields_hash"]);
  }
}

// A sheet with a profile beside the case file, Bloch phases, a side of type mur: a run, and its resolved case again.
TEST(GridRuns, SheetBetweenBlochSidesRunsAgainFromItsResolvedCase) {
  const auto directory = work("sheet");
  std::ofstream(directory / "spot.csv") << "u,v,amplitude,phase\n-1,-1,1,0\n1,-1,1,0\n-1,1,1,0\n1,1,1,0\n";
  std::ofstream(directory / "a.cfg")
      << "[solver]\nmethod = fdtd3d\n[grid]\ncells = 8 8 40\nspacing = 1e-3\n[time]\nsteps = 60\n"
         "[boundary.xmin]\ntype = bloch\nk = 50\n[boundary.xmax]\ntype = bloch\nk = 50\n[boundary.ymin]\ntype = "
         "periodic\n[boundary.ymax]\ntype = periodic\n"
         "[boundary.zmin]\ntype = mur\n[material.metal]\nconductor = perfect\n[shape.s]\ntype = sphere\nmaterial = "
         "metal\nradius = 2e-3\n"
         "[source.s]\ntype = sheet\ncentre = 0 0 -5e-3\nsize = 1 1 0\npolarisation = 0 1 0\nprofile = "
         "spot.csv\nfrequency = 2e10\n"
         "[probe.p]\nposition = 0 0 -8e-3\n[dft]\nfrequencies = 2e10\nwindow = all\n";
  const auto first = dgtd((directory / "a.cfg").string());
  ASSERT_EQ(first.code, 0) << first.output;
  const auto out = directory / "out" / "a";
  EXPECT_TRUE(fs::exists(out / "fields.pvtr"));
  const auto second =
      dgtd_on(2, (out / "resolved.cfg").string() + " --set output.directory=" + (directory / "again").string());
  ASSERT_EQ(second.code, 0) << second.output;
  EXPECT_EQ(summary(directory / "again")["fields_hash"], summary(out)["fields_hash"]);
  fs::remove(directory / "spot.csv");
  const auto third = dgtd((directory / "a.cfg").string());
  expect_bad_input(third, "spot.csv: there is no such file");
}

TEST(GridRuns, GridRunWithDipoleHasPowersAndSar) {
  const auto directory = work("grid_dipole");
  std::ofstream(directory / "a.cfg")
      << "[solver]\nmethod = fdtd3d\n[grid]\ncells = 34 28 28\nspacing = 5e-3\npml = 6\n[time]\nfrequency = "
         "1.8e9\nperiods = 10\n"
         "[material.skin]\neps_r = 40\nsigma = 1.2\ndensity = 1100\n[material.water]\neps_r = 4\ndensity = 1000\npoles "
         "= debye 30 9e-12\n"
         "[shape.a]\ntype = sphere\nmaterial = skin\nradius = 0.03\n[shape.b]\ntype = sphere\nmaterial = water\nradius "
         "= 0.015\n"
         "[source.d]\ntype = dipole\nposition = 0.045 0 0\ndirection = 0 0 1\nwaveform = ramped-sine\n"
         "[dft]\nfrequencies = 1.8e9 3.6e9\n[sar]\nnormalise = emitted\npower = 0.25\n[output]\nfields = "
         "SAR\ndirectory = out\n";
  for (const int ranks : {1, 2}) {
    const auto run = dgtd_on(ranks, (directory / "a.cfg").string());
    ASSERT_EQ(run.code, 0) << run.output;
    EXPECT_NE(run.output.find("all tissues"), std::string::npos) << run.output;
    const auto s = summary(directory / "out");
    EXPECT_LT(std::abs(s["power"]["defect"].get<double>()), 2e-3);  // what is not yet steady
    const double factor = s["sar"]["factor"], source = s["power"]["source_W"], absorbed = s["power"]["absorbed_W"];
    EXPECT_NEAR(factor * source, 0.25, 1e-9);
    double sum = 0;
    for (const char* name : {"skin", "water"}) {
      const auto& t = s["tissues"][name];
      EXPECT_NEAR(t["sar_mean"].get<double>() * t["mass_kg"].get<double>(), t["absorbed_W"].get<double>(), 1e-9);
      EXPECT_GT(t["sar_max"], t["sar_mean"]);
      sum += t["absorbed_W"].get<double>();
    }
    EXPECT_NEAR(sum / (factor * absorbed), 1, 1e-6);
    // The dipole stands at +x, so the strongest cell is on that side, in the skin's outer cells.
    EXPECT_GT(s["tissues"]["skin"]["at"][0], 0.02);
    const auto absorbed_at = table(directory / "out" / "absorbed.csv");
    EXPECT_EQ(absorbed_at.head, "frequency_Hz,wavelength_m,(background)_W,skin_W,water_W");
    EXPECT_EQ(absorbed_at.rows.size(), 2u);
    EXPECT_NE(content(directory / "out" / "fields.pvtr").find("SAR_W_per_kg"), std::string::npos);
    EXPECT_EQ(s["sar"]["refers_to"], "at an emitted power of 0.25 W (mean over a period)");
    EXPECT_TRUE(s["steady_state"]["in_tissue"]);
    EXPECT_LT(s["steady_state"]["change_of_E"], 0.02);
    // Three planes through the largest SAR, three views of |E|.
    const auto report = nlohmann::json::parse(content(directory / "out" / "report.json"));
    ASSERT_EQ(report["pictures"].size(), 2u);
    for (const auto& picture : report["pictures"][0]["pictures"]) {
      const std::size_t axis = picture["plane"]["normal"].get<std::string>()[0] - 'x';
      EXPECT_EQ(picture["plane"]["position_m"], report["tissues"][1]["at_m"][axis]);
    }
    const std::string page = content(directory / "out" / "report.html");
    std::size_t images = 0;
    for (auto at = page.find("base64,iVBOR"); at != std::string::npos; at = page.find("base64,iVBOR", at + 1)) ++images;
    EXPECT_EQ(images, 6u);
    EXPECT_NE(content(directory / "out" / "fields_0.vtr").find("\"conventions\""), std::string::npos);
  }
}

TEST(GridRuns, DipoleAntennaCaseRuns) {
  const auto directory = work("antenna");
  const auto run =
      dgtd_on(2, case_file("dipole_antenna.cfg") + " --steps 50 --set output.directory=" + directory.string());
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_TRUE(fs::exists(directory / "flux_radiated.csv"));
  EXPECT_TRUE(fs::exists(directory / "probe_gap.csv"));
}

// A grid samples probes at the centres of cells, which the log and summary.json state.
TEST(GridRuns, PlacesOfProbesAreStated) {
  const auto directory = work("probe_places");
  std::ofstream(directory / "a.cfg")
      << "[solver]\nmethod = fdtd3d\n[grid]\ncells = 8 8 8\nspacing = 0.01\n[boundary.*]\ntype = pec\n[time]\nsteps = "
         "2\n[source.a]\ntype = dipole\nposition = 0 0 0\ndirection = 0 0 1\nfrequency = 1e9\n"
         "[probe.ear]\nposition = 0.011 0.024 -0.035\n[probe.centre]\nposition = 0.005 0.005 0.005\n";
  const std::string line =
      "probe ear: E and H at the centre of its cell, (15, 25, -35) mm, 4.12 mm from its position\n";
  for (const int ranks : {1, 3}) {
    const auto run = dgtd_on(ranks, (directory / "a.cfg").string());
    ASSERT_EQ(run.code, 0) << run.output;
    EXPECT_NE(run.output.find(line), std::string::npos) << run.output;
    EXPECT_EQ(run.output.find("probe centre"), std::string::npos) << run.output;
    const auto probes = summary(directory / "out" / "a")["probes"];
    ASSERT_EQ(probes.size(), 2u);
    EXPECT_EQ(probes[0]["name"], "ear");
    EXPECT_NEAR(probes[0]["sampled_at_m"][1].get<double>(), 0.025, 1e-12);
    EXPECT_NEAR(probes[0]["distance_m"].get<double>(), std::hypot(0.004, 0.001), 1e-12);
    EXPECT_NEAR(probes[1]["distance_m"].get<double>(), 0, 1e-12);
  }
  EXPECT_NE(dgtd((directory / "a.cfg").string() + " --dry-run").output.find(line), std::string::npos);
}

}  // namespace
