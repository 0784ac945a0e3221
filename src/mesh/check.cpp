#include "check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "assemble.hpp"
#include "describe.hpp"
#include "dgtd/base/error.hpp"

namespace dgtd::mesh {
namespace {

/// Six times the volume, positive if d lies on the side of triangle abc that cross(b - a, c - a) points to.
double six_volumes(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return dot(cross(b - a, c - a), d - a);
}

void check_shape(const GlobalMesh& mesh, std::int64_t element) {
  constexpr double flat = 1e-14;  // volume over the cube of the longest edge: nothing but rounding is left below it
  const auto& corners = mesh.tetrahedra[element];
  double longest = 0;
  for (int a = 0; a < 4; ++a)
    for (int b = a + 1; b < 4; ++b)
      longest = std::max(longest, norm(mesh.vertices[corners[a]] - mesh.vertices[corners[b]]));
  const double volume = std::abs(six_volumes(mesh.vertices[corners[0]], mesh.vertices[corners[1]],
                                             mesh.vertices[corners[2]], mesh.vertices[corners[3]])) /
                        6;
  // Written so that coordinates that are not numbers fail too.
  if (!(volume > flat * longest * longest * longest))
    throw Error(fmt::format("{}: {} is flat: volume {:.3g} m3, longest edge {:.3g} m", mesh.source,
                            describe_element(mesh, element), volume, longest));
}

/// Two elements that share a face must lie on its two sides.
void check_overlap(const GlobalMesh& mesh, std::uint32_t code, std::uint32_t other) {
  const auto a = ascending(mesh.tetrahedra[code / 4]), b = ascending(mesh.tetrahedra[other / 4]);
  const auto face = face_vertices(a, code % 4);
  const auto side = [&](std::int64_t vertex) {
    return six_volumes(mesh.vertices[face[0]], mesh.vertices[face[1]], mesh.vertices[face[2]], mesh.vertices[vertex]) >
           0;
  };
  if (side(a[code % 4]) == side(b[other % 4]))
    throw Error(fmt::format("{}: {} and {} overlap: they lie on the same side of their {}", mesh.source,
                            describe_element(mesh, code / 4), describe_element(mesh, other / 4),
                            describe_face(mesh, face)));
}

/// The pieces of the mesh: each element's piece is named by the piece's first element.
class Pieces {
 public:
  explicit Pieces(const FaceAdjacency& adjacency) : parent_(adjacency.behind.size() / 4) {
    std::iota(parent_.begin(), parent_.end(), 0u);
    for (std::size_t code = 0; code < adjacency.behind.size(); ++code)
      if (!adjacency.boundary(code)) join(static_cast<std::uint32_t>(code / 4), adjacency.behind[code] / 4);
  }

  struct Smallest {
    std::size_t pieces, elements, first_element;
  };
  Smallest smallest() {
    std::vector<std::uint32_t> size(parent_.size(), 0);  // [elements] of the piece that the element names
    for (std::uint32_t e = 0; e < parent_.size(); ++e) ++size[root(e)];
    Smallest smallest{0, parent_.size() + 1, 0};
    for (std::size_t e = 0; e < size.size(); ++e) {
      if (size[e] == 0) continue;
      ++smallest.pieces;
      if (size[e] < smallest.elements) smallest = {smallest.pieces, size[e], e};
    }
    return smallest;
  }

 private:
  std::uint32_t root(std::uint32_t e) {
    while (parent_[e] != e) e = parent_[e] = parent_[parent_[e]];
    return e;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

  std::vector<std::uint32_t> parent_;  // [elements] an earlier element of the same piece, or itself
};

}  // namespace

void check_elements(const GlobalMesh& mesh) {
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    check_shape(mesh, e);
    if (mesh.tetrahedron_group[e] == no_group)
      throw Error(fmt::format("{}: {} is in no volume group; name it in Gmsh (Physical Volume)", mesh.source,
                              describe_element(mesh, e)));
  }
}

void check_neighbours(const GlobalMesh& mesh, const FaceAdjacency& adjacency) {
  for (std::uint32_t code = 0; code < adjacency.behind.size(); ++code)
    if (!adjacency.boundary(code) && code < adjacency.behind[code]) check_overlap(mesh, code, adjacency.behind[code]);
  const Pieces::Smallest smallest = Pieces(adjacency).smallest();
  if (smallest.pieces > 1)
    throw Error(
        fmt::format("{}: the mesh has {} pieces that are not connected by faces; the smallest one has {} elements, "
                    "the first of them {}",
                    mesh.source, smallest.pieces, smallest.elements, describe_element(mesh, smallest.first_element)));
}

void check(const GlobalMesh& mesh) {
  check_elements(mesh);
  check_neighbours(mesh, pair_faces(mesh));
}

}  // namespace dgtd::mesh
