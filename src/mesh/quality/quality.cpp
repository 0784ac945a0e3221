#include "dgtd/mesh/quality.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

#include "dgtd/parallel/exchange_lists.hpp"
#include "mesh/compact/parallel_algorithms.hpp"

namespace dgtd::mesh {
namespace {

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

/// This rank's edges, each once; those found in shared are left to their owners. By all threads: each has a range of
/// first vertices, whose edges it gathers; the ranges are added in their order.
EdgeSums sum_edges(const Subdomain& s, const std::vector<SharedEdge>& shared) {
  const auto vertices = static_cast<std::int64_t>(s.vertices.size());
  const auto elements = static_cast<std::int64_t>(s.elements());
  std::vector<std::uint32_t> next(s.vertices.size() + 1, 0);  // [vertices + 1] where a vertex's next edge goes
  UninitialisedVector<std::uint32_t> others(6 *
                                            s.elements());  // [6 elements] an edge's second vertex, by its first one
  const auto at = [&](std::uint32_t v) { return std::atomic_ref(next[v]); };
#pragma omp parallel for schedule(static)
  for (std::int64_t e = 0; e < elements; ++e)
    for (int c = 0; c < 3; ++c)
      at(s.element_vertices[e][c]).fetch_add(static_cast<std::uint32_t>(3 - c), std::memory_order_relaxed);
  std::exclusive_scan(next.begin(), next.end(), next.begin(), 0u);
#pragma omp parallel for schedule(static)
  for (std::int64_t e = 0; e < elements; ++e)
    for (const auto& [a, b] : edge_corners)
      others[at(s.element_vertices[e][a]).fetch_add(1, std::memory_order_relaxed)] = s.element_vertices[e][b];

  // Now next[v] is the end of v's edges and next[v - 1] their start.
  constexpr std::int64_t range = 4096;
  const std::int64_t ranges = (vertices + range - 1) / range;
  std::vector<EdgeSums> of_range(static_cast<std::size_t>(ranges));
#pragma omp parallel for schedule(dynamic, 4)
  for (std::int64_t r = 0; r < ranges; ++r) {
    EdgeSums sums;
    for (std::int64_t v = r * range; v < std::min(vertices, (r + 1) * range); ++v) {
      const auto begin = others.begin() + (v == 0 ? 0 : next[v - 1]);
      std::sort(begin, others.begin() + next[v]);
      const auto end = std::unique(begin, others.begin() + next[v]);
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
    of_range[r] = sums;
  }
  EdgeSums sums;
  for (const EdgeSums& part : of_range) {
    sums.count += part.count;
    sums.length += part.length;
    sums.min = std::min(sums.min, part.min);
    sums.max = std::max(sums.max, part.max);
  }
  return sums;
}

/// The shared edges of which this rank is the owner, each once: an edge's owner follows from its vertices. Collective.
std::vector<SharedEdge> owned_edges(const std::vector<SharedEdge>& shared, const parallel::Communicator& comm) {
  const auto ranks = static_cast<std::uint64_t>(comm.size());
  const auto owner = [&](const SharedEdge& e) {
    const auto mixed = (static_cast<std::uint64_t>(e.low) * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(e.high)) *
                       0xbf58476d1ce4e5b9u;
    return static_cast<int>((mixed >> 32) % ranks);
  };
  std::vector<std::vector<SharedEdge>> lists(static_cast<std::size_t>(ranks));  // [ranks] edges of this owner
  for (const SharedEdge& edge : shared) lists[static_cast<std::size_t>(owner(edge))].push_back(edge);
  std::vector<SharedEdge> owned = parallel::exchange_lists(lists, comm);
  std::sort(owned.begin(), owned.end());
  owned.erase(std::unique(owned.begin(), owned.end()), owned.end());
  return owned;
}

void measure_edges(const Subdomain& s, const parallel::Communicator& comm, Quality& quality) {
  const std::vector<SharedEdge> shared = edges_of_halo_faces(s);
  EdgeSums sums = sum_edges(s, shared);
  for (const SharedEdge& edge : owned_edges(shared, comm)) {
    ++sums.count;
    sums.length += edge.length;
  }
  quality.edges = comm.sum(sums.count);
  quality.edge_mean = comm.sum(sums.length) / static_cast<double>(quality.edges);
  quality.edge_min = comm.min(sums.min);
  quality.edge_max = comm.max(sums.max);
}

/// Sums over the elements of a rank.
struct ShapeSums {
  std::vector<std::int64_t> counts;  // [volume groups, then surface groups] elements, faces
  std::vector<double> sizes;         // [the same] m3, m2
  double inradius = std::numeric_limits<double>::infinity(), worst = inradius;

  explicit ShapeSums(std::size_t groups) : counts(groups), sizes(groups) {}
  void add(std::size_t group, double size) {
    ++counts[group];
    sizes[group] += size;
  }
  void add(const ShapeSums& other) {
    for (std::size_t g = 0; g < counts.size(); ++g) {
      counts[g] += other.counts[g];
      sizes[g] += other.sizes[g];
    }
    inradius = std::min(inradius, other.inradius);
    worst = std::min(worst, other.worst);
  }
};

/// By all threads; ranges of elements are added in their order.
ShapeSums sum_shapes(const Subdomain& s) {
  const std::size_t volumes = s.volume_names.size(), groups = volumes + s.surface_names.size();
  constexpr std::size_t range = 1 << 14;
  const std::size_t ranges = (s.elements() + range - 1) / range;
  std::vector<ShapeSums> of_range(ranges, ShapeSums(groups));
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t r = 0; r < ranges; ++r) {
    ShapeSums& sums = of_range[r];
    for (std::size_t e = r * range; e < std::min(s.elements(), (r + 1) * range); ++e) {
      const Tetrahedron tetrahedron = s.tetrahedron(e);
      // Half the elements are negatively oriented.
      const auto [inradius, shape] = tetrahedron.shape();
      sums.inradius = std::min(sums.inradius, std::abs(inradius));
      sums.worst = std::min(sums.worst, std::abs(shape));
      sums.add(s.element_group[e], tetrahedron.volume());
      for (int f = 0; f < 4; ++f) {
        const FaceLink& link = s.element_faces[e][f];
        if (link.kind == FaceLink::Kind::boundary) sums.add(volumes + link.index, tetrahedron.face_area(f));
      }
    }
  }
  ShapeSums sums(groups);
  for (const ShapeSums& part : of_range) sums.add(part);
  return sums;
}

}  // namespace

Quality measure_quality(const Subdomain& s, const parallel::Communicator& comm) {
  const std::size_t volumes = s.volume_names.size(), surfaces = s.surface_names.size();
  const ShapeSums sums = sum_shapes(s);
  const std::vector<std::int64_t> counts = comm.sum(sums.counts);
  const std::vector<double> sizes = comm.sum(sums.sizes);

  Quality quality;
  quality.elements = s.global_elements;
  quality.vertices = s.global_vertices;
  quality.inradius_min = comm.min(sums.inradius);
  quality.shape_min = comm.min(sums.worst);
  for (std::size_t g = 0; g < volumes; ++g) quality.volumes.push_back({s.volume_names[g], counts[g], sizes[g]});
  for (std::size_t g = 0; g < surfaces; ++g)
    quality.surfaces.push_back({s.surface_names[g], counts[volumes + g], sizes[volumes + g]});
  measure_edges(s, comm, quality);
  return quality;
}

}  // namespace dgtd::mesh
