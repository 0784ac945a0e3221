// Both stencils against exact waves: u_tt = c^2 lap u (Taflove and Hagness 2005, secs. 2.6 and 4.5 on dispersion and
// stability).
#include <gtest/gtest.h>

#include <cmath>

#include "hpf/problems.hpp"

namespace dgtd::hpf {
namespace {

const parallel::Communicator& self() {
  static const parallel::Communicator comm(MPI_COMM_SELF);
  return comm;
}

using Wave = std::function<double(const Vec3&, double)>;

/// Largest difference to the exact potential after the given time.
double error_of(const PlaneProblem& p, const Wave& exact, double time) {
  const auto steps = static_cast<int>(std::ceil(time / p.time_step()));
  auto solver = p.make<double>(self(), false, parallel::Transport::mpi_host, time / steps);
  solver->set_potential(exact);
  for (int n = 0; n < steps; ++n) solver->advance(1);
  const auto& d = solver->discretisation();
  const auto psi = solver->potential();
  double worst = 0;
  for (int j = 0; j < d.height; ++j)
    for (int i = 0; i < d.width; ++i)
      worst = std::max(worst, std::abs(psi[static_cast<std::size_t>(j) * d.width + i] - exact(d.position(i, j), time)));
  return worst;
}

void expect_second_order(const std::function<double(int cells)>& error) {
  const double coarse = error(32), middle = error(64), fine = error(128);
  EXPECT_LT(fine, 0.01);
  EXPECT_NEAR(std::log2(coarse / middle), 2, 0.2);
  EXPECT_NEAR(std::log2(middle / fine), 2, 0.1);
}

constexpr double c = speed_of_light;

TEST(Wave, TravelsToSecondOrder) {
  for (const Stencil stencil : {Stencil::line, Stencil::laplacian})
    expect_second_order([&](int cells) {
      PlaneProblem p(cells, cells, 1.0 / cells, 1.0 / cells);
      p.setup.stencil = stencil;
      p.cfl_fraction = 0.6;
      p.set_sides(physics::BoundaryKind::periodic, physics::BoundaryKind::periodic);
      // Along y on lines; at an angle in the plane.
      const double kx = stencil == Stencil::line ? 0 : 2 * pi, ky = 4 * pi, omega = c * std::hypot(kx, ky);
      return error_of(
          p, [=](const Vec3& x, double t) { return std::sin(kx * x.x + ky * x.y - omega * t); }, 1 / c);
    });
}

TEST(Wave, StandsToSecondOrder) {
  for (const Stencil stencil : {Stencil::line, Stencil::laplacian})
    for (const auto side : {physics::BoundaryKind::pec, physics::BoundaryKind::pmc})
      expect_second_order([&](int cells) {
        PlaneProblem p(cells, cells, 1.0 / cells, 1.3 / cells);
        p.setup.stencil = stencil;
        p.cfl_fraction = 0.6;
        p.set_sides(side, side);
        const double kx = stencil == Stencil::line ? 0 : 2 * pi, ky = 3 * pi / 1.3, omega = c * std::hypot(kx, ky);
        const auto shape = [=](double k, double x) {
          return k == 0 ? 1 : side == physics::BoundaryKind::pec ? std::sin(k * x) : std::cos(k * x);
        };
        return error_of(
            p, [=](const Vec3& x, double t) { return shape(kx, x.x) * shape(ky, x.y) * std::cos(omega * t); }, 1 / c);
      });
}

// mu eps psi'' + mu sigma psi' + k^2 psi = 0: psi = exp(-g t) cos(w t), g = sigma / (2 eps), w^2 = k^2 c^2 - g^2.
TEST(Wave, FadesToSecondOrderInALossyMedium) {
  for (const Stencil stencil : {Stencil::line, Stencil::laplacian})
    expect_second_order([&](int cells) {
      PlaneProblem p(cells, cells, 1.0 / cells, 1.0 / cells);
      p.setup.stencil = stencil;
      p.cfl_fraction = 0.6;
      p.setup.grid.materials = {physics::Medium{2, 1, 0.01, 0, {}}};
      p.set_sides(physics::BoundaryKind::periodic, physics::BoundaryKind::pec);
      const double k = 2 * pi, g = 0.01 / (2 * 2 * vacuum_permittivity), omega = std::sqrt(k * k * c * c / 2 - g * g);
      return error_of(
          p, [=](const Vec3& x, double t) { return std::sin(k * x.y) * std::exp(-g * t) * std::cos(omega * t); },
          1.5 / c);
    });
}

// A plane with its own modes: psi = sin sin cos(w n dt) with sin^2(w dt / 2) = (c dt)^2 sum sin^2(k d / 2) / d^2, to
// rounding.
TEST(Wave, HasTheDispersionOfTheScheme) {
  PlaneProblem p(20, 30, 0.1, 0.08);
  p.set_sides(physics::BoundaryKind::pec, physics::BoundaryKind::pec);
  const double dt = p.time_step(), kx = 3 * pi / 2, ky = 5 * pi / 2.4;
  const double omega = 2 / dt * std::asin(c * dt * std::hypot(std::sin(kx * 0.05) / 0.1, std::sin(ky * 0.04) / 0.08));
  EXPECT_LT(
      error_of(
          p, [=](const Vec3& x, double t) { return std::sin(kx * x.x) * std::sin(ky * x.y) * std::cos(omega * t); },
          200 * dt),
      1e-11);
}

// b / a = 1: (5) is then d'Alembert's solution on every node.
TEST(Wave, OfLinesIsExactAtTheTimeStepOfThePaper) {
  PlaneProblem p(8, 100, 0.01, 0.01);
  p.setup.stencil = Stencil::line;
  p.cfl_fraction = 1;
  p.set_sides(physics::BoundaryKind::pec, physics::BoundaryKind::periodic);
  EXPECT_LT(error_of(
                p, [](const Vec3& x, double t) { return std::exp(10 * std::sin(2 * pi * (x.y - c * t)) - 10); }, 1 / c),
            1e-12);
}

// The printed time step dy / c: of the five-point stencil the highest mode grows by 3 + sqrt(8) a step.
TEST(Wave, ThePrintedTimeStepIsUnstableInThePlane) {
  PlaneProblem p(16, 16, 0.01, 0.01);
  for (const double factor : {1.0, std::sqrt(2.0)}) {
    p.set_sides(physics::BoundaryKind::periodic, physics::BoundaryKind::periodic);
    auto solver =
        p.make<double>(self(), false, parallel::Transport::mpi_host, factor * 0.999 * 0.01 / (std::sqrt(2.0) * c));
    solver->randomise_fields();
    for (int n = 0; n < 50; ++n) solver->advance(1);
    double largest = 0;
    for (const double u : solver->potential()) largest = std::max(largest, std::abs(u));
    if (factor == 1) EXPECT_LT(largest, 100);
    else EXPECT_GT(largest, 1e20);
  }
}

// potential_solver.hpp, energy(): conserved to rounding, in any lossless media, by both stencils and potentials.
TEST(Wave, ConservesItsEnergy) {
  for (const Stencil stencil : {Stencil::line, Stencil::laplacian})
    for (const auto potential : {Potential::electric, Potential::magnetic})
      for (const auto side :
           {physics::BoundaryKind::pec, physics::BoundaryKind::pmc, physics::BoundaryKind::periodic}) {
        PlaneProblem p = mixed_problem(stencil, false);
        p.sources.clear();
        p.setup.potential = potential;
        p.set_sides(side, side);
        auto solver = p.make<double>(self());
        solver->randomise_fields();
        const double first = solver->energy();
        EXPECT_GT(first, 0);
        solver->advance(300);
        EXPECT_NEAR(solver->energy() / first, 1, 1e-11) << int(stencil) << int(potential) << int(side);
      }
}

}  // namespace
}  // namespace dgtd::hpf
