// Order in time of local time steps on the standing wave (1, 1, 0) of the metallic unit cube, with levels at random and
// with levels of the elements' sizes. Mesh and step are refined together: on a mesh that stays, errors that an
// interface of levels makes of first order are hidden behind their second order in the step.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "dg/random_levels.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/kernel_table.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/physics/cavity_mode.hpp"
#include "study.hpp"

namespace dgtd::verification {
namespace {

using Solver = dg::DgSolver<double>;

constexpr int order = 3;
const physics::CavityMode cavity;

// Five eighths of a period, where E and H are equally large.
double end_time() { return 0.625 * 2 * pi / cavity.angular_frequency(); }

/// A mesh with levels.
struct Levelled {
  Problem problem;
  dg::TimeLevels levels;
};

/// An element's centre in quarters of a cell, less shift cells, modulo a number of cells.
std::array<long, 3> place(const mesh::Subdomain& mesh, std::size_t e, double cells, long shift, long modulus) {
  const Vec3 c = 4 * cells * dg::ElementGeometry(mesh, e).centre();
  const auto of = [&](double x) { return (std::lround(x) + 4 * (modulus - shift)) % (4 * modulus); };
  return {of(c.x), of(c.y), of(c.z)};
}

// The levels that were drawn for 4 x 4 x 4 cells are repeated in all directions, beyond the walls too, before levels
// beside each other are made to differ by at most one. So all meshes have the same levels but for their size. cells: 4
// n.
Levelled at_random(std::int64_t cells) {
  constexpr long period = 4;
  const auto box = [](std::int64_t n) { return mesh::make_box({n, n, n}, {1, 1, 1}, alone()); };
  const auto tile = box(period), larger = box(cells + 2 * period);
  const auto drawn =
      dg::test::random_levels(tile, std::vector<physics::BoundaryKind>(6, physics::BoundaryKind::pec), 3, 3);
  std::map<std::array<long, 3>, std::uint8_t> of_tile, of_larger;
  for (std::size_t e = 0; e < tile.elements(); ++e) of_tile[place(tile, e, period, 0, period)] = drawn.of_element[e];
  const double all = double(cells + 2 * period);
  std::vector<std::uint8_t> level;
  for (std::size_t e = 0; e < larger.elements(); ++e) level.push_back(of_tile.at(place(larger, e, all, 0, period)));
  dg::test::raise_neighbours(level, larger);
  for (std::size_t e = 0; e < larger.elements(); ++e)
    of_larger[place(larger, e, all, period, cells + 2 * period)] = level[e];
  Levelled l{metallic_cube(cells), {}};
  l.levels.finest = drawn.finest;
  for (std::size_t e = 0; e < l.problem.mesh.elements(); ++e)
    l.levels.of_element.push_back(of_larger.at(place(l.problem.mesh, e, double(cells), 0, cells + 2 * period)));
  dg::test::complete(l.levels, l.problem.mesh);
  return l;
}

// Cells at x = 0 are a tenth of their height, the next ones half and those beyond the middle 1.7 of it. cells: 4 n, so
// that all meshes are of one shape.
Levelled graded(std::int64_t cells) {
  Problem problem = metallic_cube(cells);
  for (Vec3& v : problem.mesh.vertices)
    v.x = 0.1 * std::min(v.x, 0.25) + 0.5 * std::clamp(v.x - 0.25, 0.0, 0.25) + 1.7 * std::max(v.x - 0.5, 0.0);
  const auto limits = dg::local_step_limits(problem.mesh, problem.material, order, alone());
  auto levels =
      dg::assign_time_levels(problem.mesh, limits, std::vector<std::uint8_t>(problem.mesh.elements()), 4, alone());
  return {std::move(problem), std::move(levels)};
}

using Pair = std::array<double, 2>;  // of E and of H

/// Fields at the end.
struct Solution {
  std::unique_ptr<Solver> solver;
  Pair errors;                 // relative, in L2, to the exact solution at the fields' own times
  dg::Field<double> electric;  // V/m
  dg::Field<double> magnetic;  // Z0 H, V/m, mean of the times half a step before and after
};

Pair relative_errors(const Solver& solver) {
  const double t = end_time();
  const auto e = solver.squared_errors([&](const Vec3& x) { return cavity.electric(x, t); },
                                       [&](const Vec3& x) { return cavity.magnetic(x, t - 0.5 * solver.time_step()); });
  return {std::sqrt(e[0] / e[1]), std::sqrt(e[2] / e[3])};
}

Solution run(std::unique_ptr<Solver> solver, std::int64_t steps) {
  solver->advance(steps);
  auto& memory = solver->executor().memory();
  const std::size_t reals = solver->electric().size();
  Solution s{nullptr, relative_errors(*solver), {reals, memory}, {reals, memory}};
  std::copy_n(solver->electric().host(), reals, s.electric.host_for_writing());
  double* const mean = s.magnetic.host_for_writing();
  std::copy_n(solver->magnetic().host(), reals, mean);
  solver->advance(1);
  const double* const after = solver->magnetic().host();
  for (std::size_t i = 0; i < reals; ++i) mean[i] = 0.5 * (mean[i] + after[i]);
  s.solver = std::move(solver);
  return s;
}

Solution run_cavity(const Problem& problem, const dg::TimeLevels& levels, std::int64_t steps) {
  const double dt = end_time() / static_cast<double>(steps);
  auto solver = make_solver<double>(problem, order, dt, levels);
  solver->set_fields([](const Vec3& x) { return cavity.electric(x, 0); },
                     [&](const Vec3& x) { return cavity.magnetic(x, -0.5 * dt); });
  return run(std::move(solver), steps);
}

double total(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Differences of two solutions on one mesh: the L2 norm over that of the field, and the largest mean over an element
/// over the largest of the field.
struct Difference {
  double whole, largest;
};

Difference difference_of(const Solution& a, const Solution& b, dg::Field<double> Solution::*field) {
  const auto of_field = squares(*a.solver, a.*field);
  const auto of_difference = squares(*a.solver, difference(*a.solver, a.*field, *b.solver, b.*field));
  Difference result{std::sqrt(total(of_difference) / total(of_field)), 0};
  double largest = 0;
  for (std::size_t e = 0; e < of_field.size(); ++e) {
    const double volume = dg::ElementGeometry(a.solver->discretisation().mesh, e).volume();
    result.largest = std::max(result.largest, of_difference[e] / volume);
    largest = std::max(largest, of_field[e] / volume);
  }
  result.largest = std::sqrt(result.largest / largest);
  return result;
}

std::string shown(const dg::TimeLevels& levels) {
  std::string text;
  for (const auto n : levels.elements) text += fmt::format("{}{}", text.empty() ? "" : "+", n);
  return text;
}

/// Errors of local steps and of others, and the differences between these.
struct Errors {
  Pair exact, of_other, whole, largest;
  Pair slope(Pair Errors::*which, const Errors& finer, double ratio) const {
    Pair s;
    for (int f = 0; f < 2; ++f) s[f] = std::log((this->*which)[f] / (finer.*which)[f]) / std::log(ratio);
    return s;
  }
};

Errors compare(const Solution& local, const Solution& other) {
  const auto e = difference_of(local, other, &Solution::electric), h = difference_of(local, other, &Solution::magnetic);
  return {local.errors, other.errors, {e.whole, h.whole}, {e.largest, h.largest}};
}

void show(const Errors& e) {
  fmt::print("  {:.2e} {:.2e}  {:.2e} {:.2e}  {:.2e} {:.2e}  {:.2e} {:.2e}\n", e.exact[0], e.exact[1], e.of_other[0],
             e.of_other[1], e.whole[0], e.whole[1], e.largest[0], e.largest[1]);
  std::fflush(stdout);
}

void expect_second_order(const Errors& coarse, const Errors& fine, double ratio) {
  fmt::print("orders:");
  for (const auto which : {&Errors::exact, &Errors::whole, &Errors::largest}) {
    const Pair s = coarse.slope(which, fine, ratio);
    fmt::print("  {:.2f} {:.2f}", s[0], s[1]);
    // The largest difference is that of a few elements, which are not the same ones on the next mesh.
    EXPECT_GE(std::min(s[0], s[1]), which == &Errors::largest ? 1.5 : 1.9);
  }
  fmt::print("\n");
  std::fflush(stdout);
}

constexpr const char* head =
    "cells  elements on levels     steps  local: error E, H  global: E, H       difference E, H    in an element";

class LocalStepsOrder : public testing::TestWithParam<bool> {};

// Against the exact solution, and against global steps: of the same dt where all elements are of one size, else of a
// fixed part of it.
TEST_P(LocalStepsOrder, IsTwoWhereMeshAndStepAreRefinedTogether) {
  if (order > dg::highest_order()) GTEST_SKIP() << "built for orders up to " << dg::highest_order();
  const bool by_size = GetParam();
  const std::vector<std::int64_t> all_cells =
      full_study() ? std::vector<std::int64_t>{4, 8, 12, 16} : std::vector<std::int64_t>{4, 8};
  fmt::print("{}\n", head);
  std::int64_t steps_per_cell = 0;
  Errors last;
  for (std::size_t i = 0; i < all_cells.size(); ++i) {
    const std::int64_t cells = all_cells[i];
    const Levelled l = by_size ? graded(cells) : at_random(cells);
    ASSERT_GE(l.levels.finest, 2);
    if (i == 0)
      steps_per_cell = std::llround(
          std::ceil(end_time() / (0.85 * static_cast<double>(cells) * largest_time_step(l.problem, order, l.levels))));
    const std::int64_t steps = steps_per_cell * cells;
    ASSERT_TRUE(is_stable_step(l.problem, order, l.levels, end_time() / static_cast<double>(steps)));
    const auto local = run_cavity(l.problem, l.levels, steps);
    const auto global = run_cavity(l.problem, {}, by_size ? steps << l.levels.finest : steps);
    const Errors now = compare(local, global);
    fmt::print("{:5}  {:>22} {:5}", cells, shown(l.levels), steps);
    show(now);
    if (i > 0) expect_second_order(last, now, double(cells) / double(all_cells[i - 1]));
    last = now;
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, LocalStepsOrder, testing::Bool(),
                         [](const auto& info) { return info.param ? "OfTheElementsSizes" : "AtRandom"; });

// H half a step before E as the scheme itself has it where H is zero at the start (cavity_convergence_test.cpp).
Solution run_from_discrete_start(const Levelled& l, const dg::TimeLevels& levels, std::int64_t steps) {
  const double dt = end_time() / static_cast<double>(steps);
  const auto zero = [](const Vec3&) { return Vec3{}; };
  auto start = make_solver<double>(l.problem, order, dt, levels),
       solver = make_solver<double>(l.problem, order, dt, levels);
  for (auto* s : {start.get(), solver.get()}) s->set_fields([](const Vec3& x) { return cavity.electric(x, 0); }, zero);
  start->advance(1);
  const double* const first_step = start->magnetic().host();
  double* const magnetic = solver->magnetic().host_for_writing();
  for (std::size_t k = 0; k < solver->magnetic().size(); ++k) magnetic[k] = -0.5 * first_step[k];
  return run(std::move(solver), steps);
}

// One mesh, against global steps of 1/64 of the longest dt.
TEST(LocalStepsOrder, IsTwoOnAMeshThatStays) {
  if (order > dg::highest_order()) GTEST_SKIP() << "built for orders up to " << dg::highest_order();
  const Levelled l = graded(4);
  ASSERT_GE(l.levels.finest, 2);
  const auto least =
      static_cast<std::int64_t>(std::ceil(end_time() / (0.9 * largest_time_step(l.problem, order, l.levels))));
  const auto reference = run_from_discrete_start(l, {}, 64 * least);
  fmt::print("{}\n", head);
  Errors last;
  for (const std::int64_t steps : {least, 2 * least, 4 * least}) {
    ASSERT_TRUE(is_stable_step(l.problem, order, l.levels, end_time() / static_cast<double>(steps)));
    const Errors now = compare(run_from_discrete_start(l, l.levels, steps), reference);
    fmt::print("{:5}  {:>22} {:5}", 4, shown(l.levels), steps);
    show(now);
    if (steps > least) {
      const Pair s = last.slope(&Errors::whole, now, 2), most = last.slope(&Errors::largest, now, 2);
      fmt::print("orders: {:.2f} {:.2f}  {:.2f} {:.2f}\n", s[0], s[1], most[0], most[1]);
      if (steps == 4 * least) {
        EXPECT_GE(std::min(s[0], s[1]), 1.9);
        EXPECT_GE(std::min(most[0], most[1]), 1.5);
      }
    }
    last = now;
  }
}

}  // namespace
}  // namespace dgtd::verification
