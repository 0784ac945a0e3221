#include "mesh/generate/generate_summary.hpp"

#include <gmsh.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dgtd/mesh/tetrahedron.hpp"

namespace dgtd::mesh {
namespace {

constexpr int linear_tetrahedron = 4;  // Gmsh's number of the element type

/// Node positions by tag.
std::vector<Vec3> node_positions(double scale) {
  std::vector<std::size_t> tags;
  std::vector<double> coordinates, parameters;
  gmsh::model::mesh::getNodes(tags, coordinates, parameters);
  std::size_t largest = 0;
  for (std::size_t tag : tags) largest = std::max(largest, tag);
  std::vector<Vec3> positions(largest + 1);
  for (std::size_t i = 0; i < tags.size(); ++i)
    positions[tags[i]] = scale * Vec3{coordinates[3 * i], coordinates[3 * i + 1], coordinates[3 * i + 2]};
  return positions;
}

}  // namespace

MeshSummary summarise_model(double scale) {
  const std::vector<Vec3> positions = node_positions(scale);
  std::vector<std::size_t> elements, nodes;
  gmsh::model::mesh::getElementsByType(linear_tetrahedron, elements, nodes);

  constexpr double infinity = std::numeric_limits<double>::infinity();
  MeshSummary summary{.tetrahedra = std::int64_t(elements.size()),
                      .edge_min = infinity,
                      .inradius_min = infinity,
                      .shape_min = infinity};
  std::vector<bool> used(positions.size(), false);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all_edges;
  all_edges.reserve(6 * elements.size());
  for (std::size_t element = 0; element < elements.size(); ++element) {
    const std::size_t* corner = &nodes[4 * element];
    for (int i = 0; i < 4; ++i) used[corner[i]] = true;
    for (const auto& [a, b] : edge_corners)
      all_edges.emplace_back(std::min(corner[a], corner[b]), std::max(corner[a], corner[b]));
    const auto [inradius, shape] =
        Tetrahedron{{positions[corner[0]], positions[corner[1]], positions[corner[2]], positions[corner[3]]}}.shape();
    summary.inradius_min = std::min(summary.inradius_min, std::abs(inradius));
    summary.shape_min = std::min(summary.shape_min, std::abs(shape));
  }
  summary.nodes = std::count(used.begin(), used.end(), true);

  std::sort(all_edges.begin(), all_edges.end());
  all_edges.erase(std::unique(all_edges.begin(), all_edges.end()), all_edges.end());
  double sum = 0;
  for (auto [a, b] : all_edges) {
    const double length = norm(positions[a] - positions[b]);
    summary.edge_min = std::min(summary.edge_min, length);
    summary.edge_max = std::max(summary.edge_max, length);
    sum += length;
  }
  summary.edge_mean = sum / double(all_edges.size());
  return summary;
}

}  // namespace dgtd::mesh
