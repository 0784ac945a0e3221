#include "dgtd/dg/reference_element.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "dgtd/dg/bernstein.hpp"

namespace dgtd::dg {

namespace {

double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<double> to_vector(const RowMatrix& m) { return {m.data(), m.data() + m.size()}; }

// All exponents of degree p in `dimension` variables, in the order of bernstein.hpp.
template <std::size_t dimension>
std::vector<std::array<int, dimension>> exponents(int p) {
  std::vector<std::array<int, dimension>> list;
  if constexpr (dimension == 4) {
    list.resize(tetrahedron_nodes(p));
    for (int a3 = 0; a3 <= p; ++a3)
      for (int a2 = 0; a2 + a3 <= p; ++a2)
        for (int a1 = 0; a1 + a2 + a3 <= p; ++a1) {
          const std::array<int, 4> a{p - a1 - a2 - a3, a1, a2, a3};
          list[tetrahedron_index(a)] = a;
        }
  } else {
    list.resize(triangle_nodes(p));
    for (int b2 = 0; b2 <= p; ++b2)
      for (int b1 = 0; b1 + b2 <= p; ++b1) {
        const std::array<int, 3> b{p - b1 - b2, b1, b2};
        list[triangle_index(b)] = b;
      }
  }
  return list;
}

template <std::size_t dimension>
std::vector<double> values(int p, const std::array<double, dimension>& point) {
  const auto list = exponents<dimension>(p);
  std::vector<double> result(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    double value = factorial(p);
    for (std::size_t m = 0; m < dimension; ++m) value *= std::pow(point[m], list[i][m]) / factorial(list[i][m]);
    result[i] = value;
  }
  return result;
}

// integral B_a B_b = C(a+b, a) / C(2p, p) / dim! / C(2p + dim, dim), from B_a B_b ~ B_{a+b}.
template <std::size_t dimension>
std::vector<double> mass(int p) {
  const auto list = exponents<dimension>(p);
  constexpr int d = static_cast<int>(dimension) - 1;
  const double integral = factorial(2 * p) / factorial(2 * p + d);  // of any B of degree 2 p
  std::vector<double> m(list.size() * list.size());
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t j = 0; j < list.size(); ++j) {
      double value = integral * factorial(p) * factorial(p) / factorial(2 * p);
      for (std::size_t k = 0; k < dimension; ++k)
        value *= factorial(list[i][k] + list[j][k]) / factorial(list[i][k]) / factorial(list[j][k]);
      m[i * list.size() + j] = value;
    }
  return m;
}

// Gauss-Jacobi nodes and weights on [0, 1] for the weight (1 - x)^a (Golub, Welsch 1969).
void gauss_jacobi(int n, int a, std::vector<double>& x, std::vector<double>& w) {
  Eigen::MatrixXd t = Eigen::MatrixXd::Zero(n, n);
  for (int k = 0; k < n; ++k) {
    const double c = 2.0 * k + a;
    t(k, k) = k == 0 ? -double(a) / (a + 2) : -double(a) * a / (c * (c + 2));
    if (k > 0) {
      const double b2 = 4.0 * k * (k + a) * k * (k + a) / (c * c * (c + 1) * (c - 1));
      t(k, k - 1) = t(k - 1, k) = std::sqrt(b2);
    }
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(t);
  x.resize(n);
  w.resize(n);
  for (int i = 0; i < n; ++i) {
    x[i] = 0.5 * (1 + eigen.eigenvalues()(i));
    w[i] = std::pow(eigen.eigenvectors()(0, i), 2) / (a + 1);
  }
}

}  // namespace

std::vector<double> bernstein_values(int p, const Barycentric& point) { return values<4>(p, point); }
std::vector<double> bernstein_triangle_values(int p, const std::array<double, 3>& point) { return values<3>(p, point); }
std::vector<double> mass_matrix(int p) { return mass<4>(p); }
std::vector<double> triangle_mass_matrix(int p) { return mass<3>(p); }

std::vector<double> inverse(const std::vector<double>& matrix, int n) {
  const Eigen::Map<const RowMatrix> m(matrix.data(), n, n);
  return to_vector(m.llt().solve(RowMatrix::Identity(n, n)));
}

Quadrature tetrahedron_quadrature(int n) {
  std::vector<double> x0, w0, x1, w1, x2, w2;
  gauss_jacobi(n, 2, x0, w0);
  gauss_jacobi(n, 1, x1, w1);
  gauss_jacobi(n, 0, x2, w2);
  Quadrature q;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const double l3 = x0[i], l2 = x1[j] * (1 - l3), l1 = x2[k] * (1 - l3 - l2);
        q.points.push_back({1 - l1 - l2 - l3, l1, l2, l3});
        q.weights.push_back(w0[i] * w1[j] * w2[k]);
      }
  return q;
}

TriangleQuadrature triangle_quadrature(int n) {
  std::vector<double> x0, w0, x1, w1;
  gauss_jacobi(n, 1, x0, w0);
  gauss_jacobi(n, 0, x1, w1);
  TriangleQuadrature q;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double l2 = x0[i], l1 = x1[j] * (1 - l2);
      q.points.push_back({1 - l1 - l2, l1, l2});
      q.weights.push_back(w0[i] * w1[j]);
    }
  return q;
}

std::vector<double> projection_matrix(int p, const Quadrature& quadrature) {
  const int nodes = tetrahedron_nodes(p), points = static_cast<int>(quadrature.points.size());
  RowMatrix moments(nodes, points);
  for (int q = 0; q < points; ++q) {
    const auto value = bernstein_values(p, quadrature.points[q]);
    for (int i = 0; i < nodes; ++i) moments(i, q) = value[i] * quadrature.weights[q];
  }
  const auto mass_values = mass_matrix(p);
  const Eigen::Map<const RowMatrix> m(mass_values.data(), nodes, nodes);
  return to_vector(m.llt().solve(moments));
}

std::vector<double> triangle_interpolation_matrix(int p) {
  const int nodes = triangle_nodes(p);
  const auto list = exponents<3>(p);
  RowMatrix vandermonde(nodes, nodes);
  for (int i = 0; i < nodes; ++i) {
    const auto value =
        bernstein_triangle_values(p, {double(list[i][0]) / p, double(list[i][1]) / p, double(list[i][2]) / p});
    for (int j = 0; j < nodes; ++j) vandermonde(i, j) = value[j];
  }
  return to_vector(vandermonde.inverse());
}

}  // namespace dgtd::dg
