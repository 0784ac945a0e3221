// Absorbing layers: what comes back, and that nothing grows.
#include <gtest/gtest.h>

#include <cmath>

#include "dgtd/base/constants.hpp"
#include "fdtd/grid_problem.hpp"

namespace dgtd::fdtd {
namespace {

physics::Source dipole(Vec3 position, double frequency) {
  physics::Source s;
  s.type = physics::Source::Type::dipole;
  s.name = "dipole";
  s.position = position;
  s.direction = {0, 0, 1};
  s.waveform = {physics::Waveform::Type::modulated_gaussian, frequency, 2, frequency};
  return s;
}

/// The largest difference of E_z at a point to that in a grid so large that nothing comes back, over the largest E_z.
double reflection(int layer_cells, Vec3 dipole_at, std::array<int, 3> probe, int cells_beyond) {
  const parallel::Communicator comm;
  const double h = 0.01, frequency = speed_of_light / (20 * h);
  const auto run = [&](int extra, int steps) {
    GridProblem problem;
    problem.setup.grid =
        uniform_grid(40 + 2 * extra, 40 + 2 * extra, 40 + 2 * extra, h, {-h * extra, -h * extra, -h * extra});
    problem.setup.sides.fill(grid::BoundaryKind::cpml);
    problem.setup.layer_cells = layer_cells;
    problem.sources = {dipole(dipole_at, frequency)};
    auto solver = problem.make<float>(comm);
    const auto& d = solver->discretisation();
    std::vector<double> values;
    for (int s = 0; s < steps; ++s) {
      solver->advance(1);
      values.push_back(solver->engine().electric().part(
          static_cast<std::size_t>(2 * d.layout.reals +
                                   d.layout.index(probe[0] + extra, probe[1] + extra, probe[2] + extra)),
          1)[0]);
    }
    return values;
  };
  const int steps = 230;
  const auto open = run(cells_beyond, steps), small = run(0, steps);
  double difference = 0, largest = 0;
  for (int s = 0; s < steps; ++s) {
    difference = std::max(difference, std::abs(open[s] - small[s]));
    largest = std::max(largest, std::abs(open[s]));
  }
  return difference / largest;
}

// Beside the layer, waves of all angles from a dipole: below -50 dB, and thicker is better.
TEST(AbsorbingLayer, ReflectsLittle) {
  const double ten = reflection(10, {0.2, 0.2, 0.205}, {20, 12, 20}, 32),
               six = reflection(6, {0.2, 0.2, 0.205}, {20, 12, 20}, 32);
  EXPECT_LT(ten, 3e-3);
  EXPECT_LT(ten, six);
  std::printf("reflection by 10 cells %.1f dB, by 6 cells %.1f dB\n", 20 * std::log10(ten), 20 * std::log10(six));
}

}  // namespace
}  // namespace dgtd::fdtd
