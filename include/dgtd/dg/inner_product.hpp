#pragma once
// Mass inner products: energies, norms.
#include <vector>

#include "dgtd/dg/curved_tables.hpp"
#include "dgtd/dg/discretisation.hpp"

namespace dgtd::dg {

/// The dense mass form of an order, for a block of elements at a time.
class MassForm {
 public:
  explicit MassForm(int order);
  /// result[lane] = integral over each element of a block of u . v (in the fields' units times m^3), double
  /// arithmetic. u, v: the block's start in two field arrays; metric: [6][lane].
  template <class Real>
  void block(const Real* u, const Real* v, const FieldLayout& layout, const Real* metric,
             double (&result)[block_lanes]) const;
  const std::vector<double>& matrix() const { return mass_; }

 private:
  int nodes_;
  std::vector<double> mass_;  // [Np][Np] over the reference tetrahedron
};

/// The mass form of curved elements (kernels/curved_product.hpp).
class CurvedMassForm {
 public:
  explicit CurvedMassForm(int order) : tables_(order) {}
  /// As MassForm::block; metric: [terms][6][lane].
  template <class Real>
  void block(const Real* u, const Real* v, const FieldLayout& layout, const Real* metric,
             double (&result)[block_lanes]) const;

 private:
  CurvedTables tables_;
};

/// J and the contravariant metric g^kl |J| of a lane, from the stored metric G = a_k . a_i / J. Zero for padding.
struct LaneMetric {
  double determinant = 0;
  double inverse[6] = {};  // order 11 12 13 22 23 33
};
template <class Real>
DGTD_HOST_DEVICE LaneMetric lane_metric(const Real* metric, int lane) {
  double g[6];
  for (int k = 0; k < 6; ++k) g[k] = metric[k * block_lanes + lane];
  // det(a_k . a_i) = J^2, so det(G) = J^2 / J^3.
  const double c11 = g[3] * g[5] - g[4] * g[4], c12 = g[2] * g[4] - g[1] * g[5], c13 = g[1] * g[4] - g[2] * g[3];
  const double det = g[0] * c11 + g[1] * c12 + g[2] * c13;
  LaneMetric m;
  if (det == 0) return m;
  m.determinant = 1 / det;
  // inverse of a_k . a_i = J G is adj(G) / det(G) / J = adj(G); times |J|.
  const double j = m.determinant < 0 ? -m.determinant : m.determinant;
  m.inverse[0] = j * c11;
  m.inverse[1] = j * c12;
  m.inverse[2] = j * c13;
  m.inverse[3] = j * (g[0] * g[5] - g[2] * g[2]);
  m.inverse[4] = j * (g[1] * g[2] - g[0] * g[4]);
  m.inverse[5] = j * (g[0] * g[3] - g[1] * g[1]);
  return m;
}

}  // namespace dgtd::dg
