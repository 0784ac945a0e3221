// Ports on tetrahedra whose modes are computed on their own plane, as a user sees them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <fstream>

#include "app/program.hpp"

namespace {

using Complex = std::complex<double>;
constexpr double light = 299792458, wide = 22.86e-3, high = 10.16e-3;  // m/s; m, of WR-90

std::string mode_port(const char* name, const std::string& centre, int direction) {
  return fmt::format("[port.{}]\ntype = mode\ncentre = {}\nsize = {} {} 0\ndirection = 0 0 {}\n", name, centre, wide, high,
                     direction);
}

// WR-90 in cubes of its width / 6, ports 6 of them apart.
std::string text_of_hollow(const std::string& runs) {
  const double cube = wide / 6;
  const auto at = [&](int cubes) { return fmt::format("{} {} {}", 0.5 * wide, 0.5 * high, cubes * cube); };
  return fmt::format(
             "[solver]\nmethod = dgtd\norder = 2\n[mesh]\ngenerator = box\ncells = 6 2 10\nsize = {} {} {}\n"
             "[material.*]\n[boundary.*]\ntype = pec\n[boundary.zmin]\ntype = passive\nthickness = 30e-3\n[boundary.zmax]\n"
             "type = passive\nthickness = 30e-3\n[time]\nend = decayed\ndecay = -60\n",
             wide, high, 10 * cube) +
         mode_port("in", at(2), 1) + mode_port("out", at(8), -1) + runs + "[output]\nfields = none\ndirectory = out\n";
}

// A slab of eps_r = 4 along it, a third of its width; ports 20 mm apart. The same text for both methods.
std::string text_of_loaded(const std::string& runs) {
  return fmt::format(
             "[solver]\nmethod = dgtd\norder = 2\n[domain]\nsize = {} {} 30e-3\n[material.vacuum]\n[material.glass]\n"
             "eps_r = 4\n[shape.slab]\ntype = box\nmaterial = glass\nsize = 7.62e-3 1 1\n[boundary.*]\ntype = pec\n"
             "[boundary.zmin]\ntype = cpml\nthickness = 20e-3\n[boundary.zmax]\ntype = cpml\nthickness = 20e-3\n[time]\n"
             "end = decayed\ndecay = -60\n[mesh]\ngenerator = shapes\nper_wavelength = 3\n",
             wide, high) +
         mode_port("in", "0 0 -10e-3", 1) + mode_port("out", "0 0 10e-3", -1) + runs +
         "[output]\nfields = none\ndirectory = out\n";
}

constexpr const char* both_ports = "[sparameters]\nexcite = all\nfrequency_range = 8.2e9 12.4e9 5\n";

fs::path write_guide_of_modes(const std::string& name, const std::string& text) {
  const fs::path directory = work(name);
  std::ofstream(directory / "guide.cfg") << text;
  return directory;
}

struct LineDefect {
  double reflection = 0, degrees = 0, amplitude = 0, index = 0;
};

// Largest over the band: S against a line of the index that the port states, and that index against the exact one.
template <class Index>
LineDefect line_defect(const fs::path& out, double length, const Index& exact) {
  const auto rows = table(out / "sparameters.csv").rows, port = table(out / "excite_in" / "port_out.csv").rows;
  EXPECT_EQ(rows.size(), 5u);
  LineDefect d;
  for (std::size_t f = 0; f < rows.size(); ++f) {
    const auto& r = rows[f];
    const Complex s11{r[1], r[2]}, s21{r[5], r[6]}, s12{r[9], r[10]}, s22{r[13], r[14]};
    const double index = port[f].back(), beta = 2 * M_PI * r[0] / light * index;
    d.reflection = std::max({d.reflection, std::abs(s11), std::abs(s22)});
    d.degrees = std::max(d.degrees, std::abs(std::arg(s21 / std::polar(1.0, -beta * length))) * 180 / M_PI);
    d.amplitude = std::max(d.amplitude, std::abs(std::abs(s21) - 1));
    d.index = std::max(d.index, std::abs(index / exact(r[0]) - 1));
    EXPECT_LT(std::abs(s21 - s12), 2e-3) << r[0];
  }
  return d;
}

TEST(MeshModePorts, OfAHollowGuideAreItsFirstMode) {
  const fs::path at = write_guide_of_modes("mesh_mode_hollow", text_of_hollow(both_ports));
  const auto run = dgtd((at / "guide.cfg").string() + " --set output.directory=" + (at / "out").string());
  ASSERT_EQ(run.code, 0) << run.output;
  const LineDefect d = line_defect(at / "out", wide, [](double frequency) {
    return std::sqrt(1 - std::pow(light / (2 * wide * frequency), 2));
  });
  EXPECT_LT(20 * std::log10(d.reflection), -50);
  EXPECT_LT(d.degrees, 0.2);  // of cubes of 3.8 mm with P2
  EXPECT_LT(d.amplitude, 2e-3);
  EXPECT_LT(d.index, 3e-4);
}

// beta from k tan(k slab / 2) = coth or cot beside the slab, as in dg_port_test.
double index_beside_slab(double frequency) {
  constexpr double slab = 7.62e-3;
  const double k = 2 * M_PI * frequency / light;
  double low = 1, upper = 2 - 1e-9;
  for (int i = 0; i < 100; ++i) {
    const double n = 0.5 * (low + upper), inside = k * std::sqrt(4 - n * n), q = k * std::sqrt(n * n - 1);
    const bool above =
        inside * slab < M_PI && inside * std::tan(0.5 * inside * slab) < q / std::tanh(0.5 * q * (wide - slab));
    (above ? upper : low) = n;
  }
  return low;
}

TEST(MeshModePorts, OfAGuideOfTwoMediaReflectNothing) {
  const fs::path at = write_guide_of_modes("mesh_mode_loaded", text_of_loaded(both_ports));
  const auto run = dgtd((at / "guide.cfg").string() + " --set output.directory=" + (at / "out").string());
  ASSERT_EQ(run.code, 0) << run.output;
  const LineDefect d = line_defect(at / "out", 20e-3, index_beside_slab);
  EXPECT_LT(20 * std::log10(d.reflection), -50);
  EXPECT_LT(d.degrees, 0.3);
  EXPECT_LT(d.amplitude, 1e-2);
  EXPECT_LT(d.index, 3e-4);
}

// Sums of modes are of all ranks, and kept; what is sent has the same bits.
TEST(MeshModePorts, AreTheSameOnRanksAndContinued) {
  const fs::path at = write_guide_of_modes("mesh_mode_ranks", text_of_hollow("[checkpoint]\nsteps = 200\nkeep = 10\n"));
  const std::string sends = (at / "guide.cfg").string() +
      " --set port.in.excite=1 --set port.in.frequency=10.3e9 --set port.in.bandwidth=2.4e9 --set time.end=0.5e-9 "
      "--set port.in.frequencies='9e9 10e9' --set port.out.frequencies='9e9 10e9'";
  const fs::path whole = at / "whole";
  const auto first = dgtd(sends + " --set output.directory=" + whole.string());
  ASSERT_EQ(first.code, 0) << first.output;
  ASSERT_TRUE(fs::exists(whole / "checkpoint-200.h5"));
  for (const int ranks : {1, 2, 3, 4}) {
    const fs::path out = at / fmt::format("on_{}", ranks);
    const auto run = dgtd_on(ranks, sends + " --set output.directory=" + out.string() +
                                        (ranks == 1 ? " --restart " + (whole / "checkpoint-200.h5").string() : ""));
    ASSERT_EQ(run.code, 0) << run.output;
    EXPECT_EQ(summary(out)["fields_hash"], summary(whole)["fields_hash"]);
    for (const char* port : {"port_in.csv", "port_out.csv"}) {
      const auto rows = table(out / port).rows, all = table(whole / port).rows;
      ASSERT_EQ(rows.size(), 2u);
      for (std::size_t f = 0; f < rows.size(); ++f)
        for (std::size_t i = 1; i < 5; ++i)
          EXPECT_NEAR(rows[f][i], all[f][i], 1e-12 * std::hypot(all[f][1], all[f][2])) << port;
    }
  }
}

TEST(MeshModePorts, AreChecked) {
  const fs::path at = write_guide_of_modes("mesh_mode_errors", text_of_hollow(both_ports));
  const auto expect = [&](const std::string& set, const std::string& message) {
    expect_bad_input(dgtd((at / "guide.cfg").string() + " --dry-run" + set), message);
  };
  expect(" --set port.in.modes=9", "port.in: modes = 9: at 10.3");
  expect(" --set sparameters.frequency_range='3e9 5e9 4'",
         "port.in: its plane guides no mode at 4 GHz; a guide must cross it, with fields that decay towards the ends of the "
         "plane");
  expect(" --set port.in.centre='11.43e-3 5.08e-3 9e-3'",
         "port.in: the mesh has no faces between elements at z = 0.009 m inside of its size");
  expect(" --set port.in.size='12e-3 10.16e-3 0'", "port.in: faces of the mesh in its plane end at ");
}

}  // namespace
