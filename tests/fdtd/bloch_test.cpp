// Bloch's condition: the grid's own plane waves, bands of an empty cell, a slab at an angle.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdio>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "fdtd/problems.hpp"
#include "support/error_message.hpp"

namespace dgtd::fdtd {
namespace {

using Complex = std::complex<double>;

/// A plane wave of wave vector k (rad/m) on a uniform grid: sin(w dt / 2) = c dt sqrt(sum (sin(k_a d / 2) / d)^2).
struct GridMode {
  Vec3 k, electric, magnetic;  // V/m; A/m
  double omega;

  GridMode(const Vec3& wave, double spacing, double dt) : k(wave) {
    Vec3 discrete;
    for (int a = 0; a < 3; ++a) discrete[a] = 2 / spacing * std::sin(0.5 * k[a] * spacing);
    omega = 2 / dt * std::asin(0.5 * speed_of_light * dt * norm(discrete));
    electric = cross(discrete, Vec3{0.3, -0.7, 0.6});
    electric = electric / norm(electric);
    magnetic = 1 / (vacuum_permeability * 2 / dt * std::sin(0.5 * omega * dt)) * cross(discrete, electric);
  }
  solver::VectorFunction real(const Vec3& amplitude, double t) const {
    return [=, *this](const Vec3& x) { return std::cos(dot(k, x) - omega * t) * amplitude; };
  }
  solver::VectorFunction imaginary(const Vec3& amplitude, double t) const {
    return [=, *this](const Vec3& x) { return std::sin(dot(k, x) - omega * t) * amplitude; };
  }
};

GridProblem empty_cell(int n, const Vec3& phase, double length) {
  GridProblem p;
  p.setup.grid = uniform_grid(n, n, n, length / n);
  p.setup.sides.fill(physics::BoundaryKind::periodic);
  p.setup.bloch_phase = {phase.x, phase.y, phase.z};
  return p;
}

std::unique_ptr<FdtdSolver<double>> started(const GridProblem& p, double length, const parallel::Communicator& comm,
                                            GridMode& mode) {
  auto solver = p.make<double>(comm);
  const double dt = solver->time_step();
  const auto& phase = p.setup.bloch_phase;
  mode = GridMode({phase[0] / length, phase[1] / length, phase[2] / length}, p.setup.grid.spacing[0][0], dt);
  solver->set_fields(mode.real(mode.electric, 0), mode.real(mode.magnetic, -0.5 * dt));
  solver->set_imaginary_fields(mode.imaginary(mode.electric, 0), mode.imaginary(mode.magnetic, -0.5 * dt));
  return solver;
}

// The scheme's plane wave with the phases stays itself, to rounding; its energy is constant; cells' centres have the
// mean of the edges around them, across the sides too.
TEST(Bloch, CarriesThePlaneWavesOfTheGrid) {
  const parallel::Communicator comm;
  const double length = 0.9;
  GridMode mode({1, 0, 0}, 1, 1e-10);
  auto solver = started(empty_cell(9, {0.7, -1.9, 3.0}, length), length, comm, mode);
  const double dt = solver->time_step();
  const double energy = solver->energy();
  solver->advance(120);
  EXPECT_NEAR(solver->energy() / energy, 1, 1e-12);
  const auto& d = solver->discretisation();
  const double t = 120 * dt;
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < 9; ++k)
      for (int j = 0; j < 9; ++j)
        for (int i = 0; i < 9; ++i) {
          const auto n = static_cast<std::size_t>(c * d.layout.reals + d.layout.index(i, j, k));
          const Vec3 x = d.position(true, c, i, j, k);
          ASSERT_NEAR(solver->engine().electric().part(n, 1)[0], mode.real(mode.electric, t)(x)[c], 1e-11);
          ASSERT_NEAR(solver->imaginary_engine().electric().part(n, 1)[0], mode.imaginary(mode.electric, t)(x)[c],
                      1e-11);
        }
  const auto cells = solver->sample_cells({solver::Quantity::Field::electric, solver::Quantity::Part::present, 0});
  const double h = length / 9;
  std::size_t at = 0;
  for (int k = 0; k < 9; ++k)
    for (int j = 0; j < 9; ++j)
      for (int i = 0; i < 9; ++i)
        for (int c = 0; c < 3; ++c) {
          const double mean = std::cos(0.5 * h * mode.k[(c + 1) % 3]) * std::cos(0.5 * h * mode.k[(c + 2) % 3]);
          ASSERT_NEAR(cells[at++], mean * mode.real(mode.electric, t)({(i + 0.5) * h, (j + 0.5) * h, (k + 0.5) * h})[c],
                      1e-6);
        }
}

// The band of an empty cell is w = c |k|: from the phase that a component has turned by, second order in the spacing.
TEST(Bloch, BandOfAnEmptyCellHasSecondOrder) {
  const parallel::Communicator comm;
  const double length = 0.9;
  const Vec3 phase{2.1, -1.3, 0.8};
  const auto error = [&](int n) {
    GridMode mode({1, 0, 0}, 1, 1e-10);
    auto solver = started(empty_cell(n, phase, length), length, comm, mode);
    const auto& d = solver->discretisation();
    const auto at = static_cast<std::size_t>(d.layout.index(1, 1, 1));
    const auto value = [&] {
      return Complex(solver->engine().electric().part(at, 1)[0], solver->imaginary_engine().electric().part(at, 1)[0]);
    };
    const Complex before = value();
    int steps = 0;
    for (; steps < 5; ++steps) solver->advance(1);
    const double omega = -std::arg(value() / before) / (steps * solver->time_step());
    return omega / (speed_of_light * norm(phase) / length) - 1;
  };
  const double coarse = error(8), fine = error(16);
  std::printf("band of an empty cell: error %.3g with 8 cells, %.3g with 16\n", coarse, fine);
  EXPECT_LT(std::abs(fine), 2e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

// A slab (n = 2) for waves of one k_x, E along y, that a sheet sends: at each frequency another angle. With k_z =
// sqrt((n w / c)^2 - k_x^2) on both sides r1 = (k_z1 - k_z2) / (k_z1 + k_z2), p = exp(i k_z2 d), t = (1 - r1^2) p / (1
// - r1^2 p^2).
TEST(Bloch, SlabAtAnAngleTransmitsAsTheFormulaSays) {
  const parallel::Communicator comm;
  const double h = 1e-3, kx = 2 * pi * 2.5e9 / speed_of_light;  // 30 degrees at 5 GHz
  const auto transmitted = [&](bool slab) {
    GridProblem p;
    p.setup.grid = uniform_grid(3, 3, 160, h);
    p.setup.sides = {physics::BoundaryKind::periodic, physics::BoundaryKind::periodic, physics::BoundaryKind::periodic,
                     physics::BoundaryKind::periodic, physics::BoundaryKind::cpml,     physics::BoundaryKind::cpml};
    p.setup.bloch_phase = {3 * h * kx, 0, 0};
    p.setup.layer_cells = 20;
    p.setup.materials = {physics::Medium{}, physics::Medium{4, 1, 0, 0, {}}};
    if (slab)
      p.bodies = {{.type = grid::Shape::Type::box, .centre = {0, 0, 80 * h}, .size = {1, 1, 20 * h}, .material = 1}};
    physics::Source sheet;
    sheet.type = physics::Source::Type::sheet;
    sheet.name = "sheet";
    sheet.centre = {1.5 * h, 1.5 * h, 40 * h};
    sheet.size = {1, 1, 0};
    sheet.polarisation = {0, 1, 0};
    sheet.waveform = {physics::Waveform::Type::modulated_gaussian, 5e9, 2, 2e9};
    p.sources = {sheet};
    physics::Flux flux;
    flux.type = physics::Flux::Type::plane;
    flux.name = "plane";
    flux.centre = {1.5 * h, 1.5 * h, 120 * h};
    flux.size = {3 * h, 3 * h, 0};
    flux.frequencies = {4e9, 5e9, 6e9};
    p.fluxes = {flux};
    auto solver = p.make<double>(comm);
    p.advance(*solver, 3000);
    return solver::flux(*solver, 0, comm);
  };
  const auto with = transmitted(true), without = transmitted(false);
  for (std::size_t f = 0; f < with.size(); ++f) {
    const double frequency = 4e9 + 1e9 * double(f), k = 2 * pi * frequency / speed_of_light;
    const double outside = std::sqrt(k * k - kx * kx), inside = std::sqrt(4 * k * k - kx * kx),
                 r1 = (outside - inside) / (outside + inside);
    const Complex turn = std::polar(1.0, inside * 20 * h), t = (1 - r1 * r1) * turn / (1.0 - r1 * r1 * turn * turn);
    std::printf("%.0f GHz, %.1f degrees: %.4f, formula %.4f\n", frequency / 1e9, std::asin(kx / k) * 180 / pi,
                with[f] / without[f], std::norm(t));
    EXPECT_NEAR(with[f] / without[f], std::norm(t), 0.01);
  }
}

TEST(Bloch, PlaneWavesAreRefused) {
  const parallel::Communicator comm;
  GridProblem p = empty_cell(8, {1, 0, 0}, 1);
  physics::Source wave;
  wave.type = physics::Source::Type::plane_wave;
  wave.name = "w";
  wave.origin = "a.cfg:3";
  p.sources = {wave};
  EXPECT_EQ(message([&] { p.make<double>(comm); }),
            "a.cfg:3: source.w: a plane wave does not fit sides of type bloch; a sheet takes their phase");
}

}  // namespace
}  // namespace dgtd::fdtd
