// The metric of curved elements at each point (kernels/curved.hpp).
#include <Eigen/Eigenvalues>
#include <cassert>

#include "batch_arrays.hpp"
#include "curved_metric.hpp"
#include "dgtd/dg/curved_tables.hpp"
#include "dgtd/dg/element_geometry.hpp"

namespace dgtd::dg {

namespace {

double smallest_eigenvalue(const std::array<double, 6>& G) {
  Eigen::Matrix3d m;
  m << G[0], G[1], G[2], G[1], G[3], G[4], G[2], G[4], G[5];
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(m, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

using Terms = std::vector<std::array<double, 6>>;  // [terms]

// The L2 projection of G on the polynomials of the kernels.
Terms project(const ElementGeometry& geometry, const Quadrature& rule, const std::vector<double>& projection) {
  const std::size_t points = rule.points.size();
  Terms terms(projection.size() / points);
  for (std::size_t q = 0; q < points; ++q) {
    const auto G = metric_of(geometry.at(rule.points[q]));
    for (std::size_t m = 0; m < terms.size(); ++m)
      for (std::size_t e = 0; e < 6; ++e) terms[m][e] += projection[m * points + q] * G[e];
  }
  return terms;
}

// All Bernstein functions of a degree have the same integral.
std::array<double, 6> mean_of(const Terms& terms) {
  std::array<double, 6> mean{};
  for (const auto& term : terms)
    for (std::size_t e = 0; e < 6; ++e) mean[e] += term[e] / double(terms.size());
  return mean;
}

// Whether sign(J) G is positive at the points of the kernels, well away from zero: else the mass has no inverse.
bool is_even(const Terms& terms, const CurvedTables& tables, double sign) {
  constexpr double least = 0.1;  // of the smallest eigenvalue of the mean
  const auto smallest = [&](std::array<double, 6> G) {
    for (double& g : G) g *= sign;
    return smallest_eigenvalue(G);
  };
  const double bound = least * smallest(mean_of(terms));
  for (int q = 0; q < tables.points; ++q) {
    std::array<double, 6> G{};
    for (std::size_t m = 0; m < terms.size(); ++m)
      for (std::size_t e = 0; e < 6; ++e) G[e] += tables.expansion[std::size_t(q) * terms.size() + m] * terms[m][e];
    if (!(smallest(G) > bound)) return false;
  }
  return true;
}

}  // namespace

template <class Real>
bool Discretisation<Real>::is_curved(std::size_t element) const {
  return curved == mesh::CurvedElements::full && mesh.curved_element(element) != nullptr && !is_in_layer(element);
}

template <class Real>
void Discretisation<Real>::fill_curved_metric() {
  if (curved_blocks == 0) return;
  assert(order <= highest_curved_order);
  curved_block.assign(static_cast<std::size_t>(owned_blocks), -1);
  std::int32_t place = 0;
  for (const auto* list : {&batches.interior, &batches.halo})
    for (const Batch& batch : *list)
      for (std::int64_t b = 0; batch.traits.curved && b < batch.blocks; ++b)
        curved_block[batch.first_block + b] = place++;
  const CurvedTables tables(order);
  const Quadrature rule = tetrahedron_quadrature(order + 3);  // exact to degree 2 p + 5
  const std::vector<double> projection = projection_matrix(curved_degree(order), rule);
  curved_metric.assign(static_cast<std::size_t>(curved_blocks) * tables.terms * 6 * block_lanes, Real(0));
  std::int64_t uneven = 0;
#pragma omp parallel for schedule(static) reduction(+ : uneven)
  for (std::size_t slot = 0; slot < element_of_slot.size(); ++slot) {
    const std::int64_t e = element_of_slot[slot], block = curved_block[slot / block_lanes];
    if (e < 0 || block < 0) continue;
    const ElementGeometry geometry(mesh, static_cast<std::size_t>(e));
    Terms terms = project(geometry, rule, projection);
    if (!is_even(terms, tables, geometry.at({0.25, 0.25, 0.25, 0.25}).determinant > 0 ? 1 : -1)) {
      const auto mean = mean_of(terms);
      for (auto& term : terms) term = mean;
      ++uneven;
    }
    for (std::size_t i = 0; i < terms.size() * 6; ++i)
      curved_metric[(std::size_t(block) * terms.size() * 6 + i) * block_lanes + slot % block_lanes] =
          static_cast<Real>(terms[i / 6][i % 6]);
  }
  uneven_elements = uneven;
}

template <class Real>
std::vector<double> apply_curved_metric(const Discretisation<Real>& d, std::uint32_t slot,
                                        const std::vector<double>& rates) {
  constexpr int entry[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  const CurvedTables t(d.order);
  const auto metric = [&](int term, int e) {
    const auto block = static_cast<std::size_t>(d.curved_block[slot / block_lanes]);
    return double(d.curved_metric[((block * t.terms + term) * 6 + e) * block_lanes + slot % block_lanes]);
  };
  std::vector<double> product(rates.size());
  for (int q = 0; q < t.points; ++q) {
    double r[3] = {0, 0, 0};
    for (int k = 0; k < 3; ++k)
      for (int a = 0; a < t.nodes; ++a) r[k] += t.values[q * t.nodes + a] * rates[k * t.nodes + a];
    for (int k = 0; k < 3; ++k) {
      double of_point = 0;
      for (int i = 0; i < 3; ++i)
        for (int m = 0; m < t.terms; ++m) of_point += t.expansion[q * t.terms + m] * metric(m, entry[k][i]) * r[i];
      for (int a = 0; a < t.nodes; ++a) product[k * t.nodes + a] += t.projection[q * t.nodes + a] * of_point;
    }
  }
  return product;
}

template <class Real>
std::array<double, 3> covariant_direction(const Discretisation<Real>& d, std::uint32_t slot,
                                          const ElementGeometry& geometry, const Vec3& e) {
  std::array<double, 3> along{};
  for (int k = 0; k < 3; ++k) along[static_cast<std::size_t>(k)] = dot(e, geometry.edges[k]);
  if (geometry.curved == nullptr) return along;
  if (has_curved_metric(d, slot)) {
    for (int k = 0; k < 3; ++k)
      along[static_cast<std::size_t>(k)] = geometry.determinant * dot(e, geometry.gradients[k]);
    return along;
  }
  constexpr int entry[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  for (int k = 0; k < 3; ++k) {
    double sum = 0;
    for (int i = 0; i < 3; ++i)
      sum += d.metric[(std::size_t{slot / block_lanes} * 6 + static_cast<std::size_t>(entry[k][i])) * block_lanes +
                      slot % block_lanes] *
             dot(e, geometry.gradients[i]);
    along[static_cast<std::size_t>(k)] = geometry.determinant * sum;
  }
  return along;
}

template std::array<double, 3> covariant_direction<float>(const Discretisation<float>&, std::uint32_t,
                                                          const ElementGeometry&, const Vec3&);
template std::array<double, 3> covariant_direction<double>(const Discretisation<double>&, std::uint32_t,
                                                           const ElementGeometry&, const Vec3&);
template std::vector<double> apply_curved_metric<float>(const Discretisation<float>&, std::uint32_t,
                                                        const std::vector<double>&);
template std::vector<double> apply_curved_metric<double>(const Discretisation<double>&, std::uint32_t,
                                                         const std::vector<double>&);
template bool Discretisation<float>::is_curved(std::size_t) const;
template bool Discretisation<double>::is_curved(std::size_t) const;
template void Discretisation<float>::fill_curved_metric();
template void Discretisation<double>::fill_curved_metric();

}  // namespace dgtd::dg
