// The sparse operators of operators.hpp against dense ones from the reference element.
#include "dgtd/dg/operators.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "dgtd/dg/field_layout.hpp"
#include "dgtd/dg/kernels/int_surface.hpp"
#include "dgtd/dg/reference_element.hpp"
#include "nodal_basis.hpp"

namespace dgtd::dg {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class Rows>
Eigen::MatrixXd dense(const Rows& rows, int columns) {
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(rows.size(), columns);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (int k = 0; k < rows[i].count; ++k) m(i, rows[i].terms[k].index) += rows[i].terms[k].factor;
  return m;
}

Barycentric face_point(int face, const std::array<double, 3>& l) {
  Barycentric point{};
  for (int k = 0; k < 3; ++k) point[face_vertices[face][k]] = l[k];
  return point;
}

/// M^-1 M_face: [Np][Nf], masses over the reference tetrahedron (1/6) and the reference triangle (1/2).
template <int p>
Eigen::MatrixXd dense_lift(int face) {
  const int n = Bernstein<p>::nodes;
  Eigen::MatrixXd face_mass = Eigen::MatrixXd::Zero(n, Bernstein<p>::face_nodes);
  const auto q = triangle_quadrature(p + 1);
  for (std::size_t i = 0; i < q.points.size(); ++i) {
    const auto volume = bernstein_values(p, face_point(face, q.points[i]));
    const auto on_face = bernstein_triangle_values(p, q.points[i]);
    face_mass += q.weights[i] * Eigen::Map<const Eigen::VectorXd>(volume.data(), n) *
                 Eigen::Map<const Eigen::VectorXd>(on_face.data(), on_face.size()).transpose();
  }
  const auto mass = mass_matrix(p);
  return Eigen::Map<const RowMatrix>(mass.data(), n, n).llt().solve(face_mass);
}

/// Layer after layer of the tables: L_j = layer_factor(j) R_{p-j+1} … R_p L_0.
template <int p, int layer = 0>
void add_layers(const Eigen::MatrixXd& above, int face, Eigen::MatrixXd& lift) {
  for (int i = 0; i < triangle_nodes(p - layer); ++i)
    lift.row(tetrahedron_index(on_layer(face, layer, Bernstein<p - layer>::face_exponents[i]))) +=
        layer_factor(layer) * above.row(i);
  if constexpr (layer < p)
    add_layers<p, layer + 1>(dense(reduction_rows<p - layer>, triangle_nodes(p - layer)) * above, face, lift);
}

template <class Order>
class Operators : public testing::Test {};
template <int order>
using OrderOf = std::integral_constant<int, order>;
using Orders = testing::Types<OrderOf<1>, OrderOf<2>, OrderOf<3>, OrderOf<4>, OrderOf<5>, OrderOf<6>>;
TYPED_TEST_SUITE(Operators, Orders);

// The lift has entries up to (p + 1)^2; LLT of a matrix of condition 5005 bounds the dense side's error.
constexpr double lift_tolerance = 49 * 5005 * 2e-16;

TYPED_TEST(Operators, ExponentsAreNumberedInOrder) {
  constexpr int p = TypeParam::value;
  for (int i = 0; i < Bernstein<p>::nodes; ++i) EXPECT_EQ(tetrahedron_index(Bernstein<p>::exponents[i]), i);
  for (int i = 0; i < Bernstein<p>::face_nodes; ++i) EXPECT_EQ(triangle_index(Bernstein<p>::face_exponents[i]), i);
}

// On a face the functions of the face's nodes are those of the triangle, and the others vanish.
TYPED_TEST(Operators, TraceOnAFaceIsTheTriangleBasis) {
  constexpr int p = TypeParam::value;
  const std::array<double, 3> l{0.5, 0.3, 0.2};
  const auto on_face = bernstein_triangle_values(p, l);
  for (int face = 0; face < 4; ++face) {
    auto rest = bernstein_values(p, face_point(face, l));
    for (int i = 0; i < Bernstein<p>::face_nodes; ++i) {
      const int node = face_node_table<p>[face][i];
      EXPECT_NEAR(rest[node], on_face[i], 1e-15);
      rest[node] = 0;
    }
    for (const double value : rest) EXPECT_EQ(value, 0);
  }
}

// sum_a u[a] B_a^p = sum_b c[b] B_b^{p-1} with p u = rows c.
TYPED_TEST(Operators, ElevationKeepsThePolynomial) {
  constexpr int p = TypeParam::value;
  const Eigen::MatrixXd elevation = dense(elevation_rows<p>, Bernstein<p>::lower_nodes) / p;
  const Barycentric l{0.1, 0.2, 0.3, 0.4};
  const auto upper = bernstein_values(p, l), lower = bernstein_values(p - 1, l);
  const Eigen::VectorXd same = elevation.transpose() * Eigen::Map<const Eigen::VectorXd>(upper.data(), upper.size());
  for (std::size_t i = 0; i < lower.size(); ++i) EXPECT_NEAR(same(i), lower[i], 1e-15);
}

// d/dl_j along the edge from vertex 0: coefficients p (u[b + e_j] - u[b + e_0]), against the derivative
// of the Lagrange interpolant, which for polynomials of degree p is the polynomial itself.
TYPED_TEST(Operators, RaisedNodesGiveTheDerivative) {
  constexpr int p = TypeParam::value;
  const Barycentric l{0.1, 0.2, 0.3, 0.4};
  const auto lower = bernstein_values(p - 1, l);
  const Eigen::MatrixXd derivatives = test::nodal_derivatives(p, l);
  const auto points = test::nodal_points(p);
  for (int j = 1; j < 4; ++j) {
    Eigen::VectorXd sparse = Eigen::VectorXd::Zero(Bernstein<p>::nodes), exact = sparse;
    for (int b = 0; b < Bernstein<p>::lower_nodes; ++b) {
      sparse(raised_nodes<p - 1>[b][j]) += p * lower[b];
      sparse(raised_nodes<p - 1>[b][0]) -= p * lower[b];
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto& a = points[i];
      const auto value = bernstein_values(p, {double(a[0]) / p, double(a[1]) / p, double(a[2]) / p, double(a[3]) / p});
      exact += (derivatives(i, j) - derivatives(i, 0)) * Eigen::Map<const Eigen::VectorXd>(value.data(), value.size());
    }
    EXPECT_LT((sparse - exact).cwiseAbs().maxCoeff(), 1e-13);
  }
}

// Chan, Warburton 2017, lemma 3.2: L_0 = (p + 1)^2 E^T E, at most seven non-zeros a row.
TYPED_TEST(Operators, FirstLayerOfTheLift) {
  constexpr int p = TypeParam::value;
  Eigen::MatrixXd elevation = Eigen::MatrixXd::Zero(triangle_nodes(p + 1), triangle_nodes(p));
  for (int i = 0; i < triangle_nodes(p); ++i)
    for (int k = 0; k < 3; ++k) {
      auto b = Bernstein<p>::face_exponents[i];
      ++b[k];
      elevation(triangle_index(b), i) += b[k] / (p + 1.0);
    }
  const Eigen::MatrixXd expected = (p + 1) * (p + 1) * elevation.transpose() * elevation;
  EXPECT_LT((dense(lift_rows<p>, triangle_nodes(p)) - expected).cwiseAbs().maxCoeff(), 49 * 1e-15);
}

// Lemma 3.3: the whole lift, layer by layer, on each face.
TYPED_TEST(Operators, LayersMakeTheDenseLift) {
  constexpr int p = TypeParam::value;
  for (int face = 0; face < 4; ++face) {
    Eigen::MatrixXd lift = Eigen::MatrixXd::Zero(Bernstein<p>::nodes, Bernstein<p>::face_nodes);
    add_layers<p>(dense(lift_rows<p>, triangle_nodes(p)), face, lift);
    EXPECT_LT((lift - dense_lift<p>(face)).cwiseAbs().maxCoeff(), lift_tolerance);
  }
}

// The kernel's lift: half of M^-1 M_face times the flux along e_a and e_b; on face 0 these are
// a_2 - a_1 and a_3 - a_1, so component 1 receives the negative sum.
TYPED_TEST(Operators, KernelLiftsAFlux) {
  constexpr int p = TypeParam::value;
  double flux_a[Bernstein<p>::face_nodes], flux_b[Bernstein<p>::face_nodes];
  Eigen::VectorXd a(Bernstein<p>::face_nodes), b = a;
  for (int i = 0; i < Bernstein<p>::face_nodes; ++i) {
    flux_a[i] = a(i) = std::sin(1.0 + i);
    flux_b[i] = b(i) = std::cos(2.0 + 3 * i);
  }
  static_for<4>([&](auto f) {
    constexpr int face = decltype(f)::v;
    double rates[3][Bernstein<p>::nodes] = {};
    lift_face<p, face>(flux_a, flux_b, rates);
    const Eigen::MatrixXd lift = dense_lift<p>(face);
    const Eigen::VectorXd lifted_a = 0.5 * lift * a, lifted_b = 0.5 * lift * b;
    Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(Bernstein<p>::nodes, 3);
    if (face == 0) {
      expected << -lifted_a - lifted_b, lifted_a, lifted_b;
    } else {
      expected.col(face_vertices[face][1] - 1) = lifted_a;
      expected.col(face_vertices[face][2] - 1) = lifted_b;
    }
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < Bernstein<p>::nodes; ++i)
        EXPECT_NEAR(rates[k][i], expected(i, k), lift_tolerance * Bernstein<p>::face_nodes);
  });
}

}  // namespace
}  // namespace dgtd::dg
