// Good cases of method fdtd3d.
#include "config/case_fixture.hpp"
#include "dgtd/base/constants.hpp"

namespace dgtd::config {
namespace {

using ReadFdtd = CaseFile;
using Cells = std::array<std::int64_t, 3>;
using Spacings = std::vector<double>;

// Appended text continues [grid].
const std::string begin = "[solver]\nmethod = fdtd3d\n[time]\nend = 1e-14\n[grid]\n";

TEST_F(ReadFdtd, ShortestCaseHasTheDefaults) {
  const Case c = read(structured);
  Case expected;
  expected.file = directory() / "head.cfg";
  expected.name = "head";
  expected.solver.method = app::method("fdtd3d");
  expected.grid.cells = {4, 5, 8};
  expected.grid.spacing = {2e-9, 2e-9, 2e-9};
  expected.grid.spacings = {Spacings(4, 2e-9), Spacings(5, 2e-9), Spacings(8, 2e-9)};
  expected.grid.origin = {-4e-9, -5e-9, -8e-9};
  expected.time.end = 1e-14;
  expected.output.directory = directory() / "out/head";
  EXPECT_EQ(c, expected);
  EXPECT_EQ(c.grid.pml, 10);
  EXPECT_TRUE(c.grid.subpixel);
  EXPECT_EQ(c.grid.background, "");
}

TEST_F(ReadFdtd, GridOfThreeSpacings) {
  const Grid g = read(begin +
                      "cells = 2 1 3\nspacing = 1 2 3\norigin = -1 0.5 7\npml = 4\nsubpixel = off\nbackground = oil\n"
                      "[material.oil]\n")
                     .grid;
  EXPECT_EQ(g.cells, (Cells{2, 1, 3}));
  EXPECT_EQ(g.spacings, (std::array{Spacings{1, 1}, Spacings{2}, Spacings{3, 3, 3}}));
  EXPECT_EQ(g.origin, (Vec3{-1, 0.5, 7}));
  EXPECT_EQ(g.pml, 4);
  EXPECT_FALSE(g.subpixel);
  EXPECT_EQ(g.background, "oil");
}

TEST_F(ReadFdtd, AnAxisWithAListTakesNothingFromTheOthers) {
  const Grid g = read(begin + "cells = 2 9 3\nspacing = 1 9 3\nspacings_y = 2*0.5 1 0.25 1*0.25\n").grid;
  EXPECT_EQ(g.cells, (Cells{2, 5, 3}));
  EXPECT_EQ(g.spacings, (std::array{Spacings{1, 1}, Spacings{0.5, 0.5, 1, 0.25, 0.25}, Spacings{3, 3, 3}}));
  EXPECT_EQ(g.spacing, (Vec3{1, 0, 3}));
  EXPECT_EQ(g.origin, (Vec3{-1, -1.25, -4.5}));
}

TEST_F(ReadFdtd, ThreeListsNeedNeitherCellsNorSpacing) {
  const Grid g = read(begin + "spacings_x = 1\nspacings_y = 2*1 2\nspacings_z = 4*0.5\n").grid;
  EXPECT_EQ(g.cells, (Cells{1, 3, 4}));
  EXPECT_EQ(g.spacing, (Vec3{1, 0, 0.5}));
  EXPECT_EQ(g.origin, (Vec3{-0.5, -2, -1}));
}

TEST_F(ReadFdtd, RefinementsBecomeSpacings) {
  const std::string grid = begin + "cells = 40 30 20\nspacing = 1 1 2\npml = 5\n";
  const Case c = read(
      grid +
      "[refine.a]\nsize = 4 6 80\nspacing = 0.5\n[refine.b]\ncentre = 6 0 0\nsize = 2 80 80\nspacing = 0.25 1 2\n");
  EXPECT_TRUE(c.refinements.empty());
  EXPECT_EQ(c.grid.origin, (Vec3{-20, -15, -20}));
  EXPECT_EQ(c.grid.spacings[2], Spacings(80, 0.5));
  EXPECT_EQ(c.grid.spacing, (Vec3{0, 0, 0.5}));
  for (int a = 0; a < 2; ++a) {
    const auto& h = c.grid.spacings[static_cast<std::size_t>(a)];
    EXPECT_EQ(c.grid.cells[static_cast<std::size_t>(a)], static_cast<std::int64_t>(h.size()));
    double x = c.grid.origin[a];
    int nodes = 0;
    for (const double d : h) {
      x += d;
      for (const double face : a == 0 ? Spacings{-2, 2, 5, 7} : Spacings{-3, 3}) nodes += std::abs(x - face) < 1e-9;
    }
    EXPECT_NEAR(x, -c.grid.origin[a], 1e-9);
    EXPECT_EQ(nodes, a == 0 ? 4 : 2);
    EXPECT_EQ(h[4], 1);
  }
  EXPECT_EQ(read(grid + "[refine.a]\nsize = 4 6 8\nspacing = 1 1 2\n").grid, read(grid).grid);
  const Grid coarse = read(grid + "[refine.a]\nsize = 4 6 8\nspacing = 0.25\n").grid,
             quick = read(grid + "ratio = 2\n[refine.a]\nsize = 4 6 8\nspacing = 0.25\n").grid;
  EXPECT_GT(coarse.cells[0], quick.cells[0]);
}

TEST_F(ReadFdtd, Shapes) {
  const Case c =
      read(structured +
           "[material.glass]\n[material.air]\n"
           "[shape.b]\ntype = box\nmaterial = glass\nsize = 1 2 3\ncentre = 4 5 6\npriority = -2\n"
           "[shape.s]\ntype = sphere\nmaterial = air\nradius = 0.5\n"
           "[shape.e]\ntype = ellipsoid\nmaterial = glass\nradii = 1 2 3\n"
           "[shape.c]\ntype = cylinder\nmaterial = glass\nradius = 1\nheight = 2\naxis = 0 3 -4\n"
           "[shape.upright rod]\ntype = cylinder\nmaterial = glass\nradius = 1\nheight = 2\n"
           "[shape.p]\ntype = prism\nmaterial = glass\naxis = 0 -3 0\nheight = 2\npoints = 0 0, 1 0 ,1e-1 -2\n"
           "[shape.f]\ntype = stl\nmaterial = glass\nfile = a b.stl\nposition = 1 2 3\n"
           "[material.grey matter]\n[shape.l]\ntype = labels\nfile = ../h.nii.gz\nlabels = 1 glass , 2  grey "
           "matter,255 air\n");
  ASSERT_EQ(c.shapes.size(), 8u);
  Shape box;
  box.name = "b";
  box.type = Shape::Type::box;
  box.material = "glass";
  box.priority = -2;
  box.centre = {4, 5, 6};
  box.size = {1, 2, 3};
  box.origin = "head.cfg:10";
  EXPECT_EQ(c.shapes[0], box);
  EXPECT_EQ(c.shapes[1].type, Shape::Type::sphere);
  EXPECT_EQ(c.shapes[1].material, "air");
  EXPECT_EQ(c.shapes[1].radius, 0.5);
  EXPECT_EQ(c.shapes[1].priority, 0);
  EXPECT_EQ(c.shapes[2].type, Shape::Type::ellipsoid);
  EXPECT_EQ(c.shapes[2].radii, (Vec3{1, 2, 3}));
  EXPECT_EQ(c.shapes[3].type, Shape::Type::cylinder);
  EXPECT_EQ(c.shapes[3].height, 2);
  EXPECT_NEAR(c.shapes[3].axis.y, 0.6, 1e-15);
  EXPECT_NEAR(c.shapes[3].axis.z, -0.8, 1e-15);
  EXPECT_EQ(c.shapes[4].name, "upright rod");
  EXPECT_EQ(c.shapes[4].axis, (Vec3{0, 0, 1}));
  EXPECT_EQ(c.shapes[5].axis, (Vec3{0, -1, 0}));
  EXPECT_EQ(c.shapes[5].points, (std::vector<std::array<double, 2>>{{0, 0}, {1, 0}, {0.1, -2}}));
  EXPECT_EQ(c.shapes[6].file, directory() / "a b.stl");
  EXPECT_EQ(c.shapes[6].unit, 1);
  EXPECT_EQ(c.shapes[6].position, (Vec3{1, 2, 3}));
  EXPECT_EQ(c.shapes[7].file, directory().parent_path() / "h.nii.gz");
  EXPECT_EQ(c.shapes[7].unit, 1e-3);
  EXPECT_EQ(c.shapes[7].labels, (std::vector<Shape::Label>{{1, "glass"}, {2, "grey matter"}, {255, "air"}}));
}

TEST_F(ReadFdtd, Monitors) {
  const Case c = read(structured +
                      "[monitor.a]\ntype = box\nsize = 1 2 3\ncentre = 4 5 6\nfrequencies = 2e14 1e14 2e14\n"
                      "[monitor.b]\ntype = plane\nsize = 1 0 3\nwavelengths = 400e-9 800e-9 5\nfields = H\n");
  ASSERT_EQ(c.monitors.size(), 2u);
  EXPECT_EQ(c.monitors[0].name, "a");
  EXPECT_EQ(c.monitors[0].type, Monitor::Type::box);
  EXPECT_EQ(c.monitors[0].centre, (Vec3{4, 5, 6}));
  EXPECT_EQ(c.monitors[0].size, (Vec3{1, 2, 3}));
  EXPECT_EQ(c.monitors[0].origin, "head.cfg:8");
  EXPECT_EQ(c.monitors[0].frequencies, (std::vector<double>{1e14, 2e14}));
  EXPECT_TRUE(c.monitors[0].keeps("E") && c.monitors[0].keeps("H"));
  EXPECT_EQ(c.monitors[1].type, Monitor::Type::plane);
  EXPECT_EQ(c.monitors[1].frequencies.size(), 5u);
  EXPECT_TRUE(!c.monitors[1].keeps("E") && c.monitors[1].keeps("H"));
  EXPECT_EQ(band_in_use(c), (Band{1e14, speed_of_light / 400e-9}));
}

TEST_F(ReadFdtd, Fluxes) {
  const Case c = read(structured +
                      "[flux.a]\ntype = box\nsize = 1 2 3\ncentre = 4 5 6\nfrequencies = 2e14 1e14 2e14 3e14\n"
                      "[flux.b]\ntype = plane\nsize = 1 0 3\nwavelengths = 400e-9 800e-9 5\n"
                      "[flux.c]\ntype = plane\nsize = 1 0 3\nwavelengths = 800e-9 400e-9 2\n"
                      "[flux.d]\ntype = plane\nsize = 1 0 3\nwavelengths = 550e-9 5.5e-7 1\n");
  ASSERT_EQ(c.fluxes.size(), 4u);
  EXPECT_EQ(c.fluxes[0].name, "a");
  EXPECT_EQ(c.fluxes[0].type, Flux::Type::box);
  EXPECT_EQ(c.fluxes[0].centre, (Vec3{4, 5, 6}));
  EXPECT_EQ(c.fluxes[0].size, (Vec3{1, 2, 3}));
  EXPECT_EQ(c.fluxes[0].origin, "head.cfg:8");
  EXPECT_EQ(c.fluxes[0].frequencies, (std::vector<double>{1e14, 2e14, 3e14}));
  EXPECT_EQ(c.fluxes[1].type, Flux::Type::plane);
  ASSERT_EQ(c.fluxes[1].frequencies.size(), 5u);
  const double nanometres[] = {800, 700, 600, 500, 400};
  for (int i = 0; i < 5; ++i) EXPECT_DOUBLE_EQ(c.fluxes[1].frequencies[i], speed_of_light / (nanometres[i] * 1e-9));
  EXPECT_EQ(c.fluxes[2].frequencies, (std::vector<double>{speed_of_light / 800e-9, speed_of_light / 400e-9}));
  EXPECT_EQ(c.fluxes[3].frequencies, std::vector<double>{speed_of_light / 550e-9});
}

TEST_F(ReadFdtd, Poles) {
  const Case c =
      read(structured +
           "[material.m]\neps_r = 2\nsigma_m = 0.5\n"
           "poles = drude 1e16 2e14, lorentz 3e15 4e15 5e13 ,debye 70 8e-12, critical-point -0.3 4e15 -1.2 5e14\n"
           "[material.n]\n");
  ASSERT_EQ(c.materials.size(), 2u);
  EXPECT_EQ(c.materials[0].magnetic_conductivity, 0.5);
  ASSERT_EQ(c.materials[0].poles.size(), 4u);
  EXPECT_EQ(c.materials[0].poles[0], (Pole{Pole::Type::drude, 1e16, 0, 2e14, 0}));
  EXPECT_EQ(c.materials[0].poles[1], (Pole{Pole::Type::lorentz, 3e15, 4e15, 5e13, 0}));
  EXPECT_EQ(c.materials[0].poles[2], (Pole{Pole::Type::debye, 70, 0, 0, 8e-12}));
  EXPECT_EQ(c.materials[0].poles[3], (Pole{Pole::Type::critical_point, -0.3, 4e15, 5e14, 0, -1.2}));
  EXPECT_TRUE(c.materials[1].poles.empty());
  EXPECT_EQ(c.materials[1].magnetic_conductivity, 0);
}

// The fit's band is that of sources and monitors, where none is given.
TEST_F(ReadFdtd, TissuesWithDebyePoles) {
  const std::string wave =
      "[source.w]\ntype = plane-wave\ndirection = 0 0 1\npolarisation = 1 0 0\nfrequency = 2e9\n"
      "waveform = modulated-gaussian\nbandwidth = 1.5e9\n";
  const std::string flux = "[flux.a]\ntype = box\nsize = 1 2 3\nfrequencies = 1e8 4e9\n";
  const std::string skin = "[material.skin]\ntissue = skin dry\ndebye_poles = 2\n";
  const Material m = read(structured + skin + wave).materials.at(0);
  EXPECT_EQ(m.debye_poles, 2);
  EXPECT_EQ(m.fit_band, (Band{5e8, 3.5e9}));
  EXPECT_TRUE(m.permittivity_known && m.conductivity_known && m.poles.size() == 2);
  EXPECT_EQ(read(structured + skin + wave + flux).materials.at(0).fit_band, (Band{1e8, 4e9}));
  EXPECT_EQ(read(structured + skin + "[dft]\nfrequencies = 1e9 2e9\nwindow = all\n").materials.at(0).fit_band,
            (Band{1e9, 2e9}));
  EXPECT_EQ(read(structured + skin + "fit_band = 3e8 3e9\n").materials.at(0).fit_band, (Band{3e8, 3e9}));
  EXPECT_FALSE(band_in_use(read(structured)));
}

// Rakic et al. 1998, f_m, Gamma_m and omega_m of gold in eV, omega_p = 9.03 eV. Wahl et
// al. 2012 give the same in rad/s, to four decimals.
TEST_F(ReadFdtd, GoldIsThatOfRakic) {
  const Case c = read(structured + "[material.m]\npoles = gold\n");
  const double f[] = {0.760, 0.024, 0.010, 0.071, 0.601, 4.384};
  const double gamma[] = {0.053, 0.241, 0.345, 0.870, 2.494, 2.214};  // eV
  const double omega[] = {0, 0.415, 0.830, 2.969, 4.304, 13.32};      // eV
  const double electronvolt = 1.602176634e-19 / 1.054571817e-34;      // rad/s
  const auto tolerance = [](double value, double unit) { return 5e-4 * value + 1e-4 * unit; };
  ASSERT_EQ(c.materials.at(0).poles.size(), 6u);
  for (int m = 0; m < 6; ++m) {
    const Pole& p = c.materials[0].poles[m];
    EXPECT_EQ(p.type, m == 0 ? Pole::Type::drude : Pole::Type::lorentz);
    EXPECT_NEAR(p.strength, std::sqrt(f[m]) * 9.03 * electronvolt, tolerance(p.strength, 1e16)) << m;
    EXPECT_NEAR(p.resonance, omega[m] * electronvolt, tolerance(p.resonance, 1e16)) << m;
    EXPECT_NEAR(p.damping, gamma[m] * electronvolt, tolerance(p.damping, 1e15)) << m;
    EXPECT_EQ(p.relaxation_time, 0);
  }
  EXPECT_DOUBLE_EQ(c.materials[0].poles[0].strength, 1.1959e16);
  EXPECT_DOUBLE_EQ(c.materials[0].poles[1].resonance, 0.0630e16);
  EXPECT_DOUBLE_EQ(c.materials[0].poles[5].damping, 3.3633e15);
}

TEST_F(ReadFdtd, TotalFieldBox) {
  const std::string wave = structured +
                           "[source.w]\ntype = plane-wave\ndirection = 0 0 1\npolarisation = 1 0 0\n"
                           "frequency = 5e14\nwaveform = modulated-gaussian\nbandwidth = 3e14\n";
  const Case without = read(wave);
  EXPECT_FALSE(without.sources.at(0).box_min || without.sources[0].box_max);
  const Case with = read(wave + "box_min = -1 -2 -3\nbox_max = 4 5 6\n");
  EXPECT_EQ(with.sources.at(0).box_min, (Vec3{-1, -2, -3}));
  EXPECT_EQ(with.sources[0].box_max, (Vec3{4, 5, 6}));
}

TEST_F(ReadFdtd, CavityModeIsAllowed) {
  EXPECT_EQ(read(structured + "[initial]\ntype = cavity-mode\n[boundary.*]\ntype = pec\n").initial.type,
            Initial::Type::cavity_mode);
}

}  // namespace
}  // namespace dgtd::config
