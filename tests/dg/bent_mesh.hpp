#pragma once
// Curved elements of any mesh, the same on any number of ranks.
#include <cmath>

#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/mesh/mesh_source.hpp"
#include "dgtd/mesh/subdomain.hpp"

namespace dgtd::dg::test {

/// Bends all edges by up to 1.7 `amount` of their length, those of the boundary, too, and gives the elements their metric at
/// each point. every: of so many elements by their global numbers one is in the list of curved ones; then amount is 0, which
/// leaves them straight.
template <class Problem>
void bend(Problem& problem, double amount, std::int64_t every = 1) {
  mesh::Subdomain& mesh = problem.mesh;
  const auto middle_shift = [](const Vec3& x) {
    return Vec3{std::sin(9 * x.y + 7 * x.z + 1), std::cos(8 * x.x - 5 * x.z), std::sin(6 * x.x + 11 * x.y + 2)};
  };
  mesh.curved.clear(), mesh.curvature.clear();
  problem.curved = mesh::CurvedElements::full;
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    if (mesh.element_id[e] % every != 0) continue;
    mesh::CurvedElement element;
    for (std::size_t i = 0; i < 6; ++i) {
      const auto [a, b] = mesh::edge_corners[i];
      const Vec3 from = mesh.vertex(e, a), to = mesh.vertex(e, b);
      element.bend[i] = (amount * norm(to - from)) * middle_shift(0.5 * (from + to));
    }
    mesh.curved.push_back(static_cast<std::uint32_t>(e));
    mesh.curvature.push_back(element);
  }
}

}  // namespace dgtd::dg::test
