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
  EXPECT_EQ(
      warnings("[solver]\nmethod = fdtd1d-subdomains\nsubdomains = 4\nrest = 0.25\n[grid]\ncells = 400\nspacing = "
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

const std::string plane =
    "[solver]\nmethod = fdtd2d\n[grid]\ncells = 20 10\nspacing = 0.02 0.01\n[time]\nsteps = 1\n[boundary.*]\ntype = "
    "pec\n";
const std::string line =
    "[solver]\nmethod = fdtd1d\nsubdomains = 4\n[grid]\ncells = 400\nspacing = 0.02\n[time]\nperiods = 10\nfrequency = "
    "1e9\n";
const std::string accepted = "; the old spelling is accepted in this version\n";

TEST_F(OldSpellings, OfVariants) {
  for (const std::string variant : {"cublas-vector", "cublas-matrix", "scalar", "native"}) {
    const std::string now = variant == "native" ? "fdtd2d" : "fdtd2d-" + variant;
    Case c;
    EXPECT_EQ(warnings(plane + "[solver]\nvariant = " + variant + "\n", c),
              "dgtd: warning: head.cfg:11: solver.variant = " + variant + " is now solver.method = " + now + accepted);
    EXPECT_EQ(c.solver, read(plane, {"solver.method=" + now}).solver);
    EXPECT_EQ(warnings(plane, c, {"solver.variant=" + variant}), "dgtd: warning: --set solver.variant=" + variant +
                                                                     ": solver.variant = " + variant +
                                                                     " is now solver.method = " + now + accepted);
    EXPECT_EQ(c.solver.method.name, now);
    // The override replaces the file's variant, with one warning.
    EXPECT_EQ(warnings(plane + "[solver]\nvariant = scalar\n", c, {"solver.variant=" + variant}),
              "dgtd: warning: --set solver.variant=" + variant + ": solver.variant = " + variant +
                  " is now solver.method = " + now + accepted);
    EXPECT_EQ(c.solver.method.name, now);
  }
}

TEST_F(OldSpellings, OfVariantsWithAnotherMethod) {
  EXPECT_EQ(message(plane, {"solver.method=fdtd2d-scalar", "solver.variant=scalar"}),
            "--set solver.variant=scalar: is an old spelling of solver.method = fdtd2d-scalar, and solver.method is "
            "fdtd2d-scalar; give one of them");
  EXPECT_EQ(message("[solver]\nmethod = fdtd2d-cublas-vector\nvariant = native\n"),
            "head.cfg:3: solver.variant = native: is an old spelling of solver.method = fdtd2d, and solver.method is "
            "fdtd2d-cublas-vector; give one of them");
  EXPECT_EQ(message("[solver]\nvariant = scalar\n"),
            "head.cfg:2: solver.variant = scalar: is an old spelling of solver.method = fdtd2d-scalar, and "
            "solver.method is dgtd; give one of them");
  EXPECT_EQ(message(plane, {"solver.variant=matrix"}),
            "--set solver.variant=matrix: must be native, cublas-vector, cublas-matrix or scalar, and is now a part of "
            "solver.method");
}

TEST_F(OldSpellings, OfSubdomains) {
  const std::string before = ": solver.method = fdtd1d with solver.subdomains is now solver.method = fdtd1d-subdomains";
  Case c;
  EXPECT_EQ(warnings(line, c), "dgtd: warning: head.cfg:3" + before + accepted);
  EXPECT_EQ(c.solver.method.name, "fdtd1d-subdomains");
  EXPECT_EQ(c.solver.subdomains, 4);
  EXPECT_EQ(warnings(line, c, {"solver.subdomains=3"}), "dgtd: warning: --set solver.subdomains=3" + before + accepted);
  EXPECT_EQ(c.solver.subdomains, 3);
  EXPECT_EQ(warnings(line, c, {"solver.method=fdtd1d-subdomains"}), "");
  // Keys without a meaning that resolved.cfg of earlier versions had.
  const std::string resolved =
      "[dft]\nwindow = last-period\n[sar]\nnormalise = none\nwhole_body = off\n[output]\nevery = 0\nreport_pictures = "
      "on\nenergy_interval = 0\n[checkpoint]\n";
  EXPECT_EQ(warnings(line + resolved, c), "dgtd: warning: head.cfg:3" + before + accepted);
  EXPECT_EQ(message(line + resolved, {"dft.window=all"}),
            "head.cfg:10: section [dft]: is of method fdtd1d; fdtd1d-subdomains has fields at the first and the last "
            "step only");
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
