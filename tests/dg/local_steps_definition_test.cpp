// Steps, energies and bounds of local time steps against their definition on the nodal reference: no operator, order of
// elements or recursion in common.
#include <gtest/gtest.h>

#include "comparison.hpp"
#include "dense_local_steps.hpp"
#include "dgtd/dg/level_time_step.hpp"
#include "dgtd/dg/time_step.hpp"
#include "problems.hpp"
#include "random_levels.hpp"

namespace dgtd::dg::test {
namespace {

const parallel::Communicator& self() {
  static const parallel::Communicator comm(MPI_COMM_SELF);
  return comm;
}

/// All boundaries, three materials, one of them conductive, levels at random.
struct LocalProblem {
  Problem problem;
  TimeLevels levels;
  DenseOperator op;
  double global_limit;  // s, of steps that are the same for all elements

  LocalProblem(const Problem& p, int order, int finest, unsigned seed)
      : problem(p), levels(random_levels(p.mesh, p.boundary_kind, finest, seed)) {
    op = NodalReference(problem.mesh, problem.material, problem.boundary_kind, order, {}).dense_operator();
    Discretisation<double> d(problem.mesh, problem.material, problem.boundary_kind, order, false, cpu_field_lanes);
    global_limit = stability_limit(d, *make_cpu_executor(d, KernelFusion::fused, self()), self()).time_step;
  }
  DenseLocalSteps reference(double dt) const {
    return {op, std::vector<int>(levels.of_element.begin(), levels.of_element.end()), dt};
  }
};

template <class Real>
Discretisation<Real> discretise(const LocalProblem& p, int order) {
  return {p.problem.mesh, p.problem.material, p.problem.boundary_kind, order, false, cpu_field_lanes, p.levels};
}

template <class Real>
void expect_agreement(const LocalProblem& p, int order, double dt, int steps, double tolerance) {
  auto d = std::make_unique<Discretisation<Real>>(discretise<Real>(p, order));
  auto executor = make_cpu_executor(*d, KernelFusion::fused, self());
  DgSolver<Real> solver(std::move(d), std::move(executor), dt, {}, p.problem.mesh.volume_names, self());
  fill_at_random(solver);
  DenseLocalSteps reference = p.reference(dt);
  reference.electric = nodal_field(solver.discretisation(), solver.electric());
  reference.set_magnetic(nodal_field(solver.discretisation(), solver.magnetic()) / vacuum_impedance);
  const auto relative = [](const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
    return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
  };
  for (int i = 0; i < steps; ++i) {
    if (i % 2 == 1) {
      EXPECT_NEAR(solver.energy(), reference.energy(), tolerance * reference.energy()) << "step " << i;
    }
    solver.advance(1);
    reference.step();
  }
  EXPECT_LT(relative(nodal_field(solver.discretisation(), solver.electric()), reference.electric), tolerance);
  EXPECT_LT(relative(nodal_field(solver.discretisation(), solver.magnetic()), vacuum_impedance * reference.magnetic),
            tolerance);
}

/// All boundaries but for absorbing ones, which are at one end where the box is open.
LocalProblem make_problem(int order, bool open, int finest, unsigned seed) {
  Problem problem = mixed(order == 1 ? std::array{4, 1, 1} : std::array{3, 1, 1});
  problem.boundary_kind = {open ? absorbing : pec, pec, pmc, pec, pec, pmc};
  return {problem, order, finest, seed};
}

class LocalStepsDefinition : public testing::TestWithParam<std::tuple<int, bool>> {
 protected:
  int order() const { return std::get<0>(GetParam()); }
  bool open() const { return std::get<1>(GetParam()); }
};

TEST_P(LocalStepsDefinition, StepsAndEnergiesAreThoseOfTheDefinition) {
  const LocalProblem p = make_problem(order(), open(), 3, 11);
  EXPECT_GT(std::count(p.levels.of_element.begin(), p.levels.of_element.end(), open() ? 2 : 3), 0);
  const double dt = 0.9 * p.global_limit;
  expect_agreement<double>(p, order(), dt, 8, 1e-11);
  expect_agreement<float>(p, order(), dt, 4, 2e-5);
}

INSTANTIATE_TEST_SUITE_P(OrderAndAbsorbing, LocalStepsDefinition,
                         testing::Combine(testing::Values(1, 2), testing::Bool()));

// Every z_l, without and with the damping of absorbing faces. Lanczos values have a residual of 0.2 %.
TEST(LocalStepBounds, AreThoseOfTheDefinition) {
  for (const bool open : {false, true}) {
    const LocalProblem p = make_problem(1, open, 2, 5);
    auto d = discretise<double>(p, 1);
    const auto executor = make_cpu_executor(d, KernelFusion::fused, self());
    LevelTimeStep<double> step(d, *executor, self());
    for (const double share : {0.6, 0.95}) {
      const double dt = share * p.global_limit;
      const auto reference = p.reference(dt);
      const auto bounds = step.bounds(dt);
      ASSERT_EQ(bounds.z.size(), 3u);
      for (int l = 0; l <= 2; ++l)
        EXPECT_NEAR(bounds.z[l], reference.bound(l), 0.01 * reference.bound(l))
            << "level " << l << ", share " << share << (open ? ", open" : "");
    }
  }
}

}  // namespace
}  // namespace dgtd::dg::test
