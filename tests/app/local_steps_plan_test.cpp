// A step of local time steps that would be unstable does not run: it is shortened before.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dg/tiny_mesh.hpp"
#include "app/problems/dg_problem.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/dg/dg_solver.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/level_time_step.hpp"

namespace {

using namespace dgtd;

const parallel::Communicator& self() {
  static const parallel::Communicator comm(MPI_COMM_SELF);
  return comm;
}

const std::vector<double> permittivities{1, 3.2, 10.24};

/// Elements that are irregular, so that their own limits are no good estimate of what a level permits, in three media.
mesh::Subdomain layered_mesh(unsigned seed) {
  auto mesh = dg::test::tiny_mesh({4, 2, 2}, 3, seed);
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    const double x = dg::ElementGeometry(mesh, e).centre().x / dg::test::tiny_mesh_spacing;
    mesh.element_group[e] = (x > 1) + (x > 2);
  }
  mesh.volume_names = {"a", "b", "c"};
  return mesh;
}

config::Case closed_case() {
  config::Case c;
  c.solver.order = 1;
  c.solver.precision = config::Precision::double_precision;
  c.time.steps = 2000;
  c.time.local_steps = config::LocalSteps::on;
  c.time.levels = 4;
  for (const double eps : permittivities) {
    c.materials.emplace_back();
    c.materials.back().name = std::string(1, static_cast<char>('a' + c.materials.size() - 1));
    c.materials.back().permittivity = eps;
  }
  c.boundaries.emplace_back();
  c.boundaries.back().name = "*";
  return c;
}

/// Largest energy over many steps from random fields, over that of the start.
double largest_growth(solver::ElementSolver& solver) {
  solver.randomise_fields();
  const double first = std::abs(solver.energy());
  double largest = 0;
  for (int i = 0; i < 20; ++i) {
    solver.advance(100);
    const double energy = std::abs(solver.energy());
    largest = std::max(largest, std::isfinite(energy) ? energy / first : HUGE_VAL);
  }
  return largest;
}

class UnstableStep : public testing::TestWithParam<unsigned> {};

// The step of the finest level's elements is too long for the others, by 1 to 18 % of the squared step, or for the
// filter of a level between.
TEST_P(UnstableStep, IsShortened) {
  const auto mesh = layered_mesh(GetParam());
  std::vector<physics::Medium> materials;
  for (const double eps : permittivities) materials.push_back({eps, 1, 0});
  const std::vector<physics::BoundaryKind> metallic(mesh.surface_names.size(), physics::BoundaryKind::pec);
  const auto levels =
      dg::assign_time_levels(mesh, dg::local_step_limits(mesh, materials, 1, self()),
                             std::vector<std::uint8_t>(mesh.elements()), closed_case().time.levels, self());
  auto d =
      std::make_unique<dg::Discretisation<double>>(mesh, materials, metallic, 1, false, dg::cpu_field_lanes, levels);
  auto executor = dg::make_cpu_executor(*d, solver::KernelFusion::fused, self());
  dg::LevelTimeStep<double> step(*d, *executor, self());
  const double first = std::min(step.time_step(0.955), 1.1 * levels.coarse_limit);
  const double refused = step.bounds(first).largest();
  ASSERT_GT(refused, 1);

  Timers timers;
  const auto made = app::make_dg_problem(closed_case(), mesh, {}, self(), {}, timers);
  ASSERT_EQ(made.levels.elements, levels.elements);
  EXPECT_LT(made.plan.time_step, first);
  EXPECT_LE(made.levels.largest_bound, 0.985);
  EXPECT_EQ(made.levels.largest_bound, step.bounds(made.plan.time_step).largest());
  const double mended = largest_growth(*made.solver);
  EXPECT_LT(mended, 1 + 1e-11);

  dg::DgSolver<double> unstable(std::move(d), std::move(executor), first, {}, mesh.volume_names, self());
  const double growth = largest_growth(unstable);
  EXPECT_GT(growth, 1e3);
  fmt::print("bound {:.4f} of the first step, {:.4f} of {:.3f} of it; energy after 2000 steps: {:.3g} and {:.15g}\n",
             refused, made.levels.largest_bound, made.plan.time_step / first, growth, mended);
}

/// Waves are up to eight times slower, so that there are four levels.
config::Case dense_case() {
  config::Case c = closed_case();
  c.materials[1].permittivity = 8;
  c.materials[2].permittivity = 64;
  return c;
}

