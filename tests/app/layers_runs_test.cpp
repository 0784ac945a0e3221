// Absorbing layers that the program adds to a mesh, as a user runs them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "app/program.hpp"

namespace {

constexpr double pi = 3.14159265358979, light = 299792458, impedance = 376.730313668;

std::string write(const fs::path& directory, const std::string& name, const std::string& text) {
  std::ofstream(directory / name) << text;
  return (directory / name).string();
}

/// A dipole of 1 GHz in the middle of a cube of a wavelength; `sides`: [boundary] sections.
std::string dipole_in_a_box(const std::string& sides) {
  return "[solver]\norder = 2\n[mesh]\ngenerator = box\ncells = 8 8 8\nsize = 0.3 0.3 0.3\n" + sides +
         "[material.air]\n[source.dipole]\ntype = dipole\nposition = 0.15 0.15 0.15\ndirection = 0 0 1\nmoment = "
         "1e-3\nradius = 0.094\n"
         "waveform = ramped-sine\n[time]\nfrequency = 1e9\nperiods = 10\n[output]\nfields = none\nreport_pictures = "
         "off\n";
}
const std::string cpml = "[boundary.*]\ntype = cpml\nthickness = 0.4\n";
const std::string passive = "[boundary.*]\ntype = passive\nthickness = 0.4\n";

// The layer is a quarter wavelength from the current; exact: Z0 k^2 moment^2 / (12 pi), without what comes back.
TEST(LayersRuns, LeaveTheDipoleTheExactPower) {
  const auto directory = work("layers_dipole");
  const double k = 2 * pi * 1e9 / light, exact = impedance * k * k * 1e-6 / (12 * pi);
  const auto power = [&](const std::string& name, const std::string& sides) {
    const auto run = dgtd(write(directory, name + ".cfg", dipole_in_a_box(sides)));
    EXPECT_EQ(run.code, 0) << run.output;
    const auto tissues = summary(directory / "out" / name)["tissues"];
    EXPECT_EQ(tissues.size(), 1u) << "the group of the layer is no tissue: " << tissues.dump();
    const auto p = summary(directory / "out" / name)["power"];
    std::printf("%s: source %.5f, outflow %.5f of the exact power\n", name.c_str(), p["source_W"].get<double>() / exact,
                p["outflow_W"].get<double>() / exact);
    EXPECT_NEAR(p["outflow_W"].get<double>(), p["source_W"].get<double>(), 2e-3 * exact);
    return p["source_W"].get<double>() / exact;
  };
  EXPECT_NEAR(power("passive", passive), 1, 0.003);
  EXPECT_NEAR(power("cpml", cpml), 1, 0.003);
  EXPECT_GT(std::abs(power("silver_muller", "[boundary.*]\ntype = silver-muller\n") - 1), 0.01);
}

// A medium with poles fills the box and its layers, beside one of constant permittivity and conductivity, equal at the
// frequency of the run, where the layer has its impedance:
//   Debye: eps_inf + deps / (1 + x^2), w eps0 deps x / (1 + x^2), x = w tau;
//   Drude: eps_inf - wp^2 / (w^2 + g^2), eps0 wp^2 g / (w^2 + g^2).
void expect_powers_in_media_with_poles(const std::string& type) {
  const auto directory = work("layers_poles_" + type);
  constexpr double eps0 = 8.8541878188e-12, w = 2 * pi * 1e9;
  const auto powers = [&](const std::string& name, const std::string& medium) {
    const auto run = dgtd(
        write(directory, name + ".cfg", dipole_in_a_box("[boundary.*]\ntype = " + type + "\nlayers = 4\n")) +
        " --set mesh.cells='4 4 4' --set solver.order=1 --set solver.cfl_fraction=0.2 --set time.periods=20 " + medium);
    EXPECT_EQ(run.code, 0) << run.output;
    return summary(directory / "out" / name);
  };
  const auto check = [&](const std::string& name, double eps_inf, const std::string& poles, double eps, double sigma) {
    const auto a = powers(name,
                          fmt::format("--set material.air.eps_r={} --set material.air.poles='{}'", eps_inf, poles)),
               b = powers(name + "_constant",
                          fmt::format("--set material.air.eps_r={} --set material.air.sigma={}", eps, sigma));
    for (const char* part : {"source_W", "absorbed_W", "outflow_W"}) {
      const double wanted = b["power"][part];
      std::printf("%s %s: %.6g, %.6g W\n", name.c_str(), part, a["power"][part].get<double>(), wanted);
      EXPECT_NEAR(a["power"][part].get<double>(), wanted, 4e-3 * b["power"]["source_W"].get<double>()) << name << part;
    }
    EXPECT_GT(b["power"]["outflow_W"].get<double>(), 0.2 * b["power"]["source_W"].get<double>());
    EXPECT_NEAR(a["power"]["defect"].get<double>(), b["power"]["defect"].get<double>(), 5e-3);
  };
  const double x = w * 5e-12;
  check("debye", 1, "debye 1 5e-12", 1 + 1 / (1 + x * x), w * eps0 * x / (1 + x * x));
  const double plasma = 4.5e9, g = 1e9, n = w * w + g * g;
  check("drude", 2, fmt::format("drude {} {}", plasma, g), 2 - plasma * plasma / n, eps0 * plasma * plasma * g / n);
}

TEST(LayersRuns, ContinueMediaWithPoles) { expect_powers_in_media_with_poles("passive"); }
TEST(LayersRuns, ContinueMediaWithPolesIfConvolutional) { expect_powers_in_media_with_poles("cpml"); }

TEST(LayersRuns, AreAlikeOnAnyNumberOfRanksAndContinue) {
  const auto directory = work("layers_ranks");
  for (const std::string type : {"passive", "cpml"}) {
    const std::string sides = "[boundary.*]\ntype = " + type +
                              "\nlayers = 4\n[boundary.zmin]\ntype = pec\n[boundary.xmax]\ntype = silver-muller\n";
    const std::string arguments =
        write(directory, type + ".cfg", dipole_in_a_box(sides)) + " --set mesh.cells='4 4 4' --set output.directory=";
    std::string hash;
    for (const int ranks : {1, 2, 3}) {
      const auto out = directory / (type + std::to_string(ranks));
      const auto run = dgtd_on(ranks, arguments + out.string() + " --steps 40");
      ASSERT_EQ(run.code, 0) << run.output;
      const auto s = summary(out);
      EXPECT_EQ(s["elements"], 6 * 8 * 12 * 8);
      if (hash.empty()) hash = s["fields_hash"];
      EXPECT_EQ(s["fields_hash"], hash);
      EXPECT_EQ(s["absorbing_layers"].size(), 4u);
      EXPECT_EQ(s["absorbing_layers"][0]["strata"], 4);
      EXPECT_NEAR(s["absorbing_layers"][0]["thickness_m"].get<double>(), 0.3, 1e-12);
    }
    const auto parts = directory / (type + "_parts");
    const auto first = dgtd_on(2, arguments + parts.string() + " --set time.steps=17 --set checkpoint.at_end=on");
    ASSERT_EQ(first.code, 0) << first.output;
    const auto second = dgtd(arguments + parts.string() + " --set time.steps=40 --restart");
    ASSERT_EQ(second.code, 0) << second.output;
    EXPECT_EQ(summary(parts)["fields_hash"], hash) << type;
  }
}

// A sheet in a column between periodic sides, whose ends are layers: strata of the program, or blocks of the mesh file
// of the same size, whose cells are cut otherwise.
TEST(LayersRuns, OfTheMeshFileAreLikeThoseThatAreAdded) {
  const auto directory = work("layers_own");
  const auto blocks = [&](const std::string& name, const std::string& list) {
    const auto made = dgtd_mesh("blocks " + list + " -o " + (directory / name).string());
    ASSERT_EQ(made.code, 0) << made.output;
  };
  const std::string air = "--block air 0 0 0 0.05 0.05 0.6 0.05 ";
  blocks("air.msh", air);
  blocks("all.msh", "--block pml 0 0 -0.4 0.05 0.05 1 0.05 " + air);
  std::string sides;
  for (const char* side : {"xmin", "xmax", "ymin", "ymax"})
    sides += fmt::format("[boundary.{}]\ntype = periodic\n", side);
  const auto run_of = [&](const std::string& name, const std::string& mesh, const std::string& ends, int ranks = 1) {
    const std::string file =
        write(directory, name + ".cfg",
              "[solver]\norder = 2\ncfl_fraction = 0.94\n[mesh]\ncache = off\nfile = " + mesh + "\n" + sides +
                  "[boundary.*]\ntype = passive\n" + ends +
                  "[material.*]\neps_r = 1.5\n[source.s]\ntype = sheet\ncentre = 0 0 0.3\nsize = 1 1 0\n"
                  "polarisation = 1 0 0\nwaveform = modulated-gaussian\nfrequency = 8e8\nbandwidth = 4e8\n"
                  "[probe.p]\nposition = 0.025 0.025 0.1\nevery = 10\n"
                  "[probe.q]\nposition = 0.025 0.025 -0.375\nevery = 10\n[time]\nfrequency = 8e8\nperiods = 16\n"
                  "[output]\nfields = none\nreport_pictures = off\n");
    const auto run = dgtd_on(ranks, file);
    EXPECT_EQ(run.code, 0) << run.output;
    return run.output;
  };
  const std::string strata = "8 strata, 400 mm, ";
  EXPECT_NE(run_of("added", "air.msh", "thickness = 0.4\nlayers = 8\n")
                .find("absorbing layers outside of zmin, zmax: " + strata),
            std::string::npos);
  const auto output = run_of("own", "all.msh", "group = pml\n");
  EXPECT_NE(output.find("absorbing layers of volume group pml at zmin, zmax: " + strata), std::string::npos) << output;
  const auto rows = [&](const std::string& file) { return table(directory / "out" / file).rows; };
  const auto a = rows("added/probe_p.csv"), b = rows("own/probe_p.csv"), deep = rows("own/probe_q.csv"),
             added_deep = rows("added/probe_q.csv");
  ASSERT_EQ(a.size(), b.size());
  ASSERT_EQ(a.size(), deep.size());
  double largest = 0, difference = 0, left = 0, damped = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i].at(1)));
    difference = std::max(difference, std::abs(a[i].at(1) - b[i].at(1)));
    damped = std::max(damped, std::abs(deep[i].at(1)));
    difference = std::max(difference, std::abs(deep[i].at(1) - added_deep.at(i).at(1)));
    if (3 * i > 2 * a.size()) left = std::max(left, std::abs(b[i].at(1)));
  }
  std::printf("difference %.2e, left at the end %.2e, at the end of the layer %.2e of the wave\n", difference / largest,
              left / largest, damped / largest);
  EXPECT_LT(difference, 0.0126 * largest);  // -38 dB, the error of the elements
  EXPECT_LT(left, 0.0126 * largest);
  EXPECT_LT(damped, 0.6 * largest);  // of an undamped wave
  const auto hash = summary(directory / "out/own")["fields_hash"];
  EXPECT_EQ(summary(directory / "out/own")["absorbing_layers"][0]["volume_groups"][0], "pml");
  run_of("own", "all.msh", "group = pml\n", 2);
  EXPECT_EQ(summary(directory / "out/own")["fields_hash"], hash);
  const auto without = dgtd(write(directory, "wrong.cfg",
                                  "[mesh]\ncache = off\nfile = all.msh\n[boundary.*]\ntype = passive\ngroup = "
                                  "pml\n[material.*]\n[time]\nsteps = 1\n"));
  expect_bad_input(without,
                   "all.msh: side xmin is in surface group \"xmin\", whose layer is volume group \"pml\", and ");
  const auto both = dgtd(write(directory, "both.cfg",
                               "[mesh]\nfile = all.msh\n[boundary.*]\ntype = passive\ngroup = pml\nlayers = 4\n"
                               "[material.*]\n[time]\nsteps = 1\n"));
  expect_bad_input(both,
                   "boundary.*.group = pml: only one of group and layers may be given, and boundary.*.layers is at ");
}

