#include "section_triangle.hpp"

#include <algorithm>
#include <cmath>

#include "dgtd/dg/reference_element.hpp"

namespace dgtd::dg {

TriangleShape::TriangleShape(const SectionTriangle& t, const std::array<double, 3>& l) {
  double tangent[2][2];  // dx / dl_1 and dx / dl_2 with l_0 = 1 - l_1 - l_2
  for (std::size_t w = 0; w < 2; ++w)
    for (std::size_t k = 0; k < 2; ++k) {
      tangent[k][w] = t.at[k + 1][w] - t.at[0][w];
      // x has 4 (d_01 l_0 l_1 + d_02 l_0 l_2 + d_12 l_1 l_2).
      tangent[k][w] += 4 * ((l[0] - l[k + 1]) * t.bend[k][w] + l[2 - k] * (t.bend[2][w] - t.bend[1 - k][w]));
    }
  const auto& [first, second] = tangent;
  twice_area = first[0] * second[1] - first[1] * second[0];
  gradient[1] = {second[1] / twice_area, -second[0] / twice_area};
  gradient[2] = {-first[1] / twice_area, first[0] / twice_area};
  for (std::size_t w = 0; w < 2; ++w) gradient[0][w] = -gradient[1][w] - gradient[2][w];
}

std::array<double, 2> point_of_triangle(const SectionTriangle& t, const std::array<double, 3>& l) {
  std::array<double, 2> x{};
  for (std::size_t w = 0; w < 2; ++w) {
    for (std::size_t i = 0; i < 3; ++i) x[w] += l[i] * t.at[i][w];
    x[w] += 4 * (l[0] * (l[1] * t.bend[0][w] + l[2] * t.bend[1][w]) + l[1] * l[2] * t.bend[2][w]);
  }
  return x;
}

std::array<double, 3> barycentric_in(const SectionTriangle& t, double u, double v) {
  std::array<double, 3> l{1.0 / 3, 1.0 / 3, 1.0 / 3};
  constexpr int most_steps = 20;
  constexpr double close = 1e-13;
  for (int step = 0; step < most_steps; ++step) {
    const std::array<double, 2> x = point_of_triangle(t, l);
    const TriangleShape shape(t, l);
    double largest = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double change = (u - x[0]) * shape.gradient[i][0] + (v - x[1]) * shape.gradient[i][1];
      l[i] += change;
      largest = std::max(largest, std::abs(change));
    }
    if (t.is_straight() || !(largest > close)) break;
  }
  return l;
}

double twice_area_of(const SectionTriangle& t) {
  if (t.is_straight()) return std::abs(TriangleShape(t, {1, 0, 0}).twice_area);
  constexpr int exact_degree = 3;  // of the determinant: 2
  const TriangleQuadrature rule = triangle_quadrature(exact_degree);
  double sum = 0;
  for (std::size_t q = 0; q < rule.points.size(); ++q)
    sum += 2 * rule.weights[q] * std::abs(TriangleShape(t, rule.points[q]).twice_area);
  return sum;
}

}  // namespace dgtd::dg
