// Ports whose modes are computed on their own plane, as a user sees them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <fstream>
#include <sstream>

#include "app/program.hpp"

namespace {

using Complex = std::complex<double>;
constexpr double light = 299792458;

// A quarter of a strip of silicon in glass, 480 x 240 nm: its fundamental mode has an electric wall at y = 0 and a
// magnetic one at z = 0. Ports at x = -600 and 600 nm, between layers that the strip goes on into.
constexpr double length = 1200e-9;
std::string strip_text(const std::string& runs) {
  std::string text =
      "[solver]\nmethod = fdtd3d\nprecision = double\n[grid]\ncells = 70 30 26\norigin = -1.4 0 0 um\nspacing = 40 nm\n"
      "pml = 10\nbackground = glass\n[boundary.*]\ntype = cpml\n[boundary.ymin]\ntype = pec\n[boundary.zmin]\n"
      "type = pmc\n[material.glass]\neps_r = 2.085136\n[material.silicon]\neps_r = 12.1104\n[shape.strip]\ntype = box\n"
      "material = silicon\nsize = 100 um 480 nm 240 nm\n[time]\nend = decayed\ndecay = -70\n[output]\nfields = none\n"
      "directory = out\n";
  for (const auto& [name, x, direction] : {std::tuple{"in", -600, 1}, std::tuple{"out", 600, -1}})
    text += fmt::format("[port.{}]\ntype = mode\ncentre = {} 400 320 nm\nsize = 0 800 640 nm\ndirection = {} 0 0\n",
                        name, x, direction);
  return text + runs;
}
constexpr const char* all_ports = "[sparameters]\nexcite = all\nwavelengths = 1.5 um 1.6 um 6\n";
// One run, in which the port `in` sends.
constexpr const char* one_run =
    " --set port.in.excite=1 --set port.in.frequency=193.4e12 --set port.in.bandwidth=12e12 "
    "--set port.in.wavelengths='1.5e-6 1.6e-6 3' --set port.out.wavelengths='1.5e-6 1.6e-6 3'";

fs::path write_strip_case(const std::string& name, const std::string& text) {
  const fs::path directory = work(name);
  std::ofstream(directory / "strip.cfg") << text;
  return directory;
}

double degrees_between(Complex a, Complex b) { return std::abs(std::arg(a / b)) * 180 / M_PI; }

TEST(ModePorts, OfAMatchedStripReflectNothing) {
  const fs::path at = write_strip_case("mode_matched", strip_text(all_ports));
  const auto run = dgtd((at / "strip.cfg").string() + " --set output.directory=" + (at / "out").string());
  ASSERT_EQ(run.code, 0) << run.output;
  const auto rows = table(at / "out" / "sparameters.csv").rows;
  const auto port = table(at / "out" / "excite_in" / "port_out.csv");
  ASSERT_EQ(rows.size(), 6u);
  ASSERT_EQ(port.rows.size(), 6u);
  EXPECT_NE(port.head.find(",effective_index"), std::string::npos) << port.head;
  for (std::size_t f = 0; f < rows.size(); ++f) {
    const auto& r = rows[f];
    const Complex s11{r[1], r[2]}, s21{r[5], r[6]}, s12{r[9], r[10]}, s22{r[13], r[14]};
    const double beta = 2 * M_PI * r[0] / light * port.rows[f].back();
    EXPECT_LT(20 * std::log10(std::abs(s11)), -50) << r[0];
    EXPECT_LT(20 * std::log10(std::abs(s22)), -50) << r[0];
    EXPECT_NEAR(std::abs(s21), 1, 1e-3) << r[0];
    EXPECT_LT(degrees_between(s21, std::polar(1.0, -beta * length)), 0.1) << r[0];
    EXPECT_LT(std::abs(s21 - s12), 1e-3) << r[0];
  }
}

// Sums of modes are of all ranks.
TEST(ModePorts, AreTheSameOnRanks) {
  const fs::path at = write_strip_case("mode_ranks", strip_text(""));
  const auto run_on = [&](int ranks) {
    const fs::path out = at / fmt::format("on_{}", ranks);
    const auto run =
        dgtd_on(ranks, (at / "strip.cfg").string() + one_run + " --steps 400 --set output.directory=" + out.string());
    EXPECT_EQ(run.code, 0) << run.output;
    return out;
  };
  const fs::path alone = run_on(1);
  const auto one = table(alone / "port_out.csv").rows;
  ASSERT_EQ(one.size(), 3u);
  for (const int ranks : {2, 3, 4}) {
    const fs::path together = run_on(ranks);
    EXPECT_EQ(summary(alone)["fields_hash"], summary(together)["fields_hash"]) << ranks;
    const auto all = table(together / "port_out.csv").rows;
    ASSERT_EQ(all.size(), 3u);
    for (std::size_t f = 0; f < one.size(); ++f) {
      for (std::size_t i = 1; i < 5; ++i) EXPECT_NEAR(all[f][i], one[f][i], 1e-12 * std::abs(one[f][1])) << f << i;
      EXPECT_EQ(all[f].back(), one[f].back());  // the index is that of each rank
    }
  }
}

// Behind the beginning of the second strip light is in the even and the odd mode of both. With amplitudes e and o,
// which have one phase there, (e^2 + o^2) / 2 - e o cos(phase) of the power is in the second strip where the modes are
// `phase` apart, which is that of their indices over the length: the coupling length is where it is pi.
TEST(ModePorts, SeeACouplerAsItsTwoModes) {
  const fs::path out = work("mode_coupler") / "out";
  const auto run = dgtd(case_file("strip_coupler.cfg") + " --set output.directory=" + out.string());
  ASSERT_EQ(run.code, 0) << run.output;
  const auto rows = table(out / "sparameters.csv");
  EXPECT_NE(rows.head.find("S_out_1_in_real"), std::string::npos) << rows.head;
  EXPECT_NE(rows.head.find("S_out_2_in_real"), std::string::npos) << rows.head;
  const fs::path sent = out / "excite_in";
  const auto even_port = table(sent / "port_out_1.csv").rows, odd_port = table(sent / "port_out_2.csv").rows;
  auto first = table(sent / "flux_first.csv").rows, second = table(sent / "flux_second.csv").rows;
  ASSERT_EQ(rows.rows.size(), 5u);
  ASSERT_EQ(first.size(), 5u);
  constexpr double strips = 2.2e-6;  // m, from the beginning of the second strip to the fluxes
  for (const auto& r : rows.rows) {
    const auto at_frequency = [&](const auto& table) {
      return *std::min_element(table.begin(), table.end(), [&](const auto& a, const auto& b) {
        return std::abs(a[0] - r[0]) < std::abs(b[0] - r[0]);
      });
    };
    const Complex even{r[5], r[6]}, odd{r[9], r[10]};
    EXPECT_LT(degrees_between(even, odd), 3) << r[0];
    const double phase =
        2 * M_PI * r[0] / light * (at_frequency(even_port).back() - at_frequency(odd_port).back()) * strips;
    const double all = std::norm(even) + std::norm(odd),
                 expected = 0.5 - std::abs(even) * std::abs(odd) * std::cos(phase) / all;
    const double there = at_frequency(second)[2], here = at_frequency(first)[2];
    EXPECT_NEAR(there / (here + there), expected, 0.02) << r[0];
    EXPECT_GT(all, 0.9);
  }
}

// 3.4 um behind its end the plane of the port ahead takes hardly any of what the crossing radiates: the flux there is
// the power of the mode and below 1 % of what is sent in addition.
TEST(ModePorts, SeeTheCrossingThatItsFluxesSee) {
  const fs::path out = work("mode_crossing") / "out";
  const auto run =
      dgtd(case_file("crossing_ports.cfg") + " --set grid.per_wavelength=10 --set output.directory=" + out.string());
  ASSERT_EQ(run.code, 0) << run.output;
  const fs::path sent = out / "excite_west";
  const auto west = table(sent / "port_west.csv"), east = table(sent / "port_east.csv");
  const auto flux = table(sent / "flux_east.csv").rows;
  ASSERT_EQ(east.rows.size(), 5u);
  ASSERT_EQ(flux.size(), 5u);
  const auto column = [&](const std::string& name) {
    std::stringstream names(east.head);
    std::size_t i = 0;
    for (std::string next; std::getline(names, next, ',') && next != name;) ++i;
    return i;
  };
  const std::size_t a = column("a_real_s_sqrtW"), b = column("b_real_s_sqrtW");
  for (std::size_t f = 0; f < flux.size(); ++f) {
    ASSERT_NEAR(flux[f][0], east.rows[f][0], 1e-6 * flux[f][0]);
    const auto power = [&](const auto& table, std::size_t wave) {
      return std::norm(Complex(table.rows[f][wave], table.rows[f][wave + 1]));
    };
    const double incident = power(west, a), through = power(east, b) / incident,
                 radiated = flux[f][2] / (2 * incident) - through;
    EXPECT_GT(through, 0.6) << f;
    EXPECT_LT(through + power(west, b) / incident, 0.8) << f;
    EXPECT_GT(radiated, 0) << f;
    EXPECT_LT(radiated, 0.01) << f;
  }
}

TEST(ModePorts, AreChecked) {
  const fs::path at = write_strip_case("mode_errors", strip_text(all_ports));
  const auto expect = [&](const std::string& set, const std::string& message) {
    expect_bad_input(dgtd((at / "strip.cfg").string() + " --dry-run" + set), message);
  };
  expect(" --set port.in.modes=3", "port.in: modes = 3: at 193.6 THz its plane guides ");
  expect(
      " --set material.silicon.eps_r=2.085136",
      "port.in: its plane guides no mode at 193.6 THz; a guide must cross it, with fields that decay towards the ends "
      "of the plane");
  expect(" --set port.in.centre='-4e-6 4e-7 3.2e-7'", "port.in: end of centre and size");
  expect(" --set port.in.centre='-1.2e-6 4e-7 3.2e-7'",
         "port.in: its plane x = -1.2e-06 m must have a cell behind it and three ahead, outside of absorbing layers");
  expect(
      " --set port.in.size='0 1e-6 6.4e-7' --set port.in.centre='-6e-7 5e-7 3.2e-7'",
      "port.in: size = 1e-06 along y: reaches 5 cells into the absorbing layer of 10 cells at ymax; it must end before "
      "it");
  expect(" --set material.silicon.sigma=100",
         "port.in: its cross-section has a conductive or dispersive material; type mode needs materials without losses "
         "and poles, and perfect conductors");
  expect(" --set material.silicon.poles='drude 1e15 1e13'",
         "port.in: its cross-section has a conductive or dispersive material; ");
  expect(" --set shape.strip.size='1.2e-6 4.8e-7 2.4e-7'",
         "port.in: its guide must be the same a cell behind the plane and ahead of it; relative permittivity at y = ");
  expect(" --set port.in.modes='1 1'", "must be different integers from 1 to 100, by blanks");
  expect(" --set port.in.modes=0", "must be different integers from 1 to 100, by blanks");
  expect(" --set port.in.size='0 0 6.4e-7'",
         "exactly one must be 0, that of direction, where type = waveguide, coax or mode");
  expect(" --set port.in.type=waveguide --set port.in.mode='te 1 0' --set port.in.modes=2", "modes");
  const auto cut = dgtd((at / "strip.cfg").string() +
                        " --dry-run --set port.in.size='0 4e-7 4e-7' --set port.in.centre='-6e-7 2e-7 2e-7'");
  EXPECT_EQ(cut.code, 0) << cut.output;
  EXPECT_NE(cut.output.find("port.in: the ends of its plane cut its mode, whose field there is "), std::string::npos)
      << cut.output;
}

}  // namespace
