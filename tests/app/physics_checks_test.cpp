// Cases whose results would mean nothing are refused, and doubtful ones warned of: on the console, in summary.json and
// in the report.
#include <gtest/gtest.h>

#include <fstream>

#include "app/program.hpp"

namespace {

// 24^3 cells of 10 mm with layers of 8 cells; 1 GHz has 30 cells per wavelength.
constexpr const char* grid =
    "[solver]\nmethod = fdtd3d\n[grid]\ncells = 24 24 24\nspacing = 0.01\npml = 8\n[boundary.*]\ntype = cpml\n"
    "[time]\nsteps = 4\n[source.a]\ntype = dipole\nposition = 0 0 0\ndirection = 0 0 1\nfrequency = 1e9\n"
    "[output]\ndirectory = out\nfields = none\n";

constexpr const char* box =
    "[solver]\norder = 1\n[mesh]\ngenerator = box\ncells = 3 3 3\nsize = 1 1 1\n[material.*]\n[boundary.*]\n"
    "type = silver-muller\n[time]\nsteps = 4\n[source.a]\ntype = dipole\nposition = 0.5 0.52 0.54\ndirection = 0 0 1\n"
    "frequency = 1e8\n[output]\ndirectory = out\nfields = none\n";

struct Run : Outcome {
  fs::path at;  // of the results
};

Run run(const std::string& name, const std::string& text, const std::string& options = "") {
  const auto directory = work("physics_" + name);
  std::ofstream(directory / "a.cfg") << text;
  return {dgtd((directory / "a.cfg").string() + " " + options), directory / "out"};
}

void expect_warning(const Run& outcome, const std::string& text) {
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("dgtd: warning: "), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find(text), std::string::npos) << outcome.output;
  const auto warnings = summary(outcome.at)["warnings"];
  EXPECT_EQ(std::count_if(warnings.begin(), warnings.end(),
                          [&](const auto& w) { return w.template get<std::string>().find(text) != std::string::npos; }),
            1)
      << warnings.dump();
  EXPECT_NE(content(outcome.at / "report.html").find("<h2>Warnings</h2>"), std::string::npos);
}

double largest_energy(const fs::path& directory) {
  double largest = 0;
  for (const auto& row : table(directory / "energy.csv").rows) largest = std::max(largest, row.at(2));
  return largest;
}

TEST(PhysicsChecks, SoundCasesHaveNoWarnings) {
  for (const char* text : {grid, box}) {
    const auto sound = run("sound", text);
    EXPECT_EQ(sound.code, 0) << sound.output;
    EXPECT_EQ(sound.output.find("warning"), std::string::npos) << sound.output;
  }
}

// 0.46 m to the wall, a wavelength of 10 m, edges of 0.15 m.
TEST(PhysicsChecks, DipolesInElementsThatAreTooLargeAreWarnedOf) {
  const std::string options = " --set 'mesh.cells=8 8 8' --set source.a.frequency=3e7";
  const auto coarse = run("spurious", box, options);
  expect_warning(coarse, "[source.a]: about ");
  expect_warning(coarse,
                 " % of the emitted power are spurious: smaller elements around the dipole (dgtd-mesh --refine) "
                 "or a higher order are needed");
  EXPECT_EQ(run("resolved", box, options + " --set solver.order=3").output.find("spurious"), std::string::npos);
}

// Rounding errors are what is left of two sources that cancel each other. Their energy is no sign of an instability.
TEST(PhysicsChecks, OppositeDipolesAtOnePointAreStable) {
  const std::string plane =
      "[solver]\nmethod = fdtd2d\n[grid]\ncells = 40 40\nspacing = 0.01\npml = 8\n[boundary.*]\ntype = cpml\n[time]\n"
      "steps = 4\n[source.a]\ntype = dipole\nposition = 0 0\ndirection = 0 0 1\nfrequency = 1e9\n[output]\ndirectory = "
      "out\nfields = none\n";
  for (const std::string& text : {std::string(grid), std::string(box), plane}) {
    std::string other = text.substr(text.find("[source.a]"));
    other = other.substr(0, other.find("[output]"));
    other.replace(other.find(".a]"), 3, ".b]");
    other.replace(other.find("0 0 1"), 5, "0 0 -1");
    const auto both = run("opposite", text + other, "--set time.steps=200 --set output.energy_interval=1");
    EXPECT_EQ(both.code, 0) << both.output;
    const auto one = run("alone", text, "--set time.steps=200 --set output.energy_interval=1");
    EXPECT_LT(largest_energy(both.at), 1e-9 * largest_energy(one.at));
  }
}

