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

/// E_z beside a dipole, V/m, after each of 230 steps: in the middle of 40 cells along each axis and `extra` more on
/// each side, all within absorbing layers.
std::vector<double> field_beside_dipole(int layer_cells, int extra) {
  const parallel::Communicator comm;
  const double h = 0.01, frequency = speed_of_light / (20 * h);
  const int cells = 40 + 2 * extra;
  GridProblem problem;
  problem.setup.grid = uniform_grid(cells, cells, cells, h, {-h * extra, -h * extra, -h * extra});
  problem.setup.sides.fill(physics::BoundaryKind::cpml);
  problem.setup.layer_cells = layer_cells;
  problem.sources = {dipole({0.2, 0.2, 0.205}, frequency)};
  auto solver = problem.make<float>(comm);
  const auto& layout = solver->discretisation().layout;
  const auto probe = static_cast<std::size_t>(2 * layout.reals + layout.index(20 + extra, 12 + extra, 20 + extra));
  std::vector<double> values;
  for (int s = 0; s < 230; ++s) {
    solver->advance(1);
    values.push_back(solver->engine().electric().part(probe, 1)[0]);
  }
  return values;
}

/// The largest difference of a field to that in a grid so large that nothing comes back, over the largest field.
double reflection(const std::vector<double>& field, const std::vector<double>& open) {
  double difference = 0, largest = 0;
  for (std::size_t s = 0; s < open.size(); ++s) {
    difference = std::max(difference, std::abs(open[s] - field[s]));
    largest = std::max(largest, std::abs(open[s]));
  }
  return difference / largest;
}

// Beside the layer, waves of all angles from a dipole: below -50 dB, and thicker is better.
TEST(AbsorbingLayer, ReflectsLittle) {
  const auto open = field_beside_dipole(10, 32);
  const double ten = reflection(field_beside_dipole(10, 0), open), six = reflection(field_beside_dipole(6, 0), open);
  EXPECT_LT(ten, 3e-3);
  EXPECT_LT(ten, six);
  std::printf("reflection by 10 cells %.1f dB, by 6 cells %.1f dB\n", 20 * std::log10(ten), 20 * std::log10(six));
}

}  // namespace
}  // namespace dgtd::fdtd
