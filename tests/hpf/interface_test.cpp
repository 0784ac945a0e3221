// A step of the permittivity: reflection against Fresnel, and what is continuous there.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "hpf/problems.hpp"

namespace dgtd::hpf {
namespace {

using Field = solver::Quantity::Field;
using Complex = std::complex<double>;

constexpr double frequency = 1e9, index_of_glass = 1.414;
constexpr int rows = 400, interface_row = 250, columns = 4;

struct Columns {
  std::vector<Complex> z, in_plane;  // [cells along y] phasors of the field along z, and of the one along x
};

/// A pulse along y onto a half space from interface_row on; integrals over the run at the carrier frequency.
Columns run(Stencil stencil, Potential potential, double index) {
  const double h = speed_of_light / frequency / 40;
  PlaneProblem p(columns, rows, h, h);
  p.setup.stencil = stencil;
  p.setup.potential = potential;
  p.set_sides(physics::BoundaryKind::periodic, physics::BoundaryKind::mur);
  p.setup.grid.materials = {physics::Medium{}, physics::Medium{index * index, 1, 0, 0, {}}};
  grid::Shape glass;
  glass.centre = {0, (interface_row + 1000) * h, 0}, glass.size = {1000 * h, 2000 * h, 1}, glass.material = 1;
  p.bodies = {glass};
  p.sources = {sheet_across_y(5 * h, frequency, potential == Potential::electric ? Vec3{0, 0, 1} : Vec3{1, 0, 0})};
  const parallel::Communicator comm(MPI_COMM_SELF);
  auto solver = p.make<double>(comm);
  solver->start_dft({2 * pi * frequency});
  const double dt = solver->time_step();
  for (int n = 0; n < static_cast<int>(35 / (frequency * dt)); ++n) {
    solver->advance(1);
    solver->accumulate_dft(dt);
  }
  Columns made;
  const Field along_z = potential == Potential::electric ? Field::electric : Field::magnetic,
              in_plane = potential == Potential::electric ? Field::magnetic : Field::electric;
  const auto phasor = [&](Field field, int component) {
    const auto re = solver->sample_cells({field, solver::Quantity::Part::real, 0}),
               im = solver->sample_cells({field, solver::Quantity::Part::imaginary, 0});
    std::vector<Complex> values;
    for (int j = 0; j < rows; ++j)
      values.emplace_back(re[static_cast<std::size_t>(j) * columns * 3 + component],
                          im[static_cast<std::size_t>(j) * columns * 3 + component]);
    return values;
  };
  made.z = phasor(along_z, 2);
  made.in_plane = phasor(in_plane, 0);
  return made;
}

TEST(Interface, ReflectsAsFresnelSays) {
  const double fresnel = (1 - index_of_glass) / (1 + index_of_glass), transmitted = 2 / (1 + index_of_glass);
  for (const Stencil stencil : {Stencil::line, Stencil::laplacian}) {
    const Columns alone = run(stencil, Potential::electric, 1),
                  with = run(stencil, Potential::electric, index_of_glass);
    // At a place before it, r exp(2 i k y) of the incident wave; beyond it the amplitude alone.
    const Complex r = (with.z[150] - alone.z[150]) / alone.z[150];
    EXPECT_NEAR(std::abs(r), std::abs(fresnel), 0.01 * std::abs(fresnel));
    EXPECT_NEAR(std::abs(with.z[320] / alone.z[320]), transmitted, 0.01 * transmitted);
    EXPECT_NEAR(std::abs(with.in_plane[320] / alone.in_plane[320]), transmitted * index_of_glass,
                0.01 * transmitted * index_of_glass);
    // Its sign: continued to the interface, E is weakened there.
    const double h = 1.0 / 40, phase = 2 * 2 * pi * (interface_row - 150.5) * h;
    EXPECT_NEAR((r * std::polar(1.0, -phase)).real(), fresnel, 0.1 * std::abs(fresnel));
  }
}

// E_z = -mu eps_b psi'' and H = eps_b curl psi' of an electric potential are continuous with psi and its derivative, as
// they must be. For a magnetic one E_t = -mu curl psi' is, but H_z = -mu eps psi'' jumps by the ratio of the
// permittivities.
TEST(Interface, KeepsThePotentialAndItsDerivative) {
  const double step = index_of_glass * index_of_glass;
  const auto ratio = [](const std::vector<Complex>& f) {
    // Continued to the surface by a parabola from both sides, from cells that do not touch it.
    const auto continued = [&](int first, int way) {
      return 4.375 * f[first] - 5.25 * f[first + way] + 1.875 * f[first + 2 * way];
    };
    const Complex below = continued(interface_row - 2, -1), above = continued(interface_row + 1, 1);
    return std::abs(above / below);
  };
  const Columns electric = run(Stencil::laplacian, Potential::electric, index_of_glass),
                magnetic = run(Stencil::laplacian, Potential::magnetic, index_of_glass);
  EXPECT_NEAR(ratio(electric.z), 1, 0.01);
  EXPECT_NEAR(ratio(electric.in_plane), 1, 0.015);
  EXPECT_NEAR(ratio(magnetic.in_plane), 1, 0.015);
  EXPECT_NEAR(ratio(magnetic.z), step, 0.01 * step);
  // Far from the surface each field is a wave of its medium, |E| / |H| = Z: means over a cell differ by (k d)^2 / 4.
  const double impedance = vacuum_impedance / index_of_glass;
  EXPECT_NEAR(std::abs(electric.z[320] / electric.in_plane[320]), impedance, 0.0125 * impedance);
  EXPECT_NEAR(std::abs(magnetic.in_plane[320] / magnetic.z[320]), impedance, 0.0125 * impedance);
}

// Amplitude and polarisation of a sheet are those of E.
TEST(Interface, SheetsLaunchTheirAmplitude) {
  for (const auto potential : {Potential::electric, Potential::magnetic}) {
    const Columns alone = run(Stencil::line, potential, 1);
    const auto& e = potential == Potential::electric ? alone.z : alone.in_plane;
    // Integral of exp(-t^2 / 2 s^2) sin(w t) exp(i w t): i s sqrt(2 pi) / 2.
    const double spread = std::sqrt(2 * std::log(2.0)) / (pi * frequency);
    EXPECT_NEAR(std::abs(e[200]), 0.5 * spread * std::sqrt(2 * pi), 0.02 * 0.5 * spread * std::sqrt(2 * pi));
    EXPECT_LT(std::abs(e[1]), 0.02 * std::abs(e[200]));  // and nothing backwards
  }
}

}  // namespace
}  // namespace dgtd::hpf
