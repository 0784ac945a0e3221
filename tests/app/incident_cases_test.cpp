// sar.normalise = incident: the power density of plane waves in the medium that they arrive through.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <fstream>

#include "app/program.hpp"

namespace {

constexpr double vacuum_impedance = 376.730313668;  // ohm

const char* const on_elements =
    "[solver]\norder = 1\n[mesh]\ngenerator = box\ncells = 2 2 2\nsize = 0.1 0.1 0.1\n[boundary.*]\ntype = "
    "silver-muller\n[material.gel]\neps_r = 4\n";
const char* const on_a_grid =
    "[solver]\nmethod = fdtd3d\n[grid]\ncells = 24 24 24\nspacing = 5e-3\npml = 4\nbackground = gel\n[material.gel]\n"
    "eps_r = 4\n";
const char* const driven =
    "[source.a]\ntype = plane-wave\ndirection = 0 0 1\npolarisation = 1 0 0\namplitude = 2\nwaveform = ramped-sine\n"
    "[time]\nfrequency = 1e9\nperiods = 2\n[sar]\nnormalise = incident\n[output]\nfields = none\ndirectory = out\n";
const char* const second =
    "[source.b]\ntype = plane-wave\ndirection = 0 0 1\npolarisation = 1 0 0\namplitude = 2\nwaveform = ramped-sine\n";

// 2 V/m in eps_r = 4: 4 / (2 Z0 / 2). Two such waves of one direction have twice the field, so four times the power.
TEST(IncidentPower, IsThatOfTheExteriorAndOfTheSumOfWaves) {
  const auto directory = work("incident");
  for (const char* method : {on_elements, on_a_grid})
    for (const bool twice : {false, true}) {
      std::ofstream(directory / "a.cfg") << method << driven << (twice ? second : "");
      const auto run = dgtd((directory / "a.cfg").string());
      ASSERT_EQ(run.code, 0) << run.output;
      const double power = summary(directory / "out")["sar"]["run_power_W_per_m2"];
      EXPECT_NEAR(power * vacuum_impedance / (twice ? 16 : 4), 1, 1e-9) << method << twice;
    }
}

TEST(IncidentPower, CoherentWavesOfTwoDirectionsAreRefused) {
  const auto directory = work("coherent");
  for (const char* method : {on_elements, on_a_grid}) {
    std::ofstream(directory / "a.cfg") << method << driven << second;
    const auto run = dgtd((directory / "a.cfg").string() + " --set source.b.direction='0 0 -1'");
    expect_bad_input(run,
                     "source.b: sar.normalise = incident has no power density to refer to: it is coherent "
                     "with source.a and has another direction; allowed are waves of one frequency and one "
                     "direction, one wave, or sar.normalise = none\n");
    EXPECT_EQ(std::count(run.output.begin(), run.output.end(), '\n'), 1) << run.output;
  }
}

// SAR is that of one frequency: what arrives at another is not a part of it.
TEST(IncidentPower, OtherFrequenciesDoNotCount) {
  const auto directory = work("two_frequencies");
  std::ofstream(directory / "a.cfg") << on_elements << driven << second << "frequency = 2e9\n";
  const auto run = dgtd((directory / "a.cfg").string());
  ASSERT_EQ(run.code, 0) << run.output;
  const double power = summary(directory / "out")["sar"]["run_power_W_per_m2"];
  EXPECT_NEAR(power * vacuum_impedance / 4, 1, 1e-9);
  EXPECT_NE(run.output.find("source.b: its 2000000000 Hz are not counted as incident power: SAR is that of 1000000000 "
                            "Hz\n"),
            std::string::npos)
      << run.output;
  const auto none = dgtd((directory / "a.cfg").string() + " --set source.a.frequency=3e9");
  expect_bad_input(none,
                   "dgtd: error: sar.normalise = incident needs a source of type plane-wave at 1000000000 "
                   "Hz, the first frequency of [dft], which is that of the SAR\n");
}

// A wave of 10 GHz at normal incidence on muscle that absorbs all of it: what the tissue takes per area, but for what
// is nearer to the sides of the model, and Fresnel's transmission within |k d|^2 / 24 = 0.5 % of the grid's impedance,
// which is up to three times that of the power.
TEST(AbsorbedPowerDensity, IsWhatAWaveLeavesInABody) {
  const auto directory = work("absorbed_power_density");
  constexpr double permittivity = 42.8, conductivity = 10.6, frequency = 10e9;
  std::ofstream(directory / "a.cfg")
      << "[solver]\nmethod = fdtd3d\n[grid]\ncells = 18 18 200\nspacing = 2.2 2.2 0.25 mm\n[boundary.*]\ntype = "
         "periodic\n"
         "[boundary.zmin]\ntype = cpml\n[boundary.zmax]\ntype = cpml\n[material.muscle]\neps_r = 42.8\nsigma = 10.6\n"
         "density = 1050\n[shape.body]\ntype = box\nmaterial = muscle\ncentre = 0 0 5 mm\nsize = 1 1 0.025 m\n"
         "[source.a]\ntype = plane-wave\ndirection = 0 0 1\npolarisation = 1 0 0\nwaveform = ramped-sine\n"
         "[time]\nfrequency = 10e9\nperiods = 20\n[sar]\nnormalise = incident\npower = 10\nmass = 1\n[output]\n"
         "fields = none\ndirectory = out\n";
  const auto run = dgtd((directory / "a.cfg").string());
  ASSERT_EQ(run.code, 0) << run.output;
  const std::complex<double> index =
      std::sqrt(std::complex<double>(permittivity, conductivity / (2 * M_PI * frequency * 8.8541878128e-12)));
  const double transmitted = 1 - std::norm((1.0 - index) / (1.0 + index));
  const auto means = summary(directory / "out")["absorbed_power_density"];
  ASSERT_EQ(means.size(), 1u);
  EXPECT_EQ(means[0]["area_cm2"], 4);
  EXPECT_EQ(means[0]["normal"], "-z");
  const double mean = means[0]["mean_W_per_m2"], side = 18 * 2.2e-3;
  const double absorbed = summary(directory / "out")["tissues"]["muscle"]["absorbed_W"];
  EXPECT_NEAR(mean, absorbed / (side * side), 2e-3 * mean);
  EXPECT_NEAR(mean, 10 * transmitted, 0.015 * 10 * transmitted);
  EXPECT_NEAR(means[0]["at_m"][2].get<double>(), -7.5e-3, 1e-9);
  EXPECT_NE(run.output.find("absorbed power density at an incident power density of 10 W/m^2 (mean over a period): "),
            std::string::npos)
      << run.output;
  const std::string page = content(directory / "out" / "report.html");
  for (const char* text :
       {"Absorbed power density", "ICNIRP 2020, general public", "Incident power density at the limit"})
    EXPECT_NE(page.find(text), std::string::npos) << text;
}

}  // namespace
