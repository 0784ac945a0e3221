#include "dgtd/dg/curved_tables.hpp"

#include <array>

#include "curved_points.hpp"
#include "dgtd/dg/kernels/curved.hpp"

namespace dgtd::dg {

Quadrature curved_rule(int p) {
  Quadrature rule;
  for (const auto& [l1, l2, l3, weight] : curved_rules.at(static_cast<std::size_t>(p - 1))) {
    if (weight == 0) break;
    rule.points.push_back({1 - l1 - l2 - l3, l1, l2, l3});
    rule.weights.push_back(weight);
  }
  return rule;
}

CurvedTables::CurvedTables(int order) {
  if (order > highest_curved_order) return;
  const Quadrature rule = curved_rule(order);
  nodes = tetrahedron_nodes(order), points = static_cast<int>(rule.points.size()), terms = curved_terms(order);
  mass = mass_matrix(order);
  inverse = dg::inverse(mass, nodes);
  weights = rule.weights;
  for (int q = 0; q < points; ++q) {
    const auto value = bernstein_values(order, rule.points[q]);
    values.insert(values.end(), value.begin(), value.end());
    for (int a = 0; a < nodes; ++a) {
      double sum = 0;
      for (int b = 0; b < nodes; ++b) sum += inverse[a * nodes + b] * value[b];
      projection.push_back(weights[q] * sum);
    }
    const auto of_metric = bernstein_values(curved_degree(order), rule.points[q]);
    expansion.insert(expansion.end(), of_metric.begin(), of_metric.end());
  }
}

}  // namespace dgtd::dg
