#include "mesh/compact/face_adjacency.hpp"

#include <fmt/format.h>

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <tuple>

#include "dgtd/base/error.hpp"
#include "dgtd/mesh/plate.hpp"
#include "mesh/compact/assemble.hpp"
#include "mesh/compact/describe.hpp"
#include "mesh/compact/parallel_algorithms.hpp"

namespace dgtd::mesh {

std::array<std::int64_t, 4> ascending(std::array<std::int64_t, 4> v) {
  const auto order = [](std::int64_t& a, std::int64_t& b) {
    if (a > b) std::swap(a, b);
  };
  order(v[0], v[1]);
  order(v[2], v[3]);
  order(v[0], v[2]);
  order(v[1], v[3]);
  order(v[1], v[2]);
  return v;
}

std::array<std::int64_t, 3> ascending(std::array<std::int64_t, 3> v) {
  std::sort(v.begin(), v.end());
  return v;
}

namespace {

/// The faces of all elements, gathered by their lowest vertex, in no particular order at each: 4 bytes per face instead
/// of a sorted list of keys of 24.
class FacesByLowestVertex {
 public:
  explicit FacesByLowestVertex(const GlobalMesh& mesh)
      : first_(mesh.vertices.size() + 1), codes_(4 * mesh.tetrahedra.size()) {
    const auto elements = static_cast<std::int64_t>(mesh.tetrahedra.size());
    const auto lowest_vertex = [](const std::array<std::int64_t, 4>& corners, int f) {
      return corners[f == 0 ? 1 : 0];
    };
    std::vector<std::uint32_t> next(mesh.vertices.size());  // [vertices] faces, then where the next one goes
    const auto of_vertex = [&](std::int64_t v) { return std::atomic_ref(next[static_cast<std::size_t>(v)]); };
#pragma omp parallel for schedule(static) if (elements > few_iterations)
    for (std::int64_t e = 0; e < elements; ++e) {
      const auto corners = ascending(mesh.tetrahedra[e]);
      of_vertex(corners[0]).fetch_add(3, std::memory_order_relaxed);
      of_vertex(corners[1]).fetch_add(1, std::memory_order_relaxed);
    }
    for (std::size_t v = 0; v < next.size(); ++v) {
      first_[v + 1] = first_[v] + next[v];
      next[v] = first_[v];
    }
#pragma omp parallel for schedule(static) if (elements > few_iterations)
    for (std::int64_t e = 0; e < elements; ++e) {
      const auto corners = ascending(mesh.tetrahedra[e]);
      for (int f = 0; f < 4; ++f)
        codes_[of_vertex(lowest_vertex(corners, f)).fetch_add(1, std::memory_order_relaxed)] =
            static_cast<std::uint32_t>(4 * e + f);
    }
  }
  const std::uint32_t* begin(std::size_t vertex) const { return codes_.data() + first_[vertex]; }
  const std::uint32_t* end(std::size_t vertex) const { return codes_.data() + first_[vertex + 1]; }

