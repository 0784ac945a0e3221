// Runs on tetrahedra, as a user starts them: ranks, threads, kernels, powers, shipped heads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

#include "app/program.hpp"

namespace {

TEST(MeshRuns, CavityIsRightAndTheSameOnAnyNumberOfRanksAndThreads) {
  const auto directory = work("cavity");
  const std::string arguments = case_file("cavity.cfg") + " --set output.directory=";
  const auto serial = dgtd(arguments + (directory / "1").string());
  ASSERT_EQ(serial.code, 0) << serial.output;
  const auto s = summary(directory / "1");
  EXPECT_LT(s["error"]["l2_E"], 5e-3);
  EXPECT_LT(s["error"]["l2_H"], 5e-3);
  EXPECT_LT(std::abs(s["energy"]["relative_drift"].get<double>()), 1e-12);
  EXPECT_EQ(s["elements"], 3072);
  for (const int ranks : {2, 3, 4}) {
    const auto at = directory / std::to_string(ranks);
    const auto run = dgtd_on(ranks, arguments + at.string());
    ASSERT_EQ(run.code, 0) << run.output;
    EXPECT_EQ(summary(at)["fields_hash"], s["fields_hash"]);
    EXPECT_EQ(summary(at)["dt_s"], s["dt_s"]);
  }
  const auto threads = dgtd(arguments + (directory / "t").string() + " --set solver.threads=2");
  ASSERT_EQ(threads.code, 0) << threads.output;
  EXPECT_EQ(summary(directory / "t")["fields_hash"], s["fields_hash"]);
}

TEST(MeshRuns, ShippedHeadCasesRunOnTheSmallMesh) {
  const auto directory = work("head");
  for (const char* name : {"head_m0.cfg", "head_m1.cfg", "head_m2.cfg", "head_m3.cfg"}) {
    const auto run =
        dgtd_on(2, case_file(name) + " --steps 4 --set mesh.level=m0 --set mesh.file=" + head_mesh().string() +
                       " --set output.directory=" + (directory / name).string());
    ASSERT_EQ(run.code, 0) << run.output;
    EXPECT_TRUE(fs::exists(directory / name / "result.pvtu"));
    EXPECT_EQ(summary(directory / name)["steps"], 4);
  }
}

TEST(MeshRuns, RealHeadCaseRuns) {
  const std::string mesh = data_file("meshes/ny_head_phone_coarse.msh");
  if (!fs::exists(mesh)) GTEST_SKIP() << "no file " << mesh;
  const auto run = dgtd_on(2, case_file("head_real_coarse.cfg") + " --steps 2 --set mesh.file=" + mesh +
                                  " --set output.directory=" + work("real").string());
  EXPECT_EQ(run.code, 0) << run.output;
}

// A mesh file of somebody else: its folder stays as it is unless the case says so, and lines name the real path.
TEST(MeshRuns, CompactFileIsWhereTheCaseSays) {
  const auto directory = work("compact");
  fs::copy_file(head_mesh(), directory / "head.msh");
  std::ofstream(directory / "a.cfg")
      << "[mesh]\nfile = head.msh\n[time]\nfrequency = 1.8e9\nperiods = 1\n[material.*]\neps_r = 1\n"
         "[boundary.metal]\ntype = pec\n[boundary.absorbing]\ntype = silver-muller\n"
         "[source.feed]\ntype = dipole\nposition = 0.097 0 0.011\ndirection = 0 0 1\nwaveform = ramped-sine\n";
  const std::string arguments = (directory / "a.cfg").string() + " --dry-run";
  auto run = dgtd(arguments);
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("mesh: /dev/null/dgtd/head.msh."), std::string::npos) << run.output;  // the tests' "cache"
  EXPECT_NE(run.output.find(".compact cannot be written: Not a directory; later runs read head.msh again"),
            std::string::npos)
      << run.output;
  EXPECT_FALSE(fs::exists(directory / "head.msh.compact"));
  const std::string beside = (directory / "head.msh.compact").string();
  run = dgtd(arguments + " --set mesh.cache=beside");
  EXPECT_NE(run.output.find("mesh: head.msh was read and is kept as " + beside + " for later runs"), std::string::npos)
      << run.output;
  run = dgtd(arguments + " --set mesh.cache=beside");
  EXPECT_NE(run.output.find("mesh: head.msh is taken from " + beside), std::string::npos) << run.output;
}

