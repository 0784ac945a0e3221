#include "dgtd/io/shared_points.hpp"

#include <algorithm>
#include <atomic>
#include <tuple>
#include <utility>

#include "dgtd/parallel/exchange_lists.hpp"

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
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(group(a), mesh.element_id[elements[a / 4]]) <
           std::tuple(group(b), mesh.element_id[elements[b / 4]]);
  };
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
  points.first_use.resize(first_point.back() + 1);
  points.corner.resize(of.corner.size());
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t v = 0; v < vertices; ++v) {
    std::uint64_t next = first_point[v];
    for (std::uint64_t i = of.first[v]; i < of.first[v + 1]; ++i) {
      if (i == of.first[v] || group(of.corner[i]) != group(of.corner[i - 1])) {
        points.vertex[next] = static_cast<std::uint32_t>(v);
        points.group[next] = group(of.corner[i]);
        points.first_use[next++] = i;
      }
      points.corner[of.corner[i]] = static_cast<std::uint32_t>(next - 1);
    }
  }
  points.first_use.back() = of.corner.size();
  points.use = std::move(of.corner);
  return points;
}

namespace {

/// A corner's part of a mean.
struct Part {
  std::int64_t vertex, element;  // global
  double weight, value;
  std::int32_t group, rank;  // rank: which gets the mean
};
struct Mean {
  std::int64_t vertex;  // global
  std::int32_t group, rank;
  double value;
};

bool before(const Part& a, const Part& b) {
  return std::tie(a.vertex, a.group, a.element) < std::tie(b.vertex, b.group, b.element);
}

// Points on vertices of halo faces: a rank that the vertex' number names adds the parts of all ranks. Elements around a
// vertex are joined by faces, so each rank that has some of them has the vertex on a halo face.
void replace_at_halo(const SharedPoints& points, const mesh::Subdomain& mesh,
                     const std::vector<std::uint32_t>& elements, const std::vector<double>& at_corners,
                     const parallel::Communicator& communicator, std::vector<double>& mean) {
  if (communicator.size() == 1) return;
  std::vector<char> on_halo(mesh.vertices.size());
  for (const auto& face : mesh.halo_faces)
    for (int i = 0; i < 4; ++i)
      if (i != face.face) on_halo[mesh.element_vertices[face.element][i]] = 1;
  const int ranks = communicator.size();
  std::vector<std::vector<Part>> parts(ranks);
  std::vector<std::pair<std::pair<std::int64_t, int>, std::size_t>> mine;  // (vertex, group), point
  for (std::size_t p = 0; p < points.vertex.size(); ++p) {
    if (!on_halo[points.vertex[p]]) continue;
    const std::int64_t vertex = mesh.vertex_id[points.vertex[p]];
    mine.push_back({{vertex, points.group[p]}, p});
    for (std::uint64_t i = points.first_use[p]; i < points.first_use[p + 1]; ++i) {
      const std::uint32_t corner = points.use[i], element = elements[corner / 4];
      parts[vertex % ranks].push_back({vertex, mesh.element_id[element], mesh.tetrahedron(element).volume(),
                                       at_corners[corner], points.group[p], communicator.rank()});
    }
  }
  std::vector<Part> all = parallel::exchange_lists(parts, communicator);
  std::sort(all.begin(), all.end(), before);
  std::vector<std::vector<Mean>> means(ranks);
  for (std::size_t begin = 0, end; begin < all.size(); begin = end) {
    double weights = 0, sum = 0;
    for (end = begin; end < all.size() && all[end].vertex == all[begin].vertex && all[end].group == all[begin].group;
         ++end)
      weights += all[end].weight, sum += all[end].weight * all[end].value;
    std::vector<char> has(ranks);
    for (std::size_t i = begin; i < end; ++i)
      if (!std::exchange(has[all[i].rank], 1))
        means[all[i].rank].push_back({all[i].vertex, all[i].group, all[i].rank, sum / weights});
  }
  std::sort(mine.begin(), mine.end());
  for (const Mean& m : parallel::exchange_lists(means, communicator)) {
    const std::pair<std::int64_t, int> key{m.vertex, m.group};
    const auto at =
        std::lower_bound(mine.begin(), mine.end(), key, [](const auto& a, const auto& b) { return a.first < b; });
    mean[at->second] = m.value;
  }
}

}  // namespace

std::vector<double> mean_at_points(const SharedPoints& points, const mesh::Subdomain& mesh,
                                   const std::vector<std::uint32_t>& elements, const std::vector<double>& at_corners,
                                   const parallel::Communicator& communicator) {
  std::vector<double> mean(points.vertex.size());
  const auto count = static_cast<std::ptrdiff_t>(mean.size());
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t p = 0; p < count; ++p) {
    double weights = 0, sum = 0;
    for (std::uint64_t i = points.first_use[p]; i < points.first_use[p + 1]; ++i) {
      const double weight = mesh.tetrahedron(elements[points.use[i] / 4]).volume();
      weights += weight, sum += weight * at_corners[points.use[i]];
    }
    mean[p] = sum / weights;
  }
  replace_at_halo(points, mesh, elements, at_corners, communicator, mean);
  return mean;
}

}  // namespace dgtd::io
