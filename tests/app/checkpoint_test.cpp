// Continued runs as a user sees them: the same fields, spectra and files as a run that was never stopped.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <regex>
#include <thread>

#include "app/program.hpp"

namespace {

struct CheckpointCase {
  const char* name;
  const char* interval;  // steps between checkpoints
  const char* text;      // empty: the smallest head, with local time steps
};

void PrintTo(const CheckpointCase& c, std::ostream* out) { *out << c.name; }

constexpr const char* box =
    "[mesh]\ngenerator = box\ncells = 3 4 3\nsize = 0.3 0.4 0.3\n[material.body]\neps_r = 2\nsigma = 0.05\n"
    "density = 1000\n[boundary.*]\ntype = silver-muller\n[source.d]\ntype = dipole\nposition = 0.16 0.15 0.14\n"
    "direction = 0 0 1\nwaveform = ramped-sine\n[probe.p]\nposition = 0.1 0.1 0.1\nevery = 3\n";

// Together they have every array that a checkpoint keeps.
const CheckpointCase cases[] = {
    {"dgtd_local_steps", "16", ""},
    {"dgtd_p1", "7",
     "[solver]\norder = 1\n[time]\nfrequency = 1e9\nperiods = 3\n[dft]\nfrequencies = 1e9 2e9\n[output]\nevery = 40\n"
     "[flux.f]\ntype = box\ncentre = 0.15 0.2 0.15\nsize = 0.2 0.3 0.2\nfrequencies = 0.7e9 1e9\n[monitor.m]\n"
     "type = box\ncentre = 0.1 0.1 0.1\nsize = 0.1 0.1 0.1\nspacing = 0.02\nfrequencies = 1.1e9\n"},
    {"dgtd_p2_wave", "7",
     "[solver]\norder = 2\nprecision = double\n[time]\nfrequency = 1e9\nperiods = 2\n[source.w]\ntype = plane-wave\n"
     "direction = 0 0 1\npolarisation = 1 0 0\nfrequency = 1e9\n[dft]\nwindow = all\n"
     "[far_field.g]\ncentre = 0.15 0.2 0.15\nsize = 0.2 0.3 0.2\nfrequencies = 1e9 2e9\ntheta = 5\nphi = 4\n"},
    {"dgtd_total_field_wave", "7",
     "[solver]\norder = 2\n[time]\nfrequency = 1e9\nperiods = 2\n[source.w]\ntype = plane-wave\ndirection = 0 0 1\n"
     "polarisation = 1 0 0\nwaveform = ramped-sine\nbox_min = 0.1 0.1 0.1\nbox_max = 0.2 0.3 0.2\n"},
    {"fdtd3d", "37",
     "[solver]\nmethod = fdtd3d\n[grid]\ncells = 24 20 22\nspacing = 5e-3\npml = 5\n[time]\nfrequency = 3e9\nperiods = "
     "3\n[material.skin]\neps_r = 4\nsigma = 0.5\ndensity = 1000\n[material.gold]\neps_r = 6\npoles = drude 2e10 1e9, "
     "debye 2 1e-11, lorentz 1e10 2e10 1e9\n[shape.s]\ntype = sphere\nmaterial = skin\nradius = "
     "0.015\n[shape.g]\ntype = sphere\nmaterial = gold\nradius = 0.01\ncentre = 0.02 0.02 0\n[source.d]\ntype = "
     "dipole\nposition = 0.02 0 0\ndirection = 0 0 1\nwaveform = ramped-sine\n[probe.p]\nposition = 0.01 0.01 "
     "0.01\nevery = 3\n[flux.f]\ntype = box\nsize = 0.04 0.04 0.04\nfrequencies = 3e9\n[far_field.g]\nsize = 0.045 "
     "0.045 0.045\nfrequencies = 2e9 3e9\ntheta = 5\nphi = 4\n[monitor.m]\ntype = box\nsize = 0.02 0.02 "
     "0.02\nfrequencies = 3e9\n[monitor.p]\ntype = plane\nsize = 0.02 0.02 0\nfrequencies = 3e9\n"},
    {"fdtd3d_half", "37",
     "[solver]\nmethod = fdtd3d\nprecision = half\n[grid]\ncells = 24 20 22\nspacing = 5e-3\npml = "
     "5\n[time]\nfrequency = 3e9\nperiods = 5\n[material.skin]\neps_r = 4\nsigma = 0.5\n[shape.s]\ntype = "
     "sphere\nmaterial = skin\nradius = 0.015\n[source.d]\ntype = dipole\nposition = 0.02 0 0\ndirection = 0 0 "
     "1\nwaveform = ramped-sine\n[probe.p]\nposition = 0.01 0.01 0.01\nevery = 3\n[flux.f]\ntype = box\nsize = 0.04 "
     "0.04 0.04\nfrequencies = 3e9\n[output]\nevery = 100\n"},
    {"fdtd2d_passes", "37",
     "[solver]\nmethod = fdtd2d\n[grid]\ncells = 60 50\nspacing = 5e-3\npml = 5\n[time]\nsteps = 403\n[source.d]\ntype "
     "= dipole\nposition = 0.0025 0\ndirection = 0 0 1\nwaveform = modulated-gaussian\nfrequency = 3e9\nbandwidth = "
     "2e9\n[probe.p]\nposition = 0.01 0.01\nevery = 7\n[flux.f]\ntype = box\nsize = 0.1 0.1\nfrequencies = "
     "3e9\n[dft]\nfrequencies = 3e9\nwindow = all\n"},
    {"fdtd2d_bloch", "37",
     "[solver]\nmethod = fdtd2d\n[grid]\ncells = 30 40\nspacing = 5e-3\npml = 5\n[boundary.xmin]\ntype = bloch\nphase "
     "= 0.3\n[boundary.xmax]\ntype = bloch\nphase = 0.3\n[boundary.*]\ntype = cpml\n[time]\nsteps = 203\n[source.d]\n"
     "type = dipole\nposition = 0.0025 0\ndirection = 0 0 1\nwaveform = modulated-gaussian\nfrequency = "
     "3e9\nbandwidth = 2e9\n[probe.p]\nposition = 0.01 0.01\nevery = 7\n[dft]\nfrequencies = 3e9\nwindow = all\n"},
    {"fdtd1d", "137",
     "[solver]\nmethod = fdtd1d\n[grid]\ncells = 400\nspacing = 5e-3\npml = 10\n[time]\nsteps = 803\n[source.s]\ntype "
     "= sheet\ncentre = -0.2\nsize = 0\npolarisation = 0 0 1\nwaveform = modulated-gaussian\nfrequency = "
     "3e9\nbandwidth = 2e9\n[probe.p]\nposition = 0.1\nevery = 7\n[dft]\nfrequencies = 3e9\nwindow = all\n"},
    {"hpf2d", "137",
     "[solver]\nmethod = hpf2d\n[grid]\ncells = 60 50\nspacing = 5e-3\n[boundary.*]\ntype = mur\n[time]\nsteps = "
     "1403\n[source.d]\ntype = dipole\nposition = 0 0\ndirection = 0 0 1\nwaveform = modulated-gaussian\nfrequency = "
     "3e9\nbandwidth = 2e9\n[probe.p]\nposition = 0.01 0.01\nevery = 7\n[dft]\nfrequencies = 3e9\nwindow = all\n"},
    {"dgtd_poles", "7", "[solver]\norder = 1\n[time]\nfrequency = 1e9\nperiods = 3\n"},
};

// Plane waves enter through a lossless medium.
std::string text_of(const CheckpointCase& c) {
  const std::string name = c.name;
  std::string text = name.starts_with("dgtd") ? std::string(c.text) + box : c.text;
  const std::string loss = "sigma = 0.05\n";
  if (name.ends_with("poles"))
    text.insert(text.find(loss), "poles = debye 2 2e-10, drude 2e9 1e9, lorentz 3e9 5e9 1e9\n");
  if (name.ends_with("wave")) text.erase(text.find(loss), loss.size());
  return text;
}

fs::path write_case(const fs::path& directory, const std::string& text) {
  std::ofstream(directory / "run.cfg") << text;
  return directory / "run.cfg";
}

std::string set(const std::string& key, const std::string& value) { return fmt::format(" --set {}={}", key, value); }

/// Steps of the checkpoints in a directory, ascending.
std::vector<long> checkpoints(const fs::path& directory) {
  std::vector<long> steps;
  std::smatch found;
  for (const auto& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (std::regex_match(name, found, std::regex("checkpoint-([0-9]+)\\.h5"))) steps.push_back(std::stol(found[1]));
  }
  std::sort(steps.begin(), steps.end());
  return steps;
}

std::vector<std::string> results(const fs::path& directory, const std::string& pattern) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory))
    if (const std::string name = entry.path().filename().string(); std::regex_match(name, std::regex(pattern)))
      names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