 private:
  std::vector<std::uint32_t> first_;          // [vertices + 1] into codes_
  UninitialisedVector<std::uint32_t> codes_;  // [4 elements] face codes by ascending lowest vertex
};

struct Face {
  std::array<std::int64_t, 3> vertices;  // ascending
  std::uint32_t code;
  bool operator<(const Face& o) const { return std::tie(vertices, code) < std::tie(o.vertices, o.code); }
};

struct NamedTriangle {
  std::array<std::int64_t, 3> vertices;  // ascending
  std::uint16_t group;
  bool operator<(const NamedTriangle& o) const { return std::tie(vertices, group) < std::tie(o.vertices, o.group); }
};

std::vector<NamedTriangle> sorted_triangles(const GlobalMesh& mesh) {
  std::vector<NamedTriangle> triangles(mesh.triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    triangles[t] = {ascending(mesh.triangles[t]), mesh.triangle_group[t]};
  parallel_sort(triangles);
  return triangles;
}

/// Merges the faces and the named triangles whose lowest vertex is in [first, last), both ascending in their vertices.
class Pairing {
 public:
  Pairing(const GlobalMesh& mesh, const std::vector<NamedTriangle>& triangles, std::int64_t first, std::int64_t last,
          FaceAdjacency& adjacency)
      : mesh_(mesh), adjacency_(adjacency) {
    const auto at = [&](std::int64_t vertex) {
      return std::partition_point(triangles.begin(), triangles.end(),
                                  [&](const NamedTriangle& t) { return t.vertices[0] < vertex; });
    };
    next_ = at(first);
    end_ = at(last);
  }

  /// All elements' faces [begin, end) with the same vertices.
  void take(const Face* begin, const Face* end) {
    while (next_ != end_ && next_->vertices < begin->vertices) refuse_stray(*next_);
    const auto named = next_;
    while (next_ != end_ && next_->vertices == begin->vertices) ++next_;
    if (end - begin > 2) refuse_crowd(begin, end);
    if (end - begin == 2 && named != next_) {
      if (!mesh_.surface_names[named->group].ends_with(plate_suffix)) refuse_inside(*named, begin);
      const auto& last = *(next_ - 1);
      if (last.group != named->group) refuse_two_names(*named, last);
      for (const Face* face : {begin, begin + 1})
        adjacency_.behind[face->code] = FaceAdjacency::first_surface + named->group;
#pragma omp critical(plates_of_adjacency)
      adjacency_.plates.push_back({begin[0].code, begin[1].code});
      return;
    }
    if (end - begin == 2) {
      adjacency_.behind[begin[0].code] = begin[1].code;
      adjacency_.behind[begin[1].code] = begin[0].code;
      return;
    }
    if (named == next_) refuse_unnamed(*begin);
    if (const auto& last = *(next_ - 1); last.group != named->group) refuse_two_names(*named, last);
    adjacency_.behind[begin->code] = FaceAdjacency::first_surface + named->group;
  }

  void finish() {
    if (next_ != end_) refuse_stray(*next_);
  }

 private:
  [[noreturn]] void refuse_stray(const NamedTriangle& t) const {
    throw Error(fmt::format("{}: surface group \"{}\": {} is not a face of any tetrahedron", mesh_.source,
                            mesh_.surface_names[t.group], describe_face(mesh_, t.vertices)));
  }
  [[noreturn]] void refuse_crowd(const Face* begin, const Face* end) const {
    std::string elements;
    for (const Face* f = begin; f != end; ++f)
      elements += (elements.empty() ? "" : ", ") + describe_element(mesh_, f->code / 4);
    throw Error(fmt::format("{}: {} is shared by {} tetrahedra, at most 2 can meet at a face: {}", mesh_.source,
                            describe_face(mesh_, begin->vertices), end - begin, elements));
  }
  [[noreturn]] void refuse_inside(const NamedTriangle& t, const Face* pair) const {
    throw Error(
        fmt::format("{}: surface group \"{}\": {} lies inside the domain, between {} and {}; only boundary "
                    "faces may be in a surface group, and those of ports (port.NAME.faces)",
                    mesh_.source, mesh_.surface_names[t.group], describe_face(mesh_, t.vertices),
                    describe_element(mesh_, pair[0].code / 4), describe_element(mesh_, pair[1].code / 4)));
  }
  [[noreturn]] void refuse_unnamed(const Face& face) const {
    throw Error(
        fmt::format("{}: boundary {} is in no surface group; name it in Gmsh (Physical Surface), or if it lies "
                    "inside the domain make the elements on both sides share their nodes",
                    mesh_.source, describe_face(mesh_, face.vertices)));
  }
  [[noreturn]] void refuse_two_names(const NamedTriangle& a, const NamedTriangle& b) const {
    throw Error(fmt::format("{}: boundary {} is in the surface groups \"{}\" and \"{}\"; it must be in exactly one",
                            mesh_.source, describe_face(mesh_, a.vertices), mesh_.surface_names[a.group],
                            mesh_.surface_names[b.group]));
  }

  const GlobalMesh& mesh_;
  FaceAdjacency& adjacency_;
  std::vector<NamedTriangle>::const_iterator next_, end_;
};

/// Pairs the faces whose lowest vertex is in [first, last).
void pair_range(const GlobalMesh& mesh, const FacesByLowestVertex& by_vertex,
                const std::vector<NamedTriangle>& triangles, std::int64_t first, std::int64_t last,
                FaceAdjacency& adjacency) {
  Pairing pairing(mesh, triangles, first, last, adjacency);
  std::vector<Face> faces;  // those of one lowest vertex
  for (std::int64_t v = first; v < last; ++v) {
    faces.clear();
    for (const std::uint32_t* code = by_vertex.begin(v); code != by_vertex.end(v); ++code)
      faces.push_back({face_vertices(ascending(mesh.tetrahedra[*code / 4]), *code % 4), *code});
    std::sort(faces.begin(), faces.end());
    const Face* const behind = faces.data() + faces.size();
    for (const Face* begin = faces.data(); begin != behind;) {
      const Face* end = begin + 1;
      while (end != behind && end->vertices == begin->vertices) ++end;
      pairing.take(begin, end);
      begin = end;
    }
  }
  pairing.finish();
}

}  // namespace

FaceAdjacency pair_faces(const GlobalMesh& mesh) {
  if (mesh.tetrahedra.size() >= FaceAdjacency::first_surface / 4)
    throw Error(fmt::format("{}: {} tetrahedra; a mesh from a file may have at most {}", mesh.source,
                            mesh.tetrahedra.size(), FaceAdjacency::first_surface / 4 - 1));
  FaceAdjacency adjacency;
  adjacency.behind.resize(4 * mesh.tetrahedra.size());
  const FacesByLowestVertex by_vertex(mesh);
  const std::vector<NamedTriangle> triangles = sorted_triangles(mesh);
  // Ranges of vertices are independent. The error of the lowest range is the one that a single range would have found.
  constexpr std::int64_t range = 4096;
  const auto vertices = static_cast<std::int64_t>(mesh.vertices.size());
  const std::int64_t ranges = (vertices + range - 1) / range;
  std::optional<Error> failure;
  std::int64_t failed = ranges;
#pragma omp parallel for schedule(dynamic, 1) if (ranges > 1)
  for (std::int64_t r = 0; r < ranges; ++r) {
    try {
      pair_range(mesh, by_vertex, triangles, r * range, std::min(vertices, (r + 1) * range), adjacency);
    } catch (const Error& error) {
#pragma omp critical
      if (r < failed) {
        failed = r;
        failure = error;
      }
    }
  }
  if (failure) throw *failure;
  return adjacency;
}

}  // namespace dgtd::mesh
