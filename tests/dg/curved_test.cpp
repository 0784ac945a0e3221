// Curved elements with their metric at each point, against straight ones, integrals and conservation.
#include <gtest/gtest.h>

#include "bent_mesh.hpp"
#include "comparison.hpp"
#include "dgtd/dg/curved_tables.hpp"
#include "dgtd/dg/level_time_step.hpp"
#include "dgtd/dg/time_step.hpp"
#include "problems.hpp"
#include "random_levels.hpp"
#include "support/built_orders.hpp"

namespace dgtd::dg::test {
namespace {

const parallel::Communicator& curved_self() {
  static const parallel::Communicator comm(MPI_COMM_SELF);
  return comm;
}

// Exact to degree 2 p: the integral of l1^a l2^b l3^c is a! b! c! / (a + b + c + 3)!.
TEST(CurvedRule, IntegratesPolynomials) {
  for (int p = 1; p <= highest_curved_order; ++p) {
    const Quadrature rule = curved_rule(p);
    ASSERT_EQ(static_cast<int>(rule.points.size()), curved_points(p));
    for (const double w : rule.weights) EXPECT_GT(w, 0);
    for (int a = 0; a <= 2 * p; ++a)
      for (int b = 0; a + b <= 2 * p; ++b)
        for (int c = 0; a + b + c <= 2 * p; ++c) {
          double sum = 0;
          for (std::size_t q = 0; q < rule.points.size(); ++q)
            sum += rule.weights[q] * std::pow(rule.points[q][1], a) * std::pow(rule.points[q][2], b) *
                   std::pow(rule.points[q][3], c);
          const double exact =
              std::tgamma(a + 1.0) * std::tgamma(b + 1.0) * std::tgamma(c + 1.0) / std::tgamma(a + b + c + 4.0);
          EXPECT_NEAR(sum, exact, 1e-14 * exact) << "P" << p;
        }
  }
}

// Elements in the list of curved ones whose edges are straight have the fields of straight ones: of all media and
// boundaries, on levels and beside straight elements.
void expect_straight(const Problem& straight, int order, std::int64_t every, const TimeLevels& levels, int steps) {
  Problem listed = straight;
  bend(listed, 0, every);
  auto solver = [&](const Problem& problem) {
    auto s = make_solver<double>(problem, order, brisk_time_step(order), curved_self(), KernelFusion::fused, levels);
    if (levels.finest > 0) s.randomise_fields();
    else fill_at_random(s);
    s.advance(steps);
    return s;
  };
  auto a = solver(straight), b = solver(listed);
  EXPECT_GT(b.discretisation().curved_blocks, 0);
  double largest = 0, difference = 0;
  for (std::size_t e = 0; e < straight.mesh.elements(); ++e)
    for (const bool electric : {true, false}) {
      const auto of = [&](const DgSolver<double>& s) {
        return coefficients_of(s.discretisation(), electric ? s.electric() : s.magnetic(), e);
      };
      const auto u = of(a), v = of(b);
      for (std::size_t i = 0; i < u.size(); ++i) {
        largest = std::max(largest, std::abs(u[i]));
        difference = std::max(difference, std::abs(u[i] - v[i]));
      }
    }
  EXPECT_LT(difference, 2e-14 * steps * largest) << "P" << order;
  EXPECT_NEAR(a.energy(), b.energy(), 2e-14 * steps * a.energy()) << "P" << order;
}

TEST(CurvedElements, WithoutBendsAreStraight) {
  for (const int order : built_orders({1, 2, 3, 4})) {
    Problem problem = mixed({2, 2, 2});
    for (const std::int64_t every : {1, 3}) expect_straight(problem, order, every, {}, 3);
    problem.material[1].poles = {{physics::Pole::Type::lorentz, 4e9, 3e9, 1e8, 0},
                                 {physics::Pole::Type::debye, 2, 0, 0, 1e-10}};
    problem.sources = {dipole_source()};
    expect_straight(problem, order, 1, {}, 3);
    expect_straight(problem, order, 2, {}, 3);
    Problem closed = closed_vacuum({3, 3, 3});
    closed.material = {{2.5, 1.2, 0.05}};
    expect_straight(closed, order, 2, random_levels(closed.mesh, closed.boundary_kind, 2, 7), 2);
  }
}

// The power iteration and the energy have the mass of which the update is the inverse: with random edges, at 0.95 of
// the longest step, the energy stays.
TEST(CurvedElements, ConserveTheEnergyOfAClosedCavity) {
  for (const int order : built_orders({1, 2, 3, 4})) {
    Problem problem = closed_vacuum({2, 2, 2});
    bend(problem, 0.06);
    Discretisation<double> d(problem.mesh, problem.material, problem.boundary_kind, order, false, cpu_field_lanes, {},
                             {}, {}, problem.curved);
    EXPECT_EQ(d.uneven_elements, 0);
    const auto executor = make_cpu_executor(d, KernelFusion::fused, curved_self());
    const double dt = 0.95 * stability_limit(d, *executor, curved_self()).time_step;
    for (const KernelFusion fusion : {KernelFusion::fused, KernelFusion::split}) {
      auto solver = make_solver<double>(problem, order, dt, curved_self(), fusion);
      fill_at_random(solver);
      const double first = solver.energy();
      double largest = 0;
      for (int i = 0; i < 10; ++i) {
        solver.advance(100);
        largest = std::max(largest, std::abs(solver.energy() / first - 1));
      }
      EXPECT_LT(largest, 1e-12) << "P" << order;
    }
  }
}

TEST(CurvedElements, ConserveTheEnergyInSinglePrecision) {
  Problem problem = closed_vacuum({2, 2, 2});
  bend(problem, 0.06);
  Discretisation<float> d(problem.mesh, problem.material, problem.boundary_kind, 2, false, cpu_field_lanes, {}, {}, {},
                          problem.curved);
  const auto executor = make_cpu_executor(d, KernelFusion::fused, curved_self());
  auto solver =
      make_solver<float>(problem, 2, 0.95 * stability_limit(d, *executor, curved_self()).time_step, curved_self());
  fill_at_random(solver);
  const double first = solver.energy();
  solver.advance(2000);
  EXPECT_NEAR(solver.energy() / first, 1, 1e-5);
}

TEST(CurvedElements, ConserveTheEnergyOnLevels) {
  for (const int order : built_orders({1, 2})) {
    Problem problem = closed_vacuum({2, 2, 2});
    bend(problem, 0.05);
    const auto levels = random_levels(problem.mesh, problem.boundary_kind, 2, 7);
    Discretisation<double> d(problem.mesh, problem.material, problem.boundary_kind, order, false, cpu_field_lanes,
                             levels, {}, {}, problem.curved);
    const auto executor = make_cpu_executor(d, KernelFusion::fused, curved_self());
    LevelTimeStep<double> step(d, *executor, curved_self());
    double dt = step.time_step(0.955);
    while (step.bounds(dt).largest() >= 0.985) dt *= 0.95;
    auto solver = make_solver<double>(problem, order, dt, curved_self(), KernelFusion::fused, levels);
    solver.randomise_fields();
    const double first = solver.energy();
    for (int i = 0; i < 10; ++i) {
      solver.advance(30);
      EXPECT_NEAR(solver.energy() / first, 1, 1e-12) << "P" << order;
    }
  }
}

// A step longer than the limit grows without bound: the limit is that of the curved update.
TEST(CurvedElements, HaveTheirOwnTimeStep) {
  Problem problem = closed_vacuum({2, 2, 2});
  bend(problem, 0.06);
  Discretisation<double> d(problem.mesh, problem.material, problem.boundary_kind, 2, false, cpu_field_lanes, {}, {}, {},
                           problem.curved);
  const auto executor = make_cpu_executor(d, KernelFusion::fused, curved_self());
  auto solver =
      make_solver<double>(problem, 2, 1.03 * stability_limit(d, *executor, curved_self()).time_step, curved_self());
  fill_at_random(solver);
  solver.advance(200);
  double largest = 0;
  for (std::size_t e = 0; e < problem.mesh.elements(); ++e)
    for (const double u : coefficients_of(d, solver.electric(), e)) largest = std::max(largest, std::abs(u));
  EXPECT_GT(largest, 1e6);
}

// Symmetric, and close to the integral of u . v, of which it is the weight-adjusted form.
TEST(CurvedElements, HaveTheMassOfTheirShape) {
  for (const int order : built_orders({1, 2, 3, 4})) {
    Problem problem = closed_vacuum({2, 2, 2});
    bend(problem, 0.03);
    auto solver = make_solver<double>(problem, order, brisk_time_step(order), curved_self());
    const auto u = [](const Vec3& x) { return Vec3{1 + 0.2 * x.y, 2 - 0.3 * x.z, 0.5}; };
    const auto v = [](const Vec3& x) { return Vec3{0.3, 1 - 0.2 * x.x, 1}; };
    solver.set_fields(u, v);  // H as Z0 H
    const auto products = solver.executor().element_products(solver.electric(), solver.magnetic());
    const auto turned = solver.executor().element_products(solver.magnetic(), solver.electric());
    const Quadrature rule = tetrahedron_quadrature(6);
    const auto& d = solver.discretisation();
    for (std::size_t e = 0; e < problem.mesh.elements(); ++e) {
      const ElementGeometry geometry(problem.mesh, e);
      double exact = 0;
      for (std::size_t q = 0; q < rule.points.size(); ++q) {
        const Vec3 x = geometry.point(rule.points[q]);
        exact += rule.weights[q] * std::abs(geometry.at(rule.points[q]).determinant) * dot(u(x), v(x));
      }
      exact *= vacuum_impedance;
      const double found = products[d.slot_of_element[e]];
      EXPECT_NEAR(found, turned[d.slot_of_element[e]], 1e-13 * std::abs(exact));
      EXPECT_NEAR(found, exact, (order == 1 ? 3e-2 : 3e-3) * std::abs(exact)) << "P" << order;
    }
  }
}

// A constant field has covariant components of degree one on an element of second order, and no curl: from P1 on it
// stays in elements without a boundary face.
TEST(CurvedElements, LeaveConstantFieldsAsTheyAre) {
  for (const int order : built_orders({1, 2, 3, 4})) {
    Problem problem = closed_vacuum({4, 4, 4});
    bend(problem, 0.05);
    auto solver = make_solver<double>(problem, order, brisk_time_step(order), curved_self());
    solver.set_fields(
        [](const Vec3&) {
          return Vec3{0.3, -0.8, 0.5};
        },
        [](const Vec3&) {
          return (1 / vacuum_impedance) * Vec3{0.6, 0.2, -0.7};
        });
    const auto fields_of = [&](std::size_t e) {
      auto u = coefficients_of(solver.discretisation(), solver.electric(), e);
      const auto h = coefficients_of(solver.discretisation(), solver.magnetic(), e);
      u.insert(u.end(), h.begin(), h.end());
      return u;
    };
    std::vector<std::vector<double>> before;
    double largest = 0;
    for (std::size_t e = 0; e < problem.mesh.elements(); ++e) {
      before.push_back(fields_of(e));
      for (const double u : before.back()) largest = std::max(largest, std::abs(u));
    }
    solver.advance(1);
    const auto is_inner = [&](std::size_t e) {
      return std::none_of(problem.mesh.element_faces[e].begin(), problem.mesh.element_faces[e].end(),
                          [](const auto& link) { return link.kind == mesh::FaceLink::Kind::boundary; });
    };
    int checked = 0;
    for (std::size_t e = 0; e < problem.mesh.elements(); ++e) {
      bool inner = is_inner(e);  // and its neighbours: the half step of E follows that of H
      for (const auto& link : problem.mesh.element_faces[e]) inner = inner && is_inner(link.index);
      if (!inner) continue;
      ++checked;
      const auto after = fields_of(e);
      for (std::size_t i = 0; i < after.size(); ++i)
        EXPECT_NEAR(after[i], before[e][i], 1e-13 * largest) << "P" << order;
    }
    EXPECT_GT(checked, 20);
  }
}

// The mean of the metric is six reals, as a straight element has: the same kernels, batches and bytes.
TEST(CurvedElements, WithTheMeanOfTheirMetricHaveTheKernelsOfStraightOnes) {
  Problem problem = mixed({2, 2, 2});
  const auto made = [&](const Problem& p) {
    return Discretisation<double>(p.mesh, p.material, p.boundary_kind, 2, false, cpu_field_lanes, {}, {}, {}, p.curved);
  };
  const auto straight = made(problem);
  bend(problem, 0.05);
  EXPECT_GT(made(problem).curved_blocks, 0);
  problem.curved = mesh::CurvedElements::mean;
  const auto mean = made(problem);
  EXPECT_EQ(mean.curved_blocks, 0);
  EXPECT_TRUE(mean.curved_metric.empty());
  EXPECT_NE(mean.metric, straight.metric);
  ASSERT_EQ(mean.batches.interior.size(), straight.batches.interior.size());
  for (std::size_t b = 0; b < mean.batches.interior.size(); ++b) {
    const Batch &of_mean = mean.batches.interior[b], &of_straight = straight.batches.interior[b];
    EXPECT_EQ(of_mean.traits.medium, of_straight.traits.medium);
    EXPECT_EQ(of_mean.traits.boundary, of_straight.traits.boundary);
    EXPECT_FALSE(of_mean.traits.curved);
    EXPECT_EQ(of_mean.blocks, of_straight.blocks);
  }
}

}  // namespace
}  // namespace dgtd::dg::test
