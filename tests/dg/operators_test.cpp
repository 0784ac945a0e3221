// The sparse operators of operators.hpp against dense ones from the reference element.
#include "dgtd/dg/operators.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cmath>

#include "dgtd/dg/field_layout.hpp"
#include "dgtd/dg/kernels/int_surface.hpp"
#include "dgtd/dg/reference_element.hpp"
#include "nodal_basis.hpp"

namespace dgtd::dg {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Functions with Eigen take the order as an argument, so that they are compiled once and not for each order.

Eigen::MatrixXd zeros(std::size_t rows, std::size_t columns) { return Eigen::MatrixXd::Zero(rows, columns); }

template <class Rows>
Eigen::MatrixXd dense(const Rows& rows, int columns) {
  Eigen::MatrixXd m = zeros(rows.size(), columns);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (int k = 0; k < rows[i].count; ++k) m(i, rows[i].terms[k].index) += rows[i].terms[k].factor;
  return m;
}

/// Exponents of the triangle's functions, from their number: table[i] of Bernstein<p>.
using FaceExponents = std::vector<std::array<int, 3>>;
template <int p>
FaceExponents face_exponents() {
  return {Bernstein<p>::face_exponents.begin(), Bernstein<p>::face_exponents.end()};
}

double largest_difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) { return (a - b).cwiseAbs().maxCoeff(); }

std::vector<double> product(const Eigen::MatrixXd& m, const std::vector<double>& x) {
  std::vector<double> y(m.rows());
  Eigen::Map<Eigen::VectorXd>(y.data(), m.rows()) = m * Eigen::Map<const Eigen::VectorXd>(x.data(), m.cols());
  return y;
}

Barycentric face_point(int face, const std::array<double, 3>& l) {
  Barycentric point{};
  for (int k = 0; k < 3; ++k) point[face_vertices[face][k]] = l[k];
  return point;
}

