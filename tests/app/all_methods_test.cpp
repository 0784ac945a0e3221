// Common properties of all methods, as a user runs them: the files at the end, their rows and keys, named timers, and
// observers that leave the fields as they are.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "app/program.hpp"

namespace {

struct SmallCase {
  const char* name;
  const char* text;     // the case without output
  const char* observe;  // everything that may be sampled
};

const SmallCase small_cases[] = {
    {"dgtd",
     "[solver]\norder = 1\n[mesh]\ngenerator = box\ncells = 3 3 3\nsize = 0.3 0.3 0.3\n[time]\nfrequency = "
     "1e9\nperiods = 3\n[material.body]\neps_r = 2\nsigma = 0.05\ndensity = 1000\n[boundary.*]\ntype = silver-muller\n"
     "[source.d]\ntype = dipole\nposition = 0.16 0.15 0.14\ndirection = 0 0 1\nwaveform = ramped-sine\n",
     "[probe.p]\nposition = 0.1 0.1 0.1\nevery = 3\n[dft]\nfrequencies = 1e9 2e9\n"},
    {"fdtd3d",
     "[solver]\nmethod = fdtd3d\n[grid]\ncells = 20 20 20\nspacing = 5e-3\npml = 5\n[time]\nfrequency = 3e9\nperiods = "
     "3\n[material.skin]\neps_r = 4\nsigma = 0.5\ndensity = 1000\n[shape.s]\ntype = sphere\nmaterial = skin\nradius = "
     "0.015\n[source.d]\ntype = dipole\nposition = 0.02 0 0\ndirection = 0 0 1\nwaveform = ramped-sine\n",
     "[probe.p]\nposition = 0.01 0.01 0.01\nevery = 3\n[flux.f]\ntype = box\nsize = 0.04 0.04 0.04\nfrequencies = "
     "3e9\n[far_field.g]\n"
     "size = 0.045 0.045 0.045\nfrequencies = 2e9 3e9\ntheta = 5\nphi = 4\n[monitor.m]\ntype = box\nsize = 0.02 0.02 "
     "0.02\nfrequencies = 3e9\n"},
    {"fdtd2d",
     "[solver]\nmethod = fdtd2d\n[grid]\ncells = 60 50\nspacing = 5e-3\npml = 5\n[time]\nsteps = 203\n[source.d]\ntype "
     "= dipole\nposition = 0.0025 0\ndirection = 0 0 1\nwaveform = modulated-gaussian\nfrequency = 3e9\nbandwidth = "
     "2e9\n",
     "[probe.p]\nposition = 0.01 0.01\nevery = 7\n[flux.f]\ntype = box\nsize = 0.1 0.1\nfrequencies = "
     "3e9\n[monitor.m]\ntype = "
     "box\nsize = 0.02 0.02\nfrequencies = 3e9\n[dft]\nfrequencies = 3e9\nwindow = all\n"},
    {"fdtd1d",
     "[solver]\nmethod = fdtd1d\n[grid]\ncells = 200\nspacing = 5e-3\npml = 10\n[time]\nsteps = 203\n[source.s]\ntype "
     "= "
     "sheet\ncentre = -0.2\nsize = 0\npolarisation = 0 0 1\nwaveform = modulated-gaussian\nfrequency = 3e9\nbandwidth "
     "= "
     "2e9\n",
     "[probe.p]\nposition = 0.1\nevery = 7\n[dft]\nfrequencies = 3e9\nwindow = all\n"},
    {"subdomains",
     "[solver]\nmethod = fdtd1d-subdomains\nsubdomains = 2\nreflections = 1\n[grid]\ncells = 200\nspacing = 5e-3\npml "
     "= "
     "10\n[time]\nsteps = 203\n[source.s]\ntype = sheet\ncentre = -0.2\nsize = 0\npolarisation = 0 0 1\nwaveform = "
     "modulated-gaussian\nfrequency = 3e9\nbandwidth = 2e9\n",
     "[probe.p]\nposition = 0.1\nevery = 7\n"},
    {"hpf2d",
     "[solver]\nmethod = hpf2d\n[grid]\ncells = 60 50\nspacing = 5e-3\n[boundary.*]\ntype = mur\n[time]\nsteps = "
     "203\n[source.d]\ntype = dipole\nposition = 0 0\ndirection = 0 0 1\nwaveform = modulated-gaussian\nfrequency = "
     "3e9\nbandwidth = 2e9\n",
     "[probe.p]\nposition = 0.01 0.01\nevery = 7\n[dft]\nfrequencies = 3e9\nwindow = all\n"},
};

std::vector<std::int64_t> energy_steps(const fs::path& directory) {
  std::ifstream file(directory / "energy.csv");
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "step,t_s,energy_J,source_work_J");
  std::vector<std::int64_t> steps;
  while (std::getline(file, line)) steps.push_back(std::stoll(line));
  return steps;
}

