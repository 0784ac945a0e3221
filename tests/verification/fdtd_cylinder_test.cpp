// A dielectric cylinder on a plane grid: scattering width against the exact series, both polarisations.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "dgtd/base/constants.hpp"
#include "fdtd/grid_problem.hpp"
#include "support/exact_cylinder.hpp"

namespace dgtd::fdtd {
namespace {

constexpr double radius = 0.1, eps_r = 4;  // m; 1

// The series: without losses what the wave loses is what is scattered, and thin cylinders follow Rayleigh's law
// (leading terms of the Bessel functions): pi^2 k^3 a^4 / 4 times (m^2 - 1)^2 with E along the axis, 2 ((m^2 - 1) /
// (m^2 + 1))^2 with H.
TEST(CylinderSeries, ConservesPowerAndHasRayleighsLimit) {
  for (const bool magnetic : {false, true}) {
    for (const double frequency : {1e8, 5e8, 1.3e9, 3e9}) {
      const exact::Cylinder c(radius, eps_r, frequency, magnetic);
      EXPECT_NEAR(c.scattering_width() / c.extinction_width(), 1, 1e-10) << frequency;
    }
    const double frequency = 2e6, k = 2 * pi * frequency / speed_of_light;
    const double rayleigh = pi * pi * std::pow(k, 3) * std::pow(radius, 4) / 4 *
                            (magnetic ? 2 * std::pow((eps_r - 1) / (eps_r + 1), 2) : std::pow(eps_r - 1, 2));
    EXPECT_NEAR(exact::Cylinder(radius, eps_r, frequency, magnetic).scattering_width() / rayleigh, 1, 1e-3);
  }
}

/// Worst relative error of the scattering width over a band, by the flux out of a box in the scattered field.
double worst_error(bool magnetic, int cells_a_radius, bool averaging, bool print) {
  const parallel::Communicator comm;
  const double h = radius / cells_a_radius;
  const int layer = 10, reach = cells_a_radius + 4 + 6 + layer, half = reach;
  GridProblem p = flat_problem(2 * half, 2 * half, h, {-half * h, -half * h, 0});
  p.averaging = averaging;
  p.setup.layer_cells = layer;
  p.setup.materials = {physics::Medium{}, physics::Medium{eps_r, 1, 0, 0, {}}};
  p.bodies = {{.type = grid::Shape::Type::cylinder,
               .centre = {0, 0, 0},
               .radius = radius,
               .axis = {0, 0, 1},
               .height = 1e9,
               .material = 1}};
  physics::Source wave;
  wave.type = physics::Source::Type::plane_wave;
  wave.name = "wave";
  wave.direction = {0.8, 0.6, 0};
  wave.polarisation = magnetic ? Vec3{-0.6, 0.8, 0} : Vec3{0, 0, 1};
  wave.waveform = {physics::Waveform::Type::modulated_gaussian, 0.7e9, 2, 0.7e9};
  const double total = (cells_a_radius + 3) * h;
  wave.box_min = Vec3{-total, -total, -5e8};
  wave.box_max = Vec3{total, total, 5e8};
  p.sources = {wave};
  physics::Flux box;
  box.name = "box";
  const double edge = 2 * (cells_a_radius + 6) * h;
  box.size = {edge, edge, 1e9};
  for (double f = 0.3e9; f < 1.05e9; f += 0.1e9) box.frequencies.push_back(f);
  p.fluxes = {box};
  auto solver = p.make<double>(comm);
  const double dt = solver->time_step();
  const int steps = static_cast<int>(35e-9 / dt);
  std::vector<std::complex<double>> incident(box.frequencies.size());
  EXPECT_TRUE(solver->start_plane_passes(p.setup, magnetic ? PlaneFields::hz : PlaneFields::ez));
  p.advance(*solver, steps);
  for (int n = 0; n < steps; ++n) {
    for (std::size_t f = 0; f < incident.size(); ++f)
      incident[f] +=
          dt * physics::waveform(wave.waveform, n * dt) * std::polar(1.0, 2 * pi * box.frequencies[f] * n * dt);
  }
  const auto flux = solver::flux(*solver, 0, comm);
  double worst = 0;
  for (std::size_t f = 0; f < incident.size(); ++f) {
    const double width = flux[f] / (2 * std::norm(incident[f]) / vacuum_impedance),
                 exact = exact::Cylinder(radius, eps_r, box.frequencies[f], magnetic).scattering_width();
    worst = std::max(worst, std::abs(width / exact - 1));
    if (print)
      std::printf("%s, %d cells a radius, %.1f GHz: %.5f m, exact %.5f m, %+.2f %%\n", magnetic ? "Hz" : "Ez",
                  cells_a_radius, 1e-9 * box.frequencies[f], width, exact, 100 * (width / exact - 1));
  }
  return worst;
}

// 0.3 to 1 GHz, k a from 0.6 to 2.1, at least 24 cells a wavelength in the cylinder.
TEST(FlatCylinder, ScatteringWidthIsThatOfTheSeries) {
  for (const bool magnetic : {false, true}) EXPECT_LT(worst_error(magnetic, 16, true, true), 0.02) << magnetic;
}

// Averages inside the surface's cells are worth more than cells.
TEST(FlatCylinder, AveragedSurfacesAreBetterThanStaircases) {
  for (const bool magnetic : {false, true}) {
    const double averaged = worst_error(magnetic, 8, true, false), staircase = worst_error(magnetic, 8, false, false);
    std::printf("%s, 8 cells a radius: worst error averaged %.2f %%, staircase %.2f %%\n", magnetic ? "Hz" : "Ez",
                100 * averaged, 100 * staircase);
    EXPECT_LT(averaged, staircase);
  }
}

}  // namespace
}  // namespace dgtd::fdtd
