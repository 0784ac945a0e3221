// Keys of method fdtd1d in subdomains, and what these do not have.
#include <gtest/gtest.h>

#include "config/case_fixture.hpp"

namespace dgtd::config {
namespace {

class Subdomains : public CaseFile {
 protected:
  // subdomains stands on line 3, the first of the lines on line 10.
  inline static const std::string line =
      "[solver]\nmethod = fdtd1d\nsubdomains = 4\n[grid]\ncells = 400\nspacing = 0.02\n[time]\nperiods = 10\nfrequency "
      "= 1e9\n";
  static std::string of(const std::string& lines) { return message(line + lines); }
};

TEST_F(Subdomains, AreOptionalAndHaveDefaults) {
  EXPECT_FALSE(
      read("[solver]\nmethod = fdtd1d\n[grid]\ncells = 400\nspacing = 0.02\n[time]\nsteps = 1\n").solver.subdomains);
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
            "head.cfg:3: solver.subdomains = 2: is of method fdtd1d; fdtd2d has none");
  EXPECT_EQ(
      message("[solver]\nmethod = fdtd1d\nreflections = 2\n[grid]\ncells = 400\nspacing = 0.02\n[time]\nsteps = 1\n"),
      "head.cfg:3: solver.reflections = 2: belongs to runs with solver.subdomains");
  EXPECT_EQ(message(line, {"solver.subdomains=1", "solver.reflections=1"}),
            "--set solver.reflections=1: one subdomain has no re-reflections; allowed is 0");
  EXPECT_EQ(message(line, {"solver.polarisation=both"}),
            "head.cfg:3: solver.subdomains = 4: subdomains carry Ez and Hy alone: solver.polarisation must be ez");
  EXPECT_EQ(message("[solver]\nmethod = fdtd1d\nsubdomains = 4\nwindow = 2\n[grid]\ncells = 400\nspacing = "
                    "0.02\n[time]\nsteps = 10\n"),
            "head.cfg:4: solver.window = 2: requires time.frequency");
  const std::string without = "belongs to runs without solver.subdomains";
  EXPECT_EQ(message(line, {"solver.kernels=split"}), "--set solver.kernels=split: " + without);
  EXPECT_EQ(of("[flux.f]\ntype = plane\nsize = 0\nfrequencies = 1e9\n"), "head.cfg:10: section [flux.f]: " + without);
  EXPECT_EQ(of("[dft]\nfrequencies = 1e9\n"), "head.cfg:11: dft.frequencies = 1e9: " + without);
  EXPECT_EQ(of("[dft]\nwindow = all\n"), "head.cfg:11: dft.window = all: " + without);
  EXPECT_EQ(of("[sar]\nnormalise = incident\n"), "head.cfg:11: sar.normalise = incident: " + without);
  EXPECT_EQ(of("[output]\nevery = 10\n"), "head.cfg:11: output.every = 10: " + without);
  EXPECT_EQ(of("[output]\nenergy_interval = 10\n"), "head.cfg:11: output.energy_interval = 10: " + without);
  EXPECT_EQ(of("[material.m]\npoles = gold\n"), "head.cfg:11: material.m.poles = gold: " + without);
  EXPECT_EQ(of("[boundary.xmin]\ntype = mur\n"),
            "head.cfg:11: boundary.xmin.type = mur: " + without + "; with them sides are cpml, pec or pmc");
}

}  // namespace
}  // namespace dgtd::config