TEST(PhysicsChecks, SourcesMustBeWhereFieldsAre) {
  expect_bad_input(
      run("layer", grid, "--set source.a.position='0.06 0 0'"),
      "source.a: the dipole is in the absorbing layer at xmax, where fields are not those of the medium; it "
      "must be 8 cells from the grid's end at least\n");
  EXPECT_EQ(run("edge", grid, "--set source.a.position='0.04 0 0'").code, 0);
  expect_bad_input(run("conductor", std::string(grid) + "[material.metal]\nconductor = perfect\n[shape.b]\ntype = box\n"
                                                        "material = metal\nsize = 0.05 0.05 0.05\n"),
                   "source.a: the dipole is inside a perfect conductor, where there is no field\n");
}

TEST(PhysicsChecks, LayersMustLeaveCells) {
  expect_bad_input(
      run("layers", grid, "--set grid.pml=12"),
      "dgtd: error: grid.pml = 12: the absorbing layers fill the grid along x, which has 24 cells; it needs "
      "more than 24\n");
}

TEST(PhysicsChecks, WavesMustBeResolved) {
  expect_bad_input(
      run("coarse", grid, "--set source.a.frequency=2e10"),
      "waves of 2e+10 Hz have 1.5 cells per wavelength in (background), and they need 2 at least; a smaller "
      "grid.spacing is needed\n");
  expect_warning(run("few_cells", grid, "--set source.a.frequency=6e9"),
                 "waves of 6e+09 Hz have 5 cells per wavelength in (background); below 6 results are inaccurate");
  // One step per period.
  expect_bad_input(run("coarse_mesh", box, "--set source.a.frequency=1e12"),
                   "waves of 1e+12 Hz have 0.00071 elements times order per wavelength in *, and they need 1 at least");
  expect_warning(run("few_elements", box, "--set source.a.frequency=3e8"),
                 "waves of 3e+08 Hz have 2.4 elements times order per wavelength in *; below 3 results are inaccurate");
}

const std::string ceramic = std::string(grid) +
                            "[material.ceramic]\neps_r = 9e4\n[shape.b]\ntype = box\n"
                            "material = ceramic\ncentre = 0.03 0 0\nsize = 0.01 0.01 0.01\n";

// In a material, however little there is of it: 30 cells per wavelength are 0.1 where eps_r is 9e4. With 140 cells
// along each axis only each second one is looked at.
TEST(PhysicsChecks, WavesMustBeResolvedInEachMaterial) {
  const std::string text = "waves of 1e+09 Hz have 0.1 cells per wavelength in ceramic, and they need 2 at least";
  expect_bad_input(run("ceramic", ceramic), text);
  expect_bad_input(run("small_ceramic", ceramic, "--dry-run --set grid.cells='140 140 24'"), text);
  EXPECT_EQ(run("dielectric", ceramic, "--set material.ceramic.eps_r=9").code, 0);
}

// sqrt(2 / (omega mu0 sigma)) = 0.5 mm at 1 GHz with sigma = 1000 S/m, 5.0 mm with 10 S/m.
TEST(PhysicsChecks, SkinDepthsShouldBeResolved) {
  const std::string metal = std::string(grid) +
                            "[material.metal]\nsigma = 1000\n[shape.b]\ntype = box\nmaterial = "
                            "metal\ncentre = 0.03 0 0\nsize = 0.02 0.02 0.02\n";
  expect_warning(run("skin_depth", metal),
                 "waves of 1e+09 Hz have 0.05 cells per skin depth in metal; below 1 what it absorbs is inaccurate; a "
                 "smaller grid.spacing or conductor = perfect is needed");
  EXPECT_EQ(run("resolved_depth", metal, "--set material.metal.sigma=2").output.find("skin depth"), std::string::npos);
  const std::string lossy = std::string(box) + "[probe.p]\nposition = 0.2 0.2 0.2\n";
  expect_warning(
      run("mesh_depth", lossy, "--set 'material.*.sigma=100'"),
      "elements times order per skin depth in *; below 1 what it absorbs is inaccurate; smaller elements are "
      "needed, or a boundary of type pec in its place");
}

