#include "dgtd/mesh/quality.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace dgtd::mesh {
namespace {

constexpr int edge_corners[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

struct Shape {
  double volume, longest, inradius;
  std::array<double, 4> area;  // [faces]
};

Shape shape_of(const Subdomain& s, std::size_t e) {
  std::array<Vec3, 4> p;
  for (int c = 0; c < 4; ++c) p[c] = s.vertex(e, c);
  Shape shape{};
  shape.volume = std::abs(dot(cross(p[1] - p[0], p[2] - p[0]), p[3] - p[0])) / 6;
  for (const auto& [a, b] : edge_corners) shape.longest = std::max(shape.longest, norm(p[b] - p[a]));
  double surface = 0;
  for (int f = 0; f < 4; ++f) {
    const Vec3 &a = p[(f + 1) % 4], &b = p[(f + 2) % 4], &c = p[(f + 3) % 4];
    surface += shape.area[f] = 0.5 * norm(cross(b - a, c - a));
  }
  shape.inradius = 3 * shape.volume / surface;
  return shape;
}

/// An edge that another rank may own as well.
struct SharedEdge {
  std::int64_t low, high;  // global vertex ids
  double length;           // m
  bool operator<(const SharedEdge& o) const { return low != o.low ? low < o.low : high < o.high; }
  bool operator==(const SharedEdge& o) const { return low == o.low && high == o.high; }
};

/// The edges of the halo faces, each once.
std::vector<SharedEdge> edges_of_halo_faces(const Subdomain& s) {
  std::vector<SharedEdge> edges;
  for (const HaloFace& face : s.halo_faces)
    for (const auto& [a, b] : edge_corners) {
      if (a == face.face || b == face.face) continue;
      const std::uint32_t low = s.element_vertices[face.element][a], high = s.element_vertices[face.element][b];
      edges.push_back({s.vertex_id[low], s.vertex_id[high], norm(s.vertices[high] - s.vertices[low])});
    }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

struct EdgeSums {
  std::int64_t count = 0;
  double length = 0;  // m
  double min = std::numeric_limits<double>::infinity(), max = 0;
};

/// This rank's edges, each once; those found in shared are left to root.
EdgeSums sum_edges(const Subdomain& s, const std::vector<SharedEdge>& shared) {
  std::vector<std::uint32_t> first(s.vertices.size() + 1, 0);  // [vertices + 1] into others
  std::vector<std::uint32_t> others(6 * s.elements());         // [6 elements] an edge's second vertex, by its first one
  for (const auto& corners : s.element_vertices)
    for (const auto& edge : edge_corners) ++first[corners[edge[0]] + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for (const auto& corners : s.element_vertices)
    for (const auto& [a, b] : edge_corners) others[next[corners[a]]++] = corners[b];

  EdgeSums sums;
  for (std::size_t v = 0; v + 1 < first.size(); ++v) {
    const auto begin = others.begin() + first[v];
    std::sort(begin, others.begin() + first[v + 1]);
    const auto end = std::unique(begin, others.begin() + first[v + 1]);
    for (auto other = begin; other != end; ++other) {
      const double length = norm(s.vertices[*other] - s.vertices[v]);
      sums.min = std::min(sums.min, length);
      sums.max = std::max(sums.max, length);
      if (std::binary_search(shared.begin(), shared.end(), SharedEdge{s.vertex_id[v], s.vertex_id[*other], 0}))
        continue;
      ++sums.count;
      sums.length += length;
    }
  }
  return sums;
}

void measure_edges(const Subdomain& s, const parallel::Communicator& comm, Quality& quality) {
  const std::vector<SharedEdge> shared = edges_of_halo_faces(s);
  EdgeSums sums = sum_edges(s, shared);
  std::vector<SharedEdge> all = comm.gather_vectors(shared);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (const SharedEdge& edge : all) {
    ++sums.count;
    sums.length += edge.length;
  }
  quality.edges = comm.sum(sums.count);
  quality.edge_mean = comm.sum(sums.length) / static_cast<double>(quality.edges);
  quality.edge_min = comm.min(sums.min);
  quality.edge_max = comm.max(sums.max);
}

}  // namespace

Quality measure_quality(const Subdomain& s, const parallel::Communicator& comm) {
  const std::size_t volumes = s.volume_names.size(), surfaces = s.surface_names.size();
  std::vector<std::int64_t> counts(volumes + surfaces);  // [volume groups, then surface groups] elements, faces
  std::vector<double> sizes(volumes + surfaces);         // [the same] m3, m2
  double inradius = std::numeric_limits<double>::infinity(), worst = inradius;
  for (std::size_t e = 0; e < s.elements(); ++e) {
    const Shape shape = shape_of(s, e);
    inradius = std::min(inradius, shape.inradius);
    worst = std::min(worst, 2 * std::sqrt(6.0) * shape.inradius / shape.longest);
    const auto add = [&](std::size_t group, double size) {
      ++counts[group];
      sizes[group] += size;
    };
    add(s.element_group[e], shape.volume);
    for (int f = 0; f < 4; ++f) {
      const FaceLink& link = s.element_faces[e][f];
      if (link.kind == FaceLink::Kind::boundary) add(volumes + link.index, shape.area[f]);
    }
  }
  counts = comm.sum(counts);
  sizes = comm.sum(sizes);

  Quality quality;
  quality.elements = s.global_elements;
  quality.vertices = s.global_vertices;
  quality.inradius_min = comm.min(inradius);
  quality.shape_min = comm.min(worst);
  for (std::size_t g = 0; g < volumes; ++g) quality.volumes.push_back({s.volume_names[g], counts[g], sizes[g]});
  for (std::size_t g = 0; g < surfaces; ++g)
    quality.surfaces.push_back({s.surface_names[g], counts[volumes + g], sizes[volumes + g]});
  measure_edges(s, comm, quality);
  return quality;
}

}  // namespace dgtd::mesh