/// M^-1 M_face: [Np][Nf], masses over the reference tetrahedron (1/6) and the reference triangle (1/2).
Eigen::MatrixXd dense_lift(int p, int face) {
  const int n = (p + 1) * (p + 2) * (p + 3) / 6;
  Eigen::MatrixXd face_mass = zeros(n, triangle_nodes(p));
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
void add_layer(int layer, const Eigen::MatrixXd& l, const FaceExponents& exponents, int face, Eigen::MatrixXd& lift) {
  for (std::size_t i = 0; i < exponents.size(); ++i)
    lift.row(tetrahedron_index(on_layer(face, layer, exponents[i]))) += layer_factor(layer) * l.row(i);
}
Eigen::MatrixXd next_layer(const Eigen::MatrixXd& reduction, const Eigen::MatrixXd& above) { return reduction * above; }

template <int p, int layer = 0>
void add_layers(const Eigen::MatrixXd& above, int face, Eigen::MatrixXd& lift) {
  add_layer(layer, above, face_exponents<p - layer>(), face, lift);
  if constexpr (layer < p)
    add_layers<p, layer + 1>(next_layer(dense(reduction_rows<p - layer>, triangle_nodes(p - layer)), above), face,
                             lift);
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

void expect_elevation(int p, const Eigen::MatrixXd& elevation) {
  const Barycentric l{0.1, 0.2, 0.3, 0.4};
  const auto upper = bernstein_values(p, l), lower = bernstein_values(p - 1, l);
  const auto same = product(elevation.transpose() / p, {upper.begin(), upper.end()});
  ASSERT_EQ(same.size(), lower.size());
  for (std::size_t i = 0; i < lower.size(); ++i) EXPECT_NEAR(same[i], lower[i], 1e-15);
}

// sum_a u[a] B_a^p = sum_b c[b] B_b^{p-1} with p u = rows c.
TYPED_TEST(Operators, ElevationKeepsThePolynomial) {
  constexpr int p = TypeParam::value;
  expect_elevation(p, dense(elevation_rows<p>, Bernstein<p>::lower_nodes));
}

/// raised: [nodes of p - 1][4] nodes of p.
void expect_derivatives(int p, const std::vector<std::array<int, 4>>& raised) {
  const Barycentric l{0.1, 0.2, 0.3, 0.4};
  const auto lower = bernstein_values(p - 1, l);
  const Eigen::MatrixXd derivatives = test::nodal_derivatives(p, l);
  const auto points = test::nodal_points(p);
  ASSERT_EQ(raised.size(), lower.size());
  for (int j = 1; j < 4; ++j) {
    Eigen::VectorXd sparse = Eigen::VectorXd::Zero(points.size()), exact = sparse;
    for (std::size_t b = 0; b < raised.size(); ++b) {
      sparse(raised[b][j]) += p * lower[b];
      sparse(raised[b][0]) -= p * lower[b];
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto& a = points[i];
      const auto value = bernstein_values(p, {double(a[0]) / p, double(a[1]) / p, double(a[2]) / p, double(a[3]) / p});
      exact += (derivatives(i, j) - derivatives(i, 0)) * Eigen::Map<const Eigen::VectorXd>(value.data(), value.size());
    }
    EXPECT_LT(largest_difference(sparse, exact), 1e-13);
  }
}

// d/dl_j along the edge from vertex 0: coefficients p (u[b + e_j] - u[b + e_0]), against the derivative
// of the Lagrange interpolant, which for polynomials of degree p is the polynomial itself.
TYPED_TEST(Operators, RaisedNodesGiveTheDerivative) {
  constexpr int p = TypeParam::value;
  expect_derivatives(p, {raised_nodes<p - 1>.begin(), raised_nodes<p - 1>.end()});
}

void expect_first_layer(int p, const Eigen::MatrixXd& layer, const FaceExponents& exponents) {
  Eigen::MatrixXd elevation = zeros(triangle_nodes(p + 1), triangle_nodes(p));
  for (int i = 0; i < triangle_nodes(p); ++i)
    for (int k = 0; k < 3; ++k) {
      auto b = exponents[i];
      ++b[k];
      elevation(triangle_index(b), i) += b[k] / (p + 1.0);
    }
  EXPECT_LT(largest_difference(layer, (p + 1) * (p + 1) * elevation.transpose() * elevation), 49 * 1e-15);
}

// Chan, Warburton 2017, lemma 3.2: L_0 = (p + 1)^2 E^T E, at most seven non-zeros a row.
TYPED_TEST(Operators, FirstLayerOfTheLift) {
  constexpr int p = TypeParam::value;
  expect_first_layer(p, dense(lift_rows<p>, triangle_nodes(p)), face_exponents<p>());
}

// Lemma 3.3: the whole lift, layer by layer, on each face.
TYPED_TEST(Operators, LayersMakeTheDenseLift) {
  constexpr int p = TypeParam::value;
  for (int face = 0; face < 4; ++face) {
    Eigen::MatrixXd lift = zeros(Bernstein<p>::nodes, Bernstein<p>::face_nodes);
    add_layers<p>(dense(lift_rows<p>, triangle_nodes(p)), face, lift);
    EXPECT_LT(largest_difference(lift, dense_lift(p, face)), lift_tolerance);
  }
}

/// rates: [3][nodes], what the kernel made of the flux along e_a and e_b of a face.
void expect_lifted(int p, int face, const std::vector<double>& flux_a, const std::vector<double>& flux_b,
                   const double* rates) {
  const Eigen::MatrixXd lift = 0.5 * dense_lift(p, face);
  const auto lifted_a = product(lift, flux_a), lifted_b = product(lift, flux_b);
  for (std::size_t i = 0; i < lifted_a.size(); ++i) {
    double expected[3] = {0, 0, 0};
    if (face == 0) {
      expected[0] = -lifted_a[i] - lifted_b[i], expected[1] = lifted_a[i], expected[2] = lifted_b[i];
    } else {
      expected[face_vertices[face][1] - 1] = lifted_a[i];
      expected[face_vertices[face][2] - 1] = lifted_b[i];
    }
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(rates[k * lifted_a.size() + i], expected[k], lift_tolerance * double(flux_a.size()));
  }
}

// The kernel's lift: half of M^-1 M_face times the flux along e_a and e_b; on face 0 these are
// a_2 - a_1 and a_3 - a_1, so component 1 receives the negative sum.
TYPED_TEST(Operators, KernelLiftsAFlux) {
  constexpr int p = TypeParam::value;
  std::vector<double> flux_a, flux_b;
  for (int i = 0; i < Bernstein<p>::face_nodes; ++i) {
    flux_a.push_back(std::sin(1.0 + i));
    flux_b.push_back(std::cos(2.0 + 3 * i));
  }
  static_for<4>([&](auto f) {
    constexpr int face = decltype(f)::v;
    double a[Bernstein<p>::face_nodes], b[Bernstein<p>::face_nodes], rates[3][Bernstein<p>::nodes] = {};
    std::copy(flux_a.begin(), flux_a.end(), a);
    std::copy(flux_b.begin(), flux_b.end(), b);
    lift_face<p, face>(a, b, rates);
    expect_lifted(p, face, flux_a, flux_b, rates[0]);
  });
}

}  // namespace
}  // namespace dgtd::dg
