// Closed boxes: exact modes of the scheme and of Maxwell's equations, energy.
#include <gtest/gtest.h>

#include <cmath>

#include "dgtd/base/constants.hpp"
#include "fdtd/grid_problem.hpp"

namespace dgtd::fdtd {
namespace {

/// Mode (1, 1, 0) of a box with edges a x b: E_z = sin(pi x / a) sin(pi y / b) cos(w t).
struct Mode {
  double a = 1, b = 0.8;
  double kx() const { return pi / a; }
  double ky() const { return pi / b; }
  double omega() const { return speed_of_light * std::hypot(kx(), ky()); }
  solver::VectorFunction electric(double t) const {
    return [=, *this](const Vec3& x) {
      return Vec3{0, 0, std::sin(kx() * x.x) * std::sin(ky() * x.y) * std::cos(omega() * t)};
    };
  }
  solver::VectorFunction magnetic(double t) const {
    return [=, *this](const Vec3& x) {
      const double s = std::sin(omega() * t) / (omega() * vacuum_permeability);
      return Vec3{-s * ky() * std::sin(kx() * x.x) * std::cos(ky() * x.y),
                  s * kx() * std::cos(kx() * x.x) * std::sin(ky() * x.y), 0};
    };
  }
};

/// Relative error of E and H together, in the norm of the energy, after about one and a half periods; the
/// phase's part of it grows with time, so the error is given a period.
double cavity_error(const grid::CartesianGrid& grid) {
  const Mode mode;
  const parallel::Communicator comm;
  GridProblem problem;
  problem.setup.grid = grid;
  auto solver = problem.make<double>(comm);
  const double dt = solver->time_step();
  solver->set_fields(mode.electric(0), mode.magnetic(-0.5 * dt));
  const double period = 2 * pi / mode.omega();
  const int steps = static_cast<int>(1.4 * period / dt);
  for (int s = 0; s < steps; ++s) solver->advance(1);
  const auto e = solver->squared_errors(mode.electric(steps * dt), mode.magnetic((steps - 0.5) * dt));
  const double weight = vacuum_impedance * vacuum_impedance;
  return std::sqrt((e[0] + weight * e[2]) / (e[1] + weight * e[3])) * period / (steps * dt);
}

grid::CartesianGrid box(int n) {
  grid::CartesianGrid grid;
  grid.spacing = {std::vector<double>(5 * n, 0.2 / n), std::vector<double>(4 * n, 0.2 / n),
                  std::vector<double>(3, 0.2 / n)};
  return grid;
}

TEST(Cavity, ConvergesWithSecondOrder) {
  const double coarse = cavity_error(box(2)), fine = cavity_error(box(4));
  EXPECT_LT(fine, 0.02);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

// Spacings that vary smoothly keep the order.
TEST(Cavity, GradedGridKeepsSecondOrder) {
  const auto graded = [](int n) {
    grid::CartesianGrid grid = box(n);
    for (int a = 0; a < 2; ++a) {
      auto& d = grid.spacing[a];
      const double length = a == 0 ? 1 : 0.8;
      double before = 0;
      for (std::size_t i = 0; i < d.size(); ++i) {
        const double t = double(i + 1) / double(d.size()), x = length * (t + 0.3 / (2 * pi) * std::sin(2 * pi * t));
        d[i] = x - before;
        before = x;
      }
    }
    return grid;
  };
  const double coarse = cavity_error(graded(4)), fine = cavity_error(graded(8));
  EXPECT_LT(fine, 0.02);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

// 1/2 (E eps E + H^{n-1/2} mu H^{n+1/2}) is a constant of the scheme, whatever the media and walls.
TEST(Cavity, EnergyIsConserved) {
  const parallel::Communicator comm;
  for (const physics::BoundaryKind upper : {physics::BoundaryKind::pec, physics::BoundaryKind::pmc}) {
    GridProblem problem;
    problem.setup.grid = uniform_grid(37, 11, 10, 0.01);
    problem.setup.grid.spacing[1][4] = 0.02;
    problem.setup.sides = {physics::BoundaryKind::pec,      upper,
                           physics::BoundaryKind::pmc,      physics::BoundaryKind::pec,
                           physics::BoundaryKind::periodic, physics::BoundaryKind::periodic};
    problem.setup.materials = {physics::Medium{}, physics::Medium{4, 2, 0, 0, {}}};
    problem.bodies = {{.type = grid::Shape::Type::sphere, .centre = {0.15, 0.05, 0.05}, .radius = 0.04, .material = 1}};
    auto solver = problem.make<double>(comm);
    solver->randomise_fields();
    solver->set_fields(
        [](const Vec3& x) {
          return Vec3{std::sin(300 * x.y), std::cos(200 * x.z + 7 * x.x), std::sin(90 * x.x + 50 * x.y)};
        },
        [](const Vec3&) { return Vec3{}; });
    const double first = solver->energy();
    solver->advance(301);
    EXPECT_GT(first, 0);
    EXPECT_NEAR(solver->energy() / first, 1, 1e-12) << "upper wall " << int(upper);
  }
}

// Half a cavity with a magnetic wall is the whole one. Mode (1, 1, 0) is even about x = a / 2.
TEST(Cavity, MagneticWallHalvesASymmetricMode) {
  const parallel::Communicator comm;
  const Mode mode;
  for (const bool upper : {false, true}) {
    GridProblem whole, half;
    whole.setup.grid = half.setup.grid = box(2);
    half.setup.grid.spacing[0].resize(5);
    if (!upper) half.setup.grid.origin.x = 0.5;
    half.setup.sides[upper ? 1 : 0] = physics::BoundaryKind::pmc;
    auto a = whole.make<double>(comm), b = half.make<double>(comm);
    for (auto* solver : {a.get(), b.get()}) {
      solver->set_fields(mode.electric(0), mode.magnetic(-0.5 * solver->time_step()));
      for (int s = 0; s < 50; ++s) solver->advance(1);
    }
    const auto &da = a->discretisation(), &db = b->discretisation();
    const double* const ea = a->engine().electric().host();
    const double* const eb = b->engine().electric().host();
    const int shift = upper ? 0 : 5;
    for (int i = 1; i < 5; ++i) {
      const double whole_z = ea[2 * da.layout.reals + da.layout.index(i + shift, 4, 1)],
                   half_z = eb[2 * db.layout.reals + db.layout.index(i, 4, 1)];
      EXPECT_NEAR(half_z, whole_z, 1e-12);
      EXPECT_GT(std::abs(whole_z), 1e-3);
    }
  }
}

}  // namespace
}  // namespace dgtd::fdtd
