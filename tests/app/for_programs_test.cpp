// Interfaces for programs that run dgtd: --schema, --print, DGTD_PROGRESS=json, many starts at once.
#include <gtest/gtest.h>

#include <sstream>

#include "app/program.hpp"

namespace {

TEST(ForPrograms, SchemaIsJsonOnAnyNumberOfRanks) {
  const auto run = dgtd("--schema");
  EXPECT_EQ(run.code, 0);
  const auto schema = nlohmann::json::parse(run.output);
  EXPECT_EQ(schema["$defs"]["solver"]["properties"]["order"]["maximum"], 6);
  EXPECT_EQ(dgtd_on(2, "--schema").output, run.output);
}

TEST(ForPrograms, PrintGivesTheValueOfOneKey) {
  EXPECT_EQ(dgtd(case_file("gold_sphere.cfg") + " --print shape.sphere.radius").output, "4e-08\n");
  EXPECT_EQ(dgtd_on(2, case_file("cavity.cfg") + " --set solver.order=1 --print solver.order").output, "1\n");
}

TEST(ForPrograms, PrintGivesALineForEachOfSeveralKeys) {
  EXPECT_EQ(dgtd(case_file("gold_sphere.cfg") + " --print solver.method solver.order solver.cfl_fraction").output,
            "solver.method = fdtd3d\nsolver.order = \nsolver.cfl_fraction = 0.95\n");
}

// It ends before the mesh is read and a directory is made.
TEST(ForPrograms, PrintWithoutAKeyGivesResolvedCfg) {
  const fs::path folder = work("print") / "out";
  const std::string arguments =
      case_file("cavity.cfg") +
      " --set mesh.cells='1 1 1' --set time.steps=1 --set output.directory=" + folder.string();
  const auto printed = dgtd(arguments + " --print");
  EXPECT_EQ(printed.code, 0);
  EXPECT_FALSE(fs::exists(folder));
  EXPECT_EQ(dgtd(arguments).code, 0);
  EXPECT_EQ(printed.output, content(folder / "resolved.cfg"));
}

TEST(ForPrograms, PrintRefusesWhatTheCaseDoesNotHave) {
  const std::string gold = case_file("gold_sphere.cfg") + " --print ";
  expect_bad_input(dgtd(gold + "solver.oder"),
                   "command line: --print solver.oder: there is no such key; did you mean solver.order?");
  expect_bad_input(dgtd(gold + "solver"), "there is no such key; a key is SECTION.KEY or SECTION.NAME.KEY");
  expect_bad_input(dgtd(gold + "shape.ball.radius"),
                   "--print shape.ball.radius: the case has no [shape.ball]; of this kind it has [shape.sphere]");
  expect_bad_input(dgtd(gold + "snapshot.a.size"), "the case has no [snapshot.a]; of this kind it has none");
}

// Open MPI's directory is shared by all programs of a user, and one that ends removed it while another one started.
TEST(ForPrograms, ASingleRankNeedsNoDirectoryOfMpi) {
  EXPECT_EQ(shell("TMPDIR=/proc/none " + dgtd_program() + " --version").code, 0);
}

TEST(ForPrograms, ProgressIsALineOfJsonPerUpdate) {
  const fs::path folder = work("progress_json");
  const auto run = shell("DGTD_PROGRESS=json " + dgtd_program() + " " + case_file("cavity.cfg") +
                         " --set mesh.cells='6 6 6' --set time.steps=400 --set output.directory=" + folder.string());
  EXPECT_EQ(run.code, 0) << run.output;
  std::istringstream lines(run.output);
  std::vector<nlohmann::json> updates;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("{")) updates.push_back(nlohmann::json::parse(line));
  ASSERT_GE(updates.size(), 2u) << run.output;  // the first step, the end
  const double dt = summary(folder)["dt_s"];
  for (std::size_t i = 0; i < updates.size(); ++i) {
    const auto& u = updates[i];
    EXPECT_EQ(u["steps"], 400);
    EXPECT_NEAR(u["t_s"], dt * double(u["step"]), 1e-6 * dt);
    EXPECT_NEAR(u["percent"], double(u["step"]) / 4, 0.005);
    EXPECT_GE(u["left_s"], 0);
    if (i == 0) continue;
    EXPECT_GE(u["step"], updates[i - 1]["step"]);
    EXPECT_GE(u["elapsed_s"], updates[i - 1]["elapsed_s"]);
  }
  EXPECT_EQ(updates.back()["step"], 400);
  EXPECT_EQ(updates.back()["left_s"], 0);
  EXPECT_NE(run.output.find("results in "), std::string::npos) << "the log stays";
}

}  // namespace
