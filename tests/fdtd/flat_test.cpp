// Grids of two dimensions and one: both polarisations against exact solutions, and what they count per metre.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "dgtd/base/constants.hpp"
#include "fdtd/problems.hpp"
#include "fdtd/slab_shares.hpp"
#include "fdtd/steady_state.hpp"

namespace dgtd::fdtd {
namespace {

/// A standing wave of a x b between electric walls, k = (pi / a, pi / b), with Ez or with Hz out of the plane:
///   Ez = sin(kx x) sin(ky y) cos(w t)
///   Hz = cos(kx x) cos(ky y) sin(w t) / Z0, Ex = (ky / k) cos(kx x) sin(ky y) cos(w t), Ey = -(kx / k) sin(kx x)
///   cos(ky y) cos(w t)
struct Mode {
  bool hz;
  double a = 1, b = 0.8;
  double kx() const { return pi / a; }
  double ky() const { return pi / b; }
  double omega() const { return speed_of_light * std::hypot(kx(), ky()); }
  solver::VectorFunction electric(double t) const {
    return [=, *this](const Vec3& x) {
      const double cosine = std::cos(omega() * t), k = omega() / speed_of_light;
      if (!hz) return Vec3{0, 0, std::sin(kx() * x.x) * std::sin(ky() * x.y) * cosine};
      return Vec3{ky() / k * std::cos(kx() * x.x) * std::sin(ky() * x.y) * cosine,
                  -kx() / k * std::sin(kx() * x.x) * std::cos(ky() * x.y) * cosine, 0};
    };
  }
  solver::VectorFunction magnetic(double t) const {
    return [=, *this](const Vec3& x) {
      const double sine = std::sin(omega() * t) / vacuum_impedance, k = omega() / speed_of_light;
      if (hz) return Vec3{0, 0, std::cos(kx() * x.x) * std::cos(ky() * x.y) * sine};
      return Vec3{-ky() / k * std::sin(kx() * x.x) * std::cos(ky() * x.y) * sine,
                  kx() / k * std::cos(kx() * x.x) * std::sin(ky() * x.y) * sine, 0};
    };
  }
};

GridProblem cavity(int n) {
  GridProblem p = flat_problem(5 * n, 4 * n, 0.2 / n);
  for (int side = 0; side < 4; ++side) p.setup.sides[side] = physics::BoundaryKind::pec;
  return p;
}

/// Relative error of E and H together a period, as in cavity_test.cpp.
double cavity_error(const Mode& mode, int n) {
  const parallel::Communicator comm;
  auto solver = cavity(n).make<double>(comm);
  const double dt = solver->time_step(), period = 2 * pi / mode.omega();
  solver->set_fields(mode.electric(0), mode.magnetic(-0.5 * dt));
  const int steps = static_cast<int>(1.4 * period / dt);
  for (int s = 0; s < steps; ++s) solver->advance(1);
  const auto e = solver->squared_errors(mode.electric(steps * dt), mode.magnetic((steps - 0.5) * dt));
  const double weight = vacuum_impedance * vacuum_impedance;
  return std::sqrt((e[0] + weight * e[2]) / (e[1] + weight * e[3])) * period / (steps * dt);
}

TEST(FlatCavity, ConvergesWithSecondOrder) {
  for (const bool hz : {false, true}) {
    const Mode mode{hz};
    const double coarse = cavity_error(mode, 3), fine = cavity_error(mode, 6);
    std::printf("%s: error a period %.2e and %.2e, order %.3f\n", hz ? "Hz" : "Ez", coarse, fine,
                std::log2(coarse / fine));
    EXPECT_LT(fine, 0.01);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
  }
}

// The field's energy at t = 0 is eps0 a b / 8 a metre along z in both; the scheme's is short by (w dt / 2)^2.
TEST(FlatCavity, EnergyIsThatOfAMetreAndStays) {
  const parallel::Communicator comm;
  for (const bool hz : {false, true}) {
    const Mode mode{hz};
    auto solver = cavity(8).make<double>(comm);
    const double dt = solver->time_step(), half = 0.5 * mode.omega() * dt;
    solver->set_fields(mode.electric(0), mode.magnetic(-0.5 * dt));
    const double first = solver->energy();
    EXPECT_NEAR(first / (vacuum_permittivity * mode.a * mode.b / 8), 1 - half * half, 1e-4);
    solver->advance(301);
    EXPECT_NEAR(solver->energy() / first, 1, 1e-12);
  }
}

constexpr double h = 1e-3;

// Total field in its box, next to nothing outside: a steady wave 20 cells long, both polarisations.
TEST(FlatPlaneWave, LeaksLittleAtAnAngle) {
  const parallel::Communicator comm;
  for (const double degrees : {30.0, 250.0})
    for (const bool hz : {false, true}) {
      GridProblem p = flat_problem(80, 70, h);
      const double angle = degrees * pi / 180;
      physics::Source wave;
      wave.type = physics::Source::Type::plane_wave;
      wave.name = "wave";
      wave.direction = {std::cos(angle), std::sin(angle), 0};
      wave.polarisation = hz ? Vec3{-std::sin(angle), std::cos(angle), 0} : Vec3{0, 0, 1};
      wave.waveform = {physics::Waveform::Type::ramped_sine, speed_of_light / (20 * h), 6};
      p.sources = {wave};
      auto solver = p.make<double>(comm);
      const int component = !hz ? 2 : std::abs(std::cos(angle)) > 0.5 ? 1 : 0;
      const auto e = steady_phasors(*solver, component,
                                    {{40, 35, 0},
                                     {12, 35, 0},
                                     {68, 35, 0},
                                     {40, 12, 0},
                                     {40, 58, 0},
                                     {12, 12, 0},
                                     {68, 58, 0},
                                     {12, 58, 0},
                                     {68, 12, 0}},
                                    wave.waveform.frequency, 500);
      EXPECT_NEAR(std::abs(e[0]), hz ? std::abs(wave.polarisation[component]) : 1, 2e-3) << degrees;
      double worst = 0;
      for (std::size_t i = 1; i < e.size(); ++i) worst = std::max(worst, std::abs(e[i]));
      std::printf("%3.0f degrees, %s: outside the box at most %.1f dB\n", degrees, hz ? "Hz" : "Ez",
                  20 * std::log10(worst));
      EXPECT_LT(worst, 1e-4) << degrees << " " << hz;
    }
}

constexpr int cells = 150;

/// A pulse along x through a slab of 20 cells, or through nothing: on a line, or on a plane with periodic sides.
/// parts: cells per h.
GridProblem column(int axes, double eps, double sigma, bool hz, int parts = 1) {
  GridProblem p = flat_problem(parts * cells, axes == 1 ? 1 : 3, h / parts);
  if (axes == 2) p.setup.sides[2] = p.setup.sides[3] = physics::BoundaryKind::periodic;
  p.setup.layer_cells = 12 * parts;
  p.setup.materials = {physics::Medium{}, physics::Medium{eps, 1, sigma, 0, {}}};
  if (eps > 1)
    p.bodies = {
        {.type = grid::Shape::Type::box, .centre = {80 * h, 0, 0}, .size = {20 * h, beyond, beyond}, .material = 1}};
  physics::Source wave;
  wave.type = physics::Source::Type::plane_wave;
  wave.name = "wave";
  wave.direction = {1, 0, 0};
  wave.polarisation = hz ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  wave.waveform = {physics::Waveform::Type::modulated_gaussian, 5e9, 2, 4e9};
  wave.box_min = Vec3{30 * h, -beyond / 2, -beyond / 2};
  wave.box_max = Vec3{beyond, beyond / 2, beyond / 2};
  p.sources = {wave};
  for (const double x : {20 * h, 130 * h}) {
    physics::Flux flux;
    flux.type = physics::Flux::Type::plane;
    flux.name = "plane";
    flux.centre = {x, 0, 0};
    flux.size = {0, beyond, beyond};
    flux.frequencies = {2e9, 3e9, 4e9, 5e9, 6e9};
    p.fluxes.push_back(flux);
  }
  return p;
}

TEST(FlatSlab, ReflectsAndTransmitsAsTheFormulaSays) {
  for (const int axes : {1, 2})
    for (const double sigma : {0.0, 0.5}) {
      double worst = 0;
      const Shares s = measured_shares(column(axes, 4, sigma, sigma > 0), 2000, axes == 1 ? 1 : 3 * h);
      for (std::size_t f = 0; f < s.frequency.size(); ++f) {
        const SlabShares exact = slab_shares(permittivity_of(4, sigma, s.frequency[f]), 20 * h, s.frequency[f]);
        worst = std::max(
            {worst, std::abs(s.reflected[f] - exact.reflected), std::abs(s.transmitted[f] - exact.transmitted)});
      }
      std::printf("%d dimension(s), sigma %g S/m: shares at most %.4f off\n", axes, sigma, worst);
      EXPECT_LT(worst, 0.01) << axes << " " << sigma;
    }
}

// A metal of a Drude pole and two critical points, one of which is not passive by itself, as in fits of gold, at the
// largest stable step: errors are of second order.
TEST(FlatSlab, OfCriticalPoints) {
  using Type = physics::Pole::Type;
  const physics::Medium metal{1.5,
                              1,
                              0,
                              0,
                              {{Type::drude, 5e10, 0, 1e10, 0},
                               {Type::critical_point, 0.6, 3e10, 9e9, 0, -1.1},
                               {Type::critical_point, 0.9, 2e10, 1e10, 0, -0.8}}};
  EXPECT_NO_THROW(physics::check_critical_points("metal", metal));
  double before = 0;
  for (const int parts : {1, 2}) {
    GridProblem problem = column(1, 4, 0, false, parts);
    problem.setup.materials[1] = metal;
    problem.bodies[0].centre.x += 0.5 * h / parts;  // E's nodes and the cells around them fill the slab
    problem.cfl_fraction = 1;
    const Shares s = measured_shares(problem, 2000 * parts, 1);
    double worst = 0;
    for (std::size_t f = 0; f < s.frequency.size(); ++f) {
      const SlabShares exact =
          slab_shares(physics::permittivity(metal, 2 * pi * s.frequency[f]), 20 * h, s.frequency[f]);
      worst =
          std::max({worst, std::abs(s.reflected[f] - exact.reflected), std::abs(s.transmitted[f] - exact.transmitted)});
      EXPECT_GT(exact.transmitted, 1e-3) << "the slab must not be opaque";
    }
    std::printf("critical points, %d cells in the slab: shares at most %.5f off\n", 20 * parts, worst);
    if (parts == 1) EXPECT_LT(worst, 0.02);
    else EXPECT_GT(before / worst, 3);
    before = worst;
  }
}

TEST(FlatLayer, ReflectsLittleAtNormalIncidence) {
  for (const int axes : {1, 2})
    for (const bool hz : {false, true}) {
      const Shares s = measured_shares(column(axes, 1, 0, hz), 2000, axes == 1 ? 1 : 3 * h);
      double worst = 0;
      for (std::size_t f = 0; f < s.frequency.size(); ++f) {
        worst = std::max(worst, std::abs(s.reflected[f]));
        // The mean of H over both sides of a plane is short by cos(k h / 2).
        EXPECT_NEAR(s.transmitted[f], std::cos(pi * s.frequency[f] / speed_of_light * h), 2e-4) << s.frequency[f];
      }
      std::printf("%d dimension(s), %s: layer at normal incidence %.1f dB\n", axes, hz ? "Hz" : "Ez",
                  10 * std::log10(worst));
      EXPECT_LT(worst, 1e-6);
    }
}

}  // namespace
}  // namespace dgtd::fdtd
