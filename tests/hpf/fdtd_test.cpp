// The electric potential's E and H against Yee's scheme in the same plane: with E = -mu eps_b psi'' and H = eps_b curl
// psi' the potential's scheme is Yee's with H eliminated, so that they differ by rounding.
#include <gtest/gtest.h>

#include <cmath>

#include "dgtd/fdtd/fdtd_solver.hpp"
#include "hpf/problems.hpp"

namespace dgtd::hpf {
namespace {

using Field = solver::Quantity::Field;
using Part = solver::Quantity::Part;

double difference(const std::vector<float>& a, const std::vector<float>& b, std::size_t part) {
  double square = 0, size = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    if (part == 2 ? n % 3 != 2 : n % 3 == 2) continue;
    square += (double(a[n]) - double(b[n])) * (double(a[n]) - double(b[n]));
    size += double(b[n]) * double(b[n]);
  }
  EXPECT_GT(size, 0);
  return std::sqrt(square / size);
}

void compare(PlaneProblem p, double tolerance) {
  const parallel::Communicator comm(MPI_COMM_SELF);
  p.cfl_fraction = 0.9;
  const double dt = p.time_step();
  const grid::SceneMedia media(grid::Scene(p.bodies, 0), p.setup.grid.materials, true);
  auto d = std::make_unique<fdtd::Discretisation<double>>(p.setup.grid, media, dt, 0, 1);
  auto engine = fdtd::make_cpu_engine<double>(*d, solver::KernelFusion::fused, comm);
  fdtd::FdtdSolver<double> yee(p.setup.grid, std::move(d), std::move(engine), p.sources, comm);
  auto potential = p.make<double>(comm);
  const int steps = 250, period = 50;
  for (int n = 0; n < steps; ++n) {
    for (solver::Solver* solver : {static_cast<solver::Solver*>(&yee), static_cast<solver::Solver*>(potential.get())}) {
      if (n == steps - period) solver->start_dft({2 * pi / (period * dt)});
      if (n == steps - 1) (void)solver->energy();
      solver->advance(1);
      if (n >= steps - period) solver->accumulate_dft(2.0 / period);
    }
  }
  for (const auto field : {Field::electric, Field::magnetic}) {
    const auto mine = potential->sample_cells({field, Part::present, 0}),
               other = yee.sample_cells({field, Part::present, 0});
    EXPECT_LT(difference(mine, other, field == Field::electric ? 2 : 0), tolerance) << int(field);
  }
  EXPECT_NEAR(potential->energy() / yee.energy(), 1, tolerance);
}

TEST(Potential, HasTheFieldsOfYeesScheme) {
  using physics::BoundaryKind;
  PlaneProblem p(60, 50, 0.01, 0.012);
  p.sources = {line_current({0.2, 0.333, 0}, 1.5e9)};
  for (const auto& [x, y] : {std::pair{physics::BoundaryKind::mur, physics::BoundaryKind::mur},
                             std::pair{physics::BoundaryKind::pec, physics::BoundaryKind::pmc},
                             std::pair{physics::BoundaryKind::mur, physics::BoundaryKind::periodic}}) {
    p.set_sides(x, y);
    p.bodies.clear();
    p.setup.grid.materials = {physics::Medium{}};
    compare(p, 1e-4);  // samples are of single precision
    // A step of the permittivity with losses and a conductor; surfaces on the grid's lines, so that mixtures are the
    // same.
    p.setup.grid.materials = {physics::Medium{}, physics::Medium{3, 1, 0.03, 0, {}},
                              physics::Medium{1, 1, 0, 0, {}, true}};
    grid::Shape glass, metal;
    glass.centre = {0.4, 0.3, 0}, glass.size = {0.1, 0.24, 1}, glass.material = 1;
    metal.centre = {0.1, 0.12, 0}, metal.size = {0.06, 0.048, 1}, metal.material = 2;
    p.bodies = {glass, metal};
    compare(p, 1e-4);
  }
}

}  // namespace
}  // namespace dgtd::hpf
