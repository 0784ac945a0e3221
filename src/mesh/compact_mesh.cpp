#include "compact_mesh.hpp"

#include "assemble.hpp"
#include "hilbert.hpp"

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

}  // namespace

CompactMesh CompactArrays::view() const {
  return {vertices, vertex_id, element_vertices, element_id, element_group, behind, volume_names, surface_names};
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
  compact.volume_names = mesh.volume_names;
  compact.surface_names = mesh.surface_names;
  return compact;
}

}  // namespace dgtd::mesh