void expect_same_bytes(const fs::path& a, const fs::path& b, const std::string& pattern) {
  EXPECT_EQ(results(a, pattern), results(b, pattern));
  for (const auto& name : results(a, pattern)) EXPECT_TRUE(content(a / name) == content(b / name)) << name;
}

class Checkpoints : public testing::TestWithParam<CheckpointCase> {
 protected:
  // A run that leaves several checkpoints in directory/whole.
  void run_whole(int ranks) {
    directory_ = work(fmt::format("checkpoint_{}_{}", GetParam().name, ranks));
    case_ = write_case(directory_, text_of(GetParam()));
    arguments_ = (*GetParam().text == 0 ? head() : case_.string()) + set("output.energy_interval", "20");
    const auto run = on(ranks, set("checkpoint.steps", GetParam().interval) + set("checkpoint.keep", "1000") +
                                   set("output.directory", (directory_ / "whole").string()));
    ASSERT_EQ(run.code, 0) << run.output;
    steps_ = checkpoints(directory_ / "whole");
    ASSERT_GE(steps_.size(), 2u) << run.output;
  }
  static std::string head() {
    return case_file("head_m0.cfg") + set("solver.order", "1") + set("mesh.file", head_mesh().string()) +
           set("time.local_steps", "on") + set("output.fields", "none") + " --steps 40";
  }
  Outcome on(int ranks, const std::string& further) {
    return ranks == 1 ? dgtd(arguments_ + further) : dgtd_on(ranks, arguments_ + further);
  }
  // A continuation of its own directory, which starts with all files of the whole run: rows behind the checkpoint are
  // those of a killed run.
  fs::path continued(long step, int ranks) {
    const fs::path to = directory_ / fmt::format("from_{}_on_{}", step, ranks);
    fs::copy(directory_ / "whole", to, fs::copy_options::recursive);
    fs::remove(to / "summary.json");
    fs::remove(to / "energy.csv");
    const auto run = on(ranks, set("output.directory", to.string()) +
                                   fmt::format(" --restart {}/whole/checkpoint-{}.h5", directory_.string(), step));
    EXPECT_EQ(run.code, 0) << run.output;
    EXPECT_NE(run.output.find(fmt::format("checkpoint-{}.h5: step {}, t = ", step, step)), std::string::npos)
        << run.output;
    return to;
  }

