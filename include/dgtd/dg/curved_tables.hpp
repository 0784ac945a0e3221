#pragma once
// Tables of an order for curved elements (kernels/curved.hpp), and their mass.
#include <vector>

#include "dgtd/dg/kernels/curved_product.hpp"
#include "dgtd/dg/reference_element.hpp"

namespace dgtd::dg {

/// The quadrature of degree 2 p with positive weights, 1 <= p <= highest_curved_order.
Quadrature curved_rule(int p);

/// In double precision; empty above highest_curved_order.
struct CurvedTables {
  explicit CurvedTables(int order);

  int nodes = 0, points = 0, terms = 0;
  std::vector<double> mass, inverse;  // [Np][Np] over the reference tetrahedron
  std::vector<double> weights;        // [points]
  std::vector<double> values;         // [points][Np] V
  std::vector<double> projection;     // [points][Np] D
  std::vector<double> expansion;      // [points][terms] T

  CurvedMassTables pointers() const {
    return {nodes, points, terms, mass.data(), inverse.data(), weights.data(), values.data(), expansion.data()};
  }
  /// CurvedArrays::tables.
  template <class Real>
  std::vector<Real> for_kernels() const {
    std::vector<Real> all;
    const auto append = [&](const std::vector<double>& from, int q, int n) {
      for (int i = 0; i < n; ++i) all.push_back(static_cast<Real>(from[static_cast<std::size_t>(q * n + i)]));
    };
    for (int q = 0; q < points; ++q) append(values, q, nodes), append(projection, q, nodes), append(expansion, q, terms);
    for (int a = 0; a < nodes; ++a)
      for (int q = 0; q < points; ++q) all.push_back(static_cast<Real>(projection[static_cast<std::size_t>(q * nodes + a)]));
    return all;
  }
};

}  // namespace dgtd::dg
