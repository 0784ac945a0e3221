// A few damaged files for each target, always the same ones; scripts/fuzz.sh reads many.
#include <gtest/gtest.h>

#include "mesh/scratch_folder.hpp"
#include "run.hpp"

namespace dgtd::fuzz {
namespace {

class Fuzz : public ::testing::TestWithParam<Target> {};

TEST_P(Fuzz, DamagedFilesAreReadOrRefused) {
  const Target& target = GetParam();
  const mesh::testing::ScratchFolder scratch("fuzz_" + std::string(target.name));
  Limits limits;
  // Gmsh takes half a second to read a STEP file.
  limits.count = target.name == "step" ? 30 : target.name == "mesh" ? 150 : 300;
  const auto folder = std::filesystem::path(DGTD_CORPUS) / std::string(target.name);
  const auto outcome = run(target, folder, scratch / "", limits);
  std::printf("%llu read, %llu refused, in %llu of them a library failed\n",
              static_cast<unsigned long long>(outcome.accepted), static_cast<unsigned long long>(outcome.refused),
              static_cast<unsigned long long>(outcome.failed_in_library));
  for (const auto& finding : outcome.findings) ADD_FAILURE() << "file " << finding.number << ": " << finding.how;
  EXPECT_GE(outcome.accepted, outcome.whole);     // the whole files are sound
  EXPECT_GT(outcome.refused, limits.count / 10);  // the damage does damage
}
INSTANTIATE_TEST_SUITE_P(All, Fuzz, ::testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& info) { return std::string(info.param.name); });

// Files that once led to a finding, or make a library fail.
TEST_P(Fuzz, FindingsOfEarlierRunsAreRefused) {
  const Target& target = GetParam();
  const auto folder = std::filesystem::path(DGTD_CORPUS) / "../findings" / std::string(target.name);
  if (!std::filesystem::exists(folder)) return;
  const mesh::testing::ScratchFolder scratch("findings_" + std::string(target.name));
  Limits limits;
  limits.count = read_corpus(folder).size();
  limits.seconds_per_file = 60;  // of a machine that does other things; a library has 3 to 6 s of CPU time
  const auto outcome = run(target, folder, scratch / "", limits);
  for (const auto& finding : outcome.findings) ADD_FAILURE() << "file " << finding.number << ": " << finding.how;
  EXPECT_EQ(outcome.refused, limits.count);
}

// The driver notices what it is there for.
void crash(const std::filesystem::path&) { raise(SIGSEGV); }
void hang(const std::filesystem::path&) {
  for (;;) pause();
}
void fail(const std::filesystem::path&) { throw std::runtime_error("not an Error"); }

TEST(FuzzDriver, NoticesFindings) {
  const mesh::testing::ScratchFolder scratch("fuzz_driver");
  Limits limits;
  limits.count = 2;
  limits.seconds_per_file = 0.5;
  const auto folder = std::filesystem::path(DGTD_CORPUS) / "field";
  const auto findings = [&](void (*read)(const std::filesystem::path&)) {
    return run({"field", ".txt", read}, folder, scratch / "", limits).findings;
  };
  ASSERT_EQ(findings(crash).size(), 2u);
  EXPECT_EQ(findings(hang)[1].how, "hang");
  EXPECT_EQ(findings(fail)[0].how, "exception: not an Error");
}

}  // namespace
}  // namespace dgtd::fuzz