  fs::path directory_, case_;
  std::string arguments_;
  std::vector<long> steps_;
};

const std::string tables = ".*\\.csv", fields = ".*\\.(vtu|vtr|pvtu|pvtr|pvd)";

TEST_P(Checkpoints, ContinueExactly) {
  run_whole(1);
  for (const long step : {steps_[(steps_.size() - 1) / 2], steps_.back()}) {
    const auto to = continued(step, 1);
    const auto a = summary(directory_ / "whole"), b = summary(to);
    EXPECT_EQ(a["fields_hash"], b["fields_hash"]) << step;
    for (const char* key : {"power", "tissues", "energy", "steps", "dt_s", "dft_frequencies_Hz", "sar"})
      EXPECT_EQ(a[key], b[key]) << key << " from step " << step;
    EXPECT_TRUE(b["interrupted"].is_null());
    EXPECT_EQ(b["continued_at_step"], step);
    expect_same_bytes(directory_ / "whole", to, tables);
    expect_same_bytes(directory_ / "whole", to, fields);
  }
}

class CheckpointsOnRanks : public Checkpoints {};

// Fields are the same to the bit, sums over ranks to rounding.
TEST_P(CheckpointsOnRanks, ContinueOnAnotherNumberOfRanks) {
  using Ranks = std::vector<std::pair<int, int>>;
  const bool large = *GetParam().text == 0;
  for (const auto& [before, after] : large ? Ranks{{1, 2}} : Ranks{{1, 3}, {4, 2}}) {
    run_whole(before);
    const auto to = continued(steps_.back(), after);
    const auto a = summary(directory_ / "whole"), b = summary(to);
    EXPECT_EQ(a["fields_hash"], b["fields_hash"]) << before << " to " << after;
    expect_same_bytes(directory_ / "whole", to, "probe_.*\\.csv");
    for (const auto& name : results(directory_ / "whole", tables)) {
      const Table whole = table(directory_ / "whole" / name), parts = table(to / name);
      ASSERT_EQ(whole.rows.size(), parts.rows.size()) << name;
      for (std::size_t c = 0; !whole.rows.empty() && c < whole.rows[0].size(); ++c) {
        double largest = 0;
        for (const auto& row : whole.rows) largest = std::max(largest, std::abs(row[c]));
        for (std::size_t r = 0; r < whole.rows.size(); ++r)
          EXPECT_NEAR(whole.rows[r][c], parts.rows[r][c], 1e-5 * largest) << name << ", row " << r << ", column " << c;
      }
    }
  }
}

