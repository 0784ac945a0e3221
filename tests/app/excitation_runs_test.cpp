// Cases with several excitations, as a user sees them, and the worst phases of their SAR.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "app/program.hpp"

namespace {

// A line along z between metal plates with a port at each end, both with a pulse.
constexpr const char* two_ports =
    "[solver]\nmethod = fdtd3d\nprecision = double\n[grid]\ncells = 2 2 30\nspacing = 1e-3\norigin = 0 0 0\n"
    "[boundary.*]\ntype = pmc\n[boundary.ymin]\ntype = pec\n[boundary.ymax]\ntype = pec\n"
    "[time]\nend = 2e-9\n"
    "[port.left]\ntype = lumped\ncentre = 1e-3 1e-3 0\nsize = 2e-3 2e-3 0\ndirection = 0 1 0\nimpedance = 100\n"
    "excite = 1\nfrequency = 3e9\nbandwidth = 3e9\nfrequencies = 1e9 3e9\n"
    "[port.right]\ntype = lumped\ncentre = 1e-3 1e-3 30e-3\nsize = 2e-3 2e-3 0\ndirection = 0 1 0\nimpedance = 200\n"
    "excite = 2\nfrequency = 3e9\nbandwidth = 3e9\nfrequencies = 1e9 3e9\n"
    "[excitation.first]\nsources = left\n[excitation.second]\nsources = right\n"
    "[excitation.both]\nsources = right, left\namplitudes = -0.5 2\n[output]\nfields = none\n";

fs::path write_excitations(const std::string& name, const std::string& text) {
  const fs::path directory = work(name);
  std::ofstream(directory / "run.cfg") << text << "directory = out\n";
  return directory;
}

std::string run_of(const fs::path& at, const std::string& more = "") { return (at / "run.cfg").string() + more; }

// Maxwell's equations and the circuits are linear, so voltages and currents add to rounding.
TEST(ExcitationRuns, AddLinearly) {
  const fs::path at = write_excitations("excitations_linear", two_ports);
  const auto run = dgtd(run_of(at));
  ASSERT_EQ(run.code, 0) << run.output;
  const auto rows = [&](const char* excitation, const char* port) {
    return table(at / "out" / excitation / ("port_" + std::string(port) + ".csv")).rows;
  };
  for (const char* port : {"left", "right"}) {
    const auto first = rows("excite_first", port), second = rows("excite_second", port),
               both = rows("excite_both", port);
    ASSERT_EQ(both.size(), 2u);
    for (std::size_t f = 0; f < 2; ++f)
      for (std::size_t i = 1; i <= 4; ++i) {
        const double scale = i < 3 ? std::hypot(both[f][1], both[f][2]) : std::hypot(both[f][3], both[f][4]);
        EXPECT_NEAR(both[f][i], 2 * first[f][i] - 0.5 * second[f][i], 1e-10 * scale) << port << f << i;
      }
  }
  const auto whole = summary(at / "out");
  EXPECT_EQ(whole["runs"],
            (nlohmann::json{{"first", "excite_first"}, {"second", "excite_second"}, {"both", "excite_both"}}));
  EXPECT_EQ(whole["excitations"]["both"], (nlohmann::json{{"right", -0.5}, {"left", 2}}));
  EXPECT_EQ(summary(at / "out" / "excite_first")["ports"]["right"]["resonances"], nlohmann::json());
  EXPECT_NE(content(at / "out" / "report.html").find("excite_both/report.html"), std::string::npos);
  EXPECT_NE(run.output.find("-0.5 x right, 2 x left"), std::string::npos) << run.output;

  // An excitation that is there is not repeated.
  fs::remove_all(at / "out" / "excite_second");
  const auto again = dgtd(run_of(at, " --restart"));
  ASSERT_EQ(again.code, 0) << again.output;
  EXPECT_NE(again.output.find("excitation first: complete in "), std::string::npos) << again.output;
  EXPECT_EQ(again.output.find("excitation second: complete in "), std::string::npos) << again.output;
  EXPECT_TRUE(fs::exists(at / "out" / "excite_second" / "summary.json"));
  expect_bad_input(
      dgtd(run_of(at, " --restart out/excite_first/checkpoint-1.h5")),
      "--restart: a case with [excitation.NAME] has several runs, each with checkpoints of its own; allowed "
      "is --restart without a file");
}

// The first of two ranks has the first and the last one of three runs.
TEST(ExcitationRuns, AreComputedAtOnceOnPartsOfTheRanks) {
  std::string text = two_ports;
  text.replace(text.find("end = 2e-9"), 10, "end = 2e-10");
  const fs::path at = write_excitations("excitations_at_once", text);
  ASSERT_EQ(dgtd(run_of(at)).code, 0);
  const auto one_by_one = dgtd_on(2, run_of(at, " --set output.directory=all"));
  ASSERT_EQ(one_by_one.code, 0) << one_by_one.output;
  EXPECT_NE(one_by_one.output.find("each run has all 2 ranks: solver.runs_at_once = 2 computes as many runs at once"),
            std::string::npos)
      << one_by_one.output;
  const auto run = dgtd_on(2, run_of(at, " --set output.directory=once --set solver.runs_at_once=5"));
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("2 runs at once, on 1 of 2 ranks each"), std::string::npos) << run.output;
  EXPECT_EQ(run.output.find("excitation second:"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("excitation both:"), std::string::npos) << run.output;
  for (const char* excitation : {"excite_first", "excite_second", "excite_both"}) {
    for (const char* directory : {"all", "once"})
      EXPECT_EQ(summary(at / directory / excitation)["fields_hash"], summary(at / "out" / excitation)["fields_hash"])
          << directory << excitation;
    EXPECT_EQ(content(at / "once" / excitation / "port_left.csv"), content(at / "out" / excitation / "port_left.csv"));
    EXPECT_EQ(summary(at / "once" / excitation)["ranks"], 1);
  }
  EXPECT_EQ(summary(at / "once")["runs"], summary(at / "out")["runs"]);

  // An excitation that is there is not repeated, also by other parts.
  fs::remove_all(at / "once" / "excite_second");
  const auto again = dgtd_on(2, run_of(at, " --set output.directory=once --set solver.runs_at_once=2 --restart"));
  ASSERT_EQ(again.code, 0) << again.output;
  EXPECT_NE(again.output.find("excitation first: complete in "), std::string::npos) << again.output;
  EXPECT_TRUE(fs::exists(at / "once" / "excite_second" / "summary.json"));
}

// A run that fails on one part ends all ranks.
TEST(ExcitationRuns, EndTogetherWhereOneOfThemFails) {
  const fs::path at = write_excitations("excitations_at_once_fail", two_ports);
  fs::create_directories(at / "out");
  std::ofstream(at / "out" / "excite_second") << "a file in the place of the folder\n";
  const auto run = dgtd_on(2, run_of(at, " --set solver.runs_at_once=2"));
  EXPECT_NE(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("excite_second"), std::string::npos) << run.output;
}

TEST(ExcitationRuns, AreCheckedBeforeTheyStart) {
  const fs::path at = write_excitations("excitations_errors", two_ports);
  const auto expect = [&](const std::string& set, const std::string& message) {
    expect_bad_input(dgtd(run_of(at, " --dry-run" + set)), message);
  };
  expect(" --set excitation.first.sources=middle",
         "there is no source.middle and no port.middle; allowed are left, right");
  expect(" --set 'excitation.first.sources=left, left'", "left is named twice");
  expect(" --set excitation.both.amplitudes=1", "must be 2 numbers, one for each of right, left");
  expect(" --set 'excitation.both.amplitudes=1 0'", "must not be 0; a source that is not named does not send");
  expect(" --set sparameters.excite=all --set 'sparameters.frequencies=1e9 3e9'",
         "a case has [sparameters] or [excitation.NAME], which are runs of their own, and not both");
  std::string passive = two_ports;
  const std::string sends = "excite = 2\nfrequency = 3e9\nbandwidth = 3e9\n";
  passive.erase(passive.find(sends), sends.size());
  expect_bad_input(dgtd(run_of(write_excitations("excitations_passive", passive), " --dry-run")),
                   "port.right has no excite");
  const auto dry = dgtd(run_of(at, " --dry-run"));
  EXPECT_EQ(dry.code, 0) << dry.output;
  EXPECT_NE(dry.output.find("one run per excitation, in excite_first, excite_second, excite_both\n"), std::string::npos)
      << dry.output;
}

// Elements are sized for the highest frequency of all sources, and small around all dipoles, in each run; a refinement
// of the case around a dipole stays its own.
TEST(ExcitationRuns, HaveOneMeshOfShapes) {
  const auto at = write_excitations(
      "excitations_mesh",
      "[solver]\nmethod = dgtd\norder = 1\n[domain]\norigin = -60 -60 -60 mm\nsize = 120 120 120 mm\n[mesh]\n"
      "generator = shapes\nper_wavelength = 5\n[boundary.*]\ntype = silver-muller\n[material.glass]\neps_r = 4\n"
      "[shape.body]\ntype = box\nmaterial = glass\nsize = 40 40 40 mm\n"
      "[source.low]\ntype = dipole\nposition = -40 0 0 mm\ndirection = 0 0 1\nfrequency = 0.9 GHz\n"
      "[source.high]\ntype = dipole\nposition = 40 0 0 mm\ndirection = 0 0 1\nfrequency = 2.7 GHz\n"
      "[refine.around_low]\ncentre = -40 0 0 mm\nsize = 4 4 4 mm\nspacing = 4 mm\n"
      "[excitation.low]\nsources = low\n[excitation.high]\nsources = high\n[time]\nsteps = 2\n[output]\n"
      "fields = none\n");
  for (const int ranks : {1, 2}) {
    const auto run = ranks == 1 ? dgtd(run_of(at)) : dgtd_on(ranks, run_of(at));
    ASSERT_EQ(run.code, 0) << run.output;
    const auto low = summary(at / "out" / "excite_low"), high = summary(at / "out" / "excite_high");
    EXPECT_EQ(low["elements"], high["elements"]);
    EXPECT_EQ(low["mesh"], high["mesh"]);
    EXPECT_GT(low["elements"].get<int>(), 1000);  // of the low frequency alone there are far fewer
  }
  const auto again = dgtd((at / "out" / "excite_low" / "resolved.cfg").string() + " --dry-run");
  EXPECT_EQ(again.code, 0) << again.output;
}

struct WorstPhasesStudy {
  fs::path at;                             // of the case
  nlohmann::json found;                    // worst_phases.json
  double peak_of(const char* run) const {  // over 10 g, of a direct run, W/kg
    return summary(at / "out" / run)["sar_averages"]["10g"]["peak"]["sar"].get<double>();
  }
};

std::string dipole_at(const std::string& name, const std::string& place) {
  return "[source." + name + "]\ntype = dipole\nposition = " + place +
         " mm\ndirection = 0 0 1\nwaveform = ramped-sine\n";
}
constexpr const char* muscle = "[material.muscle]\neps_r = 50\nsigma = 1.2\ndensity = 1050\n";
constexpr const char* each_and_opposite =
    "[excitation.a]\nsources = a\n[excitation.b]\nsources = b\n[excitation.opposite]\nsources = a, b\n"
    "amplitudes = 1 -1\n";

std::string study_of(const fs::path& at, const std::string& options) {
  return "PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 " + project_file("scripts/studies/worst_phases.py") + " " +
         (at / "out").string() + " --bin " + fs::path(dgtd_program()).parent_path().string() + options;
}

// The worst phases are those of the matrix, its eigenvalue bounds them, and no others are worse.
void expect_worst(const nlohmann::json& found) {
  const auto of = [&](const char* name) { return found[name]["sar_W_per_kg"].get<double>(); };
  const double worst = of("worst_phases");
  EXPECT_NEAR(found["worst_phases"]["peak"]["sar_W_per_kg"].get<double>(), worst, 1e-4 * worst);
  EXPECT_LE(worst, of("largest_eigenvalue") * (1 + 1e-6));
  EXPECT_GE(worst * (1 + 1e-6), of("in_phase"));
  EXPECT_GE(worst * (1 + 1e-6), found["weights"]["peak"]["sar_W_per_kg"].get<double>());
}

bool can_study_phases() {
  return shell("/usr/bin/python3 -c 'import numpy'").code == 0 &&
         fs::exists(fs::path(dgtd_program()).parent_path() / "dgtd-sar");
}

// Two dipoles beside an ellipsoid of tissue, each alone and both in opposite phases. The study has E at the centres of
// cells, whose SAR is a mean over the cell: 2 % with 12 cells per wavelength in the tissue, falling with their square.
TEST(WorstPhases, AreThoseOfADirectRun) {
  if (!can_study_phases()) GTEST_SKIP() << "there is no NumPy or no dgtd-sar";
  WorstPhasesStudy study;
  study.at = write_excitations(
      "worst_phases", "[solver]\nmethod = fdtd3d\n[grid]\ncells = 56 52 40\nspacing = 4 mm\npml = 6\n" +
                          std::string(muscle) +
                          "[shape.body]\ntype = ellipsoid\nmaterial = muscle\nradii = 40 36 40 mm\n" +
                          dipole_at("a", "-80 10 0") + dipole_at("b", "20 -74 10") + each_and_opposite +
                          "[time]\nfrequency = 0.9 GHz\nperiods = 10\n[sar]\nmass = 10\n[output]\nfields = E SAR\n"
                          "report_pictures = off\n");
  const auto run = dgtd(run_of(study.at));
  ASSERT_EQ(run.code, 0) << run.output;
  const auto outcome = shell(study_of(study.at, " --weights a=1 b=1:180"));
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  study.found = nlohmann::json::parse(content(study.at / "out" / "worst_phases.json"));
  const auto& found = study.found;
  EXPECT_NEAR(found["alone"]["a"]["sar_W_per_kg"].get<double>(), study.peak_of("excite_a"),
              1e-5 * study.peak_of("excite_a"));
  EXPECT_NEAR(found["weights"]["peak"]["sar_W_per_kg"].get<double>(), study.peak_of("excite_opposite"),
              0.02 * study.peak_of("excite_opposite"));
  expect_worst(found);
}

// On tetrahedra SAR and E are both those of the voxels' centres, so that sums of fields are those of a direct run but
// for the factor of the tissue's power on voxels, which each run has for itself: 1.01 to 1.02 here. Few elements and periods:
// superposition does not need a converged or steady field. A scan has the worst phases within half a step of 10
// degrees, 1 - cos 5 degrees of what depends on them.
TEST(WorstPhases, AreThoseOfADirectRunOnTetrahedra) {
  if (!can_study_phases()) GTEST_SKIP() << "there is no NumPy or no dgtd-sar";
  WorstPhasesStudy study;
  const std::string text =
      "[solver]\nmethod = dgtd\norder = 1\n[domain]\norigin = -80 -70 -60 mm\nsize = 160 130 120 mm\n[mesh]\n"
      "generator = shapes\nper_wavelength = 2.5\n[boundary.*]\ntype = silver-muller\n" +
      std::string(muscle) + "[shape.body]\ntype = box\nmaterial = muscle\ncentre = 0 10 0 mm\nsize = 50 32 40 mm\n" +
      dipole_at("a", "-40 -30 0") + dipole_at("b", "45 -10 15") + each_and_opposite +
      "[time]\nfrequency = 0.9 GHz\nperiods = 4\n[sar]\nmass = 10\nvoxel = 2 mm\n";
  const std::string output = "[output]\nfields = SAR\nreport_pictures = off\n",
                    monitor =
                        "[monitor.electric]\ntype = box\ncentre = 0 10 0 mm\nsize = 50 32 40 mm\n"
                        "spacing = 2 mm\nfields = E\nfrequencies = 0.9 GHz\n";
  study.at = write_excitations("worst_phases_tetrahedra", text + monitor + output);
  const auto run = dgtd(run_of(study.at));
  ASSERT_EQ(run.code, 0) << run.output;
  const auto outcome = shell(study_of(study.at, " --weights a=1 b=1:180 --scan 10"));
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  study.found = nlohmann::json::parse(content(study.at / "out" / "worst_phases.json"));
  const auto& found = study.found;
  for (const char* name : {"a", "b"}) {
    const double direct = study.peak_of((std::string("excite_") + name).c_str());
    EXPECT_NEAR(found["alone"][name]["sar_W_per_kg"].get<double>(), direct, 1e-5 * direct);
  }
  EXPECT_NEAR(found["weights"]["peak"]["sar_W_per_kg"].get<double>(), study.peak_of("excite_opposite"),
              0.01 * study.peak_of("excite_opposite"));
  expect_worst(found);
  const double worst = found["worst_phases"]["sar_W_per_kg"], scanned = found["scan"]["peak"]["sar_W_per_kg"];
  EXPECT_LE(scanned, worst * (1 + 1e-5));
  EXPECT_GT(scanned, worst * std::cos(5 * M_PI / 180));
  EXPECT_GT(std::abs(found["worst_phases"]["phases_deg"]["b"].get<double>()), 10);  // not those of equal phases

  for (const char* name : {"a", "b"})
    for (const auto& file : fs::directory_iterator(study.at / "out" / (std::string("excite_") + name)))
      if (file.path().filename().string().starts_with("monitor_")) fs::remove(file.path());
  const auto without = shell(study_of(study.at, ""));
  EXPECT_NE(without.code, 0);
  EXPECT_NE(without.output.find("[monitor.electric]\ntype = box\ncentre = 0 0.01 0\nsize = 0.05 0.032 0.04\n"
                                "spacing = 0.002\n"),
            std::string::npos)
      << without.output;
}

}  // namespace
