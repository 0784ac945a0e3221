// Keys of method fdtd1d-subdomains, and what it does not have.
#include <gtest/gtest.h>

#include "config/case_fixture.hpp"

namespace dgtd::config {
namespace {

class Subdomains : public CaseFile {
 protected:
  // subdomains stands on line 3, the first of the lines on line 10.
  inline static const std::string line =
      "[solver]\nmethod = fdtd1d-subdomains\nsubdomains = 4\n[grid]\ncells = 400\nspacing = 0.02\n[time]\nperiods = "
      "10\nfrequency "
      "= 1e9\n";
  static std::string of(const std::string& lines) { return message(line + lines); }
};

TEST_F(Subdomains, HaveDefaults) {
  EXPECT_EQ(read("[solver]\nmethod = fdtd1d-subdomains\n[grid]\ncells = 400\nspacing = 0.02\n[time]\nsteps = 1\n")
                .solver.subdomains,
            2);
  const Solver s = read(line).solver;
  EXPECT_EQ(s.subdomains, 4);
  EXPECT_EQ(s.reflections, 0);
  EXPECT_FALSE(s.window);
  EXPECT_EQ(s.steady_tolerance, 1e-4);
  EXPECT_EQ(read(line + "[solver]\nprecision = double\n").solver.steady_tolerance, 1e-5);
  EXPECT_TRUE(read(line).dft.frequencies.empty());
}

TEST_F(Subdomains, ResolvedCasesReadBack) {
  const Case c = read(line +
                      "[solver]\nreflections = 3\nwindow = 2.5\nsteady_tolerance = 1e-7\n[material.glass]\neps_r = "
                      "2\n[shape.a]\ntype = box\nmaterial = glass\nsize = 1\n"
                      "[source.s]\ntype = sheet\ncentre = -0.1\nsize = 0\npolarisation = 0 0 1\n[boundary.xmax]\ntype "
                      "= pec\n[probe.p]\nposition = 0\n");
  const Case again = read(resolved_text(c));
  EXPECT_EQ(again.solver, c.solver);
  EXPECT_EQ(again.dft, c.dft);
  EXPECT_EQ(again.grid, c.grid);
}

TEST_F(Subdomains, Errors) {
  EXPECT_EQ(message(line, {"solver.subdomains=0"}), "--set solver.subdomains=0: must be an integer from 1 to 100000");
  EXPECT_EQ(message("[solver]\nmethod = fdtd2d\nsubdomains = 2\n"),
            "head.cfg:3: solver.subdomains = 2: is of method fdtd1d-subdomains; fdtd2d has none");
  EXPECT_EQ(
      message("[solver]\nmethod = fdtd1d\nreflections = 2\n[grid]\ncells = 400\nspacing = 0.02\n[time]\nsteps = 1\n"),
      "head.cfg:3: solver.reflections = 2: is of method fdtd1d-subdomains; fdtd1d has none");
  EXPECT_EQ(message(line, {"solver.subdomains=1", "solver.reflections=1"}),
            "--set solver.reflections=1: one subdomain has no re-reflections; allowed is 0");
  EXPECT_EQ(message(line, {"solver.polarisation=both"}),
            "head.cfg:2: solver.method = fdtd1d-subdomains: requires polarisation ez, and this case has both");
  EXPECT_EQ(message("[solver]\nmethod = fdtd1d-subdomains\nsubdomains = 4\nwindow = 2\n[grid]\ncells = 400\nspacing = "
                    "0.02\n[time]\nsteps = 10\n"),
            "head.cfg:4: solver.window = 2: requires time.frequency");
}

TEST_F(Subdomains, RefuseWhatTheLineHasAsAWhole) {
  const std::string whole = "is of method fdtd1d; fdtd1d-subdomains ",
                    ends = whole + "has fields at the first and the last step only";
  EXPECT_EQ(message(line, {"solver.kernels=split"}), "--set solver.kernels=split: " + whole + "has fused");
  EXPECT_EQ(of("[flux.f]\ntype = plane\n"), "head.cfg:10: section [flux.f]: " + whole + "has none");
  EXPECT_EQ(of("[sar]\nnormalise = incident\n"), "head.cfg:10: section [sar]: " + whole + "measures no powers");
  for (const std::string section : {"monitor.m", "snapshot.s", "dft", "checkpoint"})
    EXPECT_EQ(of("[" + section + "]\n"), "head.cfg:10: section [" + section + "]: " + ends);
  for (const std::string key : {"every", "energy_interval"})
    EXPECT_EQ(of("[output]\n" + key + " = 10\n"), "head.cfg:11: output." + key + " = 10: " + ends);
  for (const std::string key : {"poles = gold", "debye_poles = 2"})
    EXPECT_EQ(of("[material.m]\n" + key + "\n"),
              "head.cfg:11: material.m." + key + ": method fdtd1d-subdomains has no dispersive materials, fdtd1d has");
  EXPECT_EQ(of("[boundary.xmin]\ntype = mur\n"),
            "head.cfg:11: boundary.xmin.type = mur: " + whole + "has cpml, pec and pmc");
  EXPECT_EQ(of("[source.s]\ntype = hard\n"),
            "head.cfg:11: source.s.type = hard: " + whole + "has dipole, plane-wave and sheet");
  EXPECT_EQ(of("[initial]\ntype = formula\n"), "head.cfg:11: initial.type = formula: " + whole + "has zero");
}

}  // namespace
}  // namespace dgtd::config
