// Balance of powers in the steady state: what the sources do is what media take up and what goes out.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "dgtd/base/constants.hpp"
#include "fdtd/grid_problem.hpp"

namespace dgtd::fdtd {
namespace {

struct Powers {
  double source = 0, outflow = 0;
  std::vector<double> absorbed;  // [materials]
  double sum() const { return std::accumulate(absorbed.begin(), absorbed.end(), 0.0); }
};

// Phasors of the last of several periods; the sources' frequency is moved so that a period is a whole number of steps.
Powers steady(GridProblem& problem, int steps_a_period, int periods) {
  const parallel::Communicator comm;
  const double dt = problem.time_step(), frequency = 1 / (steps_a_period * dt);
  for (auto& s : problem.sources) s.waveform = {physics::Waveform::Type::ramped_sine, frequency, 3, 0};
  auto solver = problem.make<double>(comm);
  const grid::SceneMedia media(grid::Scene(problem.bodies, 0), problem.setup.materials, problem.averaging);
  double before = 0;
  for (int n = 0; n < steps_a_period * periods; ++n) {
    if (n == steps_a_period * (periods - 1)) solver->start_dft({2 * pi * frequency}), before = solver->source_work();
    solver->advance(1);
    if (n >= steps_a_period * (periods - 1)) solver->accumulate_dft(2.0 / steps_a_period);
  }
  const NodeBox box = power_box(problem.setup, problem.sources);
  return {(solver->source_work() - before) * frequency, solver->outflow(0, box), solver->absorbed(0, media, box)};
}

GridProblem lossy_problem() {
  GridProblem p;
  p.setup.grid = uniform_grid(28, 24, 26, 0.01, {-0.14, 0, -0.13});
  for (int i = 10; i < 20; ++i) p.setup.grid.spacing[0][i] = 0.008;
  p.setup.sides = {physics::BoundaryKind::cpml, physics::BoundaryKind::cpml, physics::BoundaryKind::pmc,
                   physics::BoundaryKind::cpml, physics::BoundaryKind::pec,  physics::BoundaryKind::cpml};
  p.setup.layer_cells = 8;
  using Pole = physics::Pole;
  p.setup.materials = {physics::Medium{}, physics::Medium{3, 1, 0.05, 0, {}}, physics::Medium{2, 2, 0, 4e4, {}},
                       physics::Medium{2,
                                       1,
                                       0.01,
                                       0,
                                       {{Pole::Type::debye, 3, 0, 0, 1e-10},
                                        {Pole::Type::lorentz, 4e9, 6e9, 2e9, 0},
                                        {Pole::Type::critical_point, 0.4, 5e9, 3e9, 0, -0.3},
                                        {Pole::Type::drude, 2e9, 0, 3e9, 0}}}};
  using Type = grid::Shape::Type;
  p.bodies = {{.type = Type::sphere, .centre = {-0.03, 0, 0}, .radius = 0.025, .material = 1},
              {.type = Type::box, .centre = {0.03, 0.08, 0}, .size = {0.03, 0.03, 0.03}, .material = 2},
              {.type = Type::sphere, .centre = {0, 0.03, -0.13}, .radius = 0.03, .material = 3}};
  physics::Source dipole;
  dipole.name = "dipole";
  dipole.position = {0.031, 0.033, -0.043};
  dipole.direction = {0, 0.6, 0.8};
  p.sources = {dipole};
  return p;
}

// The scheme's own balance is exact; what is left is not steady.
TEST(PowerBalance, DipoleAmongLossyBodies) {
  GridProblem problem = lossy_problem();
  const Powers p = steady(problem, 40, 60);
  std::printf("source %.6g W, absorbed %.4g %.4g %.4g %.4g W, outflow %.6g W, defect %.2e\n", p.source, p.absorbed[0],
              p.absorbed[1], p.absorbed[2], p.absorbed[3], p.outflow, (p.source - p.sum() - p.outflow) / p.source);
  EXPECT_GT(p.source, 0);
  EXPECT_EQ(p.absorbed[0], 0);
  for (int m = 1; m < 4; ++m) EXPECT_GT(p.absorbed[m], 1e-3 * p.source) << m;
  EXPECT_NEAR((p.sum() + p.outflow) / p.source, 1, 1e-5);
}

// In vacuum a dipole radiates (k m)^2 Z0 / (12 pi), on a grid of 20 cells a wavelength to some per cent.
TEST(PowerBalance, DipoleInVacuum) {
  GridProblem problem = lossy_problem();
  problem.setup.sides.fill(physics::BoundaryKind::cpml);
  problem.setup.grid = uniform_grid(30, 30, 30, 0.01);
  problem.bodies.clear();
  problem.sources[0].position = {0.15, 0.15, 0.15};
  const Powers p = steady(problem, 40, 8);
  const double k = 2 * pi * problem.sources[0].waveform.frequency / speed_of_light, moment = problem.sources[0].moment;
  EXPECT_NEAR(p.source / (k * k * moment * moment * vacuum_impedance / (12 * pi)), 1, 0.03);
  EXPECT_NEAR(p.outflow / p.source, 1, 1e-5);
  EXPECT_EQ(p.sum(), 0);
}

// Power per metre along z: a line current I radiates w mu0 I^2 / 8, a current moment m in the plane w mu0 m^2 / 16. On
// the grid at 20 cells a wavelength and more to some per cent.
TEST(PowerBalance, CurrentsOfAPlaneGrid) {
  for (const bool in_plane : {false, true}) {
    GridProblem problem = flat_problem(60, 50, 0.01);
    physics::Source dipole;
    dipole.name = "dipole";
    dipole.position = in_plane ? Vec3{0.305, 0.25, 0} : Vec3{0.3, 0.25, 0};
    dipole.direction = in_plane ? Vec3{1, 0, 0} : Vec3{0, 0, 1};
    problem.sources = {dipole};
    const Powers p = steady(problem, 40, 10);
    const double exact = 2 * pi * problem.sources[0].waveform.frequency * vacuum_permeability * dipole.moment *
                         dipole.moment / (in_plane ? 16 : 8);
    std::printf("%s: source over exact %.4f, outflow over source %.6f\n", in_plane ? "in the plane" : "line current",
                p.source / exact, p.outflow / p.source);
    EXPECT_NEAR(p.source / exact, 1, 0.03);
    EXPECT_NEAR(p.outflow / p.source, 1, 1e-4);
  }
}

// Power per square metre across x: a current sheet of K amperes per metre launches Z0 K / 2 both ways, Z0 K^2 / 4
// together.
TEST(PowerBalance, CurrentOfALineGrid) {
  GridProblem problem = flat_problem(80, 1, 0.01);
  physics::Source dipole;
  dipole.name = "dipole";
  dipole.position = {0.4, 0, 0};
  dipole.direction = {0, 0, 1};
  problem.sources = {dipole};
  const Powers p = steady(problem, 40, 8);
  EXPECT_NEAR(p.source / (vacuum_impedance * dipole.moment * dipole.moment / 4), 1, 0.01);
  EXPECT_NEAR(p.outflow / p.source, 1, 1e-5);
}

// Inside the total field the net flux of a wave is what is absorbed.
TEST(PowerBalance, WaveOnALossySphere) {
  GridProblem problem = lossy_problem();
  problem.setup.sides.fill(physics::BoundaryKind::cpml);
  problem.setup.grid = uniform_grid(36, 36, 36, 0.01, {-0.18, -0.18, -0.18});
  problem.bodies = {{.type = grid::Shape::Type::sphere, .centre = {0, 0, 0}, .radius = 0.04, .material = 1}};
  physics::Source wave;
  wave.type = physics::Source::Type::plane_wave;
  wave.name = "wave";
  wave.direction = {0.6, 0, 0.8};
  wave.polarisation = {0.8, 0, -0.6};
  problem.sources = {wave};
  const Powers p = steady(problem, 50, 14);
  EXPECT_EQ(p.source, 0);
  EXPECT_GT(p.absorbed[1], 0);
  EXPECT_NEAR(p.outflow / p.sum(), -1, 1e-5);
}

}  // namespace
}  // namespace dgtd::fdtd
