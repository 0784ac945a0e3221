#include "nodal_basis.hpp"

namespace dgtd::dg::test {

namespace {

// prod_{k < n} (p l - k) / (k + 1)
double factor(int p, int n, double l) {
  double value = 1;
  for (int k = 0; k < n; ++k) value *= (p * l - k) / (k + 1);
  return value;
}

double factor_derivative(int p, int n, double l) {
  double sum = 0;
  for (int left_out = 0; left_out < n; ++left_out) {
    double value = static_cast<double>(p) / (left_out + 1);
    for (int k = 0; k < n; ++k)
      if (k != left_out) value *= (p * l - k) / (k + 1);
    sum += value;
  }
  return sum;
}

}  // namespace

std::vector<std::array<int, 4>> nodal_points(int p) {
  std::vector<std::array<int, 4>> points;
  for (int a0 = p; a0 >= 0; --a0)
    for (int a1 = p - a0; a1 >= 0; --a1)
      for (int a2 = p - a0 - a1; a2 >= 0; --a2) points.push_back({a0, a1, a2, p - a0 - a1 - a2});
  return points;
}

Eigen::VectorXd nodal_values(int p, const std::array<double, 4>& l) {
  const auto points = nodal_points(p);
  Eigen::VectorXd values(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    values(i) = 1;
    for (int m = 0; m < 4; ++m) values(i) *= factor(p, points[i][m], l[m]);
  }
  return values;
}

Eigen::MatrixXd nodal_derivatives(int p, const std::array<double, 4>& l) {
  const auto points = nodal_points(p);
  Eigen::MatrixXd derivatives(points.size(), 4);
  for (std::size_t i = 0; i < points.size(); ++i)
    for (int along = 0; along < 4; ++along) {
      derivatives(i, along) = 1;
      for (int m = 0; m < 4; ++m)
        derivatives(i, along) *= m == along ? factor_derivative(p, points[i][m], l[m]) : factor(p, points[i][m], l[m]);
    }
  return derivatives;
}

}  // namespace dgtd::dg::test
