#include "mesh/read/curved_edges.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dgtd/base/error.hpp"
#include "mesh/compact/parallel_algorithms.hpp"

namespace dgtd::mesh {
namespace {

/// An edge of third order, with nodes x_a, x_b at its thirds, becomes the one of second order through its middle,
///   (9 (x_a + x_b) - (x_i + x_j)) / 16
/// (cubic interpolation): for P1 to P4 edges of second order are exact enough (docs/theory.md, "Curved elements").
Vec3 middle(const EdgeNodes& edge, const std::vector<Vec3>& positions) {
  const auto at = [&](std::int64_t place) { return positions[static_cast<std::size_t>(place)]; };
  if (edge.nodes[0] == edge.nodes[1]) return at(edge.nodes[0]);
  return (1.0 / 16) * (9 * (at(edge.nodes[0]) + at(edge.nodes[1])) - (at(edge.ends[0]) + at(edge.ends[1])));
}

}  // namespace

void find_curved_edges(GlobalMesh& mesh, std::vector<EdgeNodes> edges, const std::vector<Vec3>& positions,
                       const std::vector<std::int64_t>& vertices, const MshNodeNumbers& numbers) {
  constexpr double straight = 1e-6, same = 1e-9;  // of the chord's length
  const auto number = [&](std::int64_t place) { return numbers.number(static_cast<std::size_t>(place)); };
  parallel_sort(edges);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const EdgeNodes& edge = edges[i];
    const Vec3 low = positions[static_cast<std::size_t>(edge.ends[0])],
               high = positions[static_cast<std::size_t>(edge.ends[1])], x = middle(edge, positions);
    const double length = norm(high - low);
    if (i > 0 && edges[i - 1].ends == edge.ends) {
      const EdgeNodes& other = edges[i - 1];
      if (edge.nodes != other.nodes && norm(x - middle(other, positions)) > same * length)
        throw Error(fmt::format("{}: elements {} and {} share an edge and have different nodes {} and {} on it",
                                mesh.source, other.element, edge.element, number(other.nodes[0]),
                                number(edge.nodes[0])));
      continue;
    }
    const Vec3 bend = x - 0.5 * (low + high);
    if (!(norm(bend) > straight * length)) continue;  // also numbers too large for their square
    const std::int64_t a = vertices[static_cast<std::size_t>(edge.ends[0])],
                       b = vertices[static_cast<std::size_t>(edge.ends[1])];
    mesh.curved_edges.push_back({{std::min(a, b), std::max(a, b)}, bend});
  }
  std::sort(mesh.curved_edges.begin(), mesh.curved_edges.end(),
            [](const CurvedEdge& a, const CurvedEdge& b) { return a.vertices < b.vertices; });
}

}  // namespace dgtd::mesh