class AllMethods : public testing::TestWithParam<SmallCase> {};

TEST_P(AllMethods, WriteEnergiesSummaryAndReport) {
  const auto& small = GetParam();
  const auto directory = work(std::string("all_") + small.name);
  std::ofstream(directory / "a.cfg") << small.text << small.observe << "[output]\ndirectory = out\n";
  const auto run = dgtd((directory / "a.cfg").string());
  ASSERT_EQ(run.code, 0) << run.output;
  const auto out = directory / "out";
  for (const char* file : {"energy.csv", "summary.json", "report.html", "resolved.cfg", "probe_p.csv"})
    EXPECT_TRUE(fs::exists(out / file)) << file;
  // Pages open without a network.
  EXPECT_EQ(content(out / "report.html").find("http"), std::string::npos);
  const auto s = summary(out);
  const auto steps = energy_steps(out);
  ASSERT_GE(steps.size(), 2u);
  EXPECT_EQ(steps.front(), 0);
  EXPECT_EQ(steps.back(), s["steps"].get<std::int64_t>());
  for (std::size_t i = 1; i + 1 < steps.size(); ++i) EXPECT_EQ(steps[i], std::int64_t(i) * steps[1]);
  EXPECT_GT(s["energy"]["last_J"].get<double>(), 0);
  EXPECT_EQ(s["fields_hash"].get<std::string>().size(), 16u);
  for (const char* stage :
       {"start", "start/load", "start/mpi", "read", "device", "discretise", "setup", "loop", "loop/step",
        "loop/halo_wait", "loop/observers", "output", "output/bandwidth", "output/hash", "output/page", "total"})
    EXPECT_GE(s["timers"][stage].get<double>(), 0) << stage;
  EXPECT_LE(s["timers"]["loop/step"].get<double>(), s["timers"]["loop"].get<double>());
  constexpr double tick = 0.02;  // s, of the process' start
  double parts = tick;
  for (const char* stage : {"start", "setup", "loop", "output"}) parts += s["timers"][stage].get<double>();
  EXPECT_GE(s["timers"]["total"].get<double>() + 2 * tick, parts);
  EXPECT_NE(run.output.find("loop/observers"), std::string::npos) << run.output;
}

TEST_P(AllMethods, HaveTheSameFieldsWithAndWithoutObservers) {
  const auto& small = GetParam();
  const auto directory = work(std::string("observed_") + small.name);
  std::ofstream(directory / "plain.cfg") << small.text << "[output]\nfields = none\n";
  const std::string snapshots =
      std::string(small.name) == "subdomains" ? "" : "[output]\nevery = 10\nenergy_interval = 3\n";
  std::ofstream(directory / "all.cfg") << small.text << small.observe << snapshots;
  const auto plain = dgtd((directory / "plain.cfg").string() + " --set output.directory=" + (directory / "p").string()),
             all = dgtd((directory / "all.cfg").string() + " --set output.directory=" + (directory / "a").string());
  ASSERT_EQ(plain.code, 0) << plain.output;
  ASSERT_EQ(all.code, 0) << all.output;
  EXPECT_EQ(summary(directory / "p")["fields_hash"], summary(directory / "a")["fields_hash"]);
  EXPECT_EQ(summary(directory / "p")["steps"], summary(directory / "a")["steps"]);
}

