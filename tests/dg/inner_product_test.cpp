// Affine geometry of elements and the mass form, against quadrature in Cartesian components.
#include "dgtd/dg/inner_product.hpp"

#include <gtest/gtest.h>

#include "comparison.hpp"
#include "support/built_orders.hpp"

namespace dgtd::dg::test {
namespace {

constexpr auto pec = physics::BoundaryKind::pec;

// a_i . gradient_k = delta_ik, and barycentric() undoes point().
TEST(ElementGeometry, EdgesAndGradientsAreDual) {
  const auto mesh = tiny_mesh({2, 1, 1}, 1, 3);
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    const ElementGeometry g(mesh, e);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(dot(g.edges[i], g.gradients[k]), i == k, 1e-14);
    const std::array<double, 4> l{0.1, 0.2, 0.3, 0.4};
    const auto back = g.barycentric(g.point(l));
    for (int m = 0; m < 4; ++m) EXPECT_NEAR(back[m], l[m], 1e-14);
    EXPECT_NEAR(norm(g.centre() - g.point({0.25, 0.25, 0.25, 0.25})), 0, 1e-15);
    const Vec3 v{0.3, -0.7, 0.9};
    EXPECT_NEAR(norm(g.cartesian(dot(v, g.edges[0]), dot(v, g.edges[1]), dot(v, g.edges[2])) - v), 0, 1e-14);
  }
}

// A closed surface: sum of A n = 0 and sum of A n . x = 3 V.
TEST(FaceGeometry, NormalsPointOutwards) {
  const auto mesh = tiny_mesh({2, 1, 1}, 1, 3);
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    const ElementGeometry g(mesh, e);
    Vec3 sum;
    double flux = 0;
    for (int f = 0; f < 4; ++f) {
      const FaceGeometry face(g, f);
      EXPECT_NEAR(norm(face.normal), 1, 1e-14);
      sum += face.area * face.normal;
      flux += face.area * dot(face.normal, g.vertices[(f + 1) % 4]);
    }
    EXPECT_NEAR(norm(sum), 0, 1e-15);
    EXPECT_NEAR(flux, 3 * g.volume(), 1e-14);
    EXPECT_GT(g.volume(), 0);
  }
}

template <class Real>
void expect_mass_form_of_quadrature(int order, double tolerance) {
  const Problem problem{tiny_mesh({2, 2, 1}, 1, 4), {{}}, std::vector<physics::BoundaryKind>(6, pec), {}};
  const parallel::Communicator self(MPI_COMM_SELF);
  auto solver = make_solver<Real>(problem, order, 1e-12, self);
  fill_at_random(solver);
  const auto& d = solver.discretisation();
  const int nodes = tetrahedron_nodes(order);
  const auto quadrature = tetrahedron_quadrature(order + 1);
  const auto cartesian = [&](const Field<Real>& field, std::size_t e, const Barycentric& l) {
    const auto basis = bernstein_values(order, l);
    double u[3] = {};
    const auto coefficients = coefficients_of(d, field, e);
    for (int i = 0; i < 3 * nodes; ++i) u[i / nodes] += basis[i % nodes] * coefficients[i];
    return ElementGeometry(problem.mesh, e).cartesian(u[0], u[1], u[2]);
  };
  const auto products = solver.executor().element_products(solver.electric(), solver.magnetic());
  for (std::size_t slot = 0; slot < products.size(); ++slot) {
    const std::int64_t e = d.element_of_slot[slot];
    if (e < 0) {
      EXPECT_EQ(products[slot], 0);
      continue;
    }
    const double jacobian = 6 * ElementGeometry(problem.mesh, e).volume();
    double product = 0, size = 0;
    for (std::size_t q = 0; q < quadrature.points.size(); ++q) {
      const Vec3 u = cartesian(solver.electric(), e, quadrature.points[q]),
                 v = cartesian(solver.magnetic(), e, quadrature.points[q]);
      product += jacobian * quadrature.weights[q] * dot(u, v);
      size += jacobian * quadrature.weights[q] * norm(u) * norm(v);
    }
    EXPECT_NEAR(products[slot], product, tolerance * size);
  }
}

class MassFormOfOrder : public testing::TestWithParam<int> {};

TEST_P(MassFormOfOrder, IsTheIntegralOfTheCartesianProduct) {
  expect_mass_form_of_quadrature<double>(GetParam(), 1e-13);
}

// A metric stored in single precision, of elements whose metric has a condition number of about a hundred.
TEST_P(MassFormOfOrder, IsTheIntegralInSinglePrecision) { expect_mass_form_of_quadrature<float>(GetParam(), 1e-5); }

INSTANTIATE_TEST_SUITE_P(Order, MassFormOfOrder, testing::ValuesIn(built_orders({1, 2, 3, 4, 5, 6})));

}  // namespace
}  // namespace dgtd::dg::test
