#include "mesh/compact/check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dgtd/base/error.hpp"
#include "dgtd/mesh/tetrahedron.hpp"
#include "mesh/compact/assemble.hpp"
#include "mesh/compact/describe.hpp"
#include "mesh/compact/joined_elements.hpp"
#include "mesh/compact/parallel_algorithms.hpp"

namespace dgtd::mesh {
namespace {

struct Size {
  double volume, longest;  // m3; the longest edge, m
  /// Written so that coordinates that are not numbers are flat too.
  bool flat() const {
    constexpr double least = 1e-14;  // volume over the cube of the longest edge: nothing but rounding is left below it
    return !(volume > least * longest * longest * longest);
  }
};

Size size_of(const GlobalMesh& mesh, std::int64_t element) {
  const Tetrahedron tetrahedron = Tetrahedron::at(mesh.vertices, mesh.tetrahedra[element]);
  return {tetrahedron.volume(), tetrahedron.longest_edge()};
}

/// Two elements that share a face must lie on its two sides.
bool overlap(const GlobalMesh& mesh, std::uint32_t code, std::uint32_t other) {
  const auto a = ascending(mesh.tetrahedra[code / 4]), b = ascending(mesh.tetrahedra[other / 4]);
  const auto face = face_vertices(a, code % 4);
  const auto side = [&](std::int64_t vertex) {
    return Tetrahedron::at(mesh.vertices, std::array{face[0], face[1], face[2], vertex}).signed_volume() > 0;
  };
  return side(a[code % 4]) == side(b[other % 4]);
}

/// The parts of the mesh that faces or plates join, each named by its first element.
class ConnectedParts {
 public:
  explicit ConnectedParts(const FaceAdjacency& adjacency) : joined_(adjacency.behind.size() / 4) {
#pragma omp parallel for schedule(static) if (static_cast <std::int64_t>(joined_.elements()) > few_iterations)
    for (std::size_t code = 0; code < adjacency.behind.size(); ++code)
      if (!adjacency.boundary(code) && code < adjacency.behind[code])
        joined_.join(static_cast<std::uint32_t>(code / 4), adjacency.behind[code] / 4);
    for (const auto& [face, other] : adjacency.plates)
      joined_.join(face / 4, other / 4);  // which may divide the domain
  }

  struct Smallest {
    std::size_t pieces, elements, first_element;
  };
  Smallest smallest() {
    const std::size_t elements = joined_.elements();
    if (lowest(static_cast<std::int64_t>(elements), [&](std::int64_t e) {
          return joined_.first(static_cast<std::uint32_t>(e)) != 0;
        }) == static_cast<std::int64_t>(elements))
      return {1, elements, 0};
    std::vector<std::uint32_t> size(elements, 0);  // [elements] of the part that the element names
    for (std::uint32_t e = 0; e < elements; ++e) ++size[joined_.first(e)];
    Smallest smallest{0, elements + 1, 0};
    for (std::size_t e = 0; e < size.size(); ++e) {
      if (size[e] == 0) continue;
      ++smallest.pieces;
      if (size[e] < smallest.elements) smallest = {smallest.pieces, size[e], e};
    }
    return smallest;
  }

 private:
  JoinedElements joined_;
};

}  // namespace

void check_elements(const GlobalMesh& mesh) {
  const auto elements = static_cast<std::int64_t>(mesh.tetrahedra.size());
  const std::int64_t bad = lowest(
      elements, [&](std::int64_t e) { return mesh.tetrahedron_group[e] == no_group || size_of(mesh, e).flat(); });
  if (bad == elements) return;
  if (const Size size = size_of(mesh, bad); size.flat())
    throw Error(fmt::format("{}: {} is flat: volume {:.3g} m3, longest edge {:.3g} m", mesh.source,
                            describe_element(mesh, bad), size.volume, size.longest));
  throw Error(fmt::format("{}: {} is in no volume group; name it in Gmsh (Physical Volume)", mesh.source,
                          describe_element(mesh, bad)));
}

void check_neighbours(const GlobalMesh& mesh, const FaceAdjacency& adjacency) {
  const auto codes = static_cast<std::int64_t>(adjacency.behind.size());
  const std::int64_t bad = lowest(codes, [&](std::int64_t code) {
    return !adjacency.boundary(code) && code < adjacency.behind[code] &&
           overlap(mesh, static_cast<std::uint32_t>(code), adjacency.behind[code]);
  });
  if (bad != codes)
    throw Error(fmt::format(
        "{}: {} and {} overlap: they lie on the same side of their {}", mesh.source, describe_element(mesh, bad / 4),
        describe_element(mesh, adjacency.behind[bad] / 4),
        describe_face(mesh, face_vertices(ascending(mesh.tetrahedra[bad / 4]), static_cast<int>(bad % 4)))));
  const ConnectedParts::Smallest smallest = ConnectedParts(adjacency).smallest();
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
