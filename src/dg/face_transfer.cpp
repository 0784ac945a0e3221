#include "dgtd/dg/face_transfer.hpp"

#include <cassert>

#include "dgtd/dg/bernstein.hpp"
#include "dgtd/dg/reference_element.hpp"

namespace dgtd::dg {

namespace {

double binomial(int n, int k) {
  double value = 1;
  for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
  return value;
}

// body(exponents) for all exponents of the degree, in the order of triangle_index.
template <class Body>
void for_each_face_node(int degree, const Body& body) {
  for (int b2 = 0; b2 <= degree; ++b2)
    for (int b1 = 0; b1 + b2 <= degree; ++b1) body(std::array<int, 3>{degree - b1 - b2, b1, b2});
}

}  // namespace

// B_b^p = sum_a [ prod_k binomial(a_k, b_k) ] / binomial(q, p) B_a^q: the product of B_b^p with one, which is the sum
// of all B_c^(q-p) (Farin, Curves and Surfaces for CAGD, section 17.3, r times).
std::vector<double> face_elevation(int low, int high) {
  assert(low <= high);
  const int columns = triangle_nodes(low);
  std::vector<double> matrix(static_cast<std::size_t>(triangle_nodes(high) * columns));
  for_each_face_node(high, [&](const std::array<int, 3>& a) {
    for_each_face_node(low, [&](const std::array<int, 3>& b) {
      double product = 1;
      for (std::size_t k = 0; k < 3; ++k) product *= a[k] < b[k] ? 0 : binomial(a[k], b[k]);
      matrix[static_cast<std::size_t>(triangle_index(a) * columns + triangle_index(b))] = product / binomial(high, low);
    });
  });
  return matrix;
}

std::vector<double> face_projection(int high, int low) {
  const int rows = triangle_nodes(low), columns = triangle_nodes(high);
  const auto inverse_mass = inverse(triangle_mass_matrix(low), rows), mass = triangle_mass_matrix(high),
             elevation = face_elevation(low, high);
  std::vector<double> adjoint(static_cast<std::size_t>(rows * columns)), matrix(adjoint.size());  // E^T M_high
  const auto at = [&](int row, int column) { return static_cast<std::size_t>(row * columns + column); };
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      for (int k = 0; k < columns; ++k)
        adjoint[at(i, j)] += elevation[static_cast<std::size_t>(k * rows + i)] * mass[at(k, j)];
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      for (int k = 0; k < rows; ++k)
        matrix[at(i, j)] += inverse_mass[static_cast<std::size_t>(i * rows + k)] * adjoint[at(k, j)];
  return matrix;
}

}  // namespace dgtd::dg
