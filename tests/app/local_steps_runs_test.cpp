// Local time steps as a user sees them: what a dry run prints, and keys of summary.json.
#include <gtest/gtest.h>

#include <numeric>
#include <regex>

#include "app/program.hpp"

namespace {

std::string head_arguments(const std::string& local_steps) {
  return case_file("head_m0.cfg") + " --set solver.order=1 --set mesh.file=" + head_mesh().string() +
         " --set time.local_steps=" + local_steps;
}

TEST(LocalSteps, DryRunPrintsElementsAndStepsPerLevelAndTheGain) {
  const auto on = dgtd(head_arguments("on") + " --dry-run");
  ASSERT_EQ(on.code, 0) << on.output;
  const std::regex line(
      "local time steps: of the elements ([0-9.]+) % take 1((, [0-9.e-]+ % take [0-9]+)+) per time step; ([0-9.]+) "
      "times fewer updates than with global steps \\(stability bound (0\\.[0-9]+) of 1\\)\n");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(on.output, found, line)) << on.output;
  double shares = std::stod(found[1]);
  int steps = 1;
  const std::regex level(", ([0-9.e-]+) % take ([0-9]+)");
  const std::string finer = found[2];
  for (std::sregex_iterator i(finer.begin(), finer.end(), level), end; i != end; ++i) {
    shares += std::stod((*i)[1]);
    EXPECT_EQ(std::stoi((*i)[2]), steps *= 2);
  }
  EXPECT_GE(steps, 4);
  EXPECT_NEAR(shares, 100, 0.2);  // three digits each
  EXPECT_GT(std::stod(found[4]), 2);
  EXPECT_LE(std::stod(found[5]), 0.985);

  const auto off = dgtd(head_arguments("off") + " --dry-run");
  ASSERT_EQ(off.code, 0) << off.output;
  EXPECT_EQ(off.output.find("local time steps"), std::string::npos);
}

TEST(LocalSteps, SummaryHasTheElementsOfEachLevelAndTheGain) {
  const auto directory = work("local_steps");
  const auto run = [&](const std::string& local_steps) {
    const auto at = directory / local_steps;
    const auto outcome =
        dgtd(head_arguments(local_steps) + " --steps 2 --set output.fields=none --set output.directory=" + at.string());
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    return summary(at);
  };
  const auto on = run("on"), off = run("off");
  const auto levels = on["time_levels"].get<std::vector<double>>();
  ASSERT_GE(levels.size(), 3u);
  EXPECT_EQ(std::accumulate(levels.begin(), levels.end(), 0.0), on["elements"].get<double>());
  EXPECT_GT(*std::min_element(levels.begin(), levels.end()), 0);
  EXPECT_GT(on["local_steps_gain"].get<double>(), 2);
  EXPECT_GT(on["dt_s"].get<double>(), 2 * off["dt_s"].get<double>());
  for (const char* key : {"time_levels", "local_steps_gain"}) EXPECT_FALSE(off.contains(key)) << key;
}

}  // namespace