std::string name_of(const testing::TestParamInfo<CheckpointCase>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Methods, Checkpoints, testing::ValuesIn(cases), name_of);
INSTANTIATE_TEST_SUITE_P(Methods, CheckpointsOnRanks,
                         testing::Values(cases[0], cases[2], cases[3], cases[4], cases[5], cases[8], cases[9]),
                         name_of);

const std::string small = std::string("[solver]\norder = 1\n[time]\nsteps = 400\nfrequency = 1e9\n") + box;

TEST(Restart, ContinuesALongerRunAndRefusesOtherPhysics) {
  const auto directory = work("checkpoint_longer");
  const std::string arguments =
      write_case(directory, small).string() + set("output.energy_interval", "20") + set("output.fields", "none");
  const auto out = [&](const char* name) { return set("output.directory", (directory / name).string()); };
  const auto first = dgtd(arguments + out("parts") + set("time.steps", "100") + set("checkpoint.at_end", "on"));
  ASSERT_EQ(first.code, 0) << first.output;
  EXPECT_EQ(checkpoints(directory / "parts"), (std::vector<long>{100}));
  for (const auto& [key, value] :
       {std::pair{"solver.order", "2"}, std::pair{"material.body.eps_r", "3"}, std::pair{"solver.precision", "double"},
        std::pair{"source.d.moment", "2"}, std::pair{"mesh.cells", "3 3 3"}, std::pair{"boundary.*.type", "pec"}}) {
    const auto refused = dgtd(arguments + out("parts") + fmt::format(" --set '{}={}' --restart", key, value));
    expect_bad_input(refused, fmt::format("{} is '{}', and in ", key, value));
    expect_bad_input(refused, "a continued run cannot change it");
  }
  const auto too_short = dgtd(arguments + out("parts") + set("time.steps", "90") + " --restart");
  expect_bad_input(too_short, "is of step 100, and the run ends at step 90");
  const auto second = dgtd(arguments + out("parts") + " --restart"), whole = dgtd(arguments + out("whole"));
  ASSERT_EQ(second.code, 0) << second.output;
  ASSERT_EQ(whole.code, 0) << whole.output;
  EXPECT_EQ(summary(directory / "parts")["fields_hash"], summary(directory / "whole")["fields_hash"]);
  expect_same_bytes(directory / "parts", directory / "whole", tables);
}

