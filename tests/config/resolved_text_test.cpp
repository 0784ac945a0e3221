// A resolved case file must give the same run again, to the last bit.
#include <fmt/format.h>

#include <random>

#include "config/case_fixture.hpp"

namespace dgtd::config {
namespace {

class ResolvedText : public CaseFile {
 protected:
  static Case without_origins(Case c) {
    for (auto& m : c.materials) m.origin.clear();
    for (auto& b : c.boundaries) b.origin.clear();
    for (auto& s : c.sources) s.origin.clear();
    for (auto& p : c.probes) p.origin.clear();
    for (auto& shape : c.shapes) shape.origin.clear();
    for (auto& f : c.fluxes) f.origin.clear();
    for (auto& m : c.monitors) m.origin.clear();
    for (auto& f : c.far_fields) f.origin.clear();
    return c;
  }

  // Writes the resolved text elsewhere, so that a path that is not absolute would show.
  void expect_round_trip(const Case& c) {
    std::filesystem::create_directories("elsewhere");
    write("elsewhere/head.cfg", resolved_text(c));
    Case again = read_case("elsewhere/head.cfg", {}, app::methods());
    again.file = c.file;
    EXPECT_EQ(without_origins(again), without_origins(c)) << resolved_text(c);
    EXPECT_EQ(resolved_text(again), resolved_text(c));
  }
};

TEST_F(ResolvedText, WritesEveryDefault) {
  const std::string here = directory().string();
  EXPECT_EQ(resolved_text(read(minimal)), R"(# head, with every default written out

[solver]
method = dgtd
order = 2
order_max = 3
upwind = 0
precision = single
backend = auto
kernels = fused
halo_transport = auto
partitioner = auto
cfl_fraction = 0.95
threads = 0

[mesh]
file = )" + here + R"(/head.msh
unit = 1
cache = user
curved = mean

[time]
end = 1e-09
local_steps = auto
levels = 6

[initial]
type = zero

[dft]
window = last-period

[sar]
normalise = none
part = head
whole_body = off

[output]
directory = )" + here + R"(/out/head
fields = auto
groups = *
points = auto
precision = single
every = 0
error = off
report_pictures = on
energy_interval = 0

[checkpoint]
every = 600
steps = 0
keep = 2
at_end = off
)");
}

TEST_F(ResolvedText, RoundTripOfEveryKindOfSection) {
  expect_round_trip(read(minimal));
  expect_round_trip(read(
      "[solver]\norder = 6\nprecision = double\nbackend = cuda\nkernels = split\nhalo_transport = nccl\ncfl_fraction = "
      "0.1\nthreads = "
      "3\n"
      "[mesh]\nfile = a b#1.msh\nunit = 0.0254\n[time]\nperiods = 10.1\nfrequency = 1.8333333333333333e9\n"
      "[material.skin]\ntissue = Skin (Dry)\neps_r = 40.1\n[material.bone 2]\neps_r = 11.78\nmu_r = 1.1\nsigma = 0.3\n"
      "density = 1908\n[material.*]\n[boundary.a]\ntype = silver-muller\n[boundary.*]\ntype = pmc\n"
      "[source.f]\ntype = dipole\nposition = 0.1 0.2 0.3\ndirection = 1 2 3\nmoment = 0.7\nwaveform = ramped-sine\n"
      "ramp = 3.3\n[source.w]\ntype = plane-wave\ndirection = 0.3 -0.2 0.7\npolarisation = 2 3 0\nposition = 1 2 3\n"
      "amplitude = -4.4\nwaveform = modulated-gaussian\nbandwidth = 1.1e9\n[probe.p]\nposition = 0.1 -1 1e-30\nevery = "
      "3\n"
      "[dft]\nfrequencies = 1e9 2.1e9\nwindow = all\n[sar]\nnormalise = incident\npower = 0.3\n"
      "[output]\nfields = none\nevery = 3\nenergy_interval = 4\n"));
}

TEST_F(ResolvedText, RoundTripOfGeneratedMeshes) {
  expect_round_trip(
      read("[mesh]\ngenerator = box\ncells = 3 4 5\nsize = 0.1 0.2 0.3\n[time]\nsteps = 7\n"
           "[initial]\ntype = cavity-mode\nmode = 0 2 3\n"));
  expect_round_trip(read("[mesh]\ngenerator = head-phone\nlevel = m3\n[time]\nend = 7e-9\n"));
}

TEST_F(ResolvedText, WritesEveryDefaultOfAStructuredMethod) {
  const std::string here = directory().string();
  EXPECT_EQ(resolved_text(read(structured + "[material.m]\n[shape.s]\ntype = cylinder\nmaterial = m\nradius = 2\n"
                                            "height = 3\n")),
            R"(# head, with every default written out

[solver]
method = fdtd3d
precision = single
backend = auto
kernels = fused
halo_transport = auto
cfl_fraction = 0.95
threads = 0

[grid]
spacings_x = 4*2e-09
spacings_y = 5*2e-09
spacings_z = 8*2e-09
origin = -4e-09 -5e-09 -8e-09
pml = 10
subpixel = on

[time]
end = 1e-14

[material.m]
eps_r = 1
mu_r = 1
sigma = 0
sigma_m = 0

[shape.s]
type = cylinder
material = m
priority = 0
centre = 0 0 0
radius = 2
height = 3
axis = 0 0 1

[initial]
type = zero

[dft]
window = last-period

[sar]
normalise = none
part = head
whole_body = off

[output]
directory = )" + here +
                R"(/out/head
fields = auto
groups = *
precision = single
every = 0
report_pictures = on
energy_interval = 0

[checkpoint]
every = 600
steps = 0
keep = 2
at_end = off
)");
}

TEST_F(ResolvedText, RoundTripOfStructuredCases) {
  expect_round_trip(read(structured));
  const std::string begin = "[solver]\nmethod = fdtd3d\n[time]\nsteps = 9\n[grid]\n";
  expect_round_trip(read(begin + "cells = 7 11 13\nspacing = 0.1 0.3 0.7\n"));
  expect_round_trip(read(begin + "cells = 7 1 13\nspacing = 0.1\nspacings_y = 2*0.3 0.1 0.1 0.7\norigin = 0.1 0 -3\n"));
  const Case c = read(
      begin +
      "spacings_x = 0.1 3*0.3\nspacings_y = 0.1\nspacings_z = 5*1e-9 5*1e-9\npml = 7\nbackground = wet glass\n"
      "subpixel = off\n[material.wet glass]\neps_r = 2.1\nsigma = 0.1\nsigma_m = 0.3\n[material.au]\npoles = gold\n"
      "[material.metal]\nconductor = perfect\n"
      "[material.all]\npoles = drude 1.3e16 1e14,lorentz 0.1 0.2 0.3, debye 70.1 8.1e-12, critical-point -0.3 4e15 "
      "-1.2 5e14\n"
      "[shape.b]\ntype = box\nmaterial = au\nsize = 0.1 0.2 0.3\npriority = -3\n"
      "[shape.s]\ntype = sphere\nmaterial = all\nradius = 0.7\ncentre = 0.1 -0.2 0.3\n"
      "[shape.e]\ntype = ellipsoid\nmaterial = au\nradii = 0.1 0.2 0.3\n"
      "[shape.c]\ntype = cylinder\nmaterial = au\nradius = 0.1\nheight = 0.2\naxis = 1 2 -3\n"
      "[shape.p]\ntype = prism\nmaterial = au\npoints = 0.1 0, 1 0.3, -0.7 1e-30\nheight = 0.2\naxis = 0 -2 0\n"
      "[shape.f]\ntype = stl\nmaterial = au\nfile = a b#1.stl\nunit = 0.0254\nposition = 0.1 0.2 0.3\n"
      "[shape.l]\ntype = labels\nfile = ../h.mha\npriority = 2\nlabels = 3 wet glass, 7 au\n"
      "[far_field.f]\nsize = 0.1 0.2 0.3\ncentre = 1 2 3\nfrequencies = 3e9 1e9\ntheta = 19\nphi = 5\n"
      "[far_field.g]\nsize = 0.1 0.2 0.3\nwavelengths = 0.3 0.1 7\n"
      "[boundary.xmin]\ntype = periodic\n[boundary.xmax]\ntype = periodic\n[boundary.zmax]\ntype = pec\n"
      "[boundary.ymin]\ntype = bloch\nphase = 0.3\n[boundary.ymax]\ntype = bloch\nphase = 0.3\n"
      "[boundary.*]\ntype = cpml\n[initial]\ntype = cavity-mode\n"
      "[source.w]\ntype = plane-wave\ndirection = 0.3 -0.2 0.7\npolarisation = 2 3 0\nfrequency = 5e14\n"
      "waveform = modulated-gaussian\nbandwidth = 3e14\nbox_min = -0.1 -0.2 -0.3\nbox_max = 0.1 0.2 0.7\n"
      "[source.s]\ntype = sheet\ncentre = 0.1 0.2 0.3\nsize = 1 0 2\npolarisation = 3 0 1\ndirection = 0 -1 0\nprofile "
      "= spot.csv\n"
      "amplitude = 2\nfrequency = 1\n[source.t]\ntype = sheet\nsize = 1 0 2\npolarisation = 3 0 1\nfrequency = 1\n"
      "[source.b]\ntype = gaussian-beam\ndirection = 0.3 -0.2 0.7\npolarisation = 2 3 0\nwaist = 0.1\nfocus = 1 2 "
      "3\nplane = -0.1\nfrequency = 1\n"
      "[source.d]\ntype = dipole\nposition = 0 0 0.1\ndirection = 0 0 1\nlength = 0.3\nfrequency = 1\n"
      "[flux.scattered]\ntype = box\ncentre = 0.1 0.2 0.3\nsize = 1 2 3.3\nwavelengths = 300e-9 1200e-9 31\n"
      "[flux.port]\ntype = plane\nsize = 1 0 3.3\nfrequencies = 2e14 1e14\n"
      "[monitor.near]\ntype = plane\ncentre = 0.1 0.2 0.3\nsize = 0 2 3.3\nwavelengths = 300e-9 1200e-9 31\nfields = "
      "H\n"
      "[monitor.all]\ntype = box\nsize = 1 2 3.3\nfrequencies = 2e14 1e14\nfields = H E\n");
  EXPECT_EQ(c.monitors.size(), 2u);
  EXPECT_EQ(c.shapes.size() + c.fluxes.size() + c.materials.size(), 13u);
  expect_round_trip(c);
}

TEST_F(ResolvedText, RoundTripOfRefinedGrids) {
  const Case c = read(
      "[solver]\nmethod = fdtd3d\n[time]\nend = 1\n[grid]\ncells = 50 40 60\nspacing = 1e-3\npml = 5\nratio = 1.17\n"
      "[refine.a]\nsize = 3.3e-3 1e-3 70\nspacing = 0.3e-3\n[refine.b]\ncentre = 4e-3 0 1e-3\nsize = 3e-3 1e-3 "
      "1e-3\nspacing = 0.11e-3\n");
  expect_round_trip(c);
  EXPECT_EQ(resolved_text(c).find("refine"), std::string::npos);
}

TEST_F(ResolvedText, RoundTripOfTissues) {
  const Case c = read(harmonic + "[material.skin]\ntissue = Skin (Dry)\n");
  EXPECT_NE(resolved_text(c).find("\neps_r = 38.87"), std::string::npos) << resolved_text(c);
  EXPECT_NE(resolved_text(c).find("\ndensity = 1109\n"), std::string::npos) << resolved_text(c);
  EXPECT_NE(
      resolved_text(c).find("\n# skin: Skin (Dry); eps_r and sigma: Gabriel 1996 (Skin (Dry)); density: IT'IS 4.1\n"),
      std::string::npos)
      << resolved_text(c);
  expect_round_trip(c);
  expect_round_trip(
      read(structured + "[material.skin]\ntissue = Skin (Dry)\ndebye_poles = 2\nfit_band = 1e8 1.1e10\n"));
}

TEST_F(ResolvedText, UnitVectorsKeepTheirLastDigits) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> component(-1, 1);
  for (int i = 0; i < 200; ++i) {
    const Vec3 d{component(random), component(random), component(random)};
    const Vec3 p = cross(d, Vec3{component(random), component(random), component(random)});
    if (norm(p) < 0.05) continue;
    // Eight decimals leave the polarisation slightly slanted.
    expect_round_trip(read(harmonic + fmt::format("[source.w]\ntype = plane-wave\ndirection = {:.8f} {:.8f} {:.8f}\n"
                                                  "polarisation = {:.8f} {:.8f} {:.8f}\n",
                                                  d.x, d.y, d.z, p.x, p.y, p.z)));
  }
}

