// Choice of the orders of elements, and estimates of errors where elements have several.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numeric>

#include "dgtd/dg/order_choice.hpp"
#include "dgtd/dg/reference_element.hpp"
#include "mixed_problem.hpp"
#include "support/built_orders.hpp"

namespace dgtd::dg::test {
namespace {

using solver::ElementError;
using QuantityField = solver::Quantity::Field;

const parallel::Communicator& self() {
  static const parallel::Communicator comm(MPI_COMM_SELF);
  return comm;
}

/// A tetrahedron of edge h, stretched along z.
mesh::Subdomain one_element(double h, double stretch) {
  mesh::Subdomain mesh;
  mesh.vertices = {{0, 0, 0},
                   {h, 0, 0},
                   {h / 2, h * std::sqrt(3.0) / 2, 0},
                   {h / 2, h * std::sqrt(3.0) / 6, stretch * h * std::sqrt(2.0 / 3)}};
  mesh.element_vertices = {{0, 1, 2, 3}};
  mesh.element_id = {0};
  return mesh;
}

// Along z the moments of a regular tetrahedron are multiplied by the square of the stretch.
TEST(EdgeOfMoments, IsTheEdgeOfARegularTetrahedron) {
  EXPECT_NEAR(edge_of_moments(one_element(0.3, 1), 0), 0.3, 1e-12);
  EXPECT_NEAR(edge_of_moments(one_element(0.3, 2), 0), 0.6, 1e-12);
  EXPECT_NEAR(edge_of_moments(one_element(0.3, 0.5), 0), 0.3, 1e-12);
}

// The RMS error over directions of the L2 projection of exp(i k x) in a regular tetrahedron, by quadrature.
double projection_error(int p, double wave) {
  const auto quadrature = tetrahedron_quadrature(p + 8);
  const auto projection = projection_matrix(p, quadrature);
  const std::size_t points = quadrature.points.size();
  const mesh::Subdomain mesh = one_element(1, 1);
  std::vector<Vec3> x;
  for (const Barycentric& l : quadrature.points) {
    Vec3 at{};
    for (std::size_t v = 0; v < 4; ++v) at = at + l[v] * mesh.vertices[v];
    x.push_back(at);
  }
  const int n = tetrahedron_nodes(p);
  const auto mass = mass_matrix(p);
  double squares = 0;
  int directions = 0;
  for (double z = -0.9; z < 1; z += 0.2)
    for (double angle = 0.1; angle < 6.28; angle += 0.7, ++directions) {
      const double s = std::sqrt(1 - z * z);
      const Vec3 k = wave * Vec3{s * std::cos(angle), s * std::sin(angle), z};
      std::vector<std::complex<double>> c(static_cast<std::size_t>(n));
      for (std::size_t i = 0; i < c.size(); ++i)
        for (std::size_t q = 0; q < points; ++q) c[i] += projection[i * points + q] * std::polar(1.0, dot(k, x[q]));
      double projected = 0;  // |P u|^2 of |u|^2 = 1/6
      for (std::size_t i = 0; i < c.size(); ++i)
        for (std::size_t j = 0; j < c.size(); ++j)
          projected += mass[i * c.size() + j] * (std::conj(c[i]) * c[j]).real();
      squares += 1 - 6 * projected;
    }
  return std::sqrt(squares / directions);
}

TEST(WaveError, IsThatOfTheBestApproximation) {
  for (const int p : {1, 2, 3})
    for (const double error : {0.1, 0.01, 0.003}) {
      const double wave = std::pow(error / 0.01, 1.0 / (p + 1)) * std::pow(wave_error(p, 1) / 0.01, -1.0 / (p + 1));
      EXPECT_NEAR(wave_error(p, wave), error, 1e-12);
      EXPECT_GT(projection_error(p, wave), 0.75 * error) << "P" << p;
      EXPECT_LT(projection_error(p, wave), 1.1 * error) << "P" << p;
    }
  EXPECT_EQ(order_for_waves(0.8, 0.01, 4), 1);
  EXPECT_EQ(order_for_waves(0.9, 0.01, 4), 2);
  EXPECT_EQ(order_for_waves(3.9, 0.01, 4), 3);
  EXPECT_EQ(order_for_waves(3.9, 0.01, 2), 2);
}

double squared_sum(const std::vector<ElementError>& errors) {
  return std::accumulate(errors.begin(), errors.end(), 0.0,
                         [](double sum, const ElementError& e) { return sum + double(e.error) * e.error; });
}

StepLimits equal_steps(const std::vector<ElementError>& errors) {
  return StepLimits(errors.size(), {6, 5, 4, 3, 2, 1});
}

// An element that would shorten the step of all stays, where others can do with more.
TEST(AdaptedOrders, KeepTheStepOfAllWhereThatIsCheaper) {
  std::vector<ElementError> errors(1000, {2, 1e-2f, 0.2f});
  StepLimits limits(errors.size(), {60, 50, 40, 30, 20, 10});
  for (std::size_t e = 0; e < 20; ++e) limits[e] = {6, 5, 4, 3, 2, 1};
  const double before = std::sqrt(squared_sum(errors));
  const auto made = adapted_orders(errors, limits, 0.5 * before, 3);
  EXPECT_LE(made.expected, 0.5 * before);
  int raised = 0;
  for (std::size_t e = 0; e < errors.size(); ++e) {
    if (e < 20) {
      EXPECT_EQ(made.order[e], 2) << e;
    }
    raised += made.order[e] == 3;
  }
  EXPECT_GT(raised, 700);
}

// A few elements have nearly all of the error: they are raised, and those with next to none lowered.
TEST(AdaptedOrders, ReachTheTargetWhereTheErrorIs) {
  std::vector<ElementError> errors(1000, {2, 1e-4f, 0.2f});
  for (std::size_t e = 0; e < 100; ++e) errors[e].error = 1e-2f;
  for (std::size_t e = 500; e < 1000; ++e) errors[e].error = 1e-7f;
  const double before = std::sqrt(squared_sum(errors));
  const AdaptedOrders made = adapted_orders(errors, equal_steps(errors), 0.5 * before, 3);
  EXPECT_NEAR(made.before, before, 1e-12);
  EXPECT_LE(made.expected, 0.5 * before);
  EXPECT_GT(made.expected, 0.1 * before);
  int raised = 0;
  for (std::size_t e = 0; e < 100; ++e) raised += made.order[e] == 3;
  EXPECT_GT(raised, 70);
  for (std::size_t e = 100; e < 500; ++e) EXPECT_LE(made.order[e], 2);
  for (std::size_t e = 500; e < 1000; ++e) EXPECT_EQ(made.order[e], 1);
  for (const auto order : adapted_orders(errors, equal_steps(errors), 1e-9, 3).order) EXPECT_GE(order, 2);  // out of reach
  for (const auto order : adapted_orders(errors, equal_steps(errors), 0.5 * before, 2).order) EXPECT_LE(order, 2);
}

TEST(GradedOrders, OnlyRiseAndDifferByOneBetweenNeighbours) {
  const mesh::Subdomain mesh = tiny_mesh({4, 4, 4}, 3, 5);
  std::vector<int> first(mesh.elements(), 1);
  first[first.size() / 2] = 6;
  std::vector<int> order = first;
  grade_orders(mesh, {}, order, self());
  EXPECT_EQ(order[first.size() / 2], 6);
  int between = 0;
  for (std::size_t e = 0; e < order.size(); ++e) {
    EXPECT_GE(order[e], first[e]);
    between += order[e] > 1 && order[e] < 6;
    for (const mesh::FaceLink& link : mesh.element_faces[e])
      if (link.kind == mesh::FaceLink::Kind::element) {
        EXPECT_LE(std::abs(order[e] - order[link.index]), 1);
      }
  }
  EXPECT_GT(between, 10);
  std::vector<int> again = order;
  grade_orders(mesh, {}, again, self());
  EXPECT_EQ(again, order);
}

TEST(WorkOfOrders, IsThatOfElementsAndNoneOfOneOrder) {
  EXPECT_EQ(work_of_orders({2, 2, 2}, self()).stages, 0);
  const mesh::ElementWork work = work_of_orders({1, 3, 2}, self());
  EXPECT_EQ(work.stages, 1);
  EXPECT_EQ(work.of_element, (std::vector<int>{6, 22, 12}));
}

Problem open_box() {
  const auto absorbing = physics::BoundaryKind::silver_muller;
  return {tiny_mesh({3, 3, 3}, 3, 5), {{}, {}, {}}, std::vector<physics::BoundaryKind>(6, absorbing), {}};
}

double total(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

TEST(MixedIndicators, OfOneOrderAreThoseOfItsSolver) {
  const Problem problem = open_box();
  auto mixed = mixed_solver<double>(problem, std::vector<int>(problem.mesh.elements(), 2), brisk_time_step(2), self());
  auto plain = make_solver<double>(problem, 2, brisk_time_step(2), self());
  mixed.randomise_fields(), plain.randomise_fields();
  const auto a = mixed.error_indicators(QuantityField::electric, {}), b = plain.error_indicators(QuantityField::electric, {});
  EXPECT_EQ(a.jump, b.jump);
  EXPECT_EQ(a.energy, b.energy);
}

// A field of degree one is continuous whatever the orders, also in Fourier sums; one that has another value in each
// element has jumps at all faces, between orders too.
TEST(MixedIndicators, HaveTheJumpsBetweenOrders) {
  const Problem problem = open_box();
  const std::vector<int> orders = mixed_orders(problem.mesh);
  auto solver = mixed_solver<double>(problem, orders, brisk_time_step(4), self());
  const auto linear = [](const Vec3& x) { return Vec3{x.y - 2 * x.z, 3 * x.z + x.x, 0.5 * x.x - x.y + 1}; };
  solver.set_fields(linear, linear);
  solver.start_dft({1e9});
  solver.accumulate_dft(1);
  for (const auto frequency : {std::optional<std::size_t>(), std::optional<std::size_t>(0)}) {
    const auto found = solver.error_indicators(QuantityField::electric, frequency);
    EXPECT_LT(total(found.jump), 1e-24 * total(found.energy));
    for (std::size_t e = 0; e < orders.size(); ++e) {
      EXPECT_EQ(found.order_of(e), orders[e]);
      double highest = 0;
      for (int k = 2; k < found.degrees; ++k) highest += found.part(e, k);
      EXPECT_LT(highest, 1e-24 * found.squared_norm(e));
    }
  }
  solver.randomise_fields();
  const auto rough = solver.error_indicators(QuantityField::electric, {});
  for (const double jump : rough.jump) EXPECT_GT(jump, 0);
}

// Orders of 1 % for waves that the mesh resolves unevenly, in a closed box.
TEST(ChosenOrders, ConserveEnergy) {
  if (highest_order() < 2) GTEST_SKIP() << "needs two orders";
  constexpr auto pec = physics::BoundaryKind::pec, pmc = physics::BoundaryKind::pmc;
  const Problem problem{tiny_mesh({2, 2, 2}, 3, 7),
                        {{2.5, 1.0, 0.0}, {1.3, 1.7, 0.0}, {4.0, 1.2, 0.0}},
                        {pec, pec, pmc, pec, pec, pmc},
                        {}};
  double mean = 0;
  for (std::size_t e = 0; e < problem.mesh.elements(); ++e)
    mean += edge_of_moments(problem.mesh, e) / double(problem.mesh.elements());
  std::vector<int> orders;
  for (std::size_t e = 0; e < problem.mesh.elements(); ++e) {
    const auto& m = problem.material[problem.mesh.element_group[e]];
    orders.push_back(order_for_waves(0.7 / mean * std::sqrt(m.permittivity * m.permeability / 2) *
                                         edge_of_moments(problem.mesh, e),
                                     0.01, std::min(3, highest_order())));
  }
  grade_orders(problem.mesh, {}, orders, self());
  ASSERT_GT(work_of_orders(orders, self()).stages, 0);
  const double dt = 0.95 * discretise_mixed<double>(problem, orders, self()).stability_limit(self()).time_step;
  auto solver = mixed_solver<double>(problem, orders, dt, self());
  solver.randomise_fields();
  const double first = solver.energy();
  for (int i = 0; i < 20; ++i) {
    solver.advance(100);
    ASSERT_NEAR(solver.energy(), first, 1e-12 * first) << "after " << 100 * (i + 1) << " steps";
  }
}

}  // namespace
}  // namespace dgtd::dg::test
