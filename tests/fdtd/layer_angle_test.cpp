// Reflection of plane waves at one angle by absorbing layers: a grid of one period along x with Bloch's phase.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>

#include "dgtd/base/constants.hpp"
#include "fdtd/grid_problem.hpp"

namespace dgtd::fdtd {
namespace {

using Complex = std::complex<double>;

/// |B / A| of E = A exp(i k z) + B exp(-i k z) in front of a layer, E along `axis`, at the frequency where the phase
/// along x makes the angle; k is the grid's, from three nodes: E(z - h) + E(z + h) = 2 cos(k h) E(z).
/// kind: of the layer ahead of the wave, whose length is `layer_cells`; the one behind it has 12 cells of CPML.
double reflection(double degrees, int axis, int layer_cells, physics::BoundaryKind kind = physics::BoundaryKind::cpml,
                  int order = 0) {
  const parallel::Communicator comm;
  const double h = 1e-3, frequency = speed_of_light / (20 * h), kx = 2 * pi / (20 * h) * std::sin(degrees * pi / 180);
  GridProblem p;
  p.setup.grid = uniform_grid(3, 3, 108 + layer_cells, h);
  p.setup.sides = {physics::BoundaryKind::periodic, physics::BoundaryKind::periodic, physics::BoundaryKind::periodic,
                   physics::BoundaryKind::periodic, physics::BoundaryKind::cpml,     kind};
  p.setup.bloch_phase = {3 * h * kx, 0, 0};
  p.setup.layer_cells = kind == physics::BoundaryKind::cpml ? layer_cells : 12;
  p.setup.adiabatic[5] = {layer_cells * h, order, 1e-8};
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

// The wave number across the layer is k_z = k cos a where the conductivity begins, and k_z^2 grows by i k^2 sigma / (w
// eps): with R as the wall's reflection at normal incidence a rise of order m reflects, to first order in it,
//   r(a) = r(0) cos(a)^-(m + 2)           E across the plane of incidence
//   r(a) = r(0) cos(a)^-(m + 2) |cos 2a|  E in the plane, whose impedance is k_z / eps
double expected_ratio(double degrees, int axis, int order) {
  const double a = degrees * pi / 180;
  return std::pow(std::cos(a), -(order + 2)) * (axis == 1 ? 1 : std::abs(std::cos(2 * a)));
}

TEST(AdiabaticAbsorber, ReflectsMoreAtAnAngle) {
  constexpr int order = 2, cells = 80;
  const double normal = reflection(0.01, 1, cells, physics::BoundaryKind::adiabatic, order);
  for (const int axis : {0, 1}) {
    const double r = reflection(30, axis, cells, physics::BoundaryKind::adiabatic, order);
    EXPECT_NEAR(20 * std::log10(r / normal / expected_ratio(30, axis, order)), 0, 3) << axis;
  }
}

// The table of docs/verification.md.
TEST(AdiabaticAbsorber, TableOfAngles) {
  if (std::getenv("DGTD_FULL") == nullptr) GTEST_SKIP() << "takes minutes: DGTD_FULL=1";
  for (const int order : {1, 2, 3, 4})
    for (const int wavelengths : {1, 2, 4, 8}) {
      std::printf("order %d, %d wavelengths:", order, wavelengths);
      for (const double degrees : {0.01, 30.0, 60.0})
        for (const int axis : {1, 0}) {
          const double r = reflection(degrees, axis, 20 * wavelengths, physics::BoundaryKind::adiabatic, order);
          std::printf(" %7.1f", 20 * std::log10(r));
        }
      std::printf("\n");
      std::fflush(stdout);
    }
}

}  // namespace
}  // namespace dgtd::fdtd