// 1 GHz has 52 steps per period of the grid, 60 GHz 0.87.
TEST(PhysicsChecks, FrequenciesOfSpectraMustBeSampled) {
  const std::string flux = std::string(grid) + "[flux.f]\ntype = box\nsize = 0.04 0.04 0.04\nfrequencies = 1e9\n";
  EXPECT_EQ(run("flux", flux).code, 0);
  expect_bad_input(run("aliased", flux, "--set flux.f.frequencies=6e10"),
                   "a period of 6e+10 Hz has 0.91 time steps of ");
  for (const char* frequency : {"5e-324", "1e-7", "1e25", "1e308"})
    expect_bad_input(run("absurd", flux, std::string("--dry-run --set flux.f.frequencies=") + frequency),
                     std::string("flux.f.frequencies=") + frequency + ": must be numbers from 1e-6 to 1e24, Hz\n");
  expect_bad_input(run("absurd", flux, "--set source.a.frequency=5e-324"),
                   "source.a.frequency=5e-324: must be a number from 1e-6 to 1e24, Hz\n");
}

// The search for relaxation times went up to 10 / 5e-324 = infinity.
TEST(PhysicsChecks, AFitOverAbsurdBandsEnds) {
  const std::string fit = std::string(grid) +
                          "[material.brain]\ntissue = brain (grey matter)\ndebye_poles = 3\n[flux.f]\n"
                          "type = box\nsize = 0.04 0.04 0.04\nfrequencies = 5e-324\n";
  expect_bad_input(run("fit", fit, "--dry-run"),
                   "flux.f.frequencies = 5e-324: must be numbers from 1e-6 to 1e24, Hz");
  expect_bad_input(run("fit", fit, "--dry-run --set material.brain.fit_band='5e-324 1e9'"),
                   "material.brain.fit_band=5e-324 1e9: must be 2 rising numbers from 1e-6 to 1e24, Hz");
}

TEST(PhysicsChecks, BodiesThatSwallowASourceAreNamed) {
  const std::string body = std::string(grid) +
                           "[material.skin]\neps_r = 9\nsigma = 0.5\n[shape.b]\ntype = box\n"
                           "material = skin\nsize = 0.06 0.06 0.06\n";
  expect_warning(run("swallowed", body),
                 "source.a: the dipole is inside of skin, which has losses (0.5 S/m at 1 GHz): what it emits includes "
                 "those beside it, which depend on the size of the cells");
  // A resistor of one cell, a body without losses, and one beside the source.
  for (const char* other : {"shape.b.size='0.01 0.01 0.01'", "material.skin.sigma=0", "shape.b.centre='0 0 0.03'"})
    EXPECT_EQ(run("free", body, std::string("--set ") + other).output.find("is inside of"), std::string::npos) << other;
  expect_warning(
      run("tissue", box, "--set 'material.*.sigma=0.01' --set source.a.radius=0.3"),
      "[source.a]: the dipole is inside of box, which has losses (0.01 S/m): what it emits includes those beside "
      "it, which depend on source.a.radius, here 0.3 m");
}

TEST(PhysicsChecks, MeshesShouldBeAsLargeAsWaves) {
  expect_warning(run("small_mesh", box, "--set mesh.size='2e-3 1e-3 1e-3' --set source.a.position='1e-3 5e-4 6e-4'"),
                 "the mesh is 2 mm, 1/1499 of a wavelength at 100 MHz (3 m); check mesh.size");
  expect_warning(
      run("small_body", box,
          "--set mesh.size='2e-3 1e-3 1e-3' --set source.a.position='1e-3 5e-4 6e-4' --set "
          "'material.*.eps_r=2'"),
      "the mesh is 2 mm, 1/1499 of a wavelength at 100 MHz (3 m), and its largest body, *, is 2 mm, 1/1499 of a "
      "wavelength; check mesh.size");
}

