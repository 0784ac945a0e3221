// Initial fields by formulas and files, and hard sources.
#include <gtest/gtest.h>

#include <cmath>

#include "case_fixture.hpp"
#include "dgtd/config/formula.hpp"

namespace dgtd::config {
namespace {

// Appended text begins on line 9.
const std::string plane =
    "[solver]\nmethod = fdtd2d\n[grid]\ncells = 20 10\nspacing = 0.02\n[time]\nsteps = 1\nfrequency = 1e9\n";

class InitialFields : public CaseFile {};

TEST_F(InitialFields, AFormulaIsOfXYZAndPi) {
  const Formula f("sin(pi*x) * exp(-y^2) + z/2");
  EXPECT_NEAR(f({0.3, 0.4, 5}), std::sin(std::acos(-1) * 0.3) * std::exp(-0.16) + 2.5, 1e-15);
  EXPECT_EQ(f({0.5, 0, 0}), 1);
  const Formula copy = f;
  EXPECT_EQ(copy({0, 0, 3}), 1.5);
}

TEST_F(InitialFields, FormulasAreKept) {
  const Case c = read(plane + "[initial]\ntype = formula\nEz = sin(pi*x) # V/m\nHx = y\n");
  EXPECT_EQ(c.initial.type, Initial::Type::formula);
  EXPECT_EQ(c.initial.electric[2], "sin(pi*x)");
  EXPECT_EQ(c.initial.magnetic[0], "y");
  EXPECT_EQ(c.solver.polarisation, Polarisation::ez);
  EXPECT_EQ(read(resolved_text(c)).initial, c.initial);
  EXPECT_EQ(read(plane + "[initial]\ntype = formula\nHz = 1\n").solver.polarisation, Polarisation::hz);
  EXPECT_EQ(read(plane + "[initial]\ntype = formula\nHz = 1\nHy = 1\n").solver.polarisation, Polarisation::both);
  EXPECT_EQ(read(plane + "[initial]\ntype = file\nfile = a.txt\n").initial.file, directory() / "a.txt");
  EXPECT_EQ(message(structured + "[initial]\ntype = formula\nEx = z\n"), "no error");
}

TEST_F(InitialFields, Errors) {
  const auto of = [](const std::string& lines) { return message(plane + "[initial]\n" + lines); };
  const std::string allowed =
      ": it may have x, y, z (m), pi, numbers, + - * / ^ ( ) and functions such as sin, exp, sqrt, abs";
  EXPECT_EQ(of("type = formula\nEz = sin(2*u)\n"),
            "head.cfg:11: initial.Ez = sin(2*u): cannot be understood at position 7, 'u'" + allowed);
  EXPECT_EQ(of("type = formula\nHx = (1 + x\n"),
            "head.cfg:11: initial.Hx = (1 + x: cannot be understood at position 7, ')'" + allowed);
  EXPECT_EQ(of("type = formula\nEz = 1, 2\n"),
            "head.cfg:11: initial.Ez = 1, 2: has commas outside a function: one value is wanted");
  EXPECT_EQ(of("type = formula\n"), "head.cfg:10: initial.type = formula: needs one of Ex, Ey, Ez, Hx, Hy and Hz");
  EXPECT_EQ(of("Ez = x\n"), "head.cfg:10: initial.Ez = x: belongs to initial.type = formula");
  EXPECT_EQ(of("type = file\n"), "head.cfg:10: [initial]: initial.file is required (a path)");
  EXPECT_EQ(of("file = a\n"), "head.cfg:10: initial.file = a: belongs to initial.type = file");
  EXPECT_EQ(
      message(structured + "[initial]\ntype = file\n"),
      "head.cfg:9: initial.type = file: is of methods fdtd2d and fdtd1d; fdtd3d has zero, cavity-mode and formula");
  EXPECT_EQ(message(minimal + "[initial]\ntype = formula\n"),
            "head.cfg:6: initial.type = formula: is of method fdtd3d; dgtd has zero and cavity-mode");
}

class HardSource : public CaseFile {};

TEST_F(HardSource, HasAPlaceAnAxisAndAnAmplitude) {
  const Case c = read(plane + "[source.s]\ntype = hard\nposition = 0.1 0\ndirection = 0 0 -2\namplitude = 3\n");
  EXPECT_EQ(c.sources[0].type, Source::Type::hard);
  EXPECT_EQ(c.sources[0].direction, (Vec3{0, 0, -1}));
  EXPECT_EQ(c.sources[0].amplitude, 3);
  EXPECT_EQ(c.solver.polarisation, Polarisation::ez);
  EXPECT_EQ(read(resolved_text(c)).sources[0].position, c.sources[0].position);
}

TEST_F(HardSource, Errors) {
  const auto of = [](const std::string& lines) { return message(plane + "[source.s]\ntype = hard\n" + lines); };
  EXPECT_EQ(of("direction = 0 0 1\n"), "head.cfg:9: [source.s]: source.s.position is required (3 numbers, m)");
  EXPECT_EQ(of("position = 0 0\ndirection = 0 1 1\n"),
            "head.cfg:12: source.s.direction = 0 1 1: must be along x, y or z where type = hard");
  EXPECT_EQ(of("position = 0 0\ndirection = 0 0 1\nmoment = 1\n"),
            "head.cfg:13: source.s.moment = 1: belongs to type = dipole");
  EXPECT_EQ(message(minimal + "[source.s]\ntype = hard\n"),
            "head.cfg:6: source.s.type = hard: is of method fdtd3d; dgtd has dipole, plane-wave, sheet and gaussian-beam");
}

TEST_F(InitialFields, PicturesNeedThePixelsEdge) {
  const std::string shape = "[material.glass]\neps_r = 2\n[shape.s]\ntype = labels\nfile = a.png\nlabels = 255 glass\n";
  EXPECT_EQ(message(plane + shape), "head.cfg:11: [shape.s]: shape.s.unit is required (m, edge of a pixel)");
  EXPECT_EQ(message(plane + shape + "unit = 1e-6\n"), "no error");
}

}  // namespace
}  // namespace dgtd::config