TEST(LayersRuns, OfOneMeshHaveOneType) {
  const auto directory = work("layers_mixed");
  const std::string file =
      write(directory, "a.cfg", dipole_in_a_box("[boundary.*]\ntype = passive\n[boundary.zmin]\ntype = cpml\n"));
  expect_bad_input(dgtd(file + " --dry-run"),
                   "a.cfg:9: boundary.zmin: layers of a mesh are of one type, passive or cpml, and boundary.* has the "
                   "other one");
  expect_bad_input(dgtd(file + " --dry-run --set boundary.*.type=cpml --set boundary.zmin.loss=0.05"),
                   "--set boundary.zmin.loss=0.05: must be a number from 0.1 to 1");
}

// The reflection of strata from an independent program; that of elements from docs/verification.md, (6 / 8)^2.5 of it.
TEST(LayersRuns, PrintTheExpectedReflection) {
  const auto directory = work("layers_dry");
  const auto lines = [&](const std::string& sides, const std::string& expected) {
    const auto run = dgtd(write(directory, "a.cfg", dipole_in_a_box(sides)) + " --dry-run");
    ASSERT_EQ(run.code, 0) << run.output;
    EXPECT_NE(run.output.find("absorbing layers outside of xmin, xmax, ymin, ymax, zmin, zmax: " + expected),
              std::string::npos)
        << run.output;
  };
  lines(
      passive,
      "8 strata, 400 mm, 1.33 wavelengths; largest reflection expected at 0, 30, 45, 60 degrees: -80, -44, -37, -35 dB "
      "of the strata, -52, -33, -29, -24 dB with the error of elements that are 8.0 per wavelength\n");
  // Nothing but the type: the layer has the usual thickness, and strata of a sixth of a wavelength with P2.
  lines(
      "[boundary.*]\ntype = passive\n",
      "11 strata, 524.6 mm, 1.75 wavelengths; largest reflection expected at 0, 30, 45, 60 degrees: -80, -44, -38, -39 "
      "dB of the strata, -52, -32, -29, -24 dB with the error of elements that are 8.0 per wavelength\n");
}

