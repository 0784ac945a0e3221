// Cases by name: from any folder, of the source tree and of an installation.
#include <gtest/gtest.h>

#include "app/program.hpp"

namespace {

/// A program with its arguments, and variables before it, run in a folder.
Outcome run_in(const fs::path& folder, const std::string& command) {
  return shell("sh -c 'cd \"" + folder.string() + "\" && " + command + "'");
}
const std::string program = DGTD_PROGRAM;
constexpr const char* short_run = " --steps 2 --set output.fields=none";

TEST(FindCase, ShippedCasesAreFoundFromAnyFolderWithResultsThere) {
  const auto folder = work("find_case_shipped");
  fs::create_directories(folder / "cavity");  // a folder of the name is no case
  for (const std::string name : {"cavity", "cavity.cfg"}) {
    const auto run = run_in(folder, program + " " + name + short_run);
    ASSERT_EQ(run.code, 0) << run.output;
    EXPECT_EQ(summary(folder / "out/cavity")["steps"], 2);
    fs::remove_all(folder / "out");
  }
  // A shipped case that names its folder of results, and one that the command line names.
  auto run = run_in(folder, program + " slab --dry-run");
  EXPECT_NE(run.output.find("directory = " + (folder / "out/slab").string() + "\n"), std::string::npos) << run.output;
  run = run_in(folder, program + " slab --dry-run --set output.directory=mine");
  EXPECT_NE(run.output.find("directory = " + (folder / "mine").string() + "\n"), std::string::npos) << run.output;
}

TEST(FindCase, FilesOfTheWorkingDirectoryComeFirst) {
  const auto folder = work("find_case_own");
  fs::create_directories(folder / "sub");
  std::ofstream(folder / "sub/cavity.cfg")
      << "[mesh]\ngenerator = box\ncells = 2 2 2\n[boundary.*]\ntype = pec\n[initial]\ntype = cavity-mode\n[time]\n"
         "steps = 3\n[output]\nfields = none\n";
  auto run = run_in(folder / "sub", program + " cavity");
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_EQ(summary(folder / "sub/out/cavity")["steps"], 3);
  // Results, and paths on the command line, belong beside a case that is given by its path.
  run = run_in(folder, program + " sub/cavity --set output.directory=mine");
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_TRUE(fs::exists(folder / "sub/mine/summary.json"));
}

TEST(FindCase, WhatIsNotFoundIsOneLineWithTheNearestName) {
  const auto folder = work("find_case_not_found");
  const std::string shipped = fs::canonical(std::string(DGTD_SOURCE) + "/cases").string();
  const auto expect = [&](const std::string& name, const std::string& message) {
    const auto run = run_in(folder, program + " " + name);
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.output, "dgtd: error: " + message + "\n");
  };
  const std::string searched = ": no such case file; searched " + folder.string();
  expect("haed_m3.cfg", "haed_m3.cfg" + searched + " and the shipped cases in " + shipped + "; did you mean head_m3?");
  expect("xyzzy", "xyzzy" + searched + " and the shipped cases in " + shipped);
  expect("no/cavty", "no/cavty" + searched + "/no; did you mean cavity?");
}

TEST(FindCase, AnInstallationMayBeMovedAndReadOnly) {
  const auto folder = work("find_case_installed");
  const auto install = shell(std::string(DGTD_CMAKE) + " --install " DGTD_BUILD " --prefix " + (folder / "a").string());
  ASSERT_EQ(install.code, 0) << install.output;
  fs::rename(folder / "a", folder / "b");
  fs::create_directories(folder / "work");
  const std::string installed = (folder / "b/bin/dgtd").string();
  const auto help = run_in(folder / "work", installed + " --help");
  EXPECT_NE(help.output.find("Shipped cases are in " + (folder / "b/share/dgtd/cases").string() + "\n"),
            std::string::npos)
      << help.output;
  for (const char* file : {"bin/dgtd-mesh", "bin/dgtd-sar", "bin/dgtd-bench", "share/dgtd/scripts/spectrum.py",
                           "share/dgtd/meshes/README.md", "share/doc/dgtd/README.md", "share/doc/dgtd/case-file.md"})
    EXPECT_TRUE(fs::exists(folder / "b" / file)) << file;
  EXPECT_FALSE(fs::exists(folder / "b/share/dgtd/scripts/build.sh"));
  // No folder for meshes can be made, as in a system's /usr/share.
  fs::remove_all(folder / "b/share/dgtd/meshes");
  std::ofstream(folder / "b/share/dgtd/meshes") << "";
  const auto run = run_in(folder / "work", "XDG_CACHE_HOME=" + (folder / "cache").string() + " " + installed +
                                               " head_m0 --set solver.order=1" + short_run);
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_TRUE(fs::exists(folder / "cache/dgtd/head_phone_m0.msh"));
  EXPECT_EQ(summary(folder / "work/out/head_m0")["steps"], 2);
}

}  // namespace
