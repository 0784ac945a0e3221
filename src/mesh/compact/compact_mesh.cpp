#include "mesh/compact/compact_mesh.hpp"

#include <algorithm>

#include "mesh/compact/assemble.hpp"
#include "mesh/compact/hilbert.hpp"

namespace dgtd::mesh {
namespace {

HilbertCube cube_around(const std::vector<Vec3>& points) {
  Vec3 low = points.front(), high = points.front();
  for (const Vec3& p : points)
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], p[axis]);
      high[axis] = std::max(high[axis], p[axis]);
    }
  return {low, high};
}

// The edges of elements that are curved.
class CurvedEdges {
 public:
  explicit CurvedEdges(const GlobalMesh& mesh) : edges_(mesh.curved_edges), has_one_(mesh.vertices.size(), 0) {
    for (const CurvedEdge& edge : edges_)
      for (const std::int64_t v : edge.vertices) has_one_[static_cast<std::size_t>(v)] = 1;
  }
  /// The edge of two ascending vertices; size(): none.
  std::size_t find(std::int64_t a, std::int64_t b) const {
    if (!has_one_[static_cast<std::size_t>(a)] || !has_one_[static_cast<std::size_t>(b)]) return edges_.size();
    const std::array<std::int64_t, 2> wanted{a, b};
    const auto found = std::lower_bound(edges_.begin(), edges_.end(), wanted,
                                        [](const CurvedEdge& e, const auto& w) { return e.vertices < w; });
    return found != edges_.end() && found->vertices == wanted ? static_cast<std::size_t>(found - edges_.begin())
                                                              : edges_.size();
  }
  std::size_t size() const { return edges_.size(); }

 private:
  const std::vector<CurvedEdge>& edges_;
  std::vector<char> has_one_;  // [vertices]
};

// [curved edges] the one surface group in which an edge is; no_single_surface.
std::vector<std::uint16_t> surfaces_of_edges(const GlobalMesh& mesh, const FaceAdjacency& adjacency,
                                             const CurvedEdges& edges) {
  constexpr std::uint16_t unknown = no_single_surface - 1;
  std::vector<std::uint16_t> surface(edges.size(), unknown);
  for (std::size_t code = 0; code < adjacency.behind.size(); ++code) {
    const std::size_t e = code / 4;
    const bool boundary = adjacency.boundary(code);
    if (!boundary && mesh.tetrahedron_group[adjacency.behind[code] / 4] == mesh.tetrahedron_group[e]) continue;
    const auto group = boundary ? static_cast<std::uint16_t>(adjacency.behind[code] - FaceAdjacency::first_surface)
                                : no_single_surface;
    const auto face = face_vertices(ascending(mesh.tetrahedra[e]), static_cast<int>(code % 4));
    for (const auto& [a, b] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)}) {
      const std::size_t edge = edges.find(face[static_cast<std::size_t>(a)], face[static_cast<std::size_t>(b)]);
      if (edge == edges.size()) continue;
      surface[edge] = surface[edge] == unknown || surface[edge] == group ? group : no_single_surface;
    }
  }
  for (std::uint16_t& s : surface)
    if (s == unknown) s = no_single_surface;
  return surface;
}

void add_curved_elements(const GlobalMesh& mesh, const FaceAdjacency& adjacency, CompactArrays& compact) {
  const CurvedEdges edges(mesh);
  const auto surface = surfaces_of_edges(mesh, adjacency, edges);
  for (std::size_t p = 0; p < compact.element_id.size(); ++p) {
    const auto corners = ascending(mesh.tetrahedra[compact.element_id[p]]);
    CurvedElement element;
    bool curved = false;
    for (std::size_t i = 0; i < edge_corners.size(); ++i) {
      const auto [a, b] = edge_corners[i];
      const std::size_t edge = edges.find(corners[static_cast<std::size_t>(a)], corners[static_cast<std::size_t>(b)]);
      if (edge == edges.size()) continue;
      curved = true;
      element.bend[i] = mesh.curved_edges[edge].bend;
      element.surface[i] = surface[edge];
    }
    if (!curved) continue;
    compact.curved.push_back(static_cast<std::uint32_t>(p));
    compact.curvature.push_back(element);
  }
}

}  // namespace

CompactMesh CompactArrays::view() const {
  return {vertices, vertex_id, element_vertices, element_id, element_group, behind, curved, curvature, volume_names,
          surface_names, inner_surfaces};
}

CompactArrays make_compact(const GlobalMesh& mesh, const FaceAdjacency& adjacency) {
  const auto elements = static_cast<std::int64_t>(mesh.tetrahedra.size());
  const std::size_t size = mesh.tetrahedra.size();
  // Vertices are summed in ascending order, so that the sum does not depend on the file's order of corners.
  const auto curve = along_hilbert_curve(elements, cube_around(mesh.vertices), [&](std::int64_t e) {
    Vec3 sum;
    for (const std::int64_t v : ascending(mesh.tetrahedra[e])) sum += mesh.vertices[v];
    return 0.25 * sum;
  });
  CompactArrays compact;
  compact.element_id.resize(size);
  compact.element_vertices.resize(size);
  compact.element_group.resize(size);
  compact.behind.resize(size);
  UninitialisedVector<std::uint32_t> position(size);  // [element ids]
#pragma omp parallel for schedule(static) if (elements > few_iterations)
  for (std::int64_t p = 0; p < elements; ++p) {
    compact.element_id[p] = static_cast<std::uint32_t>(curve[p]);
    position[static_cast<std::size_t>(curve[p])] = static_cast<std::uint32_t>(p);
  }

  SparseTable number(mesh.vertices.size());  // [vertex ids]
  const auto ids = number_by_first_use(
      4 * elements,
      [&](std::int64_t i) {
        return static_cast<std::size_t>(ascending(mesh.tetrahedra[compact.element_id[i / 4]])[i % 4]);
      },
      number);
  compact.vertex_id.assign(ids.begin(), ids.end());
  compact.vertices.resize(ids.size());
#pragma omp parallel if (elements > few_iterations)
  {
#pragma omp for schedule(static) nowait
    for (std::size_t v = 0; v < ids.size(); ++v) compact.vertices[v] = mesh.vertices[ids[v]];
#pragma omp for schedule(static)
    for (std::int64_t p = 0; p < elements; ++p) {
      const std::size_t e = compact.element_id[p];
      const auto corners = ascending(mesh.tetrahedra[e]);
      for (int c = 0; c < 4; ++c) compact.element_vertices[p][c] = number[static_cast<std::size_t>(corners[c])];
      compact.element_group[p] = mesh.tetrahedron_group[e];
      for (std::size_t f = 0; f < 4; ++f) {
        const std::uint32_t code = adjacency.behind[4 * e + f];
        compact.behind[p][f] = adjacency.boundary(4 * e + f) ? code : 4 * position[code / 4] + code % 4;
      }
    }
  }
  if (!mesh.curved_edges.empty()) add_curved_elements(mesh, adjacency, compact);
  compact.volume_names = mesh.volume_names;
  compact.surface_names = mesh.surface_names;
  compact.inner_surfaces = mesh.inner_surfaces;
  return compact;
}

}  // namespace dgtd::mesh
