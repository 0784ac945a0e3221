// Sheets that launch complex fields from a NumPy file: modes to one side, phases, errors.
#include <gtest/gtest.h>
#include <unistd.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <complex>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/numpy_file.hpp"
#include "dgtd/physics/field_profile.hpp"
#include "fdtd/steady_state.hpp"
#include "support/error_message.hpp"

namespace dgtd::fdtd {
namespace {

namespace fs = std::filesystem;
using Complex = std::complex<double>;

constexpr double h = 20e-9;  // m
constexpr int across = 60;   // cells between the walls, the slab in the middle ones
constexpr double frequency = speed_of_light / 1.55e-6;

class ModeSheet : public testing::Test {
 protected:
  void SetUp() override {
    path_ = fs::temp_directory_path() / ("dgtd_mode_" + std::to_string(::getpid()) +
                                         testing::UnitTest::GetInstance()->current_test_info()->name() + ".npy");
  }
  void TearDown() override { fs::remove(path_); }
  void write(std::vector<std::size_t> shape, const std::vector<Complex>& values) const {
    std::ofstream file(path_, std::ios::binary);
    file << numpy_header<Complex>(shape);
    file.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * 16));
  }
  fs::path path_;
};

// A slab of index 3.48 in glass between metal walls along x, periodic along y, layers along z.
GridProblem slab_guide(int length) {
  GridProblem p;
  p.setup.grid = uniform_grid(across, 3, length, h);
  p.setup.sides = {physics::BoundaryKind::pec,      physics::BoundaryKind::pec,  physics::BoundaryKind::periodic,
                   physics::BoundaryKind::periodic, physics::BoundaryKind::cpml, physics::BoundaryKind::cpml};
  p.setup.layer_cells = 20;
  p.setup.materials = {physics::Medium{2.085, 1, 0, 0, {}}, physics::Medium{12.11, 1, 0, 0, {}}};
  grid::Shape slab;
  slab.centre = {0.5 * across * h, 0, 0};
  slab.size = {11 * h, 1, 1};
  slab.material = 1;
  p.bodies = {slab};
  physics::Source s;
  s.type = physics::Source::Type::sheet;
  s.name = "mode";
  s.origin = "case.cfg:7";
  s.centre = {0.5 * across * h, 1.5 * h, length / 2 * h};
  s.size = {across * h, 3 * h, 0};
  s.direction = {0, 0, 1};
  s.profile_points = physics::Source::ProfilePoints::grid;
  s.waveform = {physics::Waveform::Type::ramped_sine, frequency, 12};
  p.sources = {s};
  return p;
}

