#include "generate_summary.hpp"

#include <gmsh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace dgtd::mesh {
namespace {

constexpr int linear_tetrahedron = 4;  // Gmsh's number of the element type
constexpr std::array<std::pair<int, int>, 6> edges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

double area(const Vec3& a, const Vec3& b, const Vec3& c) { return 0.5 * norm(cross(b - a, c - a)); }

double inradius(const std::array<Vec3, 4>& v) {
  const double volume = std::abs(dot(v[1] - v[0], cross(v[2] - v[0], v[3] - v[0]))) / 6;
  return 3 * volume /
         (area(v[0], v[1], v[2]) + area(v[0], v[1], v[3]) + area(v[0], v[2], v[3]) + area(v[1], v[2], v[3]));
}

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
    std::array<Vec3, 4> v;
    for (int i = 0; i < 4; ++i) {
      v[i] = positions[corner[i]];
      used[corner[i]] = true;
    }
    double longest = 0;
    for (auto [a, b] : edges) {
      longest = std::max(longest, norm(v[a] - v[b]));
      all_edges.emplace_back(std::min(corner[a], corner[b]), std::max(corner[a], corner[b]));
    }
    const double radius = inradius(v);
    summary.inradius_min = std::min(summary.inradius_min, radius);
    summary.shape_min = std::min(summary.shape_min, std::sqrt(24.0) * radius / longest);
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