// The change of E in a step, moment dt / (eps0 volume), is 2e6 V/m per A m.
TEST(PhysicsChecks, SourcesMustBeWithinThePrecision) {
  expect_bad_input(run("absurd_moment", grid, "--set source.a.moment=1e40"),
                   "source.a: moment = 1e+40 A m makes fields of more than 1e+30 V/m, which precision = single cannot "
                   "hold; fields are proportional to it: use a smaller one\n");
  EXPECT_EQ(run("large_moment", grid, "--set source.a.moment=1e20").code, 0);
  EXPECT_EQ(run("double", grid, "--set source.a.moment=1e40 --set solver.precision=double").code, 0);
  expect_bad_input(run("absurd_sar", grid, "--set source.a.moment=1e17 --set material.a.density=1000"),
                   "source.a: moment = 1e+17 A m makes fields of more than 1e+18 V/m, which SAR cannot be computed of");
  expect_bad_input(run("absurd_mesh", box, "--set source.a.moment=1e300"),
                   "source.a: moment = 1e+300 A m makes fields of more than 1e+30 V/m");
  expect_bad_input(run("absurd_wave", grid,
                       "--set grid.cells='40 40 40' --set source.b.type=plane-wave --set source.b.direction='0 0 1' "
                       "--set source.b.polarisation='1 0 0' --set "
                       "source.b.frequency=1e9 --set source.b.amplitude=-1e31"),
                   "source.b: amplitude = -1e+31 V/m makes fields of more than 1e+30 V/m");
}

TEST(PhysicsChecks, SnapshotsShouldBeInTheRun) {
  const std::string late = std::string(grid) + "[snapshot.s]\ntimes = 3e-11 9e-9 1e300\n";
  expect_warning(run("late", late), "snapshot.s: times: 9 ns, 1e+300 s are after the end of the run at ");
  expect_bad_input(run("too_late", late, "--set snapshot.s.times=9e-9"), "; there would be no file\n");
  expect_bad_input(
      run("late_phasor", late, "--set snapshot.s.times=3e-11 --set snapshot.s.phasor=on --set time.frequency=1e9"),
      " or less than a quarter of a period before it; there would be no file\n");
  EXPECT_EQ(run("short", late, "--steps 2").output.find("snapshot.s: times"), std::string::npos);
}

TEST(PhysicsChecks, KeysWithoutEffectAreNamed) {
  expect_bad_input(run("radius", grid, "--set source.a.radius=0.01"),
                   "source.a.radius=0.01: is of method dgtd; fdtd3d has dipoles of a cell's size\n");
  const std::string plane =
      "[grid]\ncells = 24 24\nspacing = 0.01\n[time]\nsteps = 4\n[source.a]\ntype = dipole\nposition = 0 0\ndirection "
      "= 0 "
      "0 1\nlength = 0.02\nfrequency = 1e9\n[output]\ndirectory = out\nfields = none\n[solver]\nmethod = ";
  for (const std::string method : {"fdtd2d", "hpf2d"})
    expect_warning(run("length_" + method, plane + method + "\n"),
                   "source.a: length has no effect: along z, which " + method +
                       " does not have, the current is a line without ends");
}

TEST(PhysicsChecks, FarFieldsNeedTheirSourceInside) {
  expect_warning(run("far", std::string(grid) + "[far_field.f]\ncentre = 0.02 0 0\nsize = 0.02 0.04 0.04\n"
                                                "frequencies = 1e9\ntheta = 3\nphi = 4\n"),
                 "far_field.f: no source is inside the box");
}

TEST(PhysicsChecks, PulsesShouldEnd) {
  const auto outcome = run("pulse", grid, "--set source.a.waveform=modulated-gaussian --set source.a.bandwidth=1e9");
  expect_warning(outcome, "source.a: the pulse is over at ");
}

TEST(PhysicsChecks, TheLastPeriodShouldBeSteady) {
  const auto outcome = run("unsteady", box, "--set time.frequency=1e8 --set time.periods=1");
  expect_warning(outcome, "powers do not balance by ");
  expect_warning(run("short", grid, "--set time.frequency=1e9"), "the run is shorter than a period: no DFT, no SAR");
}

}  // namespace