// The grid's own TE mode. With W = 2 / dt sin(w dt / 2) and B = 2 / h sin(beta h / 2), from the half steps:
//   dx dx E_y + (W / c)^2 eps E_y = B^2 E_y,    H_x = -c B / W E_y (times the impedance of vacuum).
struct SlabMode {
  Eigen::VectorXd electric;  // [nodes 0 to across - 1] of E_y
  double magnetic;           // H_x over E_y, A/V
  double effective_index;
};
SlabMode slab_mode(const Discretisation<double>& d) {
  const double dt = d.time_step, w = 2 * pi * frequency, discrete = 2 / dt * std::sin(0.5 * w * dt);
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(across - 1, across - 1);
  for (int i = 1; i < across; ++i) {
    const double eps = speed_of_light * dt / d.electric_Cb(1, i, 1, 30);
    m(i - 1, i - 1) = -2 / (h * h) + std::pow(discrete / speed_of_light, 2) * eps;
    if (i > 1) m(i - 1, i - 2) = m(i - 2, i - 1) = 1 / (h * h);
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(m);
  const double b = std::sqrt(solver.eigenvalues()(across - 2));
  SlabMode mode;
  mode.electric = Eigen::VectorXd::Zero(across);
  mode.electric.tail(across - 1) = solver.eigenvectors().col(across - 2);
  mode.electric /= mode.electric(across / 2);
  mode.magnetic = -speed_of_light * b / discrete / vacuum_impedance;
  mode.effective_index = 2 / h * std::asin(0.5 * h * b) * speed_of_light / w;
  return mode;
}

std::vector<Complex> profile_of(const SlabMode& mode, Complex factor, double way) {
  std::vector<Complex> values(4 * across * 3);
  for (int i = 0; i < across; ++i)
    for (int j = 0; j < 3; ++j) {
      values[static_cast<std::size_t>((1 * across + i) * 3 + j)] = factor * mode.electric(i);
      values[static_cast<std::size_t>((2 * across + i) * 3 + j)] = way * factor * mode.magnetic * mode.electric(i);
    }
  return values;
}

// A mode leaves to one side with the amplitude and the phase of the file; behind the sheet is what the layer ahead
// reflects. Without the lag of H by half a cell it would be |1 - exp(i beta h / 2)| / 2 = 5 %.
TEST_F(ModeSheet, LaunchesAModeToOneSide) {
  const parallel::Communicator comm;
  const int length = 240, source = length / 2;
  for (const double way : {1.0, -1.0}) {
    GridProblem p = slab_guide(length);
    auto& s = p.sources[0];
    s.profile = path_;
    s.direction.z = way;
    s.effective_index = 1;
    const Complex factor = std::polar(2.0, 0.7);
    SlabMode mode;
    {
      const grid::SceneMedia media(grid::Scene(p.bodies, 0), p.setup.materials, true);
      mode = slab_mode({p.setup, media, p.time_step(), 0, 1});
    }
    s.effective_index = mode.effective_index;
    write({4, across, 3}, profile_of(mode, factor, way));
    auto solver = p.make<double>(comm);
    const int ahead = source + static_cast<int>(way) * 40, behind = source - static_cast<int>(way) * 40;
    const auto e = steady_phasors(
        *solver, 1, {{across / 2, 1, source}, {across / 2, 1, ahead}, {across / 2, 1, behind}}, frequency, 4200);
    const double beta = mode.effective_index * 2 * pi * frequency / speed_of_light;
    std::printf("effective index %.6f: at the sheet %.6f (%.2f rad), ahead %.6f, behind over ahead %.1f dB\n",
                mode.effective_index, std::abs(e[0]), std::arg(e[0] / Complex(0, 1)), std::abs(e[1]),
                20 * std::log10(std::abs(e[2] / e[1])));
    EXPECT_LT(std::abs(e[2] / e[1]), 1e-3);
    // The waveform sin(w t) is the real part of i exp(-i w t).
    EXPECT_LT(std::abs(e[0] - Complex(0, 1) * factor), 2e-3 * 2);
    EXPECT_LT(std::abs(e[1] - e[0] * std::polar(1.0, beta * 40 * h)), 2e-3 * 2);
  }
}

// A factor i delays by a quarter of a period, of E along the polarisation or of two components alone.
TEST_F(ModeSheet, QuadratureIsAQuarterPeriodLate) {
  const parallel::Communicator comm;
  std::vector<Complex> phasor;
  for (const std::size_t components : {1, 2})
    for (const Complex factor : {Complex(1, 0), Complex(0, 1)}) {
      GridProblem p = column_along_z(100, h, physics::BoundaryKind::cpml);
      physics::Source& s = p.sources.emplace_back(slab_guide(40).sources[0]);
      s.profile = path_;
      s.profile_points = physics::Source::ProfilePoints::even;
      s.centre = {1.5 * h, 1.5 * h, 50 * h};
      s.size = {3 * h, 3 * h, 0};
      s.direction = {0, 0, 0};
      if (components == 1) s.polarisation = {1, 0, 0}, write({1, 1}, {factor});
      else s.polarisation = {}, write({2, 1, 1}, {factor, 0.5});
      auto solver = p.make<double>(comm);
      phasor.push_back(steady_phasors(*solver, 0, {{1, 1, 70}}, frequency, 3000)[0]);
    }
  EXPECT_NEAR(std::abs(phasor[0]), 1, 1e-3);
  EXPECT_LT(std::abs(phasor[1] - Complex(0, 1) * phasor[0]), 1e-3);
  EXPECT_LT(std::abs(phasor[2] - phasor[0]), 1e-12);
  EXPECT_LT(std::abs(phasor[3] - phasor[1]), 1e-12);
}

// Values at the centres of equal cells, bilinear between them, zero beyond the sheet.
TEST_F(ModeSheet, EvenPointsAreBilinear) {
  write({2, 3}, {1, 2, 3, 5, 6, Complex(7, 4)});
  const physics::FieldProfile profile = physics::read_field_profile(path_);
  EXPECT_EQ(profile.between(0, 0.5, 0.5), Complex(1));
  EXPECT_EQ(profile.between(0, 1.5, 2.5), Complex(7, 4));
  EXPECT_EQ(profile.between(0, 1, 2), Complex(4.5, 1));
  EXPECT_EQ(profile.between(0, 0, 0), Complex(1));
  EXPECT_EQ(profile.between(0, 2, 3), Complex(7, 4));
  EXPECT_EQ(profile.between(0, 2.01, 1), Complex(0));
  EXPECT_EQ(profile.at_point(0, 0, 2), Complex(3));
  EXPECT_EQ(profile.at_point(0, 2, 0), Complex(0));
}

TEST_F(ModeSheet, Errors) {
  const parallel::Communicator comm;
  const auto message = [&](const physics::Source& source) {
    GridProblem p = slab_guide(60);
    p.sources = {source};
    p.sources[0].profile = path_;
    std::string what = dgtd::message([&] { (void)p.make<double>(comm); });
    if (const auto at = what.find(path_.string()); at != std::string::npos)
      what.replace(at, path_.string().size(), "P");
    return what;
  };
  const physics::Source good = slab_guide(60).sources[0];
  const std::string here = "case.cfg:7: source.mode: ";
  write({3, across, 3}, std::vector<Complex>(3 * across * 3));
  EXPECT_EQ(message(good),
            "P: its shape is 3 x 60 x 3; it must be u x v (a factor of the amplitude), 2 x u x v (E along u and v) or "
            "4 x u x v (E and H along u and v)");
  write({4, across, 3}, std::vector<Complex>(4 * across * 3));
  EXPECT_EQ(message(good), here + "profile = P: has E and H of a mode; its effective_index is required");
  physics::Source s = good;
  s.effective_index = 2;
  s.direction = {};
  EXPECT_EQ(message(s), here + "profile = P: has E and H, which launch waves to one side; direction is required");
  s.direction = {0, 0, 1};
  s.polarisation = {0, 1, 0};
  EXPECT_EQ(message(s), here + "profile = P: has the direction of E in it; polarisation must not be given");
  s.polarisation = {};
  EXPECT_EQ(message(s), "no error");
  s.size.x -= 2 * h;
  EXPECT_EQ(message(s), here +
                            "profile = P: has 60 points along x, and the sheet has 58 cells of the grid there, which "
                            "profile_points = grid requires");
  s.size.x += 0.6 * h;  // from 0.7 cells on
  EXPECT_EQ(message(s),
            here +
                "profile_points = grid: the sheet ends at x = 1.4e-08 m, which is not on a node; the nearest "
                "is at 2e-08 m");
  write({across, 3}, std::vector<Complex>(across * 3));
  EXPECT_EQ(message(good), here + "profile = P: has a factor only; the direction of E, polarisation, is required");
  fs::remove(path_);
  EXPECT_EQ(message(good), here + "profile = P: there is no such file");
}

}  // namespace
}  // namespace dgtd::fdtd