TEST(MeshRuns, DipoleRunHasPowersProbesAndSar) {
  const auto directory = work("dipole");
  std::ofstream(directory / "a.cfg")
      << "[mesh]\ngenerator = box\ncells = 4 4 4\nsize = 0.4 0.4 0.4\n[time]\nfrequency = 1e9\nperiods = 8\n"
         "[material.body]\neps_r = 2\nsigma = 0.05\ndensity = 1000\n[boundary.*]\ntype = silver-muller\n"
         "[source.feed]\ntype = dipole\nposition = 0.21 0.2 0.19\ndirection = 0 0 1\nwaveform = ramped-sine\n"
         "[probe.p]\nposition = 0.1 0.1 0.1\nevery = 10\n[sar]\nnormalise = emitted\n[output]\nevery = 100\n";
  const auto run = dgtd((directory / "a.cfg").string());
  ASSERT_EQ(run.code, 0) << run.output;
  const auto at = directory / "out" / "a";
  const auto s = summary(at);
  EXPECT_GT(s["power"]["source_W"], 0);
  EXPECT_GT(s["power"]["absorbed_W"], 0);
  EXPECT_GT(s["power"]["outflow_W"], 0);
  EXPECT_LT(std::abs(s["power"]["defect"].get<double>()), 0.05);
  EXPECT_NEAR(s["tissues"]["body"]["mass_kg"].get<double>(), 64, 1e-9);
  for (const char* file :
       {"probe_p.csv", "energy.csv", "report.html", "report.json", "resolved.cfg", "result.pvtu", "snapshots.pvd"})
    EXPECT_TRUE(fs::exists(at / file)) << file;
  EXPECT_NE(content(at / "report.html").find("<image x="), std::string::npos);
  EXPECT_LT(s["steady_state"]["change_of_E"], 0.02);
}

// Pictures may be switched off; a run of one period cannot say whether it is steady.
TEST(MeshRuns, ReportWithoutPicturesAndConvergence) {
  const auto directory = work("no_pictures");
  std::ofstream(directory / "a.cfg")
      << "[solver]\norder = 1\n[mesh]\ngenerator = box\ncells = 3 3 3\nsize = 0.03 0.03 0.03\n[time]\nfrequency = "
         "1e9\nperiods = 1\n[material.body]\ntissue = muscle\n[boundary.*]\ntype = silver-muller\n"
         "[source.feed]\ntype = dipole\nposition = 0.016 0.015 0.014\ndirection = 0 0 1\nwaveform = ramped-sine\n"
         "[output]\nreport_pictures = off\n";
  const auto run = dgtd((directory / "a.cfg").string());
  ASSERT_EQ(run.code, 0) << run.output;
  const auto at = directory / "out" / "a";
  const auto report = nlohmann::json::parse(content(at / "report.json"));
  EXPECT_TRUE(report["pictures"].empty());
  EXPECT_TRUE(report["steady_state"].is_null());
  EXPECT_EQ(report["materials"][0]["density_kg_per_m3"], 1090);
  EXPECT_EQ(report["materials"][0]["source"], "Gabriel 1996 (Muscle)");
  EXPECT_EQ(report["materials"][0]["density_source"], "IT'IS 4.1");
  EXPECT_EQ(content(at / "report.html").find("<image x="), std::string::npos);
  EXPECT_NE(
      content(at / "resolved.cfg").find("# body: muscle; eps_r and sigma: Gabriel 1996 (Muscle); density: IT'IS 4.1"),
      std::string::npos);
}