TEST(Restart, TakesTheOlderOneOfADamagedCheckpoint) {
  const auto directory = work("checkpoint_damaged");
  const std::string arguments = write_case(directory, small).string() + set("output.fields", "none") +
                                set("output.directory", (directory / "out").string());
  ASSERT_EQ(dgtd(arguments + set("time.steps", "60") + set("checkpoint.at_end", "on")).code, 0);
  ASSERT_EQ(dgtd(arguments + set("time.steps", "120") + set("checkpoint.at_end", "on") + " --restart").code, 0);
  EXPECT_EQ(checkpoints(directory / "out"), (std::vector<long>{60, 120}));
  std::string bytes = content(directory / "out/checkpoint-120.h5");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 4);
  std::ofstream(directory / "out/checkpoint-120.h5", std::ios::binary) << bytes;
  const auto run = dgtd(arguments + " --restart");
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("checkpoint-120.h5: is damaged"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("checkpoint-60.h5: step 60"), std::string::npos) << run.output;
  EXPECT_TRUE(fs::exists(directory / "out/checkpoint-120.h5.old"));

  std::ofstream(directory / "out/checkpoint-60.h5", std::ios::binary) << "nothing";
  expect_bad_input(dgtd(arguments + " --restart"), "there is no whole checkpoint");
}

// The probe's rows before the checkpoint are taken from its directory.
// The first run has an energy at its last step, which is no multiple of the interval.
TEST(Restart, ContinuesInAnotherDirectory) {
  const auto directory = work("checkpoint_elsewhere");
  const std::string arguments = write_case(directory, small).string() + set("output.fields", "none");
  const auto out = [&](const char* name) { return set("output.directory", (directory / name).string()); };
  const auto steps = [&](const char* last) { return set("time.steps", last); };
  ASSERT_EQ(dgtd(arguments + out("first") + steps("60") + set("checkpoint.at_end", "on")).code, 0);
  ASSERT_EQ(dgtd(arguments + out("whole") + steps("120")).code, 0);
  const std::string from = " --restart " + (directory / "first/checkpoint-60.h5").string();
  const auto second = dgtd(arguments + out("second") + steps("120") + from);
  ASSERT_EQ(second.code, 0) << second.output;
  EXPECT_EQ(summary(directory / "second")["fields_hash"], summary(directory / "whole")["fields_hash"]);
  expect_same_bytes(directory / "second", directory / "whole", tables);

  for (const auto& name : results(directory / "first", "probe_.*")) fs::remove(directory / "first" / name);
  const auto third = dgtd(arguments + out("third") + steps("120") + from);
  expect_bad_input(third, "probe_p.csv: the rows before the checkpoint, ");
  expect_bad_input(third, "continue in the output directory of the run that wrote it, or copy this table from there");
}

TEST(Restart, StartsAtTheBeginningWithoutACheckpointAndSetsOthersAside) {
  const auto directory = work("checkpoint_none");
  const std::string arguments = write_case(directory, small).string() + set("output.fields", "none") +
                                set("output.directory", (directory / "out").string()) + set("checkpoint.at_end", "on") +
                                set("time.steps", "20");
  const auto first = dgtd(arguments + " --restart");
  EXPECT_EQ(first.code, 0) << first.output;
  EXPECT_NE(first.output.find("has no checkpoint: the run starts at the beginning"), std::string::npos) << first.output;
  const auto again = dgtd(arguments + set("time.steps", "10"));
  EXPECT_EQ(again.code, 0) << again.output;
  EXPECT_TRUE(fs::exists(directory / "out/checkpoint-20.h5.old"));
  EXPECT_EQ(checkpoints(directory / "out"), (std::vector<long>{10}));
}

