// Runs that their fields end, as a user sees them.
#include <gtest/gtest.h>

#include <fstream>

#include "app/program.hpp"

namespace {

constexpr const char* lossy_box =
    "[solver]\norder = 1\n[mesh]\ngenerator = box\ncells = 3 3 3\nsize = 0.3 0.3 0.3\n[time]\nend = steady\n"
    "frequency = 1e9\ntolerance = 0.001\n[material.body]\neps_r = 2\nsigma = 0.05\ndensity = 1000\n"
    "[boundary.*]\ntype = silver-muller\n[source.d]\ntype = dipole\nposition = 0.16 0.15 0.14\ndirection = 0 0 1\n"
    "waveform = ramped-sine\n[output]\ndirectory = out\n";

constexpr const char* plane =
    "[solver]\nmethod = hpf2d\n[grid]\ncells = 40 30\nspacing = 5e-3\n[boundary.*]\ntype = mur\n[time]\nend = steady\n"
    "frequency = 3e9\n[source.d]\ntype = dipole\nposition = 0 0\ndirection = 0 0 1\nwaveform = ramped-sine\n[output]\n"
    "directory = out\n";

constexpr const char* pulse =
    "[solver]\nmethod = fdtd1d\n[grid]\ncells = 200\nspacing = 5e-3\npml = 10\n[time]\nend = decayed\n[source.s]\n"
    "type = sheet\ncentre = -0.2\nsize = 0\npolarisation = 0 0 1\nwaveform = modulated-gaussian\nfrequency = 3e9\n"
    "bandwidth = 2e9\n[flux.f]\ntype = plane\ncentre = 0.2\nsize = 0\nfrequencies = 2e9 3e9 4e9\n[output]\n"
    "directory = out\n";

fs::path write_case(const std::string& name, const std::string& text) {
  const fs::path directory = work(name);
  std::ofstream(directory / "run.cfg") << text;
  return directory;
}

std::string to(const fs::path& directory) { return " --set output.directory=" + directory.string(); }

void expect_steady(const fs::path& at) {
  const auto run = dgtd((at / "run.cfg").string());
  ASSERT_EQ(run.code, 0) << run.output;
  const auto s = summary(at / "out");
  const auto& end = s["run_end"];
  const auto steps = s["steps"].get<std::int64_t>();
  EXPECT_EQ(end["reason"], "steady");
  EXPECT_EQ(double(steps), end["periods"].get<double>() * s["steps_per_period"].get<double>());
  EXPECT_LE(end["largest_change"].get<double>(), end["tolerance"].get<double>());
  EXPECT_NE(run.output.find("the run is steady after "), std::string::npos) << run.output;
  // The same run by its number of steps has the same fields, sums and powers.
  const auto again = dgtd((at / "run.cfg").string() + " --set time.steps=" + std::to_string(steps) + to(at / "again"));
  ASSERT_EQ(again.code, 0) << again.output;
  const auto same = summary(at / "again");
  EXPECT_EQ(same["fields_hash"], s["fields_hash"]);
  EXPECT_EQ(same["power"], s["power"]);
  EXPECT_EQ(same["tissues"], s["tissues"]);
  EXPECT_TRUE(same["run_end"].is_null());
  for (const char* file : {"result_0.vtu", "fields.vtr", "fields_0.vtr"})
    EXPECT_TRUE(content(at / "out" / file) == content(at / "again" / file)) << file;
  EXPECT_TRUE(fs::exists(at / "out" / "result_0.vtu") || fs::exists(at / "out" / "fields.pvtr"));
}

TEST(RunEnd, SnapshotsAfterAnEarlyEndAreNamed) {
  const fs::path at = write_case("end_before_snapshots", pulse);
  const auto run =
      dgtd((at / "run.cfg").string() +
           " --set snapshot.s.times='1 ns 100 ns 200 ns' --set snapshot.never.times='100 ns'" + to(at / "out"));
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("snapshot.s: times: 100 ns, 200 ns are after the end of the run at "), std::string::npos)
      << run.output;
  EXPECT_NE(run.output.find("snapshot.never: times: 100 ns is after the end of the run at "), std::string::npos);
  EXPECT_NE(run.output.find(", which its fields have ended, and not written\n"), std::string::npos);
  EXPECT_NE(content(at / "out" / "report.html").find("which its fields have ended"), std::string::npos);
}

