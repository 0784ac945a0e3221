#include "dgtd/dg/degree_parts.hpp"

#include <cmath>

#include "dgtd/dg/bernstein.hpp"
#include "dgtd/dg/face_trace.hpp"
#include "dgtd/dg/reference_element.hpp"

namespace dgtd::dg {

namespace {

// matrix [n][n] times a vector.
std::vector<double> matrix_times(const std::vector<double>& matrix, const double* vector, int n) {
  std::vector<double> result(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) result[i] += matrix[i * n + j] * vector[j];
  return result;
}

double inner(const std::vector<double>& a, const double* b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

// Gram and Schmidt, twice, of monomials l_1^i l_2^j l_3^k in the order of their degrees.
std::vector<double> orthonormal_on_tetrahedron(int order) {
  const int n = tetrahedron_nodes(order);
  const auto mass = mass_matrix(order);
  const auto quadrature = tetrahedron_quadrature(order + 1);
  const auto projection = projection_matrix(order, quadrature);
  const std::size_t points = quadrature.points.size();
  std::vector<double> polynomials;
  for (int degree = 0; degree <= order; ++degree)
    for (int j = 0; j <= degree; ++j)
      for (int k = 0; j + k <= degree; ++k) {
        std::vector<double> next(static_cast<std::size_t>(n));
        for (std::size_t q = 0; q < points; ++q) {
          const Barycentric& l = quadrature.points[q];
          const double value = std::pow(l[1], degree - j - k) * std::pow(l[2], j) * std::pow(l[3], k);
          for (int i = 0; i < n; ++i) next[i] += projection[i * points + q] * value;
        }
        for (int again = 0; again < 2; ++again) {
          for (std::size_t at = 0; at < polynomials.size(); at += n) {
            const double part = inner(matrix_times(mass, next.data(), n), polynomials.data() + at);
            for (int i = 0; i < n; ++i) next[i] -= part * polynomials[at + i];
          }
          const double length = std::sqrt(inner(matrix_times(mass, next.data(), n), next.data()));
          for (double& c : next) c /= length;
        }
        polynomials.insert(polynomials.end(), next.begin(), next.end());
      }
  return polynomials;
}

std::vector<double> least_extension(int order) {
  const int nodes = tetrahedron_nodes(order), n = triangle_nodes(order);
  const auto inverse_mass = inverse(mass_matrix(order), nodes);
  const FaceTraceEntries entries = face_trace_entries(order);
  std::vector<double> traces(static_cast<std::size_t>(n) * n);  // T M^-1 T^t, the same on all faces
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) traces[i * n + j] = inverse_mass[entries.a[i] % nodes * nodes + entries.a[j] % nodes];
  return inverse(traces, n);
}

DegreeParts::DegreeParts(int order) : order_(order), nodes_(tetrahedron_nodes(order)) {
  const auto mass = mass_matrix(order), polynomials = orthonormal_on_tetrahedron(order);
  for (int k = 0; k < nodes_; ++k) {
    const auto row = matrix_times(mass, polynomials.data() + k * nodes_, nodes_);
    moments_.insert(moments_.end(), row.begin(), row.end());
  }
}

template <class Real>
void DegreeParts::add(const Real* u, std::size_t stride, const double (&metric)[6], double* energy) const {
  for (int degree = 0; degree <= order_; ++degree)
    for (int k = degree == 0 ? 0 : tetrahedron_nodes(degree - 1); k < tetrahedron_nodes(degree); ++k) {
      double a[3] = {};
      for (int c = 0; c < 3; ++c)
        for (int i = 0; i < nodes_; ++i) a[c] += moments_[k * nodes_ + i] * u[(c * nodes_ + i) * stride];
      energy[degree] += metric[0] * a[0] * a[0] + metric[3] * a[1] * a[1] + metric[5] * a[2] * a[2] +
                        2 * (metric[1] * a[0] * a[1] + metric[2] * a[0] * a[2] + metric[4] * a[1] * a[2]);
    }
}

template void DegreeParts::add<float>(const float*, std::size_t, const double (&)[6], double*) const;
template void DegreeParts::add<double>(const double*, std::size_t, const double (&)[6], double*) const;

}  // namespace dgtd::dg
