#include "dgtd/io/shared_points.hpp"

#include <algorithm>
#include <atomic>

namespace dgtd::io {

namespace {

/// The corners of the cells by vertices: those of vertex v are at first[v] to first[v + 1] - 1, in no order.
struct CornersOfVertices {
  std::vector<std::uint64_t> first;
  std::vector<std::uint32_t> corner;
};

CornersOfVertices corners_of_vertices(const mesh::Subdomain& mesh, const std::vector<std::uint32_t>& elements) {
  const auto cells = static_cast<std::ptrdiff_t>(elements.size());
  CornersOfVertices list{std::vector<std::uint64_t>(mesh.vertices.size() + 1),
                         std::vector<std::uint32_t>(4 * elements.size())};
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t c = 0; c < cells; ++c)
    for (const std::uint32_t v : mesh.element_vertices[elements[c]])
      std::atomic_ref(list.first[v + 1]).fetch_add(1, std::memory_order_relaxed);
  for (std::size_t v = 0; v + 1 < list.first.size(); ++v) list.first[v + 1] += list.first[v];
  std::vector<std::uint32_t> used(mesh.vertices.size());
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t c = 0; c < cells; ++c)
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t v = mesh.element_vertices[elements[c]][i];
      const std::uint32_t place = std::atomic_ref(used[v]).fetch_add(1, std::memory_order_relaxed);
      list.corner[list.first[v] + place] = static_cast<std::uint32_t>(4 * c + i);
    }
  return list;
}

}  // namespace

SharedPoints share_points(const mesh::Subdomain& mesh, const std::vector<std::uint32_t>& elements) {
  CornersOfVertices of = corners_of_vertices(mesh, elements);
  const auto group = [&](std::uint32_t corner) { return mesh.element_group[elements[corner / 4]]; };
  const auto before = [&](std::uint32_t a, std::uint32_t b) { return group(a) < group(b); };
  const auto vertices = static_cast<std::ptrdiff_t>(mesh.vertices.size());
  std::vector<std::uint64_t> first_point(mesh.vertices.size() + 1);
#pragma omp parallel for schedule(dynamic, 4096)
  for (std::ptrdiff_t v = 0; v < vertices; ++v) {
    const auto begin = of.corner.begin() + static_cast<std::ptrdiff_t>(of.first[v]),
               end = of.corner.begin() + static_cast<std::ptrdiff_t>(of.first[v + 1]);
    std::sort(begin, end, before);
    for (auto at = begin; at != end; ++at) first_point[v + 1] += at == begin || group(*at) != group(at[-1]);
  }
  for (std::size_t v = 0; v + 1 < first_point.size(); ++v) first_point[v + 1] += first_point[v];

  SharedPoints points;
  points.vertex.resize(first_point.back());
  points.group.resize(first_point.back());
  points.corner.resize(of.corner.size());
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t v = 0; v < vertices; ++v) {
    std::uint64_t next = first_point[v];
    for (std::uint64_t i = of.first[v]; i < of.first[v + 1]; ++i) {
      if (i == of.first[v] || group(of.corner[i]) != group(of.corner[i - 1])) {
        points.vertex[next] = static_cast<std::uint32_t>(v);
        points.group[next++] = group(of.corner[i]);
      }
      points.corner[of.corner[i]] = static_cast<std::uint32_t>(next - 1);
    }
  }
  return points;
}

}  // namespace dgtd::io
