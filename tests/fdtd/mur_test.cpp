// Mur's condition: what it reflects at an angle, and that edges and corners stay quiet.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "dgtd/base/constants.hpp"
#include "fdtd/problems.hpp"
#include "fdtd/steady_state.hpp"

namespace dgtd::fdtd {
namespace {

using Complex = std::complex<double>;
constexpr double h = 1e-3;

/// Reflection of the condition on the grid: E_j^n = z^n (g^j + R g^-j) with z = exp(-i w dt), g = exp(-i k_x h) towards
/// the wall at j = 0, put into E_0^{n+1} = E_1^n + q (E_1^{n+1} - E_0^n).
Complex reflection_of_the_condition(double phase_of_step, double phase_of_cell, double q) {
  const Complex z = std::polar(1.0, -phase_of_step), g = std::polar(1.0, -phase_of_cell);
  return (g - z + q * (z * g - 1.0)) / (z - 1.0 / g - q * (z / g - 1.0));
}

struct Reflection {
  Complex measured, expected;
};

// A sheet between a layer (above) and a wall (below), its delays so that the wave has the angle.
Reflection reflected(double sine, double cells_a_wavelength, bool upper, double permittivity) {
  const parallel::Communicator comm;
  const double n = std::sqrt(permittivity), wavelength = cells_a_wavelength * h,
               frequency = speed_of_light / (n * wavelength);
  const int across = sine == 0 ? 3 : static_cast<int>(std::lround(cells_a_wavelength / sine)), along = 150;
  const double slowness =
      sine == 0 ? 0 : 1 / (frequency * across * h);  // of the front along x; one period a period of the grid
  GridProblem p;
  p.setup.grid = uniform_grid(across, 3, along, h);
  p.setup.sides = {physics::BoundaryKind::periodic, physics::BoundaryKind::periodic, physics::BoundaryKind::periodic,
                   physics::BoundaryKind::periodic, physics::BoundaryKind::mur,      physics::BoundaryKind::cpml};
  if (upper) std::swap(p.setup.sides[4], p.setup.sides[5]);
  p.setup.layer_cells = 16;
  p.setup.materials = {physics::Medium{permittivity, 1, 0, 0, {}}};
  const auto file = std::filesystem::temp_directory_path() / ("dgtd_mur_" + std::to_string(getpid()) + ".txt");
  std::ofstream(file) << "-1 -1 1 " << -slowness << "\n1 -1 1 " << slowness << "\n-1 1 1 " << -slowness << "\n1 1 1 "
                      << slowness << "\n";
  physics::Source sheet;
  sheet.type = physics::Source::Type::sheet;
  sheet.name = "sheet";
  sheet.centre = {0.5 * across * h, 1.5 * h, (upper ? along - 80 : 80) * h};
  sheet.size = {1, 1, 0};
  sheet.polarisation = {0, 1, 0};
  sheet.profile = file;
  sheet.waveform = {physics::Waveform::Type::ramped_sine, frequency, 6};
  p.sources = {sheet};
  auto solver = p.make<double>(comm);
  std::filesystem::remove(file);
  const double omega = 2 * pi * frequency, dt = solver->time_step();
  // The scheme's dispersion relation along z, with the phase across that the grid's period sets.
  const double kx = sine == 0 ? 0 : 2 * pi / (across * h);
  const double square =
      std::pow(n / (speed_of_light * dt) * std::sin(0.5 * omega * dt), 2) - std::pow(std::sin(0.5 * kx * h) / h, 2);
  const double phase = 2 * std::asin(h * std::sqrt(square));
  const int start = static_cast<int>((slowness + 60 / frequency) / dt);
  const int j[2] = {20, 20 + static_cast<int>(std::lround(0.5 * pi / phase))};
  const auto cell = [&](int i) { return std::array<int, 3>{1, 1, upper ? along - j[i] : j[i]}; };
  const auto e = steady_phasors(*solver, 1, {cell(0), cell(1)}, frequency, start);
  // e_j = a g^j + b g^-j with g = exp(-i phase).
  const auto g = [&](int cell) { return std::polar(1.0, -phase * cell); };
  const Complex determinant = g(j[0]) / g(j[1]) - g(j[1]) / g(j[0]);
  const Complex a = (e[0] / g(j[1]) - e[1] / g(j[0])) / determinant,
                b = (g(j[0]) * e[1] - g(j[1]) * e[0]) / determinant;
  const double step = speed_of_light / n * dt, q = (step - h) / (step + h);
  return {b / a, reflection_of_the_condition(omega * dt, phase, q)};
}

// At normal incidence the condition is exact but for the grid: second order in cells a wavelength.
TEST(Mur, ReflectsLittleAtNormalIncidence) {
  for (const bool upper : {false, true}) {
    const auto coarse = reflected(0, 20, upper, 1), fine = reflected(0, 40, upper, 2.25);
    std::printf("normal incidence: 20 cells a wavelength %.5f (theory %.5f), 40 cells %.5f (%.5f)\n",
                std::abs(coarse.measured), std::abs(coarse.expected), std::abs(fine.measured), std::abs(fine.expected));
    EXPECT_LT(std::abs(coarse.measured - coarse.expected), 1e-4);
    EXPECT_LT(std::abs(fine.measured - fine.expected), 1e-4);
    EXPECT_NEAR(std::log2(std::abs(coarse.measured) / std::abs(fine.measured)), 2, 0.1);
    EXPECT_LT(std::abs(coarse.measured), 5e-3);
  }
}

// (1 - cos) / (1 + cos) = 0.172 at 45 degrees, as the grid has it.
TEST(Mur, ReflectsAsTheoryHasItAt45Degrees) {
  const auto r = reflected(std::sqrt(0.5), 20, false, 1);
  std::printf("45 degrees: %.4f, on this grid in theory %.4f\n", std::abs(r.measured), std::abs(r.expected));
  EXPECT_LT(std::abs(r.measured - r.expected), 5e-3);
  EXPECT_NEAR(std::abs(r.expected), (1 - std::sqrt(0.5)) / (1 + std::sqrt(0.5)), 0.01);
}

// A plane wave keeps four cells from such sides by default, and passes out through them: behind its box is what the far
// side reflects, 0.004 (ReflectsLittleAtNormalIncidence).
TEST(Mur, PlaneWavesPassOut) {
  const parallel::Communicator comm;
  GridProblem p = column_along_z(60, h, physics::BoundaryKind::mur);
  physics::Source wave = wave_along_z({physics::Waveform::Type::ramped_sine, speed_of_light / (20 * h), 4});
  p.sources = {wave};
  auto solver = p.make<double>(comm);
  const auto e = steady_phasors(*solver, 0, {{1, 1, 30}, {1, 1, 2}, {1, 1, 58}}, wave.waveform.frequency, 600);
  EXPECT_NEAR(std::abs(e[0]), 1, 6e-3);
  EXPECT_NEAR(std::abs(e[1]), 0, 6e-3);
  EXPECT_NEAR(std::abs(e[2]), 0, 6e-3);  // scattered field beyond the box
}

// On a line, where the condition has no angle to fail at: a sheet's wave, and what comes back, against the condition on
// the grid.
TEST(Mur, ReflectsAsTheoryHasItOnALine) {
  const parallel::Communicator comm;
  GridProblem p = flat_problem(150, 1, h);
  p.setup.sides[0] = physics::BoundaryKind::mur;
  p.setup.layer_cells = 16;
  p.cfl_fraction = 0.5;  // at the largest step the condition is exact there
  physics::Source sheet;
  sheet.type = physics::Source::Type::sheet;
  sheet.name = "sheet";
  sheet.centre = {80 * h, 0, 0};
  sheet.size = {0, beyond, beyond};
  sheet.polarisation = {0, 0, 1};
  sheet.waveform = {physics::Waveform::Type::ramped_sine, speed_of_light / (20 * h), 6};
  p.sources = {sheet};
  auto solver = p.make<double>(comm);
  const double omega = 2 * pi * sheet.waveform.frequency, dt = solver->time_step();
  const double phase = 2 * std::asin(h / (speed_of_light * dt) * std::sin(0.5 * omega * dt));
  const auto e = steady_phasors(*solver, 2, {{20, 0, 0}, {25, 0, 0}}, sheet.waveform.frequency, 2400);
  const auto g = [&](int cell) { return std::polar(1.0, -phase * cell); };
  const Complex a = e[0] / g(25) - e[1] / g(20), b = g(20) * e[1] - g(25) * e[0];
  const double step = speed_of_light * dt, q = (step - h) / (step + h);
  const Complex expected = reflection_of_the_condition(omega * dt, phase, q);
  std::printf("on a line: %.5f (theory %.5f)\n", std::abs(b / a), std::abs(expected));
  EXPECT_LT(std::abs(b / a - expected), 1e-4);
  EXPECT_GT(std::abs(expected), 1e-3);
}

// Share of the largest energy, sampled every 50 steps, that is left after 6000 steps.
double energy_left(FdtdSolver<double>& solver) {
  double peak = 0;
  for (int n = 0; n < 6000; ++n) {
    const bool look = n % 50 == 0;
    solver.advance(1);
    if (look) peak = std::max(peak, solver.energy());
  }
  std::printf("energy after 6000 steps %.2g of its peak\n", solver.energy() / peak);
  return solver.energy() / peak;
}

// All sides of a plane grid, with a line current and one in the plane.
TEST(Mur, CornersOfAPlaneGridStayQuiet) {
  const parallel::Communicator comm;
  GridProblem p = flat_walls_problem();
  for (int side = 0; side < 4; ++side) p.setup.sides[side] = physics::BoundaryKind::mur;
  p.sources.resize(1);
  EXPECT_LT(energy_left(*p.make<double>(comm)), 1e-6);
}

// All six sides with their edges and corners: what a dipole has sent is gone, and nothing grows.
TEST(Mur, EdgesAndCornersStayQuiet) {
  const parallel::Communicator comm;
  EXPECT_LT(energy_left(*mur_problem().make<double>(comm)), 1e-6);
}

}  // namespace
}  // namespace dgtd::fdtd
