// Rotations, cones and tori as a user gives them, for both methods.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "app/program.hpp"
#include "geometry/gdsii_writer.hpp"

namespace {

const char* turned_case = R"([solver]
order = 1
[domain]
size = 6 um
[material.silicon]
eps_r = 4
[source.d]
type = dipole
position = 0 0 2 um
direction = 0 0 1
waveform = modulated-gaussian
frequency = 60 THz
bandwidth = 30 THz
[boundary.*]
type = silver-muller
[time]
steps = 40
[mesh]
per_wavelength = 2
[grid]
spacing = 0.25 um
[output]
fields = none
report_pictures = off
[shape.s]
material = silicon
)";

class TurnedShapes : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = work("turned_shapes");
    gdsii_testing::GdsiiWriter w;
    w.cell("TOP").rectangle(1, -2000, -500, 4000, 1000).end_cell();
    w.write(directory_ / "strip.gds");
    std::ofstream(directory_ / "a.cfg") << turned_case;
  }

  Outcome run(const std::string& method, const std::string& shape) const {
    const std::string grid = method == "dgtd" ? "" : " --set 'boundary.*.type=cpml'";
    std::string settings;
    for (std::size_t at = 0; at < shape.size();) {
      const auto end = std::min(shape.find(", ", at), shape.size());
      const auto equals = shape.find('=', at);
      settings += " --set shape.s." + shape.substr(at, equals - at) + "='" + shape.substr(equals + 1, end - equals - 1) + "'";
      at = end + 2;
    }
    return shell("XDG_CACHE_HOME=" + directory_.string() + " " + dgtd_program() + " " + (directory_ / "a.cfg").string() +
                 " --set solver.method=" + method + grid + settings +
                 " --set output.directory=" + (directory_ / "out").string());
  }
  std::string fields(const std::string& method, const std::string& shape) const {
    const auto outcome = run(method, shape);
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    return summary(directory_ / "out")["fields_hash"].dump();
  }

  fs::path directory_;
};

TEST_F(TurnedShapes, AQuarterTurnIsTheSameBodyWithSwappedAxes) {
  for (const std::string method : {"fdtd3d", "dgtd"}) {
    const auto swapped = fields(method, "type=box, size=1e-6 4e-6 1e-6");
    EXPECT_EQ(fields(method, "type=box, size=4e-6 1e-6 1e-6, rotation=0 0 1 90 deg"), swapped) << method;
    EXPECT_NE(fields(method, "type=box, size=4e-6 1e-6 1e-6, rotation=0 0 1 80 deg"), swapped) << method;
  }
  EXPECT_EQ(fields("fdtd3d", "type=gds, file=strip.gds, layer=1, z=-0.5e-6 0.5e-6, rotation=0 0 1 90 deg"),
            fields("fdtd3d", "type=box, size=1e-6 4e-6 1e-6"));
}

TEST_F(TurnedShapes, ConesAndToriRun) {
  for (const std::string method : {"fdtd3d", "dgtd"}) {
    const auto cone = fields(method, "type=cone, radius=1e-6, height=2e-6, rotation=1 0 0 180 deg");
    EXPECT_EQ(fields(method, "type=cone, radius=1e-6, height=2e-6, axis=0 0 -1"), cone);
    EXPECT_NE(fields(method, "type=cone, radius=1e-6, height=2e-6"), cone);
    EXPECT_NE(fields(method, "type=torus, radius=1e-6, tube_radius=0.4e-6"), cone);
  }
}

TEST_F(TurnedShapes, MistakesAreOneLine) {
  const struct {
    std::string shape, message;
  } cases[] = {
      {"type=torus, radius=1e-6, tube_radius=2e-6", "shape.s.tube_radius=2e-6: must be below shape.s.radius = 1e-06\n"},
      {"type=box, size=1e-6 1e-6 1e-6, rotation=0 0 1 30",
       "shape.s.rotation=0 0 1 30: must be an axis X Y Z other than 0 0 0 and an angle of at most a full turn, 2 pi rad, "
       "such as 0 0 1 30 deg\n"},
      {"type=box, size=1e-6 1e-6 1e-6, rotation=0 0 1 30 mm",
       "shape.s.rotation=0 0 1 30 mm: '30 mm' is a length, not an angle; its units are rad, mrad, deg\n"},
      {"type=box, size=1e-6 1e-6 1e-6, rotation=0 0 1 30 deg, centre=1 0 0", "shape.s: lies outside the "},
  };
  for (const std::string method : {"fdtd3d", "dgtd"})
    for (const auto& bad : cases) expect_bad_input(run(method, bad.shape + ", priority=0"), bad.message);
  // On a grid a layer may be as thin as one likes.
  expect_bad_input(run("dgtd", "type=box, size=4e-6 4e-6 1e-9"),
                   "shape.s: is 1 nm thick and 4000 times as wide (at most 1000 times are meshed): a conductor without "
                   "thickness is type = plate; else a thicker body is needed, or mesh.finest = 8e-08, for elements as flat "
                   "as that\n");
}

}  // namespace
