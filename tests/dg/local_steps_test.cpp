// Local time steps against their definition, conservation, and bounds.
#include <gtest/gtest.h>

#include "comparison.hpp"
#include "dgtd/dg/level_time_step.hpp"
#include "problems.hpp"
#include "random_levels.hpp"

namespace dgtd::dg::test {
namespace {

const parallel::Communicator& self() {
  static const parallel::Communicator comm(MPI_COMM_SELF);
  return comm;
}

/// A time step whose bounds are below 0.985, s.
double stable_step(const Problem& problem, int order, const TimeLevels& levels) {
  Discretisation<double> d(problem.mesh, problem.material, problem.boundary_kind, order, false, cpu_field_lanes,
                           levels);
  const auto executor = make_cpu_executor(d, KernelFusion::fused, self());
  LevelTimeStep<double> step(d, *executor, self());
  double dt = step.time_step(0.955);
  for (int i = 0; i < 200; ++i, dt *= 0.95) {
    const auto bounds = step.bounds(dt);
    if (bounds.largest() < 0.985) return dt;
  }
  ADD_FAILURE() << "no stable step";
  return 0;
}

TEST(LocalSteps, ConserveTheEnergyOfAClosedCavity) {
  for (const int order : {1, 2}) {
    const Problem problem = closed_vacuum({4, 4, 4});
    const auto levels = random_levels(problem.mesh, problem.boundary_kind, 3, 7);
    const double dt = stable_step(problem, order, levels);
    auto solver = make_solver<double>(problem, order, dt, self(), KernelFusion::fused, levels);
    solver.randomise_fields();
    const double first = solver.energy();
    for (int i = 0; i < 20; ++i) {
      solver.advance(50);
      EXPECT_NEAR(solver.energy(), first, 1e-13 * first) << "P" << order << ", step " << 50 * (i + 1);
    }
  }
}

}  // namespace
}  // namespace dgtd::dg::test
