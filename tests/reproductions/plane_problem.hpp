#pragma once
// A plane between electric walls on which the variants of its half steps (plane_variant.hpp) are compared with the
// engine.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "dgtd/base/constants.hpp"
#include "dgtd/reproductions/plane_variant.hpp"
#include "fdtd/problems.hpp"

namespace dgtd::reproductions {

using fdtd::GridProblem, fdtd::pulse, fdtd::uniform_grid;

/// nx x ny cells that are not squares, with a dipole; `lossy`: a medium with both conductivities, sigma / eps =
/// sigma_m / mu, in which all that is there fades alike.
inline GridProblem plane_problem(int nx, int ny, bool lossy) {
  GridProblem p;
  p.setup.grid.spacing = {std::vector<double>(nx, 0.01), std::vector<double>(ny, 0.013), std::vector<double>(1, 0.01)};
  p.setup.grid.origin = {0, 0, -0.005};
  p.setup.axes = 2;
  p.setup.sides = {physics::BoundaryKind::pec, physics::BoundaryKind::pec,      physics::BoundaryKind::pec,
                   physics::BoundaryKind::pec, physics::BoundaryKind::periodic, physics::BoundaryKind::periodic};
  if (lossy)
    p.setup.materials = {physics::Medium{2.2, 1.3, 0.01, 0.01 * vacuum_impedance * vacuum_impedance * 1.3 / 2.2, {}}};
  physics::Source dipole;
  dipole.name = "dipole";
  dipole.position = {0.4 * 0.01 * nx, 0.55 * 0.013 * ny, 0};
  dipole.direction = {0, 0, 1};
  dipole.waveform = pulse(2e9);
  p.sources = {dipole};
  return p;
}

/// Fields without structure of about 1 V/m everywhere, so that no row or column can be left out unseen.
template <class Real>
void fill(fdtd::FdtdSolver<Real>& solver) {
  const auto f = [](const Vec3& x, double shift) {
    return std::sin(9771 * x.x + 12347 * x.y + shift) + std::cos(7919 * x.x * x.y + shift);
  };
  solver.set_fields(
      [f](const Vec3& x) {
        return Vec3{0, 0, f(x, 0)};
      },
      [f](const Vec3& x) {
        return Vec3{f(x, 1) / vacuum_impedance, f(x, 2) / vacuum_impedance, 0};
      });
}

// Sums of up to six products a step, each rounded by eps / 2 of a field: 3 eps a step. Leap-frog lets a difference grow
// at most by 1 / sqrt(1 - courant^2) = 3.2 in the fields' norm.
template <class Real>
double variant_tolerance(int steps) {
  return 3 * 3.2 * steps * double(std::numeric_limits<Real>::epsilon());
}

template <class Real>
double norm_of(const Real* values, const fdtd::Discretisation<Real>& d, int component) {
  double square = 0;
  for (int j = 0; j < d.layout.cells[1]; ++j)
    for (int i = 0; i < d.layout.cells[0]; ++i)
      square += std::pow(double(values[component * d.layout.reals + d.layout.index(i, j, 0)]), 2);
  return std::sqrt(square);
}

/// Both march from the same fields; Ez, Hx, Hy, energy and the dipole's work are compared.
template <class Real>
void expect_agreement(fdtd::FdtdSolver<Real>& native, fdtd::FdtdSolver<Real>& variant, int steps) {
  for (auto* solver : {&native, &variant}) {
    fill(*solver);
    for (int s = 0; s < steps; ++s) {
      if (s == steps - 1) (void)solver->energy();
      solver->advance(1);
    }
  }
  const double tolerance = variant_tolerance<Real>(steps);
  const auto& d = native.discretisation();
  const auto compare = [&](const Real* expected, const Real* found, int component, const char* name) {
    std::vector<Real> difference(expected, expected + 3 * d.layout.reals);
    for (std::size_t n = 0; n < difference.size(); ++n) difference[n] -= found[n];
    const double size = norm_of(expected, d, component);
    EXPECT_GT(size, 0) << name;
    EXPECT_LT(norm_of(difference.data(), d, component), tolerance * size) << name;
  };
  compare(native.engine().electric().host(), variant.engine().electric().host(), 2, "Ez");
  compare(native.engine().magnetic().host(), variant.engine().magnetic().host(), 0, "Hx");
  compare(native.engine().magnetic().host(), variant.engine().magnetic().host(), 1, "Hy");
  EXPECT_NEAR(variant.energy() / native.energy(), 1, 2 * tolerance);
}

}  // namespace dgtd::reproductions
