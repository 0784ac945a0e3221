// Reflection of a pulse by the interfaces of levels 0 | 1 | 2 along a bar whose elements all have one size. The
// reflected field is the difference to global steps of the same dt, in level 0, when the pulse has left it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dg/random_levels.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/mesh/load.hpp"
#include "study.hpp"
#include "support/built_orders.hpp"

namespace dgtd::verification {
namespace {

// Lengths in wavelengths of the pulse's centre, each 1 m. The pulse is 1e-5 of its amplitude where a level begins.
constexpr double bar = 8, first_interface = 4, second_interface = 4.5, start = 2, deviation = 0.4;
// The reflections of the pulse at the interfaces are then at 2 and 3.
constexpr double distance = 4, beside_interface = 3.25;

double pulse(double x) { return std::cos(2 * pi * x) * std::exp(-x * x / (2 * deviation * deviation)); }

/// One cube thick. A wave with E along z and H along y is normal to the sides' conditions.
Problem make_bar(int cubes_per_wavelength) {
  constexpr auto pec = physics::BoundaryKind::pec, pmc = physics::BoundaryKind::pmc;
  const double edge = 1.0 / cubes_per_wavelength;
  return {mesh::make_box({std::llround(bar * cubes_per_wavelength), 1, 1}, {bar, edge, edge}, alone()),
          {{}},
          {pec, pec, pmc, pmc, pec, pec},
          {}};
}

dg::TimeLevels levels_along(const mesh::Subdomain& mesh) {
  dg::TimeLevels levels;
  levels.finest = 2;
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    const double x = dg::ElementGeometry(mesh, e).centre().x;
    levels.of_element.push_back(static_cast<std::uint8_t>((x > first_interface) + (x > second_interface)));
  }
  dg::test::complete(levels, mesh);
  return levels;
}

std::unique_ptr<dg::DgSolver<double>> start_pulse(const Problem& problem, int order, double dt,
                                                  const dg::TimeLevels& levels) {
  auto solver = make_solver<double>(problem, order, dt, levels);
  solver->set_fields(
      [](const Vec3& x) {
        return Vec3{0, 0, pulse(x.x - start)};
      },
      [&](const Vec3& x) {
        return Vec3{0, -pulse(x.x - start + 0.5 * speed_of_light * dt) / vacuum_impedance, 0};
      });
  return solver;
}

/// Largest mean of a field over an element between two places along the bar, V/m.
double largest_between(double from, double to, const dg::DgSolver<double>& solver, const dg::Field<double>& field) {
  const auto& mesh = solver.discretisation().mesh;
  const auto square = squares(solver, field);
  double largest = 0;
  for (std::size_t e = 0; e < square.size(); ++e) {
    const dg::ElementGeometry geometry(mesh, e);
    if (from < geometry.centre().x && geometry.centre().x < to)
      largest = std::max(largest, square[e] / geometry.volume());
  }
  return std::sqrt(largest);
}

/// Reflected amplitudes relative to the incident one, dB.
struct Reflection {
  double pulse;  // that goes back
  double rest;   // in level 0 beside the interface: slow waves of the mesh
};

Reflection reflect(int order, int cubes_per_wavelength, double dt) {
  const Problem problem = make_bar(cubes_per_wavelength);
  const auto levels = levels_along(problem.mesh);
  EXPECT_TRUE(is_stable_step(problem, order, levels, dt));
  const auto local = start_pulse(problem, order, dt, levels), global = start_pulse(problem, order, dt, {});
  const double incident = largest_between(0, bar, *local, local->electric());
  const auto steps = std::llround(distance / (speed_of_light * dt));
  local->advance(steps), global->advance(steps);
  const auto reflected = difference(*local, local->electric(), *global, global->electric());
  const auto decibel = [&](double from, double to) {
    return 20 * std::log10(largest_between(from, to, *local, reflected) / incident);
  };
  const Reflection r{decibel(0, beside_interface), decibel(beside_interface, first_interface)};
  fmt::print("P{}  {:3} cubes per wavelength, {} elements, {} steps: pulse {:.1f} dB, beside the interface {:.1f} dB\n",
             order, cubes_per_wavelength, problem.mesh.global_elements, steps, r.pulse, r.rest);
  std::fflush(stdout);
  return r;
}

class LocalStepsReflection : public testing::TestWithParam<int> {};

TEST_P(LocalStepsReflection, IsSmallAndOfSecondOrder) {
  const int order = GetParam();
  const Problem coarse = make_bar(20);
  const double dt = std::min(0.95 * largest_time_step<double>(coarse, order),
                             0.99 * largest_time_step(coarse, order, levels_along(coarse.mesh)));
  Reflection last = reflect(order, 20, dt);
  EXPECT_LT(std::max(last.pulse, last.rest), order == 1 ? -60 : -80);
  for (int halvings = 1; halvings <= (full_study() ? 2 : 1); ++halvings) {
    const Reflection next = reflect(order, 20 << halvings, std::ldexp(dt, -halvings));
    EXPECT_NEAR(next.pulse - last.pulse, -12.04, 0.5);
    EXPECT_LT(next.rest, last.rest - 6);
    last = next;
  }
}

INSTANTIATE_TEST_SUITE_P(Degree, LocalStepsReflection, testing::ValuesIn(dg::built_orders({1, 2})),
                         [](const auto& info) { return fmt::format("P{}", info.param); });

}  // namespace
}  // namespace dgtd::verification