// The cavity mode is exact in space but for the grid's dispersion, which the variants share: the same error to
// rounding.
TEST(MeshRuns, SplitKernelsGiveTheSameFields) {
  const auto directory = work("split");
  double error[2];
  for (int i = 0; i < 2; ++i) {
    const auto out = directory / (i == 0 ? "fused" : "split");
    const auto run = dgtd(case_file("cavity.cfg") + " --steps 20 --set solver.kernels=" + (i == 0 ? "fused" : "split") +
                          " --set output.directory=" + out.string());
    ASSERT_EQ(run.code, 0) << run.output;
    const auto s = summary(out);
    EXPECT_EQ(s["kernels"], i == 0 ? "fused" : "split");
    error[i] = s["error"]["l2_E"];
  }
  EXPECT_NEAR(error[1], error[0], 1e-10 * error[0]);  // double precision
}

TEST(MeshRuns, SourceOutsideTheMeshIsNamed) {
  const auto run = dgtd_on(2, case_file("cavity.cfg") +
                                  " --set source.far.type=dipole --set source.far.position='5 5 5' --set "
                                  "source.far.direction='0 0 1' --set source.far.frequency=1e9");
  expect_bad_input(run, "[source.far]: position 5 5 5 m lies in no element of the mesh");
}

// A row per part and level: 58,463 elements whatever the parts, even shares, and no faces in one part.
TEST(BenchPartition, PrintsWhatEachRankHasOnEachLevel) {
  const auto run = dgtd_bench(case_file("head_m0.cfg") + " --partition 1 4 --set solver.order=1 --set mesh.file=" +
                              head_mesh().string());
  ASSERT_EQ(run.code, 0) << run.output;
  std::istringstream lines(run.output.substr(run.output.find("parts,part,level,")));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "parts,part,level,electric,magnetic,halo_faces,neighbours");
  std::map<int, std::vector<std::int64_t>> electric, faces;  // [parts][levels] of all parts
  std::int64_t largest = 0;
  while (std::getline(lines, line) && line.front() != '#') {
    std::int64_t v[7];
    ASSERT_EQ(std::sscanf(line.c_str(), "%ld,%ld,%ld,%ld,%ld,%ld,%ld", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6]),
              7)
        << line;
    auto& sums = electric[int(v[0])];
    const auto level = static_cast<std::size_t>(v[2]);
    if (sums.size() <= level) sums.push_back(0), faces[int(v[0])].push_back(0);
    sums[level] += v[3], faces[int(v[0])][level] += v[5];
    EXPECT_GE(v[4], v[3]) << line;
    if (v[0] == 4 && level == 0) largest = std::max(largest, v[3]);
    if (v[0] == 1) {
      EXPECT_EQ(v[5] + v[6], 0) << line;
    }
  }
  ASSERT_GE(electric[1].size(), 2u);
  EXPECT_EQ(electric[1], electric[4]);
  EXPECT_EQ(electric[1][0], 58463);
  EXPECT_LE(double(largest), 1.05 * 58463 / 4);
  for (std::size_t l = 0; l < faces[4].size(); ++l) {
    EXPECT_EQ(faces[4][l] % 2, 0) << l;  // seen from both parts
    if (l > 0) {
      EXPECT_LE(faces[4][l], faces[4][l - 1]);
    }
  }
  EXPECT_NE(run.output.find("# 4 parts: largest over mean on each level 1.0"), std::string::npos) << run.output;
}

TEST(BenchPartition, NamesWhatItCannotDivide) {
  expect_bad_input(dgtd_bench("--partition 2"), "dgtd-bench: error: command line: --partition needs a case");
  expect_bad_input(dgtd_bench(case_file("cavity.cfg") + " --partition 2"),
                   "dgtd-bench: error: command line: --partition: cavity has no mesh of a file, which is what is divided");
  expect_bad_input(dgtd_bench(case_file("head_m0.cfg") + " --partition 0 --set mesh.file=" + head_mesh().string()),
                   "dgtd-bench: error: head_m0: 0 ranks for 58463 elements; allowed are 1 to 58463");
}

}  // namespace