// The filter of a level takes |eps| for eps_inf: dt <= 0.25 / max sqrt(|eps| / eps_inf) w, here 0.25 / omega_p.
TEST(StepOfPoles, IsShortenedWhereTheyAreOnFinerLevels) {
  const auto mesh = layered_mesh(3);
  const auto step_with = [&](std::size_t material, double plasma) {
    config::Case c = dense_case();
    c.dft.frequencies = {1e6};
    if (plasma > 0) c.materials[material].poles = {{physics::Pole::Type::drude, plasma, 0, 1e4, 0}};
    Timers timers;
    const auto made = app::make_dg_problem(c, mesh, {}, self(), {}, timers);
    EXPECT_GT(made.levels.elements.size(), 1u);
    return made.plan.time_step;
  };
  const double free = step_with(0, 0), longest = 0.8 * free;
  const auto levels = app::local_step_levels(dense_case(), mesh, self());
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    if (mesh.element_group[e] == 0) { ASSERT_GT(levels.of_element[e], 0); }
  const double shortened = step_with(0, 0.25 / longest);
  EXPECT_LE(shortened, longest * (1 + 1e-6));
  EXPECT_GT(shortened, 0.5 * longest);            // of other levels
  EXPECT_EQ(step_with(0, 0.01 / longest), free);  // resolved: not shorter
}

/// The levels of a problem whose bounds are accepted for at most so many levels, and what the user was told.
struct Fallback {
  explicit Fallback(std::size_t most_levels, int wanted = 4) {
    config::Case c = dense_case();
    c.time.levels = wanted;
    app::DgOptions options;
    options.is_stable = [&](const dg::LevelBounds& bounds) {
      ++asked;
      return bounds.z.size() <= most_levels && bounds.largest() <= 0.985;
    };
    log::forget_warnings();
    Timers timers;
    problem = app::make_dg_problem(c, mesh, {}, self(), options, timers);
    for (const auto& text : log::warnings()) warnings.push_back(text);
  }
  mesh::Subdomain mesh = layered_mesh(1);
  app::DgProblem problem;
  std::vector<std::string> warnings;
  int asked = 0;
};

// A set of levels of which no step is certainly stable is given up for one with a level less.
TEST(FewerLevels, AreTakenWhereNoStepIsStable) {
  const Fallback all(4), three(3), two(2);
  ASSERT_EQ(all.problem.levels.elements.size(), 4u);
  EXPECT_TRUE(all.warnings.empty());

  ASSERT_EQ(three.problem.levels.elements.size(), 3u);
  EXPECT_EQ(three.warnings,
            (std::vector<std::string>{
                "local time steps: no stable time step was found with 4 levels; the run has 3 levels"}));
  EXPECT_GT(three.asked, 12);  // all lengths of the step were tried
  // It is the problem of a case that has no more than three levels.
  const Fallback asked_for(4, 3);
  EXPECT_EQ(three.problem.levels.elements, asked_for.problem.levels.elements);
  EXPECT_EQ(three.problem.plan.time_step, asked_for.problem.plan.time_step);
  EXPECT_EQ(three.problem.levels.largest_bound, asked_for.problem.levels.largest_bound);
  three.problem.solver->randomise_fields(), asked_for.problem.solver->randomise_fields();
  three.problem.solver->advance(50), asked_for.problem.solver->advance(50);
  EXPECT_EQ(three.problem.solver->fields_hash(), asked_for.problem.solver->fields_hash());

  EXPECT_EQ(two.problem.levels.elements.size(), 2u);
  EXPECT_EQ(two.warnings.size(), 2u);
  for (const Fallback* f : {&three, &two}) EXPECT_LT(largest_growth(*f->problem.solver), 1 + 1e-11);
}

TEST(FewerLevels, AreGlobalStepsInTheEnd) {
  const Fallback none(0);
  EXPECT_TRUE(none.problem.levels.elements.empty());
  EXPECT_EQ(none.problem.levels.gain, 1);
  ASSERT_EQ(none.warnings.size(), 3u);
  EXPECT_EQ(none.warnings.back(),
            "local time steps: no stable time step was found with 2 levels; the run has global steps");
  config::Case c = dense_case();
  c.time.local_steps = config::LocalSteps::off;
  Timers timers;
  const auto global = app::make_dg_problem(c, none.mesh, {}, self(), {}, timers);
  EXPECT_EQ(none.problem.plan.time_step, global.plan.time_step);
  EXPECT_LT(largest_growth(*none.problem.solver), 1 + 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Mesh, UnstableStep, testing::Values(2u, 5u, 6u, 16u));

}  // namespace
