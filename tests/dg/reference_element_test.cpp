// The dense Bernstein-Bezier element against closed formulas and quadrature.
#include "dgtd/dg/reference_element.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <numeric>
#include <random>

#include "dgtd/dg/bernstein.hpp"

namespace dgtd::dg {
namespace {

double factorial(int n) { return std::tgamma(n + 1.0); }

std::vector<double> random_vector(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<double> v(size);
  for (auto& x : v) x = value(random);
  return v;
}

template <std::size_t corners>
std::array<double, corners> random_point(unsigned seed) {
  const auto v = random_vector(corners, seed);
  std::array<double, corners> l;
  double sum = 0;
  for (std::size_t i = 0; i < corners; ++i) sum += l[i] = 1.1 + v[i];
  for (auto& x : l) x /= sum;
  return l;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// int l0^a l1^b l2^c l3^d = a! b! c! d! / (a + b + c + d + 3)!, up to degree 2 n - 1.
TEST(Quadrature, IntegratesMonomialsOnTheTetrahedron) {
  for (int n = 1; n <= 8; ++n) {
    const auto q = tetrahedron_quadrature(n);
    for (int a = 0; a <= 2 * n - 1; ++a)
      for (int b = 0; a + b <= 2 * n - 1; ++b)
        for (int c = 0; a + b + c <= 2 * n - 1; ++c) {
          const int d = 2 * n - 1 - a - b - c;
          double sum = 0;
          for (std::size_t i = 0; i < q.points.size(); ++i) {
            const auto& l = q.points[i];
            sum += q.weights[i] * std::pow(l[0], a) * std::pow(l[1], b) * std::pow(l[2], c) * std::pow(l[3], d);
          }
          const double exact = factorial(a) * factorial(b) * factorial(c) * factorial(d) / factorial(2 * n + 2);
          ASSERT_NEAR(sum, exact, 1e-13 * exact) << n << ": " << a << b << c << d;
        }
  }
}

// int l0^a l1^b l2^c = a! b! c! / (a + b + c + 2)!
TEST(Quadrature, IntegratesMonomialsOnTheTriangle) {
  for (int n = 1; n <= 8; ++n) {
    const auto q = triangle_quadrature(n);
    for (int a = 0; a <= 2 * n - 1; ++a)
      for (int b = 0; a + b <= 2 * n - 1; ++b) {
        const int c = 2 * n - 1 - a - b;
        double sum = 0;
        for (std::size_t i = 0; i < q.points.size(); ++i)
          sum += q.weights[i] * std::pow(q.points[i][0], a) * std::pow(q.points[i][1], b) * std::pow(q.points[i][2], c);
        const double exact = factorial(a) * factorial(b) * factorial(c) / factorial(2 * n + 1);
        ASSERT_NEAR(sum, exact, 1e-13 * exact) << n << ": " << a << b << c;
      }
  }
}

class ReferenceElement : public testing::TestWithParam<int> {
 protected:
  int p() const { return GetParam(); }
};

// sum_a B_a = (l0 + l1 + l2 + l3)^p = 1
TEST_P(ReferenceElement, FunctionsSumToOne) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const auto inside = bernstein_values(p(), random_point<4>(seed));
    EXPECT_NEAR(std::accumulate(inside.begin(), inside.end(), 0.0), 1, 1e-14);
    const auto on_triangle = bernstein_triangle_values(p(), random_point<3>(seed));
    EXPECT_NEAR(std::accumulate(on_triangle.begin(), on_triangle.end(), 0.0), 1, 1e-14);
  }
}

// The coefficients a_m / p are those of l_m: the functions lie where tetrahedron_index says.
TEST_P(ReferenceElement, CoefficientsOfTheCoordinatesAreTheirValuesAtTheNodes) {
  const auto l = random_point<4>(3);
  const auto values = bernstein_values(p(), l);
  std::array<double, 4> sum{};
  for (int a3 = 0; a3 <= p(); ++a3)
    for (int a2 = 0; a2 + a3 <= p(); ++a2)
      for (int a1 = 0; a1 + a2 + a3 <= p(); ++a1) {
        const std::array<int, 4> a{p() - a1 - a2 - a3, a1, a2, a3};
        for (int m = 0; m < 4; ++m) sum[m] += values[tetrahedron_index(a)] * a[m] / p();
      }
  for (int m = 0; m < 4; ++m) EXPECT_NEAR(sum[m], l[m], 1e-14);
}

TEST_P(ReferenceElement, MassMatricesAreThoseOfQuadrature) {
  const auto tetrahedron = tetrahedron_quadrature(p() + 1);
  std::vector<double> mass(std::pow(tetrahedron_nodes(p()), 2));
  for (std::size_t q = 0; q < tetrahedron.points.size(); ++q) {
    const auto b = bernstein_values(p(), tetrahedron.points[q]);
    for (std::size_t i = 0; i < b.size(); ++i)
      for (std::size_t j = 0; j < b.size(); ++j) mass[i * b.size() + j] += tetrahedron.weights[q] * b[i] * b[j];
  }
  const auto formula = mass_matrix(p());
  ASSERT_EQ(formula.size(), mass.size());
  for (std::size_t i = 0; i < mass.size(); ++i) ASSERT_NEAR(formula[i], mass[i], 1e-13 * mass[i]);

  const auto triangle = triangle_quadrature(p() + 1);
  std::vector<double> face_mass(std::pow(triangle_nodes(p()), 2));
  for (std::size_t q = 0; q < triangle.points.size(); ++q) {
    const auto b = bernstein_triangle_values(p(), triangle.points[q]);
    for (std::size_t i = 0; i < b.size(); ++i)
      for (std::size_t j = 0; j < b.size(); ++j) face_mass[i * b.size() + j] += triangle.weights[q] * b[i] * b[j];
  }
  const auto face_formula = triangle_mass_matrix(p());
  ASSERT_EQ(face_formula.size(), face_mass.size());
  for (std::size_t i = 0; i < face_mass.size(); ++i) ASSERT_NEAR(face_formula[i], face_mass[i], 1e-13 * face_mass[i]);
}

// M^-1 M = 1; the Bernstein mass matrix has the condition number C(2p + 3, p), 5005 for p = 6.
TEST_P(ReferenceElement, InverseOfTheMassMatrix) {
  const int n = tetrahedron_nodes(p());
  const auto mass = mass_matrix(p()), inverse_mass = inverse(mass, n);
  using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const RowMatrix> m(mass.data(), n, n), i(inverse_mass.data(), n, n);
  EXPECT_LT((m * i - RowMatrix::Identity(n, n)).cwiseAbs().maxCoeff(), 5005 * 1e-15);
}

TEST_P(ReferenceElement, ProjectionReproducesPolynomials) {
  for (const int points : {p() + 1, p() + 3}) {
    const auto quadrature = tetrahedron_quadrature(points);
    const auto coefficients = random_vector(tetrahedron_nodes(p()), 5);
    std::vector<double> values;
    for (const auto& l : quadrature.points) values.push_back(dot(bernstein_values(p(), l), coefficients));
    const auto projection = projection_matrix(p(), quadrature);
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
      double sum = 0;
      for (std::size_t q = 0; q < values.size(); ++q) sum += projection[i * values.size() + q] * values[q];
      EXPECT_NEAR(sum, coefficients[i], 1e-12);
    }
  }
}

// The interpolant of a polynomial's values at b / p is the polynomial.
TEST_P(ReferenceElement, TriangleInterpolationReproducesPolynomials) {
  const int n = triangle_nodes(p());
  const auto coefficients = random_vector(n, 6);
  std::vector<double> values(n);
  for (int b2 = 0; b2 <= p(); ++b2)
    for (int b1 = 0; b1 + b2 <= p(); ++b1) {
      const std::array<int, 3> b{p() - b1 - b2, b1, b2};
      values[triangle_index(b)] = dot(
          bernstein_triangle_values(p(), {double(b[0]) / p(), double(b[1]) / p(), double(b[2]) / p()}), coefficients);
    }
  const auto interpolation = triangle_interpolation_matrix(p());
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += interpolation[i * n + j] * values[j];
    EXPECT_NEAR(sum, coefficients[i], 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Order, ReferenceElement, testing::Range(1, 7));

}  // namespace
}  // namespace dgtd::dg