std::set<std::string> names_in(const fs::path& directory) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory)) names.insert(entry.path().filename().string());
  return names;
}

// Cases that make the files that the small ones do not have.
const char* const more_files[] = {
    "[solver]\norder = 1\n[mesh]\ngenerator = box\ncells = 3 3 3\nsize = 0.3 0.3 0.3\n[time]\nfrequency = 1e9\nperiods "
    "= 3\n[material.body]\neps_r = 2\nsigma = 0.05\ndensity = 1000\n[boundary.*]\ntype = silver-muller\n[source.d]\n"
    "type = dipole\nposition = 0.16 0.15 0.14\ndirection = 0 0 1\nwaveform = ramped-sine\n[dft]\nfrequencies = 1e9 "
    "2e9\n"
    "[monitor.m]\ntype = box\nsize = 0.2 0.2 0.2\ncentre = 0.15 0.15 0.15\nfrequencies = 1e9 2e9\n[sar]\nmass = 1\n"
    "voxel = 0.005\n[output]\nevery = 20\n",
    "[solver]\nmethod = fdtd3d\n[grid]\ncells = 20 20 20\nspacing = 5e-3\npml = 5\n[time]\nfrequency = 3e9\nperiods = "
    "3\n[material.skin]\neps_r = 4\nsigma = 0.5\ndensity = 1000\n[shape.s]\ntype = sphere\nmaterial = skin\nradius = "
    "0.015\n[source.d]\ntype = dipole\nposition = 0.02 0 0\ndirection = 0 0 1\nwaveform = ramped-sine\n[dft]\n"
    "frequencies = 3e9 6e9\n[sar]\nmass = 1\n[snapshot.b]\ntimes = 1e-10\nfiles = vtk npy\n[output]\nevery = 20\n",
};

