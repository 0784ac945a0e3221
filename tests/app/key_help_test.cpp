// dgtd --help KEY, and old spellings of keys on the command line.
#include <gtest/gtest.h>

#include "app/program.hpp"

namespace {

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(KeyHelp, OfAKey) {
  const auto run = dgtd("--help solver.order");
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_EQ(run.output,
            "solver.order\n  Polynomial degree p of all elements but those of materials with an order of their own. auto: "
            "chosen for each element from its size in wavelengths of its material at the highest frequency of the case "
            "(docs/rule).\n"
            "  allowed: integer from 1 to 6, or auto\n"
            "  default: 2\n  for:     dgtd\n");
  EXPECT_EQ(dgtd("--help=solver.order").output, run.output);
}

TEST(KeyHelp, OfASection) {
  const auto run = dgtd("--help source");
  EXPECT_EQ(run.code, 0) << run.output;
  for (const char* key : {"source.NAME.type\n", "source.NAME.waist\n", "source.NAME.bandwidth\n"})
    EXPECT_NE(run.output.find(key), std::string::npos) << run.output;
}

TEST(KeyHelp, OfAnUnknownKeyNamesTheNearest) {
  const auto run = dgtd("--help solver.oder");
  EXPECT_EQ(run.code, 2) << run.output;
  EXPECT_EQ(run.output,
            "dgtd: error: command line: --help solver.oder: there is no such key; did you mean solver.order?\n");
}

TEST(KeyHelp, WithoutAKeyDescribesTheProgram) {
  for (const char* arguments : {"--help", "cases/cavity.cfg --help", "--help --steps 3"}) {
    const auto run = dgtd(arguments);
    EXPECT_EQ(run.code, 0) << run.output;
    EXPECT_NE(run.output.find("Usage: [mpirun -np N] dgtd CASE [options]"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("--dry-run"), std::string::npos) << run.output;
  }
}

TEST(OldSpellings, AreAcceptedWithOneWarningOnAnyNumberOfRanks) {
  const std::string arguments = case_file("cavity.cfg") + " --dry-run --set solver.courant=0.5";
  for (const int ranks : {1, 2}) {
    const auto run = dgtd_on(ranks, arguments);
    EXPECT_EQ(run.code, 0) << run.output;
    EXPECT_EQ(count(run.output, "is now called"), 1) << run.output;
    EXPECT_NE(run.output.find("dgtd: warning: --set solver.courant=0.5: solver.courant is now called "
                              "solver.cfl_fraction; the old name is accepted in this version\n"),
              std::string::npos)
        << run.output;
    EXPECT_NE(run.output.find("\ncfl_fraction = 0.5\n"), std::string::npos) << run.output;
  }
}

}  // namespace