// Triangles of the sphere with edges of 60 mm, which are sides of cubes of 56 mm cut in two: 5.4 of them per
// wavelength. At the layer's outer end they are 2.7 times as long.
TEST(LayersRuns, CountTheElementsOfASphereWhereTheLayerBegins) {
  const auto directory = work("layers_sphere");
  const std::string mesh = (directory / "ball.msh").string();
  ASSERT_EQ(dgtd_mesh("spheres --radius 0.3 --size 0.06 --name air -o " + mesh).code, 0);
  const auto run =
      dgtd(write(directory, "ball.cfg",
                 "[mesh]\nfile = " + mesh +
                     "\n[boundary.absorbing]\ntype = passive\n[material.air]\n[source.d]\ntype = "
                     "dipole\nposition = 0 0 0\ndirection = 0 0 1\n[time]\nfrequency = 1e9\nperiods = 1\n") +
           " --dry-run");
  ASSERT_EQ(run.code, 0) << run.output;
  const std::string before = "with the error of elements that are ";
  const auto found = run.output.find(before);
  ASSERT_NE(found, std::string::npos) << run.output;
  EXPECT_NEAR(std::stod(run.output.substr(found + before.size())), 5.4, 0.8);
}

TEST(LayersRuns, RefuseWhatHasNoMeaning) {
  const auto directory = work("layers_refused");
  const std::string wave = "[source.w]\ntype = plane-wave\ndirection = 0 0 1\npolarisation = 1 0 0\n";
  expect_bad_input(
      dgtd(write(directory, "wave.cfg", dipole_in_a_box(passive) + wave)),
      ": source.w: a plane wave cannot enter through layers ([boundary.*] type = passive): give it a total "
      "field inside of the mesh, box_min and box_max or total_field\n");
  expect_bad_input(dgtd(write(directory, "reach.cfg",
                              dipole_in_a_box(passive) + wave + "box_min = 0.1 0.1 0.1\nbox_max = 0.2 0.2 0.32\n")),
                   "box_min and box_max reach the elements of the absorbing boundary or its layers, near ");
  expect_bad_input(
      dgtd(write(directory, "flux.cfg",
                 dipole_in_a_box(passive) + "[flux.f]\ntype = box\ncentre = 0.15 0.15 0.15\nsize = 0.2 0.2 "
                                            "0.4\nfrequencies = 1e9\n")),
      "100 % of its face at z = -0.05 m are outside of the mesh or in its absorbing layers; it must be in the mesh as "
      "a "
      "whole\n");
  expect_bad_input(dgtd(write(directory, "other.cfg", dipole_in_a_box("[boundary.*]\ntype = pec\nlayers = 3\n"))),
                   "boundary.*.layers = 3: ");
}

}  // namespace
