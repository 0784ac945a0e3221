// Current sheets: amplitudes, one-sidedness, profiles.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/physics/sheet_profile.hpp"
#include "fdtd/steady_state.hpp"
#include "support/error_message.hpp"

namespace dgtd::fdtd {
namespace {

namespace fs = std::filesystem;
using Complex = std::complex<double>;

constexpr double h = 1e-3;

physics::Source sheet(Vec3 centre, Vec3 size, Vec3 polarisation, double frequency) {
  physics::Source s;
  s.type = physics::Source::Type::sheet;
  s.name = "sheet";
  s.centre = centre;
  s.size = size;
  s.polarisation = polarisation;
  s.amplitude = 3;
  s.waveform = {physics::Waveform::Type::ramped_sine, frequency, 3};
  return s;
}

GridProblem column(double frequency, double permittivity = 1) {
  GridProblem p;
  p.setup.grid = uniform_grid(3, 3, 120, h);
  p.setup.sides = {physics::BoundaryKind::periodic, physics::BoundaryKind::periodic, physics::BoundaryKind::periodic,
                   physics::BoundaryKind::periodic, physics::BoundaryKind::cpml,     physics::BoundaryKind::cpml};
  p.setup.materials = {physics::Medium{permittivity, 1, 0, 0, {}}};
  p.sources = {sheet({1.5 * h, 1.5 * h, 60 * h}, {3 * h, 3 * h, 0}, {1, 0, 0}, frequency)};
  return p;
}

// A uniform sheet launches its amplitude to both sides, without error of the grid at the carrier frequency (ten cells a
// wavelength here, where half a cell turns the field by 18 degrees); what the layer reflects is below 1e-4.
TEST(Sheet, LaunchesItsAmplitudeToBothSides) {
  const parallel::Communicator comm;
  const double permittivity = 2.25, frequency = speed_of_light / 1.5 / (10 * h);
  auto solver = column(frequency, permittivity).make<double>(comm);
  const auto e = steady_phasors(*solver, 0, {{1, 1, 60}, {1, 1, 80}, {1, 1, 40}}, frequency, 1000);
  EXPECT_NEAR(std::abs(e[0]), 3, 3e-3);
  EXPECT_NEAR(std::abs(e[1]), 3, 3e-3);
  EXPECT_LT(std::abs(e[2] - e[1]), 1e-9);
}

// With a direction, electric and magnetic currents cancel behind the sheet.
TEST(Sheet, LaunchesToOneSide) {
  const parallel::Communicator comm;
  const double frequency = speed_of_light / (10 * h);
  for (const double way : {1.0, -1.0}) {
    GridProblem problem = column(frequency);
    problem.sources[0].direction = {0, 0, way};
    auto solver = problem.make<double>(comm);
    const auto e = steady_phasors(*solver, 0, {{1, 1, 80}, {1, 1, 40}}, frequency, 800);
    const int ahead = way > 0 ? 0 : 1;
    EXPECT_NEAR(std::abs(e[ahead]), 3, 3e-3);
    EXPECT_LT(std::abs(e[1 - ahead]), 3e-3);
  }
}

class ProfileFile : public testing::Test {
 protected:
  void SetUp() override {
    path_ = fs::temp_directory_path() / ("dgtd_profile_" + std::to_string(getpid()) +
                                         testing::UnitTest::GetInstance()->current_test_info()->name());
  }
  void TearDown() override { fs::remove(path_); }
  void write(const std::string& text) const { std::ofstream(path_) << text; }
  std::string message(const std::string& text) const {
    write(text);
    const std::string what = dgtd::message([&] { physics::read_sheet_profile(path_, 2); });
    return what.starts_with(path_.string()) ? what.substr(path_.string().size()) : what;
  }
  fs::path path_;
};

// a + b u + c v + d u v is exact between the points.
TEST_F(ProfileFile, IsBilinearAndZeroOutside) {
  const auto value = [](double u, double v) { return 1 + 2 * u - 3 * v + 0.5 * u * v; };
  std::string text = "u, v, amplitude, phase_rad\n# a lattice that is not even\n";
  for (const double v : {-1.0, 0.5, 2.0})
    for (const double u : {3.0, 0.0, 1.0})
      text += std::to_string(u) + "," + std::to_string(v) + ", " + std::to_string(value(u, v)) + " " +
              std::to_string(u) + "\n";
  write(text);
  const auto profile = physics::read_sheet_profile(path_, 2);
  for (const auto& [u, v] : {std::pair{0.3, 0.1}, std::pair{2.2, 1.7}, std::pair{0.0, -1.0}}) {
    EXPECT_NEAR(profile.at(u, v).amplitude, value(u, v), 1e-6);
    EXPECT_NEAR(profile.at(u, v).delay, u / 2, 1e-6);  // phase over w = 2
  }
  EXPECT_EQ(profile.at(3.1, 0).amplitude, 0);
  EXPECT_EQ(profile.at(1, -1.1).amplitude, 0);
}

TEST_F(ProfileFile, Errors) {
  const std::string numbers = ": must be 3 or 4 numbers: u and v in m, amplitude, and delay in s";
  EXPECT_EQ(message("0 0 1\n0 1\n"), ":2" + numbers);
  EXPECT_EQ(message("0 0 1\n0 1 a\n"), ":2" + numbers);
  EXPECT_EQ(message("# only a comment\n"), ": holds no point");
  EXPECT_EQ(message("u v amplitude colour\n"), ":1: column 'colour': the fourth is delay (s) or phase (rad)");
  EXPECT_EQ(message("0 0 1\n1 0 1\n0 1 1\n"),
            ": its 3 points fill no rectangular lattice of at least 2 x 2: there are 2 different u and 2 different v");
  EXPECT_EQ(message("0 0 1\n1 0 1\n0 1 1\n0 1 1\n"),
            ": its 4 points fill no rectangular lattice of at least 2 x 2: there are 2 different u and 2 different v");
  EXPECT_EQ(message("0 0 1\n1 0 1\n0 1 1\n1 1 1\n"), "no error");
  fs::remove(path_);
  EXPECT_THROW(physics::read_sheet_profile(path_, 1), Error);
}

// Delays that grow along x launch a plane wave at an angle: J_s = 2 E0 / Z along y, E = Z J_s / (2 cos(angle)), since
// only the part of H along x jumps. 24 cells a wavelength: errors of (k h)^2 / 24, times the slope, below 1 %.
TEST_F(ProfileFile, DelaysTiltTheWave) {
  const parallel::Communicator comm;
  const int across = 40;
  const double sine = 0.6, frequency = speed_of_light / (sine * across * h), end = across * h * sine / speed_of_light;
  char text[400];
  std::snprintf(text, sizeof text, "-1 -1 1 %.17g\n1 -1 1 %.17g\n-1 1 1 %.17g\n1 1 1 %.17g\n", -end / (across * h),
                end / (across * h), -end / (across * h), end / (across * h));
  write(text);
  GridProblem p = column(frequency);
  p.setup.grid = uniform_grid(across, 3, 140, h);
  p.sources = {sheet({0.5 * across * h, 1.5 * h, 50 * h}, {1, 1, 0}, {0, 1, 0}, frequency)};
  p.sources[0].profile = path_;
  p.sources[0].waveform.ramp_periods = 10;
  auto solver = p.make<double>(comm);
  const double period = 1 / frequency, dt = solver->time_step();
  const int first = static_cast<int>(end / (across * h) / dt);
  const auto e = steady_phasors(*solver, 1, {{10, 1, 80}, {20, 1, 80}, {20, 1, 30}}, frequency,
                                first + static_cast<int>(40 * period / dt));
  const double expected = 3 / std::sqrt(1 - sine * sine);
  std::printf("at an angle: amplitude / formula %.4f %.4f %.4f\n", std::abs(e[0]) / expected, std::abs(e[1]) / expected,
              std::abs(e[2]) / expected);
  EXPECT_NEAR(std::abs(e[0]) / expected, 1, 0.01);
  EXPECT_NEAR(std::abs(e[1]) / expected, 1, 0.01);
  EXPECT_NEAR(std::abs(e[2]) / expected, 1, 0.01);
  EXPECT_NEAR(std::abs(e[1] / e[0] - std::polar(1.0, pi / 2)), 0, 0.02);  // a quarter of the period across
}

TEST(Sheet, OutsideTheGridIsNamed) {
  const parallel::Communicator comm;
  const auto message = [&](Vec3 centre) {
    GridProblem p = column(3e9);
    p.sources[0].centre = centre;
    p.sources[0].origin = "a.cfg:3";
    return dgtd::message([&] { p.make<double>(comm); });
  };
  EXPECT_EQ(message({1.5 * h, 1.5 * h, 1}),
            "a.cfg:3: source.sheet: the sheet lies on or beyond the grid's end along z");
  EXPECT_EQ(message({1, 1.5 * h, 0.06}),
            "a.cfg:3: source.sheet: the sheet lies outside the grid, whose x goes from 0 to 0.003 m");
}

}  // namespace
}  // namespace dgtd::fdtd
