#include "dgtd/dg/inner_product.hpp"

#include <cmath>

#include "dgtd/dg/reference_element.hpp"

namespace dgtd::dg {

template <class Real>
LaneMetric lane_metric(const Real* metric, int lane) {
  double g[6];
  for (int k = 0; k < 6; ++k) g[k] = metric[k * block_lanes + lane];
  // det(a_k . a_i) = J^2, so det(G) = J^2 / J^3.
  const double c11 = g[3] * g[5] - g[4] * g[4], c12 = g[2] * g[4] - g[1] * g[5], c13 = g[1] * g[4] - g[2] * g[3];
  const double det = g[0] * c11 + g[1] * c12 + g[2] * c13;
  LaneMetric m;
  if (det == 0) return m;
  m.determinant = 1 / det;
  // inverse of a_k . a_i = J G is adj(G) / det(G) / J = adj(G); times |J|.
  const double j = std::abs(m.determinant);
  m.inverse[0] = j * c11;
  m.inverse[1] = j * c12;
  m.inverse[2] = j * c13;
  m.inverse[3] = j * (g[0] * g[5] - g[2] * g[2]);
  m.inverse[4] = j * (g[1] * g[2] - g[0] * g[4]);
  m.inverse[5] = j * (g[0] * g[3] - g[1] * g[1]);
  return m;
}

MassForm::MassForm(int order) : nodes_(tetrahedron_nodes(order)), mass_(mass_matrix(order)) {}

template <class Real>
void MassForm::block(const Real* u, const Real* v, const Real* metric, double (&result)[block_lanes]) const {
  double product[3][3][block_lanes] = {};  // [k][l] u_k^T M v_l
  const auto at = [&](int component, int node) { return std::size_t(component * nodes_ + node) * block_lanes; };
  for (int l = 0; l < 3; ++l)
    for (int i = 0; i < nodes_; ++i) {
      double w[block_lanes] = {};
      for (int j = 0; j < nodes_; ++j) {
        const double m = mass_[i * nodes_ + j];
        const Real* const from = v + at(l, j);
        for (int lane = 0; lane < block_lanes; ++lane) w[lane] += m * from[lane];
      }
      for (int k = 0; k < 3; ++k) {
        const Real* const from = u + at(k, i);
        for (int lane = 0; lane < block_lanes; ++lane) product[k][l][lane] += from[lane] * w[lane];
      }
    }
  for (int lane = 0; lane < block_lanes; ++lane) {
    const LaneMetric m = lane_metric(metric, lane);
    const auto p = [&](int k, int l) { return product[k][l][lane]; };
    result[lane] = m.inverse[0] * p(0, 0) + m.inverse[3] * p(1, 1) + m.inverse[5] * p(2, 2) +
                   m.inverse[1] * (p(0, 1) + p(1, 0)) + m.inverse[2] * (p(0, 2) + p(2, 0)) + m.inverse[4] * (p(1, 2) + p(2, 1));
  }
}

template LaneMetric lane_metric<float>(const float*, int);
template LaneMetric lane_metric<double>(const double*, int);
template void MassForm::block<float>(const float*, const float*, const float*, double (&)[block_lanes]) const;
template void MassForm::block<double>(const double*, const double*, const double*, double (&)[block_lanes]) const;

}  // namespace dgtd::dg