// A profile whose values are beyond what single precision can have as a field. The energy is sampled at steps 0, 3, 6,
// ...; the fields overflow at step 7 or 8.
TEST(Unstable, RunsNameTheLastGoodCheckpoint) {
  const auto directory = work("checkpoint_unstable");
  const fs::path out = directory / "out";
  std::ofstream(directory / "strong.txt") << "-1 -1 1e38\n1 -1 1e38\n-1 1 1e38\n1 1 1e38\n";
  const std::string arguments =
      write_case(directory,
                 "[solver]\nmethod = fdtd3d\n[grid]\ncells = 24 20 22\nspacing = 5e-3\npml = 5\n[time]\nfrequency = "
                 "3e9\nperiods = 3\n[source.s]\ntype = sheet\ncentre = 0 0 0\nsize = 1 1 0\npolarisation = 0 1 0\n"
                 "profile = strong.txt\nwaveform = ramped-sine\n")
          .string() +
      set("output.energy_interval", "3") + set("output.fields", "none") + set("checkpoint.keep", "9") +
      set("output.directory", out.string());
  const auto expect = [&](const Outcome& run, const std::string& end) {
    EXPECT_EQ(run.code, 4) << run.output;
    const std::string begin = "unstable at step 9, t = 81.0811 ps: the fields contain NaN or infinity; worst is cell ";
    EXPECT_NE(run.output.find(begin), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("stronger than solver.precision can hold: smaller amplitudes; " + end + "\n"),
              std::string::npos)
        << run.output;
  };
  expect(dgtd(arguments), "there is no checkpoint");
  expect(dgtd(arguments + set("checkpoint.steps", "4")),
         fmt::format("the last good checkpoint is {}/checkpoint-4.h5 of step 4, t = 36.036 ps", out.string()));
  expect(dgtd_on(2, arguments + set("checkpoint.steps", "3")),
         fmt::format("the last good checkpoint is {}/checkpoint-6.h5 of step 6, t = 54.0541 ps", out.string()));
  // One that was written between the last good energy and the next sample.
  expect(dgtd(arguments + set("checkpoint.steps", "7")),
         "no checkpoint is good: the oldest is of step 7, the last good energy of 6");
}

/// A run that is sent a signal half a second after it began.
Outcome signalled(const fs::path& directory, const std::string& arguments, const std::string& actions) {
  return shell(
      fmt::format("sh -c '{} {} & pid=$!; while [ ! -e {}/resolved.cfg ]; do sleep 0.05; done; sleep 0.5; {}; "
                  "wait $pid; exit $?'",
                  DGTD_PROGRAM_FILE, arguments, directory.string(), actions));
}

/// More than any machine computes before the signal comes.
constexpr long endless = 100'000'000;

std::string steps(long count) { return set("time.steps", std::to_string(count)); }

TEST(Interrupted, RunsWriteResultsAndContinueExactly) {
  const auto directory = work("checkpoint_signals");
  const std::string arguments = write_case(directory, small).string() + set("output.energy_interval", "20") +
                                set("output.fields", "none") + set("checkpoint.every", "0.4");
  for (const std::string way : {"TERM", "INT", "USR2", "stop"}) {
    const fs::path out = directory / way, whole = directory / ("whole_" + way);
    const std::string to = arguments + set("output.directory", out.string());
    const auto stopped = signalled(out, to + steps(endless),
                                   way == "stop" ? "touch " + (out / "stop").string() : "kill -" + way + " $pid");
    ASSERT_EQ(stopped.code, 6) << stopped.output;
    const std::string cause = way == "stop" ? "the file stop" : "SIG" + way;
    EXPECT_NE(stopped.output.find("interrupted by " + cause), std::string::npos) << stopped.output;
    const auto s = summary(out);
    const long last = s["steps"].get<long>();
    EXPECT_EQ(s["interrupted"], fmt::format("{} at step {}", cause, last));
    EXPECT_GT(last, 0);
    EXPECT_LT(last, endless);
    EXPECT_NE(content(out / "report.html").find("interrupted by " + cause), std::string::npos);
    EXPECT_TRUE(s["power"]["source_W"].is_null());
    EXPECT_FALSE(table(out / "energy.csv").rows.empty());
    EXPECT_FALSE(fs::exists(out / "stop"));
    EXPECT_EQ(checkpoints(out).back(), last);
    if (way != "TERM" && way != "stop") continue;
    const auto rest = dgtd(to + steps(last + 200) + " --restart");
    EXPECT_EQ(rest.code, 0) << rest.output;
    const auto at_once = dgtd(arguments + steps(last + 200) + set("output.directory", whole.string()));
    EXPECT_EQ(at_once.code, 0) << at_once.output;
    EXPECT_EQ(summary(out)["fields_hash"], summary(whole)["fields_hash"]);
    EXPECT_TRUE(summary(out)["interrupted"].is_null());
    expect_same_bytes(whole, out, tables);
  }
}

