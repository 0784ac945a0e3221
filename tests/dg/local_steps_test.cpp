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

template <class Real>
DgSolver<Real> make_local_solver(const Problem& problem, int order, double dt, const TimeLevels& levels) {
  auto d = std::make_unique<Discretisation<Real>>(problem.mesh, problem.material, problem.boundary_kind, order,
                                                  problem.has_wave(), cpu_field_lanes, levels);
  auto executor = make_cpu_executor(*d, KernelFusion::fused, self());
  return DgSolver<Real>(std::move(d), std::move(executor), dt, problem.sources, problem.mesh.volume_names, self());
}

/// A time step whose bounds are below 0.985, s.
double stable_step(const Problem& problem, int order, const TimeLevels& levels) {
  Discretisation<double> d(problem.mesh, problem.material, problem.boundary_kind, order, false, cpu_field_lanes, levels);
  const auto executor = make_cpu_executor(d, KernelFusion::fused, self());
  LevelTimeStep<double> step(d, *executor, self());
  double dt = step.time_step(0.955);
  for (int i = 0; i < 200; ++i, dt *= 0.95) {
    const auto bounds = step.bounds(dt);
    if (bounds.largest() < 0.985) {
      std::string text;
      for (const double z : bounds.z) text += " " + std::to_string(z);
      std::printf("dt / global %g, z%s, %d iterations\n", dt / step.global_limit(), text.c_str(), bounds.iterations);
      return dt;
    }
  }
  ADD_FAILURE() << "no stable step";
  return 0;
}

TEST(LocalSteps, ConserveTheEnergyOfAClosedCavity) {
  for (const int order : {1, 2}) {
    const Problem problem = closed_vacuum({4, 4, 4});
    const auto levels = random_levels(problem.mesh, problem.boundary_kind, 3, 7);
    for (const auto n : levels.elements) std::printf("%ld ", long(n));
    const double dt = stable_step(problem, order, levels);
    auto solver = make_local_solver<double>(problem, order, dt, levels);
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