TEST_F(ResolvedText, TellsWhichChangesAContinuedRunCannotMake) {
  const std::string dipole = "[source.d]\ntype = dipole\nposition = 0 0 0\ndirection = 0 0 1\nfrequency = 1e9\n";
  const std::string text = "[mesh]\nfile = head.msh\n[time]\nend = 1e-9\n" + dipole;
  const auto changes = [&](const std::vector<std::string>& overrides) {
    std::string list;
    for (const auto& change : forbidden_changes(resolved_text(read(text)), resolved_text(read(text, overrides))))
      list += change.name + " '" + change.before + "' '" + change.now + "'\n";
    return list;
  };
  EXPECT_EQ(changes({"time.end=2e-9", "output.fields=none", "solver.backend=cpu", "solver.threads=3",
                     "mesh.file=other.msh", "checkpoint.walltime=1:00:00", "dft.window=all"}),
            "");
  EXPECT_EQ(changes({"solver.order=3", "source.d.moment=2"}), "solver.order '2' '3'\nsource.d.moment '0.001' '2'\n");
  EXPECT_NE(changes({"material.skin.eps_r=2"}).find("material.skin.eps_r '' '2'\n"), std::string::npos);
}

TEST_F(ResolvedText, DurationsAreSecondsOrClockTimes) {
  const auto seconds = [&](const std::string& value) {
    return *read("[mesh]\nfile = head.msh\n[time]\nend = 1e-9\n[checkpoint]\nwalltime = " + value + "\n")
                .checkpoint.walltime;
  };
  EXPECT_EQ(seconds("24:00:00"), 86400);
  EXPECT_EQ(seconds("1-02:03:04"), 93784);
  EXPECT_EQ(seconds("90.5"), 90.5);
  for (const char* wrong : {"0", "-3", "1:60:00", "1:00", "1:2:3:4", "x:00:00", "00:00:00", "1-", ":::"})
    EXPECT_THROW((void)seconds(wrong), Error) << wrong;
}

}  // namespace
}  // namespace dgtd::config
