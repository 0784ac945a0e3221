// SAR at a power of ports, as a user sees it.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <fstream>

#include "app/program.hpp"

namespace {

using Complex = std::complex<double>;

// A line of tissue between metal plates, 15 mm long and open at its end, fed by a port of 100 ohm. Nothing but the
// tissue takes power.
constexpr const char* feed =
    "[port.feed]\ntype = lumped\ncentre = 1e-3 1e-3 0\nsize = 2e-3 2e-3 0\ndirection = 0 1 0\nimpedance = 100\n"
    "frequencies = 2e9\n";
constexpr const char* sine = "excite = 1\nwaveform = ramped-sine\n";
constexpr const char* pulse_at_2_GHz = "excite = 1\nfrequency = 2e9\nbandwidth = 2e9\n";
constexpr const char* tissue = "[material.tissue]\neps_r = 4\nsigma = 1\ndensity = 1000\n";
constexpr const char* walls = "[boundary.*]\ntype = pmc\n[boundary.ymin]\ntype = pec\n[boundary.ymax]\ntype = pec\n";
constexpr const char* harmonic = "[time]\nfrequency = 2e9\nperiods = 12\n[sar]\npower = 2\nnormalise = accepted\n";
constexpr const char* until_decayed = "[time]\nend = decayed\ndecay = -100\n";
constexpr const char* no_fields = "[output]\nfields = none\n";

std::string line_of_tissue(bool tetrahedra, const std::string& sends, const std::string& rest) {
  const std::string domain =
      tetrahedra ? "[solver]\nmethod = dgtd\norder = 2\nprecision = double\n[mesh]\ngenerator = box\ncells = 1 1 8\n"
                   "size = 2e-3 2e-3 15e-3\n"
                 : "[solver]\nmethod = fdtd3d\nprecision = double\n[grid]\ncells = 2 2 15\nspacing = 1e-3\n"
                   "origin = 0 0 0\nbackground = tissue\n";
  return domain + tissue + walls + feed + sends + rest + no_fields;
}

fs::path write_tissue_case(const std::string& name, const std::string& text) {
  const fs::path directory = work(name);
  std::ofstream(directory / "line.cfg") << text << "directory = out\n";
  return directory;
}

Outcome run_in(const fs::path& at, const std::string& more = "") { return dgtd((at / "line.cfg").string() + more); }

double reflected_share(const fs::path& at) {
  const auto run = run_in(at);
  EXPECT_EQ(run.code, 0) << run.output;
  const auto row = table(at / "out" / "port_feed.csv").rows.at(0);
  return std::norm(Complex(row[9], row[10]) / Complex(row[7], row[8]));
}

double absorbed_at(const fs::path& at, const std::string& normalise) {
  const auto run = run_in(at, " --set 'sar.normalise=" + normalise + "'");
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_EQ(summary(at / "out")["sar"]["normalise"], normalise);
  return summary(at / "out")["tissues"]["tissue"]["absorbed_W"].get<double>();
}

class PortSar : public testing::TestWithParam<bool> {};

// In a steady state what the port gives is what the tissue takes. 12 periods leave less than 1e-5 of it; on tetrahedra
// E of the phasors is a step's end and the port's voltage a mean over the step, 1 - (omega dt)^2 / 4 and more: 1e-3.
TEST_P(PortSar, IsThatOfTheAcceptedAndOfTheAvailablePower) {
  const bool tetrahedra = GetParam();
  const std::string name = tetrahedra ? "port_sar_tetrahedra" : "port_sar_grid";
  const fs::path at = write_tissue_case(name, line_of_tissue(tetrahedra, sine, harmonic));
  const double within = tetrahedra ? 1e-3 : 1e-5;
  EXPECT_NEAR(absorbed_at(at, "accepted"), 2, 2 * within);
  EXPECT_NEAR(absorbed_at(at, "emitted"), 2, 2 * within);
  const double at_available = absorbed_at(at, "incident at port");
  const auto numbers = summary(at / "out");
  // A source of 1 V behind 100 ohm: V^2 / (8 R).
  EXPECT_NEAR(numbers["sar"]["run_power_W"].get<double>(), 1 / 800.0, 1e-9);
  EXPECT_EQ(numbers["power"]["incident_at_port_W"], numbers["sar"]["run_power_W"]);
  EXPECT_EQ(numbers["sar"]["refers_to"], "at a power incident at ports of 2 W (mean over a period)");
  EXPECT_NE(content(at / "out" / "report.html").find("Power at ports"), std::string::npos);
  // By the reflection that a pulse finds.
  const fs::path pulsed = write_tissue_case(name + "_pulse", line_of_tissue(tetrahedra, pulse_at_2_GHz, until_decayed));
  EXPECT_NEAR(at_available, 2 * (1 - reflected_share(pulsed)), 2 * within);
}
INSTANTIATE_TEST_SUITE_P(Methods, PortSar, testing::Bool());

// The same for a pulse, from its Fourier integrals.
TEST(PortSarOfAPulse, IsThatOfTheAcceptedAndOfTheAvailablePower) {
  const fs::path at = write_tissue_case(
      "port_sar_pulse", line_of_tissue(true, pulse_at_2_GHz,
                                       "[time]\nend = decayed\ndecay = -80\n[dft]\nwindow = all\n"
                                       "frequencies = 1.5e9 2e9\n[sar]\npower = 2\nnormalise = accepted\n"));
  const auto absorbed = [&](const std::string& normalise) {
    const auto run = run_in(at, " --set 'sar.normalise=" + normalise + "'");
    EXPECT_EQ(run.code, 0) << run.output;
    const auto at_2_GHz = summary(at / "out")["sar_spectrum"][1];
    EXPECT_EQ(at_2_GHz["frequency_Hz"], 2e9);
    EXPECT_LT(std::abs(at_2_GHz["defect"].get<double>()), 1e-3);
    return at_2_GHz["tissues"]["tissue"]["absorbed_W"].get<double>();
  };
  EXPECT_NEAR(absorbed("accepted"), 2, 2e-3);
  EXPECT_NEAR(absorbed("emitted"), 2, 2e-3);
  const double at_available = absorbed("incident at port");
  EXPECT_NEAR(at_available, 2 * (1 - reflected_share(at)), 2e-3);
}

class PortSarInAGuide : public testing::TestWithParam<bool> {};

// A guide whose end is filled by tissue: the mode's waves, summed in time over the last period. Power that the tissue
// takes is that of the mode within 2e-3 of what comes in, as reflection and transmission of these ports are.
TEST_P(PortSarInAGuide, IsThatOfTheAcceptedAndOfTheAvailablePower) {
  const bool tetrahedra = GetParam();
  const std::string name = tetrahedra ? "port_sar_guide_tetrahedra" : "port_sar_guide";
  const std::string of_method =
      tetrahedra ? "method = dgtd\norder = 2\n[domain]\nsize = 22.86e-3 10.16e-3 46e-3\norigin = 0 0 30.2e-3\n[mesh]\n"
                   "generator = shapes\nper_wavelength = 3\n[boundary.*]\ntype = pec\n[boundary.zmin]\ntype = passive\n"
                   "thickness = 30e-3\n"
                 : "method = fdtd3d\nprecision = double\n[grid]\nspacing = 1.27e-3 5.08e-3 1.27e-3\ncells = 18 2 60\n"
                   "origin = 0 0 0\npml = 30\n[boundary.*]\ntype = pec\n[boundary.zmin]\ntype = cpml\n";
  const std::string guide =
      "[solver]\n" + of_method + std::string(tissue) +
      "[shape.body]\ntype = box\nmaterial = tissue\ncentre = 11.43e-3 5.08e-3 63.5e-3\nsize = 30e-3 20e-3 25.4e-3\n"
      "[port.feed]\ntype = waveguide\nmode = te 1 0\ncentre = 11.43e-3 5.08e-3 43.18e-3\n"
      "size = 22.86e-3 10.16e-3 0\ndirection = 0 0 1\nfrequencies = 10e9\nexcite = 1\n";
  const fs::path at = write_tissue_case(
      name, guide + "waveform = ramped-sine\n[time]\nfrequency = 10e9\nperiods = 30\n[sar]\npower = 2\n"
                    "normalise = accepted\n" +
                no_fields);
  EXPECT_NEAR(absorbed_at(at, "accepted"), 2, 2 * 2e-3);
  EXPECT_LT(std::abs(summary(at / "out")["power"]["defect"].get<double>()), 2e-3);
  const double at_available = absorbed_at(at, "incident at port");
  const fs::path pulsed =
      write_tissue_case(name + "_pulse", guide + "frequency = 10e9\nbandwidth = 2e9\n" + until_decayed + no_fields);
  const double reflected = reflected_share(pulsed);
  EXPECT_GT(reflected, 0.05);
  EXPECT_NEAR(at_available, 2 * (1 - reflected), 2 * 2e-3);
  expect_bad_input(run_in(at, " --set port.feed.frequencies=9e9"),
                   "port.feed: frequencies must have 10000000000 Hz, that of SAR, whose powers refer to the port");
}
INSTANTIATE_TEST_SUITE_P(Methods, PortSarInAGuide, testing::Bool());

TEST(PortSarIsRefused, WithoutAPortThatSends) {
  const std::string dipole =
      "[source.d]\ntype = dipole\nposition = 1e-3 1e-3 5e-3\ndirection = 0 1 0\nwaveform = ramped-sine\n";
  const auto expect = [&](const std::string& sends, const std::string& set, const std::string& message) {
    const fs::path at = write_tissue_case("port_sar_refused", line_of_tissue(false, sends, harmonic));
    expect_bad_input(run_in(at, set + " --dry-run"), message);
  };
  const std::string at_port = " --set 'sar.normalise=incident at port'";
  expect(
      dipole, at_port,
      "sar.normalise = incident at port needs a port with excite; allowed here are emitted, accepted, incident, none");
  expect("", "",
         "sar.normalise = emitted or accepted needs a source of type dipole or a port with excite; allowed here are "
         "incident, none");
  expect(sine + dipole, "",
         "source.d: sar.normalise = accepted refers to what the ports send, so there must be no sources beside them; "
         "allowed is also sar.normalise = none");
  expect(pulse_at_2_GHz, at_port,
         "port.feed: sar.normalise = incident at port needs a port that sends in the last period: its waveform must be "
         "sine or ramped-sine, or on tetrahedra dft.window = all; allowed is also sar.normalise = none");
  expect(sine, " --set sar.normalise=port", "must be emitted, accepted, incident at port, incident or none");
}

}  // namespace
