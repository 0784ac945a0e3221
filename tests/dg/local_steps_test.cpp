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

// Far from the finer elements the first step is that of global steps, in layers, too: each element is updated once.
TEST(LocalSteps, AreGlobalStepsFarFromFinerElements) {
  for (const std::string kind : {"no layers", "passive layers", "convolutional layers"}) {
    Problem problem = closed_vacuum({5, 2, 2});
    TimeLevels levels;
    levels.finest = 1;
    levels.of_element.assign(problem.mesh.elements(), 0);
    levels.of_element[0] = 1;
    complete(levels, problem.mesh);
    const auto in_layer = [&](std::size_t e) { return levels.reach[e] == 0 && problem.mesh.element_id[e] % 2 == 0; };
    if (kind == "passive layers") add_layers(problem, in_layer);
    if (kind == "convolutional layers") add_cpml(problem, in_layer);
    const double dt = brisk_time_step(2);
    auto local = make_solver<double>(problem, 2, dt, self(), KernelFusion::fused, levels);
    auto global = make_solver<double>(problem, 2, dt, self());
    for (auto* solver : {&local, &global}) {
      fill_at_random(*solver);
      solver->advance(1);
    }
    int compared = 0;
    for (std::size_t e = 0; e < problem.mesh.elements(); ++e) {
      bool far = levels.reach[e] == 0;
      for (const auto& link : problem.mesh.element_faces[e])
        far = far && (link.kind == mesh::FaceLink::Kind::boundary || levels.reach[link.index] == 0);
      if (!far) continue;
      ++compared;
      for (const bool electric : {true, false}) {
        const auto of = [&](const DgSolver<double>& solver) {
          return coefficients_of(solver.discretisation(), electric ? solver.electric() : solver.magnetic(), e);
        };
        const auto a = of(local), b = of(global);
        for (std::size_t i = 0; i < a.size(); ++i)
          ASSERT_NEAR(a[i], b[i], 1e-13 * std::max(1.0, std::abs(b[i]))) << kind << ", element " << e;
      }
    }
    EXPECT_GT(compared, 90) << kind;
  }
}

}  // namespace
}  // namespace dgtd::dg::test
