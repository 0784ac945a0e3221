#include "config/case_fixture.hpp"
#include "dgtd/base/nearest_name.hpp"

namespace dgtd::config {
namespace {

using ReadCase = CaseFile;

constexpr auto full = R"([solver]
method = dgtd
order = 3
precision = double
backend = cpu
kernels = split
halo_transport = mpi-host
cfl_fraction = 0.5
threads = 4

[mesh]
file = sub/head.msh
unit = 1e-3

[time]
periods = 12.5
frequency = 1.8e9

[material.brain]
eps_r = 43.5
mu_r = 1.5
sigma = 1.15
density = 1030
[material.*]
[boundary.absorbing]
type = silver-muller
[boundary.metal]
type = pec
[boundary.sym metry-1.a_b]
type = pmc

[source.feed]
type = dipole
position = 0.01 -0.02 3e-2
direction = 0 0 2
moment = 2e-3
waveform = ramped-sine
ramp = 3

[source.wave]
type = plane-wave
direction = 0 3 4
polarisation = -2 0 0
amplitude = 5
frequency = 2e9
waveform = modulated-gaussian
bandwidth = 1e9

[probe.ear]
position = 1 2 3
every = 7

[dft]
frequencies = 1.8e9 3.6e9
window = last-period

[sar]
normalise = accepted
power = 0.25

[output]
directory = results
fields = E SAR
every = 100
energy_interval = 50
)";

TEST_F(ReadCase, EveryKeyIsRead) {
  const Case c = read(full);
  EXPECT_EQ(c.file, directory() / "head.cfg");
  EXPECT_EQ(c.name, "head");
  EXPECT_EQ(c.solver.method.name, "dgtd");
  EXPECT_EQ(c.solver.order, 3);
  EXPECT_EQ(c.solver.precision, Precision::double_precision);
  EXPECT_EQ(c.solver.backend, Backend::cpu);
  EXPECT_EQ(c.solver.kernels, KernelFusion::split);
  EXPECT_EQ(c.solver.halo_transport, Transport::mpi_host);
  EXPECT_EQ(c.solver.cfl_fraction, 0.5);
  EXPECT_EQ(c.solver.threads, 4);
  EXPECT_EQ(c.mesh.file, directory() / "sub/head.msh");
  EXPECT_EQ(c.mesh.unit, 1e-3);
  EXPECT_EQ(c.mesh.generator, Mesh::Generator::none);
  EXPECT_EQ(c.time.periods, 12.5);
  EXPECT_EQ(c.time.frequency, 1.8e9);
  EXPECT_FALSE(c.time.end || c.time.steps);

  ASSERT_EQ(c.materials.size(), 2u);
  EXPECT_EQ(c.materials[0].name, "brain");
  EXPECT_EQ(c.materials[0].permittivity, 43.5);
  EXPECT_EQ(c.materials[0].permeability, 1.5);
  EXPECT_EQ(c.materials[0].conductivity, 1.15);
  EXPECT_EQ(c.materials[0].density, 1030);
  EXPECT_EQ(c.materials[0].origin, "head.cfg:19");
  EXPECT_EQ(c.materials[1].name, "*");
  EXPECT_EQ(c.materials[1].permittivity, 1);
  EXPECT_FALSE(c.materials[1].density);
  ASSERT_EQ(c.boundaries.size(), 3u);
  EXPECT_EQ(c.boundaries[0].type, Boundary::Type::silver_muller);
  EXPECT_EQ(c.boundaries[1].type, Boundary::Type::pec);
  EXPECT_EQ(c.boundaries[2].type, Boundary::Type::pmc);
  EXPECT_EQ(c.boundaries[2].name, "sym metry-1.a_b");

  ASSERT_EQ(c.sources.size(), 2u);
  const Source& feed = c.sources[0];
  EXPECT_EQ(feed.type, Source::Type::dipole);
  EXPECT_EQ(feed.position, (Vec3{0.01, -0.02, 0.03}));
  EXPECT_EQ(feed.direction, (Vec3{0, 0, 1}));
  EXPECT_EQ(feed.moment, 2e-3);
  EXPECT_EQ(feed.waveform, (Waveform{Waveform::Type::ramped_sine, 1.8e9, 3, 0}));
  const Source& wave = c.sources[1];
  EXPECT_EQ(wave.type, Source::Type::plane_wave);
  EXPECT_EQ(wave.position, Vec3{});
  EXPECT_NEAR(wave.direction.y, 0.6, 1e-15);
  EXPECT_NEAR(wave.direction.z, 0.8, 1e-15);
  EXPECT_EQ(wave.polarisation, (Vec3{-1, 0, 0}));
  EXPECT_EQ(wave.amplitude, 5);
  EXPECT_EQ(wave.waveform, (Waveform{Waveform::Type::modulated_gaussian, 2e9, 2, 1e9}));

  ASSERT_EQ(c.probes.size(), 1u);
  EXPECT_EQ(c.probes[0].position, (Vec3{1, 2, 3}));
  EXPECT_EQ(c.probes[0].every, 7);
  EXPECT_EQ(c.dft.frequencies, (std::vector<double>{1.8e9, 3.6e9}));
  EXPECT_EQ(c.sar.normalise, Sar::Normalise::accepted);
  EXPECT_EQ(c.sar.power, 0.25);
  EXPECT_EQ(c.output.directory, directory() / "results");
  EXPECT_EQ(c.output.fields, (std::vector<std::string>{"E", "SAR"}));
  EXPECT_EQ(c.output.every, 100);
  EXPECT_EQ(c.output.energy_interval, 50);
}

TEST_F(ReadCase, MinimalCaseHasTheDefaults) {
  const Case c = read(minimal);
  Case expected;
  expected.file = directory() / "head.cfg";
  expected.name = "head";
  expected.solver.method = app::method("dgtd");
  expected.mesh.file = directory() / "head.msh";
  expected.time.end = 1e-9;
  expected.output.directory = directory() / "out/head";
  EXPECT_EQ(c, expected);
}

TEST_F(ReadCase, PathsAreRelativeToTheCaseFileAndMayBeAbsolute) {
  std::filesystem::create_directory("cases");
  write("cases/a.cfg", "[mesh]\nfile = ../meshes/a#1.msh\n[time]\nsteps = 3\n[output]\ndirectory = /tmp/there\n");
  const Case c = read_case("cases/a.cfg", {}, app::methods());
  EXPECT_EQ(c.mesh.file, directory() / "meshes/a#1.msh");
  EXPECT_EQ(c.output.directory, "/tmp/there");
  EXPECT_EQ(c.time.steps, 3);
}

TEST_F(ReadCase, BoxAndHeadPhoneGenerators) {
  const Case box = read(
      "[mesh]\ngenerator = box\ncells = 4 5 6\nsize = 1 0.5 2\n[time]\nend = 1\n[initial]\n"
      "type = cavity-mode\nmode = 2 0 1\n");
  EXPECT_EQ(box.mesh.generator, Mesh::Generator::box);
  EXPECT_EQ(box.mesh.cells, (std::array<std::int64_t, 3>{4, 5, 6}));
  EXPECT_EQ(box.mesh.size, (Vec3{1, 0.5, 2}));
  Initial mode;
  mode.type = Initial::Type::cavity_mode;
  mode.mode = {2, 0, 1};
  EXPECT_EQ(box.initial, mode);
  EXPECT_TRUE(box.mesh.file.empty());

  const Case head = read("[mesh]\ngenerator = head-phone\nlevel = m2\n[time]\nend = 1\n");
  EXPECT_EQ(head.mesh.generator, Mesh::Generator::head_phone);
  EXPECT_EQ(head.mesh.file, directory().parent_path() / "meshes/generated/head_phone_m2.msh");
  EXPECT_EQ(read("[mesh]\ngenerator = head-phone\nfile = kept.msh\n[time]\nend = 1\n").mesh.file,
            directory() / "kept.msh");
}

TEST_F(ReadCase, CommentsBlanksCarriageReturnsAndByteOrderMark) {
  const Case c = read(
      "\xEF\xBB\xBF# a case\r\n; another comment\r\n  [ mesh ]  # where\r\n"
      "\tfile =  my head.msh\t# the mesh\r\n\r\n[time]\r\nend=1e-9 # s\r\nfrequency = +1.8E9\r\n");
  EXPECT_EQ(c.mesh.file, directory() / "my head.msh");
  EXPECT_EQ(c.time.end, 1e-9);
  EXPECT_EQ(c.time.frequency, 1.8e9);
}

TEST_F(ReadCase, ASectionMayBeContinued) {
  EXPECT_EQ(read(minimal + "[solver]\n[time]\nfrequency = 1e9\n").time.frequency, 1e9);
}

TEST_F(ReadCase, FrequencyIsTheDefaultOfSourcesAndDft) {
  const Case c = read(harmonic + "[source.feed]\ntype = dipole\nposition = 0 0 0\ndirection = 1 0 0\n");
  EXPECT_EQ(c.sources.at(0).waveform.frequency, 1.8e9);
  EXPECT_EQ(c.dft.frequencies, std::vector<double>{1.8e9});
}

TEST_F(ReadCase, DftOverAllNeedsNoHarmonics) {
  EXPECT_EQ(read(minimal + "[dft]\nfrequencies = 1e9 1.5e9\nwindow = all\n").dft.frequencies,
            (std::vector<double>{1e9, 1.5e9}));
}

TEST_F(ReadCase, ExplicitValuesOfATissueWin) {
  const Case c = read(harmonic + "[material.skin]\ntissue = Skin (Dry)\nsigma = 2\n[material.air]\n");
  EXPECT_EQ(c.materials.at(0).tissue, "Skin (Dry)");
  EXPECT_EQ(c.materials[0].permittivity, physics::tissue_properties("Skin (Dry)", 1.8e9).permittivity);
  EXPECT_EQ(c.materials[0].conductivity, 2);
  EXPECT_EQ(c.materials.at(1).permittivity, 1);
}

TEST_F(ReadCase, PolarisationIsMadeExactlyNormal) {
  const Case c = read(minimal +
                      "[source.w]\ntype = plane-wave\ndirection = 1 2 3\npolarisation = 3 0 -1.000001\n"
                      "frequency = 1e9\n");
  const Source& w = c.sources.at(0);
  EXPECT_NEAR(dot(w.direction, w.polarisation), 0, 1e-15);
  EXPECT_NEAR(norm(w.direction), 1, 1e-15);
  EXPECT_NEAR(norm(w.polarisation), 1, 1e-15);
}

TEST_F(ReadCase, VeryLongAndVeryShortDirections) {
  for (const auto direction : {"0 3e-200 4e-200", "0 3e200 4e200"}) {
    const Case c = read(harmonic + "[source.f]\ntype = dipole\nposition = 0 0 0\ndirection = " + direction + "\n");
    EXPECT_NEAR(c.sources.at(0).direction.y, 0.6, 1e-15);
    EXPECT_NEAR(c.sources.at(0).direction.z, 0.8, 1e-15);
  }
}

TEST_F(ReadCase, OverridesReplaceAndAdd) {
  const std::vector<std::string> overrides = {"solver.order=4",
                                              "solver.order=5",
                                              "source.my.feed.type=dipole",
                                              "source.my.feed.position = 0 0 0",
                                              "source.my.feed.direction=1 0 0",
                                              "source.my.feed.moment=7",
                                              "mesh.file=b=c.msh"};
  const Case c = read(harmonic + "[solver]\norder = 1\n", overrides);
  EXPECT_EQ(c.solver.order, 5);
  EXPECT_EQ(c.sources.at(0).name, "my.feed");
  EXPECT_EQ(c.sources[0].moment, 7);
  EXPECT_EQ(c.sources[0].origin, "--set source.my.feed.type=dipole");
  EXPECT_EQ(c.mesh.file, directory() / "b=c.msh");
}

TEST_F(ReadCase, AnOverrideOfTheLengthReplacesTheFilesLength) {
  const Case c = read(harmonic, {"time.steps=5"});
  EXPECT_EQ(c.time.steps, 5);
  EXPECT_FALSE(c.time.periods || c.time.end);
  EXPECT_EQ(c.time.frequency, 1.8e9);
}

TEST(NearestName, CountsEditsAndSwaps) {
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("sovler", "solver"), 1);
  EXPECT_EQ(nearest_name("brian", {"brawn", "brain"}), "brain");
  EXPECT_EQ(nearest_name("xyz", {"order", "method"}), std::nullopt);
}

}  // namespace
}  // namespace dgtd::config
