// The exact wording of every complaint about a case file.
#include "config/case_fixture.hpp"

namespace dgtd::config {
namespace {

using CaseErrors = CaseFile;

TEST_F(CaseErrors, File) {
  EXPECT_EQ(message_of("nowhere.cfg"), "nowhere.cfg: no such case file");
  std::filesystem::create_directory("cases");
  EXPECT_EQ(message_of("cases"), "cases: is a directory; a case is a file");
}

TEST_F(CaseErrors, Lines) {
  EXPECT_EQ(message("order = 2\n"), "head.cfg:1: order = 2: stands before the first [section]");
  EXPECT_EQ(message("[solver]\norder 2\n"), "head.cfg:2: 'order 2': expected [section] or key = value");
  EXPECT_EQ(message("[solver\n"), "head.cfg:1: '[solver': expected [section] or key = value");
  EXPECT_EQ(message("[solver]\n= 2\n"), "head.cfg:2: '= 2': expected [section] or key = value");
  EXPECT_EQ(message("[solver]\n\norder =  # none\n"), "head.cfg:3: solver.order has no value");
  EXPECT_EQ(message("[solver]\norder = 2\n\n[time]\n[solver]\norder = 3\n"),
            "head.cfg:6: solver.order = 3: is given twice, first at head.cfg:2");
}

TEST_F(CaseErrors, UnknownSections) {
  EXPECT_EQ(message("\n\n[sovler]\n"), "head.cfg:3: unknown section [sovler]; did you mean [solver]?");
  EXPECT_EQ(message("[materal.skin]\n"), "head.cfg:1: unknown section [materal.skin]; did you mean [material.skin]?");
  EXPECT_EQ(message("[sources]\n"), "head.cfg:1: unknown section [sources]; did you mean [source.NAME]?");
  EXPECT_EQ(message("[solver.x]\n"), "head.cfg:1: unknown section [solver.x]; did you mean [solver]?");
  EXPECT_EQ(
      message("[antenna]\n"),
      "head.cfg:1: unknown section [antenna]; the sections are [parameters] [solver] [domain] [mesh] [grid] [time] "
      "[material.NAME] "
      "[shape.NAME] [permittivity.NAME] [refine.NAME] [boundary.NAME] [initial] [source.NAME] [port.NAME] [sparameters] [excitation.NAME] [probe.NAME] [flux.NAME] "
      "[monitor.NAME] [snapshot.NAME] [far_field.NAME] [dft] [sar] [output] [checkpoint]");
  EXPECT_EQ(message("[material]\n"), "head.cfg:1: section [material] needs a name: [material.NAME]");
  EXPECT_EQ(message("[material.a/b]\n"),
            "head.cfg:1: section [material.a/b]: NAME must be letters, digits, _ - . and blanks inside, or *");
  EXPECT_EQ(message("[probe.*]\n"),
            "head.cfg:1: section [probe.*]: NAME must be letters, digits, _ - . and blanks inside");
}

TEST_F(CaseErrors, UnknownKeys) {
  EXPECT_EQ(message("[solver]\noder = 2\n"), "head.cfg:2: unknown key solver.oder; did you mean solver.order?");
  EXPECT_EQ(message("[solver]\nfrequency = 2\n"),
            "head.cfg:2: unknown key solver.frequency; did you mean time.frequency?");
  EXPECT_EQ(message("[material.skin]\ndensty = 2\n"),
            "head.cfg:2: unknown key material.skin.densty; did you mean material.skin.density?");
  EXPECT_EQ(message("[probe.ear]\ncolour = red\n"),
            "head.cfg:2: unknown key probe.ear.colour; [probe.ear] has position, every");
}

TEST_F(CaseErrors, HalfPrecision) {
  EXPECT_EQ(message("[solver]\nprecision = half\n"),
            "head.cfg:2: solver.precision = half: is of method fdtd3d; dgtd has single and double");
  EXPECT_EQ(message("[solver]\nmethod = fdtd2d\nprecision = half\n"),
            "head.cfg:3: solver.precision = half: is of method fdtd3d; fdtd2d has single and double");
  const std::string run =
      "[solver]\nmethod = fdtd3d\nprecision = half\n[grid]\ncells = 8 8 8\nspacing = 1e-3\n[time]\nsteps = 1\n";
  EXPECT_EQ(message(run), "no error");
  EXPECT_EQ(message(run + "[material.gold]\npoles = drude 2e10 1e9\n"),
            "head.cfg:3: solver.precision = half: requires media without poles, and [material.gold] at head.cfg:9 has "
            "some; allowed are single and double");
  EXPECT_EQ(message(run + "[output]\nprecision = half\n"),
            "head.cfg:10: output.precision = half: must be single or double");
}

// Averages over masses (good has a material with a density).
TEST_F(CaseErrors, MassesOfAverages) {
  const std::string run = "[mesh]\nfile = a.msh\n[time]\nsteps = 1\n[material.skin]\n";
  const auto error = [&](const std::string& lines) { return message(run + lines); };
  EXPECT_EQ(error("[sar]\nmass = 1 10\n"), "head.cfg:7: sar.mass = 1 10: requires a material with a density");
  EXPECT_EQ(error("density = 1000\n[sar]\nmass = 1 1\n"), "head.cfg:8: sar.mass = 1 1: each mass once");
  EXPECT_EQ(error("density = 1000\n[sar]\nmass = 1 0\n"), "head.cfg:8: sar.mass = 1 0: must be numbers > 0");
  EXPECT_EQ(error("density = 1000\n[sar]\nmass = 1 10\nvoxel = 0.006\n"),
            "head.cfg:9: sar.voxel = 0.006: must be at most 0.005 m, half the edge of a cube of 1 g");
  EXPECT_EQ(error("density = 1000\n[sar]\nvoxel = 0.001\n"),
            "head.cfg:8: sar.voxel = 0.001: belongs to averages (sar.mass)");
  EXPECT_EQ(message("[solver]\nmethod = fdtd2d\n[sar]\nmass = 1\n"),
            "head.cfg:4: sar.mass = 1: is of methods dgtd and fdtd3d; fdtd2d has no volumes");
  EXPECT_EQ(message("[solver]\nmethod = fdtd3d\n[sar]\nmass = 1\nvoxel = 0.001\n"),
            "head.cfg:5: sar.voxel = 0.001: is of method dgtd; fdtd3d averages on its own cells");
}

// Lines "[section]" and "key = value" appended to a good case; what the message must end with.
struct BadValue {
  std::string section, key, value, allowed;
};

TEST_F(CaseErrors, Values) {
  const BadValue bad[] = {
      {"solver", "method", "fem",
       "dgtd, fdtd3d, fdtd2d, fdtd1d, hpf2d, fdtd2d-cublas-vector, fdtd2d-cublas-matrix, fdtd2d-scalar or "
       "fdtd1d-subdomains"},
      {"solver", "order", "9", "an integer from 1 to 6, or auto"},
      {"solver", "order", "0", "an integer from 1 to 6, or auto"},
      {"solver", "order", "2.0", "an integer from 1 to 6, or auto"},
      {"solver", "order", "two", "an integer from 1 to 6, or auto"},
      {"solver", "order", "99999999999999999999", "an integer from 1 to 6, or auto"},
      {"solver", "precision", "quarter", "single, double or half"},
      {"solver", "backend", "gpu", "auto, cuda or cpu"},
      {"solver", "kernels", "fast", "fused, split or diagonal"},
      {"solver", "halo_transport", "mpi", "auto, mpi-host, mpi-proxy, mpi-cuda, nccl, nvshmem, peer or peer-copy"},
      {"solver", "cfl_fraction", "1.01", "a number from 1e-6 to 1"},
      {"solver", "cfl_fraction", "1e-300", "a number from 1e-6 to 1"},
      {"solver", "upwind", "1.01", "a number from 0 to 1"},
      {"solver", "upwind", "-0.01", "a number from 0 to 1"},
      {"solver", "threads", "-1", "an integer from 0 to 4096"},
      {"mesh", "unit", "0", "a number > 0"},
      {"mesh", "generator", "sphere", "box, head-phone or shapes"},
      {"mesh", "generator", "none", "box, head-phone or shapes"},
      {"mesh", "level", "m4", "m0, m1, m2 or m3"},
      {"mesh", "cells", "8 8", "3 integers >= 1"},
      {"mesh", "cells", "8 8 0", "3 integers >= 1"},
      {"mesh", "cells", "8, 8, 8", "3 integers >= 1"},
      {"mesh", "size", "1 1 -1", "3 numbers > 0"},
      {"mesh", "size", "1 1 1 1", "3 numbers > 0"},
      {"time", "frequency", "abc", "a number from 1e-6 to 1e24, Hz"},
      {"time", "frequency", "nan", "a number from 1e-6 to 1e24, Hz"},
      {"time", "frequency", "inf", "a number from 1e-6 to 1e24, Hz"},
      {"time", "frequency", "1e999", "a number from 1e-6 to 1e24, Hz"},
      {"time", "frequency", "1e9 ?", "a number from 1e-6 to 1e24, Hz"},
      {"time", "frequency", "+-1", "a number from 1e-6 to 1e24, Hz"},
      {"time", "frequency", "-1", "a number from 1e-6 to 1e24, Hz"},
      {"time", "local_steps", "yes", "auto, on or off"},
      {"time", "levels", "0", "an integer from 1 to 8"},
      {"time", "levels", "9", "an integer from 1 to 8"},
      {"material.skin", "eps_r", "0", "a number > 0"},
      {"material.skin", "mu_r", "-1", "a number > 0"},
      {"material.skin", "sigma", "-0.1", "a number >= 0"},
      {"material.skin", "density", "0", "a number > 0"},
      {"boundary.metal", "type", "copper", "silver-muller, passive, cpml, pec, pmc, periodic, bloch, adiabatic or mur"},
      {"initial", "type", "noise", "zero, cavity-mode, formula or file"},
      {"initial", "mode", "1 1", "3 integers from 0 to 1000"},
      {"initial", "mode", "1 1 -1", "3 integers from 0 to 1000"},
      {"source.feed", "type", "wire", "dipole, plane-wave, sheet, gaussian-beam or hard"},
      {"source.feed", "position", "0 0", "3 numbers"},
      {"source.feed", "direction", "0 0 up", "3 numbers"},
      {"source.feed", "polarisation", "1", "3 numbers"},
      {"source.feed", "moment", "big", "a number"},
      {"source.feed", "frequency", "0", "a number from 1e-6 to 1e24, Hz"},
      {"source.feed", "waveform", "step", "sine, ramped-sine or modulated-gaussian"},
      {"source.feed", "ramp", "0", "a number > 0"},
      {"source.feed", "bandwidth", "-1", "a number from 1e-6 to 1e24, Hz"},
      {"probe.ear", "position", "0 0 0 0", "3 numbers"},
      {"probe.ear", "every", "0", "an integer >= 1"},
      {"dft", "frequencies", "1e9 0", "numbers from 1e-6 to 1e24, Hz"},
      {"dft", "window", "first", "last-period or all"},
      {"sar", "normalise", "1 W", "emitted, accepted, incident at port, incident or none"},
      {"sar", "power", "0", "a number > 0"},
      {"output", "fields", "E B", "any of E H E_amplitude SAR, or auto or none"},
      {"output", "fields", "E none", "any of E H E_amplitude SAR, or auto or none"},
      {"output", "fields", "E E", "any of E H E_amplitude SAR, or auto or none"},
      {"output", "every", "-1", "an integer >= 0"},
      {"output", "energy_interval", "1.5", "an integer >= 0"},
  };
  for (const BadValue& b : bad) {
    const std::string line = b.key + " = " + b.value;
    EXPECT_EQ(message(minimal + "[" + b.section + "]\n" + line + "\n"),
              "head.cfg:6: " + b.section + "." + line + ": must be " + b.allowed);
    const std::string override = b.section + "." + b.key + "=" + b.value;
    EXPECT_EQ(message(minimal, {override}), "--set " + override + ": must be " + b.allowed);
  }
  const std::string begin = "[mesh]\nfile = head.msh\n[time]\n";
  EXPECT_EQ(message(begin + "end = 0\n"), "head.cfg:4: time.end = 0: must be a number > 0, or steady or decayed");
  EXPECT_EQ(message(begin + "periods = -1\n"), "head.cfg:4: time.periods = -1: must be a number > 0");
  EXPECT_EQ(message(begin + "steps = 1e6\n"), "head.cfg:4: time.steps = 1e6: must be an integer >= 1");
}

TEST_F(CaseErrors, Overrides) {
  for (const std::string text : {"solver.order", "order=2", "solver.order=", ".order=2", "solver.=2", ""})
    EXPECT_EQ(message(minimal, {text}), "--set " + text + ": must be section.key=value");
  EXPECT_EQ(message(minimal, {"solver.oder=9"}),
            "--set solver.oder=9: unknown key solver.oder; did you mean solver.order?");
  EXPECT_EQ(message(minimal, {"sovler.order=9"}),
            "--set sovler.order=9: unknown section [sovler]; did you mean [solver]?");
  EXPECT_EQ(message(minimal, {"time.steps=9", "time.end=1"}),
            "--set time.steps=9: only one of time.end, time.periods and time.steps may be given, "
            "and time.end is at --set time.end=1");
  EXPECT_EQ(message(minimal, {"source.feed.moment=1"}),
            "--set source.feed.moment=1: [source.feed]: source.feed.type is required (dipole | plane-wave | sheet | "
            "gaussian-beam)");
}

TEST_F(CaseErrors, Mesh) {
  EXPECT_EQ(message("[time]\nend = 1\n"), "head.cfg: mesh.file is required (or mesh.generator = box | head-phone, or [shape.NAME])");
  const std::string box = "[time]\nend = 1\n[mesh]\ngenerator = box\n";
  const std::string head = "[time]\nend = 1\n[mesh]\ngenerator = head-phone\n";
  EXPECT_EQ(message(box + "file = a.msh\n"),
            "head.cfg:5: mesh.file = a.msh: belongs to a mesh from a file, and mesh.generator = box needs none");
  EXPECT_EQ(message(box + "unit = 1\n"),
            "head.cfg:5: mesh.unit = 1: belongs to a mesh from a file, and generated ones are in metres");
  EXPECT_EQ(message(head + "unit = 1\n"),
            "head.cfg:5: mesh.unit = 1: belongs to a mesh from a file, and generated ones are in metres");
  EXPECT_EQ(message(box + "level = m1\n"), "head.cfg:5: mesh.level = m1: belongs to mesh.generator = head-phone");
  EXPECT_EQ(message(head + "cells = 8 8 8\n"), "head.cfg:5: mesh.cells = 8 8 8: belongs to mesh.generator = box");
  EXPECT_EQ(message(minimal + "[mesh]\nsize = 8 8 8\n"),
            "head.cfg:6: mesh.size = 8 8 8: belongs to mesh.generator = box");
}

TEST_F(CaseErrors, Time) {
  EXPECT_EQ(message("[mesh]\nfile = a.msh\n"), "head.cfg: one of time.end, time.periods and time.steps is required");
  EXPECT_EQ(message(minimal + "steps = 5\n"),
            "head.cfg:5: time.steps = 5: only one of time.end, time.periods and time.steps may be given, "
            "and time.end is at head.cfg:4");
  EXPECT_EQ(message("[mesh]\nfile = a.msh\n[time]\nperiods = 3\n"),
            "head.cfg:4: time.periods = 3: requires time.frequency");
}

TEST_F(CaseErrors, LocalSteps) {
  EXPECT_EQ(message(minimal + "local_steps = on\n[solver]\nkernels = split\n"),
            "head.cfg:5: time.local_steps = on: requires solver.kernels = fused");
  EXPECT_EQ(message(minimal + "local_steps = on\n", {"solver.kernels=split"}),
            "head.cfg:5: time.local_steps = on: requires solver.kernels = fused");
  // Without local steps a number of levels has no effect.
  for (const std::string steps : {"auto", "off"})
    EXPECT_EQ(message(minimal + "local_steps = " + steps + "\nlevels = 3\n[solver]\nkernels = split\n"), "no error");
  EXPECT_EQ(message(minimal + "local_steps = on\nlevels = 1\n"), "no error");
  EXPECT_EQ(message(minimal + "local_steps = on\n[solver]\nupwind = 0.1\n"),
            "head.cfg:7: solver.upwind = 0.1: requires time.local_steps = off or auto, which then is off");
  EXPECT_EQ(message(minimal + "[solver]\nupwind = 0.1\n"), "no error");
}

TEST_F(CaseErrors, MaterialsBoundariesInitialProbes) {
  EXPECT_EQ(message(minimal + "[material.skin]\ntissue = Skin (Dry)\n"),
            "head.cfg:6: material.skin.tissue = Skin (Dry): requires time.frequency or debye_poles");
  EXPECT_EQ(message(minimal + "[boundary.metal]\n"),
            "head.cfg:5: [boundary.metal]: boundary.metal.type is required (silver-muller | passive | cpml | pec | pmc "
            "| periodic | bloch)");
  EXPECT_EQ(message(minimal + "[initial]\nmode = 1 1 0\n"),
            "head.cfg:6: initial.mode = 1 1 0: belongs to initial.type = cavity-mode");
  EXPECT_EQ(message(minimal + "[initial]\ntype = cavity-mode\nmode = 0 1 0\n"),
            "head.cfg:7: initial.mode = 0 1 0: at most one of the three may be zero");
  EXPECT_EQ(message(minimal + "[probe.ear]\nevery = 2\n"),
            "head.cfg:5: [probe.ear]: probe.ear.position is required (3 numbers, m)");
}

TEST_F(CaseErrors, DftAndSar) {
  EXPECT_EQ(message(minimal + "[dft]\nfrequencies = 1e9\n"),
            "head.cfg:6: dft.frequencies = 1e9: dft.window = last-period requires time.frequency");
  for (const std::string frequencies : {"1.8e9 2e9", "9e8", "3.60000001e9"})
    EXPECT_EQ(message(harmonic + "[dft]\nfrequencies = " + frequencies + "\n"),
              "head.cfg:7: dft.frequencies = " + frequencies +
                  ": dft.window = last-period requires multiples of time.frequency = 1800000000 Hz");
  EXPECT_EQ(message(harmonic + "[dft]\nfrequencies = 3.6000000001e9 1.8e9\n"), "no error");
  EXPECT_EQ(message(minimal + "[sar]\npower = 1\n"),
            "head.cfg:6: sar.power = 1: belongs to sar.normalise = emitted | accepted | incident at port | incident");
}

}  // namespace
}  // namespace dgtd::config
