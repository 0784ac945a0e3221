// Passes of several steps over a plane grid against half step after half step: the same bits.
#include <gtest/gtest.h>

#include "fdtd/problems.hpp"

namespace dgtd::fdtd {
namespace {

template <class Real>
void compare(const GridProblem& problem, PlaneFields fields) {
  const parallel::Communicator comm{MPI_COMM_SELF};
  auto half_steps = problem.make<Real>(comm), passes = problem.make<Real>(comm);
  ASSERT_TRUE(passes->start_plane_passes(problem.setup, fields));
  // Stretches that are multiples of a pass, and others.
  for (const std::int64_t steps : {8, 1, 6, 40, 3, 200}) {
    problem.advance(*half_steps, steps);
    problem.advance(*passes, steps);
    EXPECT_EQ(half_steps->energy(), passes->energy());
    EXPECT_EQ(half_steps->fields_hash(), passes->fields_hash()) << half_steps->steps_done();
  }
  EXPECT_GT(passes->energy(), 0);
  EXPECT_EQ(half_steps->steps_done(), passes->steps_done());
  EXPECT_EQ(solver::flux(*half_steps, 0, comm), solver::flux(*passes, 0, comm));
  // Work is summed in another order.
  EXPECT_NEAR(half_steps->source_work() / passes->source_work(), 1, 1e-12);
}

class PlanePasses : public testing::TestWithParam<std::tuple<PlaneFields, bool>> {};
TEST_P(PlanePasses, AreHalfStepAfterHalfStep) {
  const auto [fields, layers] = GetParam();
  const GridProblem problem = plane_problem(fields, layers);
  compare<float>(problem, fields);
  compare<double>(problem, fields);
}
INSTANTIATE_TEST_SUITE_P(Fields, PlanePasses,
                         testing::Combine(testing::Values(PlaneFields::ez, PlaneFields::hz), testing::Bool()));

TEST(PlanePass, AUniformPlaneAndALine) {
  for (const int axes : {2, 1}) {
    GridProblem problem = plane_problem(PlaneFields::ez, axes == 1);
    problem.bodies.clear();
    problem.setup.axes = axes;
    problem.sources.erase(problem.sources.begin());
    if (axes == 1) {
      problem.setup.grid.spacing[1] = {0.01};
      problem.setup.grid.origin[1] = -0.005;
      problem.setup.sides[2] = problem.setup.sides[3] = physics::BoundaryKind::periodic;
      for (auto& source : problem.sources) source.position.y = 0;
      problem.fluxes[0].size = {1, 1e9, 1e9};
    }
    compare<float>(problem, PlaneFields::ez);
  }
}

// Problems that passes cannot compute take half steps.
TEST(PlanePass, OtherProblemsKeepHalfSteps) {
  const parallel::Communicator comm{MPI_COMM_SELF};
  EXPECT_FALSE(walls_problem().make<float>(comm)->start_plane_passes(walls_problem().setup, PlaneFields::ez));
  GridProblem periodic = plane_problem(PlaneFields::ez, true);
  periodic.setup.sides[2] = periodic.setup.sides[3] = physics::BoundaryKind::periodic;
  EXPECT_FALSE(periodic.make<float>(comm)->start_plane_passes(periodic.setup, PlaneFields::ez));
  GridProblem metal = plane_problem(PlaneFields::ez, true);
  metal.setup.materials[2].poles = {{physics::Pole::Type::debye, 3, 0, 0, 1e-10}};
  EXPECT_FALSE(metal.make<float>(comm)->start_plane_passes(metal.setup, PlaneFields::ez));
}

}  // namespace
}  // namespace dgtd::fdtd
