#pragma once
// Values of fields at points of elements, from their coefficients, in double precision.
#include <cstddef>
#include <vector>

#include "dgtd/base/constants.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/reference_element.hpp"
#include "dgtd/solver/solver.hpp"

namespace dgtd::dg {

/// Scale from stored Z0 H to A/m; 1 for E.
inline double scale_of(solver::Quantity::Field field) {
  return field == solver::Quantity::Field::electric ? 1.0 : 1.0 / vacuum_impedance;
}

/// The field at a point whose geometry and basis values are given; first: the element's first coefficient.
template <class Real>
Vec3 value_at(const Real* first, std::size_t stride, const PointGeometry& geometry,
              const std::vector<double>& basis) {
  const std::size_t nodes = basis.size();
  double u[3] = {};
  for (int k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < nodes; ++i) u[k] += basis[i] * first[(k * nodes + i) * stride];
  return geometry.cartesian(u[0], u[1], u[2]);
}

/// [points][Np]
inline std::vector<std::vector<double>> basis_at(int order, const std::vector<Barycentric>& points) {
  std::vector<std::vector<double>> basis;
  for (const auto& point : points) basis.push_back(bernstein_values(order, point));
  return basis;
}

}  // namespace dgtd::dg
