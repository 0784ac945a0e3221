// Cells that a dispersive material and another one share across the field (kernels/series_update.hpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "fdtd/grid_problem.hpp"

namespace dgtd::fdtd {
namespace {

constexpr double length = 1, share = 0.4, k = pi / length;
const physics::Medium dielectric{1.5, 1, 0, 0, {}};
const physics::Medium lorentz{2, 1, 2e-3, 0, {{physics::Pole::Type::lorentz, 1.2e9, 1.5e9, 2e8, 0}}};
const physics::Medium critical{2, 1, 2e-3, 0, {{physics::Pole::Type::critical_point, 0.4, 1.5e9, 6e8, 0, -0.15}}};

/// E_z = e(t) sin(k x) between two plates, the lower part of the gap filled with the resonant material:
///   h' = c k e,  e = sum share_m e_m,  eps_m e_m' = -c k h - sigma_m e_m / eps0 - p_m',
///   p' = v + d e_m,  v' = c e_m - f p' - e p,
/// by Runge and Kutta's fourth-order method from h = 1, e = 0. Returns e at a time.
double exact(const physics::Medium& resonant, double h_start, double start, double end) {
  using State = std::array<double, 5>;  // h, e_1, e_2, p_2, v_2
  const physics::SecondOrder pole = physics::second_order(resonant.poles[0]);
  const auto slope = [&](const State& s) {
    const double curl = -speed_of_light * k * s[0], e = (1 - share) * s[1] + share * s[2];
    const double current = s[4] + pole.d * s[2];
    return State{speed_of_light * k * e, curl / dielectric.permittivity,
                 (curl - resonant.conductivity / vacuum_permittivity * s[2] - current) / resonant.permittivity, current,
                 pole.c * s[2] - pole.f * current - pole.e * s[3]};
  };
  const int steps = 20000;
  const double dt = (end - start) / steps;
  State s{h_start, 0, 0, 0, 0};
  const auto moved = [](State a, const State& b, double by) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += by * b[i];
    return a;
  };
  for (int n = 0; n < steps; ++n) {
    const State a = slope(s), b = slope(moved(s, a, dt / 2)), c = slope(moved(s, b, dt / 2)),
                d = slope(moved(s, c, dt));
    for (std::size_t i = 0; i < s.size(); ++i) s[i] += dt / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return (1 - share) * s[1] + share * s[2];
}

double error(const physics::Medium& resonant, int n, double time) {
  const parallel::Communicator comm;
  GridProblem problem;
  problem.setup.grid.spacing = {std::vector<double>(static_cast<std::size_t>(n), length / n), {1.0}, {1.0}};
  problem.setup.sides = {physics::BoundaryKind::pec,      physics::BoundaryKind::pec, physics::BoundaryKind::periodic,
                         physics::BoundaryKind::periodic, physics::BoundaryKind::pec, physics::BoundaryKind::pec};
  problem.setup.materials = {dielectric, resonant};
  grid::Shape filling;
  filling.centre = {length / 2, 0.5, share / 2};
  filling.size = {2 * length, 2, share};
  filling.material = 1;
  problem.bodies = {filling};
  auto solver = problem.make<double>(comm);
  const double dt = solver->time_step();
  // H at -dt/2 and E = 0 at 0 are second-order data of h(0) = 1, e(0) = 0.
  solver->set_fields([](const Vec3&) { return Vec3{}; },
                     [](const Vec3& x) {
                       return Vec3{0, std::cos(k * x.x) / vacuum_impedance, 0};
                     });
  const int steps = static_cast<int>(std::lround(time / dt));
  for (int s = 0; s < steps; ++s) solver->advance(1);
  const double e = exact(resonant, 1, 0, steps * dt);
  const auto squares = solver->squared_errors(
      [&](const Vec3& x) {
        return Vec3{0, 0, e * std::sin(k * x.x)};
      },
      [](const Vec3&) { return Vec3{}; });
  return std::sqrt(squares[0] / squares[1]);
}

TEST(Series, FieldsOfBothMaterialsConvergeWithSecondOrder) {
  for (const physics::Medium& medium : {lorentz, critical}) {
    const double time = 1.3 * 2 * length / speed_of_light, coarse = error(medium, 64, time),
                 fine = error(medium, 128, time);
    EXPECT_LT(fine, 1e-3);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.25);
  }
}

// Random fields about a ball of gold in a closed box, close to the largest step: over 20,000 steps, some 80 periods of
// the slowest resonances of the surface, the largest energy of each thousand steps falls. (Charges that the random
// fields begin with stay, as static fields.)
TEST(Series, EnergyAboutABallOfGoldNeverGrows) {
  const parallel::Communicator comm;
  constexpr double h = 2e-9;
  GridProblem problem;
  problem.setup.grid = uniform_grid(20, 20, 20, h);
  problem.setup.sides.fill(physics::BoundaryKind::pec);
  problem.setup.materials = {physics::Medium{}, physics::Medium{1, 1, 0, 0, physics::gold_poles()}};
  problem.bodies = {{.type = grid::Shape::Type::sphere,
                     .centre = {10.23 * h, 9.91 * h, 10.37 * h},
                     .radius = 7.3 * h,
                     .material = 1}};
  problem.cfl_fraction = 0.99;
  auto solver = problem.make<double>(comm);
  solver->randomise_fields();
  const double first = solver->energy();
  double before = first;
  for (int window = 0; window < 20; ++window) {
    double largest = 0;
    for (int s = 0; s < 10; ++s) {
      solver->advance(100);
      largest = std::max(largest, solver->energy());
    }
    EXPECT_LE(largest, before * (1 + 1e-6)) << window;
    before = largest;
  }
  EXPECT_LT(before, first);
}

}  // namespace
}  // namespace dgtd::fdtd
