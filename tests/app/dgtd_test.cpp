// dgtd as a user runs it: good and bad input, ranks, shipped cases shortened.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

namespace {

namespace fs = std::filesystem;

struct Outcome {
  int code;
  std::string output;  // standard output and error
};

// Programs run apart from this test's own MPI session: its variables are taken out.
Outcome shell(const std::string& command) {
  std::FILE* pipe = popen(("env -i PATH=\"$PATH\" HOME=\"$HOME\" OMP_NUM_THREADS=1 " + command + " 2>&1").c_str(), "r");
  Outcome outcome{-1, ""};
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) outcome.output.append(buffer.data(), n);
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

Outcome dgtd(const std::string& arguments) { return shell(std::string(DGTD_PROGRAM) + " " + arguments); }
Outcome dgtd_on(int ranks, const std::string& arguments) {
  return shell(std::string(DGTD_MPIEXEC) + " --allow-run-as-root --oversubscribe --bind-to none -np " + std::to_string(ranks) + " " + DGTD_PROGRAM + " " + arguments);
}

fs::path work(const std::string& name) {
  const fs::path directory = fs::path(DGTD_WORK) / ("cli_" + name);
  fs::remove_all(directory);
  fs::create_directories(directory);
  return directory;
}

nlohmann::json summary(const fs::path& directory) {
  std::ifstream file(directory / "summary.json");
  return nlohmann::json::parse(file);
}

std::string case_file(const std::string& name) { return std::string(DGTD_SOURCE) + "/cases/" + name; }

TEST(Dgtd, CavityIsRightAndTheSameOnAnyNumberOfRanksAndThreads) {
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

TEST(Dgtd, ShippedHeadCasesRunOnTheSmallMesh) {
  const auto directory = work("head");
  for (const char* name : {"head_m0.cfg", "head_m1.cfg", "head_m2.cfg", "head_m3.cfg"}) {
    const auto run = dgtd_on(2, case_file(name) + " --steps 4 --set mesh.level=m0 --set mesh.file=" + (directory / "m0.msh").string() +
                                    " --set output.directory=" + (directory / name).string());
    ASSERT_EQ(run.code, 0) << run.output;
    EXPECT_TRUE(fs::exists(directory / name / "result.pvtu"));
    EXPECT_EQ(summary(directory / name)["steps"], 4);
  }
}

TEST(Dgtd, GridCavityIsRightAndTheSameOnAnyNumberOfRanks) {
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

TEST(Dgtd, GoldSphereCaseWritesItsSpectrum) {
  const auto directory = work("gold");
  const auto run = dgtd_on(2, case_file("gold_sphere.cfg") + " --steps 50 --set output.directory=" + directory.string());
  ASSERT_EQ(run.code, 0) << run.output;
  std::ifstream file(directory / "flux_absorbed.csv");
  std::string head, line;
  std::getline(file, head);
  EXPECT_EQ(head, "frequency_Hz,wavelength_m,outward_energy_J_per_Hz,outward_cross_section_m2");
  int lines = 0;
  while (std::getline(file, line)) ++lines;
  EXPECT_EQ(lines, 46);
}

TEST(Dgtd, DipoleAntennaCaseRuns) {
  const auto directory = work("antenna");
  const auto run = dgtd_on(2, case_file("dipole_antenna.cfg") + " --steps 50 --set output.directory=" + directory.string());
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_TRUE(fs::exists(directory / "flux_radiated.csv"));
  EXPECT_TRUE(fs::exists(directory / "probe_gap.csv"));
}

// A sheet with a profile beside the case file, Bloch phases, a side of type mur: a run, and its resolved case again.
TEST(Dgtd, SheetBetweenBlochSidesRunsAgainFromItsResolvedCase) {
  const auto directory = work("sheet");
  std::ofstream(directory / "spot.csv") << "u,v,amplitude,phase\n-1,-1,1,0\n1,-1,1,0\n-1,1,1,0\n1,1,1,0\n";
  std::ofstream(directory / "a.cfg") << "[solver]\nmethod = fdtd3d\n[grid]\ncells = 8 8 40\nspacing = 1e-3\n[time]\nsteps = 60\n"
      "[boundary.xmin]\ntype = bloch\nk = 50\n[boundary.xmax]\ntype = bloch\nk = 50\n[boundary.ymin]\ntype = periodic\n[boundary.ymax]\ntype = periodic\n"
      "[boundary.zmin]\ntype = mur\n[material.metal]\nconductor = perfect\n[shape.s]\ntype = sphere\nmaterial = metal\nradius = 2e-3\n"
      "[source.s]\ntype = sheet\ncentre = 0 0 -5e-3\nsize = 1 1 0\npolarisation = 0 1 0\nprofile = spot.csv\nfrequency = 2e10\n"
      "[probe.p]\nposition = 0 0 -8e-3\n[dft]\nfrequencies = 2e10\nwindow = all\n";
  const auto first = dgtd((directory / "a.cfg").string());
  ASSERT_EQ(first.code, 0) << first.output;
  const auto out = directory / "out" / "a";
  EXPECT_TRUE(fs::exists(out / "fields.pvtr"));
  const auto second = dgtd_on(2, (out / "resolved.cfg").string() + " --set output.directory=" + (directory / "again").string());
  ASSERT_EQ(second.code, 0) << second.output;
  EXPECT_EQ(summary(directory / "again")["fields_hash"], summary(out)["fields_hash"]);
  fs::remove(directory / "spot.csv");
  const auto third = dgtd((directory / "a.cfg").string());
  EXPECT_EQ(third.code, 2);
  EXPECT_NE(third.output.find("spot.csv: there is no such file"), std::string::npos) << third.output;
}

TEST(Dgtd, BadGridsEndWithOneLine) {
  const struct {
    const char *arguments, *message;
  } cases[] = {
      {"--set source.d.type=dipole --set source.d.position='1 0 0' --set source.d.direction='0 0 1' --set source.d.frequency=6e14", "source.d: position = 1 0 0 lies outside the grid"},
      {"--set shape.sphere.centre='1 0 0'", "shape.sphere: lies outside the grid"},
      {"--set flux.absorbed.centre='1 0 0'", "flux.absorbed: lies outside the grid"},
      {"--set grid.pml=34", "total-field box is empty"},
  };
  for (const auto& bad : cases) {
    const auto run = dgtd(case_file("gold_sphere.cfg") + " --steps 2 --set output.fields=none " + bad.arguments + " --set output.directory=" + work("bad_grid").string());
    EXPECT_EQ(run.code, 2) << bad.arguments << run.output;
    EXPECT_NE(run.output.find(bad.message), std::string::npos) << run.output;
  }
}

TEST(Dgtd, RealHeadCaseRuns) {
  if (!fs::exists(std::string(DGTD_SOURCE) + "/../shared/data/meshes/ny_head_phone_coarse.msh")) GTEST_SKIP() << "the real head mesh is not beside the project";
  const auto run = dgtd_on(2, case_file("head_real_coarse.cfg") + " --steps 2 --set output.directory=" + work("real").string());
  EXPECT_EQ(run.code, 0) << run.output;
}

TEST(Dgtd, DipoleRunHasPowersProbesAndSar) {
  const auto directory = work("dipole");
  std::ofstream(directory / "a.cfg") << "[mesh]\ngenerator = box\ncells = 4 4 4\nsize = 0.4 0.4 0.4\n[time]\nfrequency = 1e9\nperiods = 8\n"
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
  for (const char* file : {"probe_p.csv", "energy.csv", "report.html", "resolved.cfg", "result.pvtu", "snapshots.pvd"}) EXPECT_TRUE(fs::exists(at / file)) << file;
}

TEST(Dgtd, DryRunWritesNothing) {
  const auto directory = work("dry");
  const auto run = dgtd(case_file("cavity.cfg") + " --dry-run --set output.directory=" + (directory / "out").string());
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.output.find("time step"), std::string::npos);
  EXPECT_NE(run.output.find("generator = box"), std::string::npos);
  EXPECT_FALSE(fs::exists(directory / "out"));
}

struct Bad {
  const char* arguments;
  int code;
  const char* says;
};

TEST(Dgtd, BadInputEndsWithOneLineAndItsExitCode) {
  const Bad list[] = {
      {"--set solver.order=9", 2, "dgtd: error: --set solver.order=9: must be an integer from 1 to 6\n"},
      {"--set solver.oder=2", 2, "did you mean solver.order?"},
      {"--set mesh.cells=0,1,1", 2, "mesh.cells"},
      {"--set boundary.xminn.type=pec --set boundary.xmin.type=pec", 2, "xminn"},
      {"--set solver.backend=cpu --set solver.comm=nccl", 5, "dgtd: error: solver.comm: the CPU backend has mpi-host only; allowed are mpi-host, auto\n"},
      {"--set sar.normalise=emitted", 2, "dgtd: error: sar.normalise = emitted or accepted needs a source of type dipole"},
      {"--steps 0", 2, "--steps 0: must be at least 1"},
  };
  for (const auto& bad : list) {
    const auto run = dgtd(case_file("cavity.cfg") + " " + bad.arguments);
    EXPECT_EQ(run.code, bad.code) << bad.arguments << "\n" << run.output;
    EXPECT_NE(run.output.find(bad.says), std::string::npos) << bad.arguments << "\n" << run.output;
  }
  EXPECT_EQ(dgtd("no_such.cfg").code, 2);
  EXPECT_EQ(dgtd("").code, 2);
  const auto ranks = dgtd_on(2, case_file("cavity.cfg") + " --set solver.order=9");
  EXPECT_EQ(ranks.code, 2) << ranks.output;
  const auto first = ranks.output.find("dgtd: error");
  ASSERT_NE(first, std::string::npos) << ranks.output;
  EXPECT_EQ(ranks.output.find("dgtd: error", first + 1), std::string::npos) << ranks.output;
}

TEST(Dgtd, WithoutADeviceCudaIsRefusedAndAutoTakesTheCpu) {
  const auto directory = work("no_device");
  const std::string arguments = case_file("cavity.cfg") + " --steps 2 --set output.directory=" + directory.string();
  const auto cuda = dgtd(arguments + " --set solver.backend=cuda");
  if (cuda.code == 0) GTEST_SKIP() << "there is a CUDA device";
  EXPECT_EQ(cuda.code, 5) << cuda.output;
  EXPECT_NE(cuda.output.find("dgtd: error: solver.backend = cuda: "), std::string::npos) << cuda.output;
  EXPECT_NE(cuda.output.find("; allowed here are cpu, auto\n"), std::string::npos) << cuda.output;
  const auto automatic = dgtd(arguments);
  EXPECT_EQ(automatic.code, 0) << automatic.output;
  EXPECT_NE(automatic.output.find("backend cpu ("), std::string::npos) << automatic.output;
}

TEST(Dgtd, SplitKernelsGiveTheSameFields) {
  const auto directory = work("split");
  double error[2];
  for (int i = 0; i < 2; ++i) {
    const auto out = directory / (i == 0 ? "fused" : "split");
    const auto run = dgtd(case_file("cavity.cfg") + " --steps 20 --set solver.kernels=" + (i == 0 ? "fused" : "split") + " --set output.directory=" + out.string());
    ASSERT_EQ(run.code, 0) << run.output;
    const auto s = summary(out);
    EXPECT_EQ(s["kernels"], i == 0 ? "fused" : "split");
    error[i] = s["error"]["l2_E"];
  }
  EXPECT_NEAR(error[1], error[0], 1e-10 * error[0]);  // double precision
}

TEST(DgtdBench, PrintsATableAndWritesJson) {
  const auto directory = work("bench");
  const auto file = directory / "bench.json";
  const auto run = shell(std::string(DGTD_BENCH) + " --cells 4 --orders 1 --precisions single --backend cpu --seconds 0.05 --output " + file.string());
  ASSERT_EQ(run.code, 0) << run.output;
  const auto results = nlohmann::json::parse(std::ifstream(file))["results"];
  ASSERT_EQ(results.size(), 2u);  // fused and split
  for (const auto& r : results) {
    EXPECT_GT(r["element_steps_per_s"].get<double>(), 0);
    // 18 Np s + 2 (13 s + 20) bytes an element and step
    EXPECT_NEAR(r["GB_per_s"].get<double>() * 1e9, r["element_steps_per_s"].get<double>() * (18 * 4 * 4 + 2 * (13 * 4 + 20)), 1e3);
    EXPECT_NEAR(r["roofline_fraction"].get<double>(), r["GB_per_s"].get<double>() / r["copy_GB_per_s"].get<double>(), 1e-12);
  }
  const auto bad = shell(std::string(DGTD_BENCH) + " --orders 7");
  EXPECT_EQ(bad.code, 2);
  EXPECT_NE(bad.output.find("dgtd-bench: error: command line: --orders 7: allowed are 1 to 6"), std::string::npos) << bad.output;
}

TEST(Dgtd, SourceOutsideTheMeshIsNamed) {
  const auto run = dgtd_on(2, case_file("cavity.cfg") + " --set source.far.type=dipole --set source.far.position='5 5 5' --set source.far.direction='0 0 1' --set source.far.frequency=1e9");
  EXPECT_EQ(run.code, 2) << run.output;
  EXPECT_NE(run.output.find("[source.far]: position 5 5 5 m lies in no element of the mesh"), std::string::npos) << run.output;
}

}  // namespace
