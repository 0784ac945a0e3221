// The command lines of dgtd and dgtd-bench: dry runs, bad input, devices, tables.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <thread>

#include "app/program.hpp"

namespace {

TEST(CommandLine, DryRunWritesNothing) {
  const auto directory = work("dry");
  const auto run = dgtd(case_file("cavity.cfg") + " --dry-run --set output.directory=" + (directory / "out").string());
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.output.find("time step"), std::string::npos);
  EXPECT_NE(run.output.find("generator = box"), std::string::npos);
  EXPECT_FALSE(fs::exists(directory / "out"));
}

// mpirun gives a single rank one core where it is not told otherwise.
TEST(CommandLine, TheCoreOfADefaultBindingIsLeft) {
  const auto run = [&](const std::string& options) {
    const auto directory = work("binding");
    return dgtd_by_mpirun(options + " -np 1", case_file("fdtd_cavity.cfg") +
                                                  " --steps 1 --set output.directory=" + (directory / "out").string());
  };
  const unsigned cores = std::thread::hardware_concurrency();
  const auto by_default = run(""), bound = run("--bind-to core");
  EXPECT_EQ(by_default.code, 0) << by_default.output;
  EXPECT_NE(by_default.output.find("1 rank of " + std::to_string(cores) + " thread"), std::string::npos)
      << by_default.output;
  EXPECT_NE(bound.output.find("1 rank of 1 thread\n"), std::string::npos) << bound.output;
}

struct Bad {
  const char* arguments;
  int code;
  const char* says;
};

TEST(CommandLine, BadInputEndsWithOneLineAndItsExitCode) {
  const Bad list[] = {
      {"--set solver.order=9", 2, "dgtd: error: --set solver.order=9: must be an integer from 1 to 6, or auto\n"},
      {"--set solver.oder=2", 2, "did you mean solver.order?"},
      {"--set mesh.cells=0,1,1", 2, "mesh.cells"},
      {"--set boundary.xminn.type=pec --set boundary.xmin.type=pec", 2, "xminn"},
      {"--set solver.backend=cpu --set solver.halo_transport=nccl", 5,
       "dgtd: error: solver.halo_transport: the CPU backend has mpi-host only; allowed are mpi-host, auto\n"},
      {"--set sar.normalise=emitted", 2,
       "dgtd: error: sar.normalise = emitted or accepted needs a source of type dipole"},
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

TEST(CommandLine, WithoutADeviceCudaIsRefusedAndAutoTakesTheCpu) {
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

TEST(BenchCommandLine, PrintsATableAndWritesJson) {
  const auto directory = work("bench");
  const auto file = directory / "bench.json";
  const auto run =
      dgtd_bench("--cells 4 --orders 1 --precisions single --backend cpu --seconds 0.05 --output " + file.string());
  ASSERT_EQ(run.code, 0) << run.output;
  const auto results = nlohmann::json::parse(std::ifstream(file))["results"];
  ASSERT_EQ(results.size(), 2u);  // fused and split
  for (const auto& r : results) {
    EXPECT_GT(r["element_steps_per_s"].get<double>(), 0);
    // 18 Np s + 2 (13 s + 20) bytes per element and step
    EXPECT_NEAR(r["GB_per_s"].get<double>() * 1e9,
                r["element_steps_per_s"].get<double>() * (18 * 4 * 4 + 2 * (13 * 4 + 20)), 1e3);
    EXPECT_NEAR(r["roofline_fraction"].get<double>(), r["GB_per_s"].get<double>() / r["copy_GB_per_s"].get<double>(),
                1e-12);
  }
}

// The mesh of a case is that of a run, with its absorbing layers.
TEST(BenchCommandLine, MeasuresTheLayersOfACase) {
  const auto directory = work("bench_layers");
  const auto file = directory / "layers.cfg";
  std::ofstream(file)
      << "[solver]\nmethod = dgtd\n[mesh]\ngenerator = box\ncells = 2 2 2\n[material.*]\npoles = drude 1e9 1e8\n"
         "[boundary.*]\ntype = passive\nlayers = 1\n[time]\nfrequency = 1e8\nperiods = 1\n";
  const auto json = directory / "bench.json";
  const auto run = dgtd_bench(file.string() +
                              " --orders 1 --precisions single --kernels fused --backend cpu "
                              "--seconds 0.02 --output " +
                              json.string());
  ASSERT_EQ(run.code, 0) << run.output;
  const auto result = nlohmann::json::parse(std::ifstream(json))["results"][0];
  EXPECT_EQ(result["elements"].get<int>(), 4 * 4 * 4 * 6);
  EXPECT_GT(result["pole_bytes_per_step"].get<double>(), 0);
}

TEST(BenchCommandLine, RefusesOrders) {
  const auto bad = dgtd_bench("--orders 7");
  expect_bad_input(bad, "dgtd-bench: error: command line: --orders 7: allowed are 1 to 6");
}

}  // namespace
