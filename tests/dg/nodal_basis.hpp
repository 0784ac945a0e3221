#pragma once
// Lagrange basis on the equispaced points of a tetrahedron, by Silvester's product formula:
//   L_a(l) = prod_m prod_{k < a_m} (p l_m - k) / (k + 1),   one at the point a / p, zero at the others.
#include <array>
#include <vector>

#include <Eigen/Core>

namespace dgtd::dg::test {

/// Exponents a of the nodes; node a lies at the barycentric point a / p.
std::vector<std::array<int, 4>> nodal_points(int p);
/// [nodes] values at a barycentric point.
Eigen::VectorXd nodal_values(int p, const std::array<double, 4>& l);
/// [nodes][4] derivatives along the four barycentric coordinates, taken as independent.
Eigen::MatrixXd nodal_derivatives(int p, const std::array<double, 4>& l);

}  // namespace dgtd::dg::test
