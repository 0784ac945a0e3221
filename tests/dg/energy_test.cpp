// The conserved energy W^n = 1/2 (E^n M_eps E^n + H^{n-1/2} M_mu H^{n+1/2}) of the leap-frog scheme.
#include <gtest/gtest.h>

#include "comparison.hpp"
#include "dgtd/dg/time_step.hpp"
#include "support/built_orders.hpp"

namespace dgtd::dg::test {
namespace {

/// Closed box, two boundary kinds, three materials.
Problem closed_box(double conductivity) {
  constexpr auto pec = physics::BoundaryKind::pec, pmc = physics::BoundaryKind::pmc;
  return {tiny_mesh({2, 2, 2}, 3, 7),
          {{2.5, 1.0, 0.0}, {1.3, 1.7, conductivity}, {4.0, 1.2, 0.0}},
          {pec, pec, pmc, pec, pec, pmc},
          {}};
}

double stable_time_step(const Problem& problem, int order) {
  const parallel::Communicator self(MPI_COMM_SELF);
  Discretisation<double> d(problem.mesh, problem.material, problem.boundary_kind, order, false, cpu_field_lanes);
  return 0.9 * stability_limit(d, *make_cpu_executor(d, KernelFusion::fused, self), self).time_step;
}

class Energy : public testing::TestWithParam<int> {
 protected:
  int order() const { return GetParam(); }
  const parallel::Communicator self_{MPI_COMM_SELF};
};

// In joules, against the nodal mass matrices.
TEST_P(Energy, IsThatOfTheNodalReference) {
  const Problem problem = closed_box(0.02);
  auto solver = make_solver<double>(problem, order(), stable_time_step(problem, order()), self_);
  fill_at_random(solver);
  NodalReference reference(problem.mesh, problem.material, problem.boundary_kind, order(), {});
  reference.electric = nodal_field(solver.discretisation(), solver.electric());
  const Eigen::VectorXd before = nodal_field(solver.discretisation(), solver.magnetic()) / vacuum_impedance;
  const double energy = solver.energy();
  solver.advance(1);
  const Eigen::VectorXd after = nodal_field(solver.discretisation(), solver.magnetic()) / vacuum_impedance;
  const double expected = reference.energy(before, after);
  EXPECT_NEAR(energy, expected, 1e-12 * expected);
}

TEST_P(Energy, IsConservedInALosslessClosedBox) {
  const Problem problem = closed_box(0);
  auto solver = make_solver<double>(problem, order(), stable_time_step(problem, order()), self_);
  fill_at_random(solver);
  const double first = solver.energy();
  EXPECT_GT(first, 0);
  for (int i = 0; i < 200; ++i) {
    solver.advance(1);
    ASSERT_NEAR(solver.energy(), first, 1e-12 * first) << "after " << i + 1 << " steps";
  }
}

// W^{n+1} - W^n = -dt (E^n + E^{n+1})/2 M_sigma (E^n + E^{n+1})/2 < 0.
TEST_P(Energy, FallsMonotonicallyWithConduction) {
  const Problem problem = closed_box(0.02);
  auto solver = make_solver<double>(problem, order(), stable_time_step(problem, order()), self_);
  fill_at_random(solver);
  const double first = solver.energy();
  double last = first;
  for (int i = 0; i < 200; ++i) {
    solver.advance(1);
    ASSERT_LT(solver.energy(), last) << "after " << i + 1 << " steps";
    last = solver.energy();
  }
  EXPECT_GT(last, 0);
}

// W^{n+1} - W^n = -dt (E' M_eps S E' + H' M_mu S H'), E' and H' the means before and after their half steps.
TEST_P(Energy, LayersTakeWhatTheirConductionDissipates) {
  Problem problem = closed_box(0);
  add_layers(problem, [&](std::size_t e) { return e % 3 == 0; });
  const double dt = stable_time_step(problem, order());
  auto solver = make_solver<double>(problem, order(), dt, self_);
  fill_at_random(solver);
  NodalReference reference(problem.mesh, problem.material, problem.boundary_kind, order(), {});
  reference.layers = problem.layers;
  const auto fields = [&] {
    return std::array{nodal_field(solver.discretisation(), solver.electric()),
                      Eigen::VectorXd(nodal_field(solver.discretisation(), solver.magnetic()) / vacuum_impedance)};
  };
  const double first = solver.energy();
  double expected = first;
  auto before = fields();
  for (int i = 0; i < 20; ++i) {
    solver.advance(1);
    const auto after = fields();
    expected -= dt * reference.layer_loss(0.5 * (before[0] + after[0]), 0.5 * (before[1] + after[1]));
    ASSERT_NEAR(solver.energy(), expected, 1e-12 * first) << "after " << i + 1 << " steps";
    before = after;
  }
  EXPECT_LT(expected, 0.9 * first);
}

// Absorbing faces only take energy, in the norm with the masses M - dt/2 C; over many steps most of it.
TEST_P(Energy, LeavesThroughAnAbsorbingBoundary) {
  Problem problem = closed_box(0);
  problem.boundary_kind.assign(6, physics::BoundaryKind::silver_muller);
  auto solver = make_solver<double>(problem, order(), stable_time_step(problem, order()), self_);
  fill_at_random(solver);
  const double first = solver.energy();
  solver.advance(200);
  EXPECT_GT(solver.energy(), 0);
  EXPECT_LT(solver.energy(), 0.5 * first);
}

// Poynting's theorem of the scheme: W^{n+1} - W^n = -dt J^{n+1/2} . (E^n + E^{n+1}) / 2, the source's work.
TEST_P(Energy, ChangesByTheWorkOfADipole) {
  Problem problem = closed_box(0);
  physics::Source source;
  source.type = physics::Source::Type::dipole;
  source.position = {0.31, 0.23, 0.27};
  source.direction = {0.6, 0, -0.8};
  source.moment = 1e-3;
  source.waveform = {physics::Waveform::Type::ramped_sine, 2e9, 1, 0};
  problem.sources = {source};
  auto solver = make_solver<double>(problem, order(), stable_time_step(problem, order()), self_);
  EXPECT_EQ(solver.energy(), 0);  // zero fields at the start
  double largest = 0;
  for (int i = 0; i < 100; ++i) {
    solver.advance(1);
    largest = std::max(largest, solver.energy());
    ASSERT_NEAR(solver.energy(), solver.source_work(), 1e-12 * largest);
  }
  EXPECT_GT(largest, 0);

  fill_at_random(solver);  // other fields, of which no work is known
  const double energy = solver.energy(), work = solver.source_work();
  solver.advance(20);
  EXPECT_NEAR(solver.energy() - energy, solver.source_work() - work, 1e-12 * energy);
  EXPECT_GT(std::abs(solver.source_work() - work), 1e-9 * energy);
}

INSTANTIATE_TEST_SUITE_P(Order, Energy, testing::ValuesIn(built_orders({1, 2, 3, 6})));

}  // namespace
}  // namespace dgtd::dg::test
