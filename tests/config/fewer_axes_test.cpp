// Methods whose fields vary along the first axes only: shorter lists of numbers, and what does not exist.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "case_fixture.hpp"

namespace dgtd::config {
namespace {

class FewerAxes : public CaseFile {
 protected:
  inline static const std::string plane =
      "[solver]\nmethod = fdtd2d\n[grid]\ncells = 20 10\nspacing = 0.02 0.01\n[time]\nsteps = 1\nfrequency = 1e9\n";
  inline static const std::string line =
      "[solver]\nmethod = fdtd1d\n[grid]\ncells = 20\nspacing = 0.02\n[time]\nsteps = 1\nfrequency = 1e9\n";
};

TEST_F(FewerAxes, AGridIsACellThickWhereItHasNoAxis) {
  const Case c = read(plane);
  EXPECT_EQ(c.grid.cells, (std::array<std::int64_t, 3>{20, 10, 1}));
  EXPECT_EQ(c.grid.spacings[2], std::vector<double>{0.01});
  EXPECT_EQ(c.grid.origin, (Vec3{-0.2, -0.05, -0.005}));
  const Case d = read(line);
  EXPECT_EQ(d.grid.cells, (std::array<std::int64_t, 3>{20, 1, 1}));
  EXPECT_EQ(d.grid.origin, (Vec3{-0.2, -0.01, -0.01}));
}

TEST_F(FewerAxes, PlacesAndLengthsHaveTheNumbersOfTheAxes) {
  const Case c =
      read(plane +
           "[material.glass]\neps_r = 2\n[shape.a]\ntype = box\nmaterial = glass\ncentre = 0.1 0\nsize = 0.02 0.01\n"
           "[source.s]\ntype = dipole\nposition = 0.1 0.02\ndirection = 0 0 1\n[flux.f]\ntype = plane\ncentre = 0 "
           "0.01\nsize = 0.1 0\nfrequencies = 1e9\n");
  EXPECT_EQ(c.shapes[0].size.z, 1e9);
  EXPECT_EQ(c.sources[0].position, (Vec3{0.1, 0.02, 0}));
  EXPECT_EQ(c.fluxes[0].size, (Vec3{0.1, 0, 1e9}));
  const Case m = read(plane + "[monitor.m]\ntype = box\ncentre = 0 0.01\nsize = 0.1 0.2\nfrequencies = 1e9\n");
  EXPECT_EQ(m.monitors[0].centre, (Vec3{0, 0.01, 0}));
  EXPECT_EQ(m.monitors[0].size, (Vec3{0.1, 0.2, 1e9}));
  const std::string wave =
      "[source.s]\ntype = plane-wave\ndirection = 1 0 0\npolarisation = 0 0 1\nbox_min = -0.1 -0.02\nbox_max = 0.1 ";
  EXPECT_LT(read(plane + wave + "0.02\n").sources[0].box_min->z, -1e8);
  EXPECT_EQ(message(plane + wave + "-0.02\n"),
            "head.cfg:14: source.s.box_max = 0.1 -0.02: must exceed source.s.box_min = -0.1 -0.02 along x and y");
  const Case d = read(line + "[source.s]\ntype = sheet\ncentre = -0.1\nsize = 0\npolarisation = 0 0 1\n");
  EXPECT_EQ(d.sources[0].centre, (Vec3{-0.1, 0, 0}));
  EXPECT_EQ(d.sources[0].size, (Vec3{0, 1e9, 1e9}));
}

TEST_F(FewerAxes, SourcesSayWhichComponentsThereAre) {
  const auto of = [&](const char* direction) {
    return read(fmt::format("{}[source.s]\ntype = dipole\nposition = 0 0\ndirection = {}\n", plane, direction))
        .solver.polarisation;
  };
  EXPECT_EQ(of("0 0 1"), Polarisation::ez);
  EXPECT_EQ(of("1 1 0"), Polarisation::hz);
  EXPECT_EQ(of("0 1 1"), Polarisation::both);
  EXPECT_EQ(read(plane + "[initial]\ntype = cavity-mode\nmode = 1 1\n").solver.polarisation, Polarisation::ez);
}

TEST_F(FewerAxes, SidesOfTheMissingAxesArePeriodic) {
  const auto types = side_types(read(plane + "[boundary.*]\ntype = pec\n"));
  EXPECT_EQ(types[3], Boundary::Type::pec);
  EXPECT_EQ(types[4], Boundary::Type::periodic);
  EXPECT_EQ(message(plane + "[boundary.zmin]\ntype = pec\n"),
            "head.cfg:9: [boundary.zmin]: fdtd2d has no side 'zmin'; it has xmin, xmax, ymin, ymax");
}

TEST_F(FewerAxes, Errors) {
  EXPECT_EQ(message(plane, {"grid.cells=20 10 2"}),
            "--set grid.cells=20 10 2: must be 1 along z, which fdtd2d does not have");
  EXPECT_EQ(message(plane + "[monitor.m]\ntype = plane\nsize = 0.1 0.1 0\nfrequencies = 1e9\n"),
            "head.cfg:11: monitor.m.size = 0.1 0.1 0: must not be 0 along z, which fdtd2d does not have");
  EXPECT_EQ(message(plane, {"grid.cells=20"}), "--set grid.cells=20: must be 2 integers from 1 to 1048576");
  EXPECT_EQ(message(plane, {"grid.spacing=-1"}), "--set grid.spacing=-1: must be 1 or 2 numbers > 0");
  EXPECT_EQ(message(line, {"grid.spacing=0.1 0.1"}), "--set grid.spacing=0.1 0.1: must be 1 number > 0");
  EXPECT_EQ(message(plane + "[far_field.f]\nsize = 1 1 1\nfrequencies = 1e9\n"),
            "head.cfg:9: section [far_field.f]: is of methods dgtd and fdtd3d; fdtd2d has no far fields");
  EXPECT_EQ(message("[solver]\nmethod = fdtd3d\npolarisation = ez\n"),
            "head.cfg:3: solver.polarisation = ez: is of methods fdtd2d and fdtd1d; fdtd3d has all components");
  EXPECT_EQ(
      message(plane + "[source.s]\ntype = gaussian-beam\n"),
      "head.cfg:10: source.s.type = gaussian-beam: is of methods dgtd and fdtd3d; fdtd2d has dipole, plane-wave, sheet and hard");
  EXPECT_EQ(message(plane + "[initial]\ntype = cavity-mode\nmode = 1 1 1\n"),
            "head.cfg:11: initial.mode = 1 1 1: must have 0 half waves along z, which fdtd2d does not have");
}

TEST_F(FewerAxes, ResolvedCasesReadBack) {
  for (const std::string& text : {plane, line}) {
    const Case c =
        read(text + "[material.glass]\neps_r = 2\n[shape.a]\ntype = cylinder\nmaterial = glass\nradius = 0.02\n");
    const Case again = read(resolved_text(c));
    EXPECT_EQ(again.grid, c.grid);
    EXPECT_EQ(again.solver, c.solver);
    EXPECT_EQ(again.shapes[0].height, c.shapes[0].height);
  }
}

}  // namespace
}  // namespace dgtd::config
