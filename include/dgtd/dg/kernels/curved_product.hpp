#pragma once
// The conserved mass of a curved element, of which its update (kernels/curved.hpp) is the inverse:
//   (u, v) = u^t M M_G^-1 M v,   M_G = sum_q w_q V_q^t s G(q) V_q,   s = sign J,
// by conjugate gradients on M_G x = M u in double precision, preconditioned by the mean of G,
//   (M s G_mean)^-1 (M. R. Hestenes, E. Stiefel, J. Res. Nat. Bur. Standards 49 (1952)),
// which takes 13 to 17 iterations. G(q) is that of the kernels.
#include "dgtd/base/host_device.hpp"
#include "dgtd/dg/bernstein.hpp"
#include "dgtd/dg/kernels/curved.hpp"

namespace dgtd::dg {

/// Pointers into CurvedTables.
struct CurvedMassTables {
  int nodes = 0, points = 0, terms = 0;
  const double *mass = nullptr, *inverse = nullptr, *weights = nullptr, *values = nullptr, *expansion = nullptr;
};

inline constexpr int most_curved_coefficients = 3 * tetrahedron_nodes(highest_curved_order);
inline constexpr int most_curved_points = curved_points(highest_curved_order);

/// (u, v) of an element, in the units of u and v times m^3; most: at least 3 Np. u(component, node) and v: coefficients;
/// metric(term, entry): G.
template <int most, class U, class V, class Metric>
DGTD_HOST_DEVICE double curved_product(const CurvedMassTables& t, const U& u, const V& v, const Metric& metric) {
  constexpr int most_iterations = 40;
  constexpr double close = 1e-30;  // square of the relative residual
  constexpr int entry[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  const int n = t.nodes;

  // The mean of the Bernstein functions of a degree is that of their coefficients.
  double mean[6];
  for (int e = 0; e < 6; ++e) {
    mean[e] = 0;
    for (int m = 0; m < t.terms; ++m) mean[e] += metric(m, e) / t.terms;
  }
  const double c11 = mean[3] * mean[5] - mean[4] * mean[4], c12 = mean[2] * mean[4] - mean[1] * mean[5],
               c13 = mean[1] * mean[4] - mean[2] * mean[3];
  const double det = mean[0] * c11 + mean[1] * c12 + mean[2] * c13;
  if (det == 0) return 0;  // padding
  const double sign = det < 0 ? -1 : 1, over = sign / det;
  const double inverse_mean[6] = {over * c11,
                                  over * c12,
                                  over * c13,
                                  over * (mean[0] * mean[5] - mean[2] * mean[2]),
                                  over * (mean[1] * mean[2] - mean[0] * mean[4]),
                                  over * (mean[0] * mean[3] - mean[1] * mean[1])};

  double x[most], residual[most], z[most], direction[most], image[most];
  const auto precondition = [&] {
    for (int a = 0; a < n; ++a) {
      double y[3] = {0, 0, 0};
      for (int b = 0; b < n; ++b)
        for (int k = 0; k < 3; ++k) y[k] += t.inverse[a * n + b] * residual[k * n + b];
      for (int k = 0; k < 3; ++k)
        z[k * n + a] = inverse_mean[entry[k][0]] * y[0] + inverse_mean[entry[k][1]] * y[1] + inverse_mean[entry[k][2]] * y[2];
    }
  };
  const auto multiply = [&] {  // image = M_G direction
    for (int i = 0; i < 3 * n; ++i) image[i] = 0;
    for (int q = 0; q < t.points; ++q) {
      const double* const value = t.values + q * n;
      double r[3] = {0, 0, 0}, g[6] = {0, 0, 0, 0, 0, 0};
      for (int a = 0; a < n; ++a)
        for (int k = 0; k < 3; ++k) r[k] += value[a] * direction[k * n + a];
      for (int m = 0; m < t.terms; ++m)
        for (int e = 0; e < 6; ++e) g[e] += t.expansion[q * t.terms + m] * metric(m, e);
      const double w = sign * t.weights[q];
      for (int k = 0; k < 3; ++k) {
        const double s = w * (g[entry[k][0]] * r[0] + g[entry[k][1]] * r[1] + g[entry[k][2]] * r[2]);
        for (int a = 0; a < n; ++a) image[k * n + a] += s * value[a];
      }
    }
  };
  const auto product = [&](const double* a, const double* b) {
    double sum = 0;
    for (int i = 0; i < 3 * n; ++i) sum += a[i] * b[i];
    return sum;
  };

  for (int k = 0; k < 3; ++k)
    for (int a = 0; a < n; ++a) {
      double sum = 0;
      for (int b = 0; b < n; ++b) sum += t.mass[a * n + b] * u(k, b);
      residual[k * n + a] = sum, x[k * n + a] = 0;
    }
  precondition();
  for (int i = 0; i < 3 * n; ++i) direction[i] = z[i];
  double size = product(residual, z);
  const double first = size;
  for (int i = 0; i < most_iterations && size > close * first; ++i) {
    multiply();
    const double step = size / product(direction, image);
    for (int j = 0; j < 3 * n; ++j) x[j] += step * direction[j], residual[j] -= step * image[j];
    precondition();
    const double next = product(residual, z), turn = next / size;
    for (int j = 0; j < 3 * n; ++j) direction[j] = z[j] + turn * direction[j];
    size = next;
  }
  double result = 0;
  for (int k = 0; k < 3; ++k)
    for (int a = 0; a < n; ++a) {
      double sum = 0;
      for (int b = 0; b < n; ++b) sum += t.mass[a * n + b] * v(k, b);
      result += x[k * n + a] * sum;
    }
  return result;
}

}  // namespace dgtd::dg