TEST(RunEnd, SteadyOnTetrahedraHasWhatARunOfAsManyStepsHas) { expect_steady(write_case("end_steady", lossy_box)); }
TEST(RunEnd, SteadyWithoutMeasuredPowers) { expect_steady(write_case("end_steady_hpf", plane)); }

TEST(RunEnd, DecayedHasTheSpectraOfALongerRun) {
  const auto at = write_case("end_decayed", pulse);
  const auto run = dgtd((at / "run.cfg").string());
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("the run is decayed after "), std::string::npos) << run.output;
  const auto s = summary(at / "out");
  EXPECT_EQ(s["run_end"]["reason"], "decayed");
  EXPECT_LE(s["run_end"]["energy_dB"].get<double>(), -50);
  const auto steps = 3 * s["steps"].get<std::int64_t>();
  ASSERT_EQ(dgtd((at / "run.cfg").string() + " --set time.steps=" + std::to_string(steps) + to(at / "long")).code, 0);
  const auto ended = table(at / "out" / "flux_f.csv").rows, longer = table(at / "long" / "flux_f.csv").rows;
  ASSERT_EQ(ended.size(), 3u);
  for (std::size_t i = 0; i < ended.size(); ++i) EXPECT_NEAR(ended[i][2] / longer[i][2], 1, 0.005) << i;
}

TEST(RunEnd, AtMostIsAWarningWithTheFigureReached) {
  const auto at = write_case("end_at_most", pulse);
  const auto run = dgtd((at / "run.cfg").string() + " --set time.at_most=3e-9");
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("warning: time.at_most is reached before the run is decayed, after "), std::string::npos)
      << run.output;
  EXPECT_NE(run.output.find(" dB of its largest, and time.decay = -50 dB; a longer time.at_most"), std::string::npos)
      << run.output;
  const auto s = summary(at / "out");
  EXPECT_EQ(s["run_end"]["reason"], "at_most");
  EXPECT_GT(s["run_end"]["energy_dB"].get<double>(), -50);
}

TEST(RunEnd, DryRunStatesTheMostSteps) {
  const auto at = write_case("end_dry", lossy_box);
  const auto run = dgtd((at / "run.cfg").string() + " --dry-run");
  EXPECT_NE(run.output.find(", at most "), std::string::npos) << run.output;
  EXPECT_NE(run.output.find(" per period, until E changes by less than 0.1 % from period to period"), std::string::npos)
      << run.output;
}

// On other ranks, from a checkpoint within a period and from one of a run that has ended.
TEST(RunEnd, ContinuedRunsEndAtTheSameStep) {
  const struct {
    const char *name, *text, *interval;
  } cases[] = {{"steady", lossy_box, "27"}, {"decayed", pulse, "120"}};
  for (const auto& c : cases) {
    const auto at = write_case(std::string("end_continued_") + c.name, c.text);
    const std::string start = (at / "run.cfg").string() + " --set checkpoint.keep=100 --set checkpoint.at_end=on";
    const auto whole = dgtd(start + " --set checkpoint.steps=" + c.interval);
    ASSERT_EQ(whole.code, 0) << whole.output;
    const auto s = summary(at / "out");
    const auto last = s["steps"].get<std::int64_t>(), interval = std::stol(c.interval);
    for (const std::int64_t step : {last / 3 / interval * interval, (last - 1) / interval * interval, last}) {
      ASSERT_GT(step, 0);
      const fs::path out = at / ("from_" + std::to_string(step));
      const auto run =
          dgtd_on(step == last ? 1 : 2, start + to(out) + " --restart " +
                                            (at / "out" / ("checkpoint-" + std::to_string(step) + ".h5")).string());
      ASSERT_EQ(run.code, 0) << run.output;
      const auto continued = summary(out);
      EXPECT_EQ(continued["steps"], s["steps"]) << c.name << step;
      EXPECT_EQ(continued["fields_hash"], s["fields_hash"]) << c.name << step;
      EXPECT_EQ(continued["run_end"]["reason"], c.name) << step;
      EXPECT_EQ(continued["run_end"]["periods"], s["run_end"]["periods"]) << step;
      EXPECT_EQ(content(out / "energy.csv").size() > 0, true);
    }
  }
}

}  // namespace