TEST(Interrupted, ASignalForACheckpointDoesNotEndTheRun) {
  const auto directory = work("checkpoint_usr1");
  const fs::path out = directory / "out";
  const std::string arguments = write_case(directory, small).string() + steps(endless) + set("output.fields", "none") +
                                set("output.directory", out.string());
  const std::string until_there_is_one = fmt::format(
      "n=0; while [ $n -lt 400 ] && ! ls {}/checkpoint-*.h5 > {}/found 2>&1; do sleep 0.05; n=$((n+1)); done",
      out.string(), directory.string());
  const auto run = signalled(out, arguments, "kill -USR1 $pid; " + until_there_is_one + "; sleep 0.2; kill -TERM $pid");
  EXPECT_EQ(run.code, 6) << run.output;
  const auto written = checkpoints(out);
  ASSERT_EQ(written.size(), 2u) << run.output;
  EXPECT_LT(written[0], written[1]);
}

TEST(Interrupted, RunsEndBeforeTheirWalltime) {
  const auto directory = work("checkpoint_walltime");
  const auto run = dgtd(write_case(directory, small).string() + steps(endless) + set("checkpoint.walltime", "3") +
                        set("output.fields", "none") + set("output.directory", (directory / "out").string()));
  EXPECT_EQ(run.code, 6) << run.output;
  EXPECT_NE(run.output.find("interrupted by checkpoint.walltime = 3 s"), std::string::npos) << run.output;
  EXPECT_EQ(checkpoints(directory / "out").size(), 1u);
}

// Six kills by SIGKILL, each some time after the run began to take steps; checkpoints are written all the time.
TEST(Killed, RunsContinueExactly) {
  const auto directory = work("checkpoint_kills");
  const std::string arguments = write_case(directory, small).string() + set("time.steps", "40000") +
                                set("output.energy_interval", "20") + set("output.fields", "none") +
                                set("checkpoint.every", "0.02");
  const auto whole = dgtd(arguments + set("output.directory", (directory / "whole").string()));
  ASSERT_EQ(whole.code, 0) << whole.output;
  const auto timers = summary(directory / "whole")["timers"];
  const double loop = timers["loop"], before = timers["total"].get<double>() - timers["output"].get<double>() - loop;
  const fs::path out = directory / "out";
  const std::string to = arguments + set("output.directory", out.string()) + " --restart";
  int kills = 0;
  for (int i = 0; i < 20 && kills < 6; ++i) {
    const double seconds = before + loop * (0.05 + 0.037 * (i * 7 % 11));
    const auto run = shell(fmt::format("timeout -s KILL {:.3f} {} {}", seconds, DGTD_PROGRAM_FILE, to));
    if (run.code == 0) break;
    kills += fs::exists(out) && !checkpoints(out).empty();
  }
  EXPECT_GE(kills, 2);
  const auto rest = dgtd(to);
  EXPECT_EQ(rest.code, 0) << rest.output;
  EXPECT_EQ(summary(out)["fields_hash"], summary(directory / "whole")["fields_hash"]);
  expect_same_bytes(directory / "whole", out, tables);
}

}  // namespace
