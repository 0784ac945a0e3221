// What absorbing layers send back of plane waves at one angle: a grid of one period along x with Bloch's phase.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "dgtd/base/constants.hpp"
#include "fdtd/grid_problem.hpp"

namespace dgtd::fdtd {
namespace {

using Complex = std::complex<double>;

/// |B / A| of E = A exp(i k z) + B exp(-i k z) in front of a layer, E along `axis`, at the frequency where the phase
/// along x makes the angle; k is the grid's, from three nodes: E(z - h) + E(z + h) = 2 cos(k h) E(z).
double reflection(double degrees, int axis, int layer_cells) {
  const parallel::Communicator comm;
  const double h = 1e-3, frequency = speed_of_light / (20 * h), kx = 2 * pi / (20 * h) * std::sin(degrees * pi / 180);
  GridProblem p;
  p.setup.grid = uniform_grid(3, 3, 120, h);
  p.setup.sides = {grid::BoundaryKind::periodic, grid::BoundaryKind::periodic, grid::BoundaryKind::periodic,
                   grid::BoundaryKind::periodic, grid::BoundaryKind::cpml,     grid::BoundaryKind::cpml};
  p.setup.bloch_phase = {3 * h * kx, 0, 0};
  p.setup.layer_cells = layer_cells;
  physics::Source sheet;
  sheet.type = physics::Source::Type::sheet;
  sheet.name = "sheet";
  sheet.centre = {1.5 * h, 1.5 * h, 40 * h};
  sheet.size = {1, 1, 0};
  sheet.polarisation = {axis == 0 ? 1. : 0., axis == 1 ? 1. : 0., 0};
  sheet.waveform = {physics::Waveform::Type::modulated_gaussian, frequency, 2, 0.1 * frequency};
  p.sources = {sheet};
  auto solver = p.make<double>(comm);
  const auto& d = solver->discretisation();
  Complex e[3];
  for (int n = 0; n < 6000; ++n) {
    solver->advance(1);
    const Complex turn = std::polar(1.0, 2 * pi * frequency * (n + 1) * solver->time_step());
    for (int i = 0; i < 3; ++i) {
      const auto at = static_cast<std::size_t>(axis * d.layout.reals + d.layout.index(1, 1, 80 + 5 * i));
      e[i] += turn *
              Complex(solver->engine().electric().part(at, 1)[0], solver->imaginary_engine().electric().part(at, 1)[0]);
    }
  }
  const Complex cosine = (e[0] + e[2]) / (2.0 * e[1]), root = std::sqrt(1.0 - cosine * cosine),
                turn = cosine + Complex(0, 1) * root;
  const Complex forward = (e[1] * turn - e[0]), backward = (e[0] - e[1] / turn);  // A and B but for one factor
  return std::abs(backward / forward);
}

// 12 cells (the default is 10): -60 dB at normal incidence and -40 dB at 60 degrees are asked for, in both
// polarisations.
TEST(AbsorbingLayer, ReflectsLittleAtAnAngle) {
  for (const int cells : {10, 12})
    for (const double degrees : {30.0, 60.0})
      for (const int axis : {0, 1}) {
        const double r = reflection(degrees, axis, cells);
        std::printf("%d cells, %.0f degrees, %s: %.1f dB\n", cells, degrees, axis == 1 ? "E across" : "E in the plane",
                    20 * std::log10(r));
        EXPECT_LT(20 * std::log10(r), -50);
      }
}

}  // namespace
}  // namespace dgtd::fdtd
