#pragma once
// Mass inner products: energies, norms.
#include <functional>
#include <vector>

#include "dgtd/dg/discretisation.hpp"
#include "dgtd/dg/field.hpp"

namespace dgtd::dg {

/// The dense mass form of an order, ready for a block of elements.
class MassForm {
 public:
  explicit MassForm(int order);
  /// result[lane] = integral over each element of block of u . v (in the fields' units times m^3), double arithmetic.
  /// u, v: starts of the block in two field arrays; metric: [6][lane].
  template <class Real>
  void block(const Real* u, const Real* v, const Real* metric, double (&result)[block_lanes]) const;

 private:
  int nodes_;
  std::vector<double> mass_;  // [Np][Np] over the reference tetrahedron
};

/// J and the contravariant metric g^kl |J| of a lane, from the stored metric G = a_k . a_i / J. Zero for padding.
struct LaneMetric {
  double determinant = 0;
  double inverse[6] = {};   // order 11 12 13 22 23 33
};
template <class Real>
LaneMetric lane_metric(const Real* metric, int lane);

}  // namespace dgtd::dg
