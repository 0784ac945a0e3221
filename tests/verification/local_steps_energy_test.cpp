// Energy with local time steps: conserved over many steps in a closed lossless domain, and what a source gives less
// what conduction takes otherwise. Only rounding may be left.
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

Problem metallic_box(const std::array<std::int64_t, 3>& cells) {
  return {mesh::make_box(cells, {0.1 * double(cells[0]), 0.1 * double(cells[1]), 0.1 * double(cells[2])}, alone()),
          {{}},
          std::vector<physics::BoundaryKind>(6, physics::BoundaryKind::pec),
          {}};
}

/// Largest relative change of the energy of rough fields, measured 200 times.
double largest_drift(const Problem& problem, int order, const dg::TimeLevels& levels, std::int64_t steps) {
  const double dt = largest_time_step(problem, order, levels);
  auto solver = make_solver<double>(problem, order, dt, levels);
  solver->randomise_fields();
  const double first = solver->energy();
  double largest = 0;
  for (int i = 0; i < 200; ++i) {
    solver->advance(steps / 200);
    largest = std::max(largest, std::abs(solver->energy() / first - 1));
  }
  fmt::print("P{}, {} elements, {} levels, {} steps: largest relative drift {:.1e}, at the end {:.1e}\n", order,
             problem.mesh.global_elements, levels.finest + 1, steps, largest, solver->energy() / first - 1);
  std::fflush(stdout);
  return largest;
}

class LocalStepsEnergy : public testing::TestWithParam<int> {};

TEST_P(LocalStepsEnergy, IsConservedWithLevelsAtRandom) {
  const Problem problem = metallic_box({2, 2, 2});
  const auto levels = dg::test::random_levels(problem.mesh, problem.boundary_kind, 3, 4);
  ASSERT_GT(*std::min_element(levels.elements.begin(), levels.elements.end()), 0);
  EXPECT_LE(largest_drift(problem, GetParam(), levels, full_study() ? 100000 : 10000), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Degree, LocalStepsEnergy, testing::ValuesIn(dg::built_orders({1, 2})),
                         [](const auto& info) { return fmt::format("P{}", info.param); });

TEST(LocalStepsEnergy, IsConservedOverAMillionSteps) {
  const Problem problem = metallic_box({2, 1, 1});
  const auto levels = dg::test::random_levels(problem.mesh, problem.boundary_kind, 2, 1);
  ASSERT_GT(*std::min_element(levels.elements.begin(), levels.elements.end()), 0);
  EXPECT_LE(largest_drift(problem, 1, levels, full_study() ? 1000000 : 20000), 1e-12);
}

/// Box with levels at random, the half beyond x = 0.15 m conductive, a dipole inside an element of the finest level
/// there: a point, or spread over several elements.
Problem driven_box(const dg::TimeLevels& levels, std::optional<double> radius) {
  Problem problem = metallic_box({3, 3, 3});
  problem.material = {{2, 1.3, 0}, {3, 1, 0.05}};
  problem.mesh.volume_names = {"vacuum", "tissue"};
  problem.boundary_kind[2] = problem.boundary_kind[5] = physics::BoundaryKind::pmc;
  physics::Source source;
  source.direction = {0.6, 0, -0.8};
  source.radius = radius;
  source.moment = 1e-3;
  source.waveform = {physics::Waveform::Type::ramped_sine, 2e9, 1, 0};
  for (std::size_t e = 0; e < problem.mesh.elements(); ++e) {
    const Vec3 centre = dg::ElementGeometry(problem.mesh, e).centre();
    problem.mesh.element_group[e] = centre.x > 0.15;
    if (levels.of_element[e] == levels.finest && centre.x > 0.15) source.position = centre + Vec3{0.001, 0.002, 0.003};
  }
  EXPECT_GT(source.position.x, 0.15);
  problem.sources = {source};
  return problem;
}

/// dt E' M_sigma E', E' the mean of E before and after a step, J.
double conduction_loss(const dg::DgSolver<double>& solver, const dg::Field<double>& before) {
  const auto& d = solver.discretisation();
  const dg::Field<double>& after = solver.electric();
  dg::Field<double> mean(after.size(), solver.executor().memory());
  double* const values = mean.host_for_writing();
  for (std::size_t i = 0; i < after.size(); ++i) values[i] = 0.5 * (before.host()[i] + after.host()[i]);
  const auto square = squares(solver, mean);
  double loss = 0;
  for (std::size_t e = 0; e < square.size(); ++e)
    loss += d.material[d.mesh.element_group[e]].conductivity * square[e] * solver.time_step();
  return loss;
}

// W^{n+1} - W^n = -dt J . E' - dt E' M_sigma E'
TEST_P(LocalStepsEnergy, ChangesByTheWorkOfASourceLessConduction) {
  for (const auto& radius : {std::optional<double>(0), std::optional<double>()}) {
    const Problem closed = metallic_box({3, 3, 3});
    const auto levels = dg::test::random_levels(closed.mesh, closed.boundary_kind, 3, 2);
    const Problem problem = driven_box(levels, radius);
    auto solver = make_solver<double>(problem, GetParam(), largest_time_step(problem, GetParam(), levels), levels);
    double energy = solver->energy(), work = 0, largest = 0, defect = 0, lost = 0;
    EXPECT_EQ(energy, 0);
    dg::Field<double> before(solver->electric().size(), solver->executor().memory());
    for (int i = 0; i < 300; ++i) {
      std::copy_n(solver->electric().host(), before.size(), before.host_for_writing());
      solver->advance(1);
      const double loss = conduction_loss(*solver, before), next = solver->energy();
      largest = std::max(largest, next);
      defect = std::max(defect, std::abs(next - energy - (solver->source_work() - work) + loss));
      energy = next, work = solver->source_work(), lost += loss;
    }
    fmt::print(
        "P{}, {}: work {:.3e} J, lost {:.3e} J, largest energy {:.3e} J, largest defect of a step {:.1e} of it\n",
        GetParam(), radius ? "point" : "spread", work, lost, largest, defect / largest);
    EXPECT_LE(defect, 1e-13 * largest);
    EXPECT_GT(lost, 0.1 * work);
  }
}

}  // namespace
}  // namespace dgtd::verification