// A run into a directory that has results of every kind of every method leaves those of its own and what is not dgtd's.
TEST(ResultFiles, OfRunsOfAllMethodsAreRemovedByAnyRun) {
  const auto directory = work("all_results");
  std::set<std::string> extensions, names;
  std::vector<fs::path> runs;
  const auto run = [&](const std::string& text) {
    const auto name = std::to_string(runs.size());
    std::ofstream(directory / (name + ".cfg")) << text;
    const auto done =
        dgtd((directory / (name + ".cfg")).string() + " --set output.directory=" + (directory / name).string());
    ASSERT_EQ(done.code, 0) << done.output;
    runs.push_back(directory / name);
    for (const std::string& file : names_in(runs.back())) {
      names.insert(file);
      extensions.insert(fs::path(file).extension().string());
    }
  };
  for (const auto& small : small_cases) run(std::string(small.text) + small.observe);
  for (const char* text : more_files) run(text);
  for (const auto& at : runs) {
    std::set<std::string> described{"dgtd-files.txt"};
    const auto index = nlohmann::json::parse(content(at / "files.json"));
    for (const auto& file : index.at("files")) {
      const std::string name = file.at("name"), kind = file.at("kind");
      described.insert(name);
      for (const std::string piece : file.at("pieces")) described.insert(piece);
      EXPECT_NE(kind, "other") << name;
      const bool has_values = kind != "page" && kind != "numbers" && kind != "case";
      EXPECT_EQ(!file.at("axes").empty(), has_values) << name;
      EXPECT_EQ(!file.at("arrays").empty(), has_values && kind != "series") << name;
      if (kind != "table") continue;
      std::multiset<std::string> columns, wanted;
      std::ifstream table(at / name);
      std::string head, column;
      std::getline(table, head);
      for (std::istringstream words(head); std::getline(words, column, ',');) wanted.insert(column);
      for (const char* part : {"axes", "arrays"})
        for (const auto& item : file.at(part)) columns.insert(item.at("name"));
      EXPECT_EQ(columns, wanted) << name;
    }
    EXPECT_EQ(described, names_in(at));
  }
  // All kinds are there that a user may find.
  EXPECT_EQ(extensions, (std::set<std::string>{".cfg", ".csv", ".html", ".json", ".npy", ".pvd", ".pvtr", ".pvtu",
                                               ".txt", ".vti", ".vtr", ".vtu"}));
  for (const char* file : {"report.json", "sar.vti", "absorbed.csv", "far_g_total.csv", "flux_f.csv", "snapshots.pvd",
                           "monitor_m.pvd", "monitor_m_0002_0.vtr", "result_0.vtu", "fields_0.vtr"})
    EXPECT_TRUE(names.contains(file)) << file;
  const auto own = [](const fs::path& in) {
    for (const char* name : {"notes.txt", "fields_of_mine.vtr", "probe_mine.csv"}) std::ofstream(in / name) << "mine";
    fs::create_directory(in / "folder");
  };
  const std::set<std::string> mine{"notes.txt", "fields_of_mine.vtr", "probe_mine.csv", "folder"};
  // Each run into the directory of each kind of run before, of which the last is of all: a list of all its files.
  const fs::path all = directory / "all";
  fs::create_directories(all);
  std::string list;
  for (const auto& before : runs) {
    for (const std::string& name : names_in(before))
      fs::copy_file(before / name, all / name, fs::copy_options::overwrite_existing);
    const std::string of_run = content(before / "dgtd-files.txt");
    list += list.empty() ? of_run : of_run.substr(of_run.find('\n') + 1);
  }
  std::ofstream(all / "dgtd-files.txt") << list;
  own(all);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const fs::path to = directory / ("over_" + std::to_string(r));
    fs::copy(all, to, fs::copy_options::recursive);
    const auto done =
        dgtd((directory / (std::to_string(r) + ".cfg")).string() + " --set output.directory=" + to.string());
    ASSERT_EQ(done.code, 0) << done.output;
    std::set<std::string> expected = names_in(runs[r]);
    expected.insert(mine.begin(), mine.end());
    EXPECT_EQ(names_in(to), expected) << r;
    for (const std::string& name : {std::string("notes.txt"), std::string("probe_mine.csv")})
      EXPECT_EQ(content(to / name), "mine");
  }
}

TEST(ResultFiles, AreListedAtTheEndOfARun) {
  const auto directory = work("listed_results");
  std::ofstream(directory / "a.cfg") << more_files[0];
  const auto run = dgtd((directory / "a.cfg").string() + " --set output.directory=" + (directory / "out").string());
  ASSERT_EQ(run.code, 0) << run.output;
  for (const char* line : {"results in ", "  report.html", "open it in a browser", "  result.pvtu", "ParaView",
                           "  monitor_m.pvd, snapshots.pvd", "  sar.vti", "  files.json, report.json, summary.json"})
    EXPECT_NE(run.output.find(line), std::string::npos) << line << run.output;
  EXPECT_EQ(run.output.find("result_0.vtu"), std::string::npos);
  EXPECT_EQ(run.output.find("monitor_m_0001.pvtr"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Methods, AllMethods, testing::ValuesIn(small_cases),
                         [](const auto& instance) { return std::string(instance.param.name); });

// energy_interval at and beyond the number of steps, and one that does not divide it.
TEST(Dgtd, EnergiesAreSampledAtTheIntervalAndAtTheEnd) {
  const auto directory = work("energy_rows");
  const std::string arguments =
      case_file("cavity.cfg") + " --steps 25 --set output.fields=none --set output.directory=";
  for (const auto& [interval, expected] :
       {std::pair<int, std::vector<std::int64_t>>{10, {0, 10, 20, 25}}, {25, {0, 25}}, {100, {0, 25}}}) {
    const auto at = directory / std::to_string(interval);
    const auto run = dgtd(arguments + at.string() + " --set output.energy_interval=" + std::to_string(interval));
    ASSERT_EQ(run.code, 0) << run.output;
    EXPECT_EQ(energy_steps(at), expected);
  }
}

}  // namespace
