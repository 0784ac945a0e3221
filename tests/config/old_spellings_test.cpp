// Keys of earlier versions are accepted with one warning each.
#include "config/case_fixture.hpp"
#include "config/key.hpp"

namespace dgtd::config {
namespace {

class OldSpellings : public CaseFile {
 protected:
  // Standard error of reading the text, whose case is c.
  static std::string warnings(const std::string& text, Case& c, const std::vector<std::string>& overrides = {}) {
    testing::internal::CaptureStderr();
    c = read(text, overrides);
    return testing::internal::GetCapturedStderr();
  }
  static std::string warning(const std::string& origin, const std::string& before, const std::string& now) {
    return "dgtd: warning: " + origin + ": " + before + " is now called " + now +
           "; the old name is accepted in this version\n";
  }
};

TEST_F(OldSpellings, OfKeys) {
  Case c;
  EXPECT_EQ(warnings("[mesh]\nfile = a.msh\n[time]\nsteps = 1\n[solver]\ncourant = 0.5\ncomm = nccl\n[output]\n"
                     "monitor = 7\n",
                     c),
            warning("head.cfg:6", "solver.courant", "solver.cfl_fraction") +
                warning("head.cfg:7", "solver.comm", "solver.halo_transport") +
                warning("head.cfg:9", "output.monitor", "output.energy_interval"));
  EXPECT_EQ(c.solver.cfl_fraction, 0.5);
  EXPECT_EQ(c.solver.halo_transport, Transport::nccl);
  EXPECT_EQ(c.output.energy_interval, 7);
  EXPECT_EQ(warnings("[solver]\nmethod = fdtd1d\nsubdomains = 4\nrest = 0.25\n[grid]\ncells = 400\nspacing = "
                     "0.02\n[time]\nsteps = 1\n",
                     c),
            warning("head.cfg:4", "solver.rest", "solver.steady_tolerance"));
  EXPECT_EQ(c.solver.steady_tolerance, 0.25);
}

TEST_F(OldSpellings, OfSections) {
  Case c;
  const std::string far = "[far.a]\nsize = 1 1 1\nfrequencies = 1\n[far.b]\nsize = 1 1 1\nfrequencies = 1\n";
  EXPECT_EQ(warnings(structured + far, c), warning("head.cfg:8", "[far.NAME]", "[far_field.NAME]"));
  ASSERT_EQ(c.far_fields.size(), 2u);
  EXPECT_EQ(c.far_fields[1].name, "b");
  EXPECT_NE(resolved_text(c).find("\n[far_field.b]\n"), std::string::npos);
}

TEST_F(OldSpellings, OfOverrides) {
  Case c;
  EXPECT_EQ(warnings(minimal + "[solver]\ncfl_fraction = 0.5\n", c, {"solver.courant=0.25"}),
            warning("--set solver.courant=0.25", "solver.courant", "solver.cfl_fraction"));
  EXPECT_EQ(c.solver.cfl_fraction, 0.25);
  EXPECT_EQ(message(minimal + "[solver]\ncourant = 0.5\ncfl_fraction = 0.5\n"),
            "head.cfg:7: solver.cfl_fraction = 0.5: is given twice, first at head.cfg:6");
  EXPECT_EQ(message(minimal, {"solver.courant=2"}), "--set solver.courant=2: must be a number from 1e-6 to 1");
}

TEST_F(OldSpellings, NewOnesAreSilentAndAreWritten) {
  Case c;
  EXPECT_EQ(warnings(minimal + "[solver]\ncfl_fraction = 0.5\n", c), "");
  for (const Section& section : key_table())
    for (const Key& key : section.keys) {
      if (key.formerly.empty()) continue;
      EXPECT_EQ(resolved_text(c).find("\n" + std::string(key.formerly) + " = "), std::string::npos) << key.formerly;
    }
}

}  // namespace
}  // namespace dgtd::config
