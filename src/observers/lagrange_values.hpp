#pragma once
// Polynomials on a tetrahedron from their values at io::lagrange_points.
#include <array>
#include <span>
#include <vector>

namespace dgtd::observers {

/// Lagrange's polynomials of the points i / order of a tetrahedron at barycentric coordinates l: 1 at their own point,
/// 0 at the others. points: io::lagrange_points(order); values: [points].
void lagrange_values(const std::vector<std::array<double, 4>>& points, int order, const std::array<double, 4>& l,
                     std::span<double> values);

}  // namespace dgtd::observers
