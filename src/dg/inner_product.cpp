#include "dgtd/dg/inner_product.hpp"

#include <cmath>

#include "dgtd/dg/reference_element.hpp"
#include "dgtd/parallel/simd.hpp"

namespace dgtd::dg {

MassForm::MassForm(int order) : nodes_(tetrahedron_nodes(order)), mass_(mass_matrix(order)) {}

namespace {

constexpr int most_coefficients = 3 * 84;  // of P6
using Lanes = parallel::Pack<double>;

// The coefficients of a block as doubles, lanes innermost.
template <class Real>
void read_block(const Real* start, const FieldLayout& layout, double (*to)[block_lanes]) {
  const int coefficients = 3 * layout.nodes;
  for (int lane = 0; lane < block_lanes; ++lane) {
    const Real* const from = start + layout.first(static_cast<std::uint32_t>(lane));
    for (int i = 0; i < coefficients; ++i) to[i][lane] = static_cast<double>(from[i * layout.stride()]);
  }
}

}  // namespace

// Sums of products u_k^T M v_l for each pair of components, then the contravariant metric.
template <class Real>
void MassForm::block(const Real* u, const Real* v, const FieldLayout& layout, const Real* metric,
                     double (&result)[block_lanes]) const {
  double from_u[most_coefficients][block_lanes], from_v[most_coefficients][block_lanes];
  read_block(u, layout, from_u);
  if (u != v) read_block(v, layout, from_v);
  const auto& second = u != v ? from_v : from_u;
  for (int lane = 0; lane < block_lanes; lane += Lanes::lanes) {
    Lanes product[3][3] = {};
    for (int i = 0; i < nodes_; ++i) {
      Lanes w[3] = {};
      for (int j = 0; j < nodes_; ++j) {
        const Lanes m(mass_[i * nodes_ + j]);
        for (int l = 0; l < 3; ++l) w[l] = fma(m, parallel::load(&second[l * nodes_ + j][lane]), w[l]);
      }
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
          product[k][l] = fma(parallel::load(&from_u[k * nodes_ + i][lane]), w[l], product[k][l]);
    }
    for (int in_pack = 0; in_pack < Lanes::lanes; ++in_pack) {
      const LaneMetric m = lane_metric(metric, lane + in_pack);
      const auto p = [&](int k, int l) { return product[k][l].v[in_pack]; };
      result[lane + in_pack] = m.inverse[0] * p(0, 0) + m.inverse[3] * p(1, 1) + m.inverse[5] * p(2, 2) +
                               m.inverse[1] * (p(0, 1) + p(1, 0)) + m.inverse[2] * (p(0, 2) + p(2, 0)) +
                               m.inverse[4] * (p(1, 2) + p(2, 1));
    }
  }
}

template <class Real>
void CurvedMassForm::block(const Real* u, const Real* v, const FieldLayout& layout, const Real* metric,
                           double (&result)[block_lanes]) const {
  const CurvedMassTables tables = tables_.pointers();
  for (int lane = 0; lane < block_lanes; ++lane) {
    const std::size_t first = layout.first(static_cast<std::uint32_t>(lane)), stride = layout.stride();
    const auto coefficients = [&](const Real* of) {
      return [=, nodes = layout.nodes](int component, int node) {
        return static_cast<double>(of[first + std::size_t(component * nodes + node) * stride]);
      };
    };
    result[lane] = curved_product<most_curved_coefficients>(
        tables, coefficients(u), coefficients(v), [&](int term, int entry) {
          return static_cast<double>(metric[(term * 6 + entry) * block_lanes + lane]);
        });
  }
}

template void CurvedMassForm::block<float>(const float*, const float*, const FieldLayout&, const float*,
                                           double (&)[block_lanes]) const;
template void CurvedMassForm::block<double>(const double*, const double*, const FieldLayout&, const double*,
                                            double (&)[block_lanes]) const;
template void MassForm::block<float>(const float*, const float*, const FieldLayout&, const float*,
                                     double (&)[block_lanes]) const;
template void MassForm::block<double>(const double*, const double*, const FieldLayout&, const double*,
                                      double (&)[block_lanes]) const;

}  // namespace dgtd::dg
