// Steps, energies and bounds of local time steps against their definition on the nodal reference: no operator, order of
// elements or recursion in common.
#include <gtest/gtest.h>

#include <cstdlib>

#include "comparison.hpp"
#include "dense_local_steps.hpp"
#include "dgtd/base/error.hpp"
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

TEST(LocalStepBounds, RefuseLayersOnAFinerLevel) {
  for (const bool convolutional : {false, true}) {
    LocalProblem p(closed_vacuum({2, 1, 1}), 1, 1, 5);
    std::fill(p.levels.of_element.begin(), p.levels.of_element.end(), 1);
    complete(p.levels, p.problem.mesh);
    const auto in_layer = [](std::size_t e) { return e == 3; };
    if (convolutional) add_cpml(p.problem, in_layer);
    else add_layers(p.problem, in_layer);
    try {
      make_solver<double>(p.problem, 1, 1e-12, self(), KernelFusion::fused, p.levels);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::unstable);
      EXPECT_EQ(std::string(error.what()),
                "local time steps: element 3 of an absorbing layer is within reach of level 1; such elements and their "
                "face neighbours are allowed on level 0 only");
    }
  }
}

// All elements on level 1, dt 1.8 times the global limit: with two half steps of dt / 2 a closed box is stable, but
// damping acts once per dt, so that an open one is not. The program has no such half steps.
TEST(LocalStepBounds, RefuseAbsorbingElementsOnAFinerLevel) {
  for (const bool open : {false, true}) {
    Problem box = mixed({2, 1, 1});
    box.boundary_kind = {open ? absorbing : pec, pec, pmc, pec, pec, pmc};
    LocalProblem p(box, 1, 1, 5);
    std::fill(p.levels.of_element.begin(), p.levels.of_element.end(), 1);
    complete(p.levels, p.problem.mesh);
    const double dt = 1.8 * p.global_limit;
    const auto reference = p.reference(dt);
    const double radius = reference.spectral_radius();
    std::printf("%s: z_1 %.3f, z_0 %.3f, spectral radius %.6f\n", open ? "absorbing" : "closed", reference.bound(1),
                reference.bound(0), radius);
    EXPECT_LT(reference.bound(1), 0.985);
    if (open) {
      EXPECT_GT(reference.bound(0), 1);
      EXPECT_GT(radius, 1.01);
      try {
        discretise<double>(p, 1);
        FAIL();
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::unstable);
        EXPECT_NE(std::string(error.what())
                      .find("has an absorbing face and is within reach of level 1; such elements "
                            "and their face neighbours are allowed on level 0 only"),
                  std::string::npos)
            << error.what();
      }
    } else {
      EXPECT_LE(radius, 1 + 1e-9);
      auto d = discretise<double>(p, 1);
      const auto executor = make_cpu_executor(d, KernelFusion::fused, self());
      EXPECT_LT(LevelTimeStep<double>(d, *executor, self()).bounds(dt).largest(), 0.985);
    }
  }
}

// Nor on level 0 beside level 1: its blocks are then in the half steps of that level, which have no damping.
TEST(LocalStepBounds, RefuseAbsorbingElementsBesideAFinerLevel) {
  LocalProblem p = make_problem(1, true, 1, 5);
  const auto flags = absorbing_elements(p.problem.mesh, p.problem.boundary_kind);
  std::fill(p.levels.of_element.begin(), p.levels.of_element.end(), 0);
  complete(p.levels, p.problem.mesh);
  EXPECT_NO_THROW(discretise<double>(p, 1));
  for (std::size_t e = 0; e < flags.size(); ++e)
    for (const auto& link : p.problem.mesh.element_faces[e])
      if (flags[e] && link.kind == mesh::FaceLink::Kind::element && !flags[link.index])
        p.levels.of_element[link.index] = 1;
  complete(p.levels, p.problem.mesh);
  EXPECT_THROW(discretise<double>(p, 1), Error);
}

/// Sides, materials and lengths of a few elements at random. The lengths of the cubes differ by up to 2^5 along x.
Problem random_problem(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(0, 1);
  Problem problem{
      tiny_mesh({3, 1, 1}, 3, seed), std::vector<physics::Medium>(3), std::vector<physics::BoundaryKind>(6), {}};
  for (auto& m : problem.material)
    m = {1 + 3 * number(random), 1 + number(random), number(random) < 0.5 ? 0 : 0.2 * number(random)};
  for (auto& kind : problem.boundary_kind) kind = number(random) < 0.6 ? pec : pmc;
  if (seed % 4 < 2) problem.boundary_kind[0] = absorbing;  // at the longest cube
  const double second = std::exp2(-2 * number(random));
  const std::array lengths{1.0, second, second * std::exp2(-3 * number(random))};
  for (auto& v : problem.mesh.vertices) {
    double x = 0, rest = v.x / tiny_mesh_spacing;
    for (const double length : lengths) {
      const double inside = std::clamp(rest, 0.0, 1.0);
      x += length * inside;
      rest -= inside;
    }
    v.x = (x + lengths[2] * std::max(rest, 0.0)) * tiny_mesh_spacing;
  }
  return problem;
}

/// The longest step below the first one whose bounds, as the program computes them, are at most 0.985, s.
double certified_step(const LocalProblem& p) {
  auto d = discretise<double>(p, 1);
  const auto executor = make_cpu_executor(d, KernelFusion::fused, self());
  LevelTimeStep<double> step(d, *executor, self());
  double dt = step.time_step(0.955);
  while (step.bounds(dt).largest() > 0.985) dt *= 0.95;
  return dt;
}

// The whole step has no eigenvalue beyond the unit circle, with conduction and absorbing faces, with levels of the
// elements' sizes and with levels at random. DGTD_FULL=1: of 100 problems.
TEST(LocalStepBounds, StepsThatTheyAllowAreStable) {
  const unsigned problems = std::getenv("DGTD_FULL") == nullptr ? 6 : 100;
  int absorbing_problems = 0, with_levels = 0;
  double longest = 0;
  for (unsigned seed = 0; seed < problems; ++seed) {
    LocalProblem p(random_problem(seed), 1, 1 + static_cast<int>(seed / 2 % 4), seed);
    if (seed % 2 == 0) {
      const auto& q = p.problem;
      p.levels = assign_time_levels(q.mesh, local_step_limits(q.mesh, q.material, 1, self()),
                                    absorbing_elements(q.mesh, q.boundary_kind), 5, self());
    }
    p.levels.finest = p.levels.finest == 0 ? 0 : *std::max_element(p.levels.reach.begin(), p.levels.reach.end());
    if (p.levels.finest == 0) continue;
    ++with_levels;
    absorbing_problems += !p.op.electric_damping.isZero(0);
    const double dt = certified_step(p);
    longest = std::max(longest, dt / p.global_limit);
    EXPECT_LE(p.reference(dt).spectral_radius(), 1 + 1e-9)
        << "problem " << seed << ", " << p.levels.finest + 1 << " levels, dt / global " << dt / p.global_limit;
  }
  std::printf("%d problems with levels, %d with absorbing faces, longest step %.2f of the global limit\n", with_levels,
              absorbing_problems, longest);
  EXPECT_GT(absorbing_problems, 0);
  EXPECT_GT(longest, 1.5);
}

}  // namespace
}  // namespace dgtd::dg::test
