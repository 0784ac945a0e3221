#include "mesh/read/periodic.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "dgtd/base/error.hpp"
#include "dgtd/base/units.hpp"
#include "mesh/compact/assemble.hpp"
#include "mesh/compact/describe.hpp"
#include "mesh/compact/parallel_algorithms.hpp"
#include "mesh/generate/layer_bounds.hpp"

namespace dgtd::mesh {
namespace {

constexpr std::int64_t no_image = -1;

std::string described(const Vec3& at) { return fmt::format("{:.6g} {:.6g} {:.6g} m", at.x, at.y, at.z); }

std::uint16_t group_of_side(const GlobalMesh& mesh, BoxSide side) {
  const auto found = std::find(mesh.surface_names.begin(), mesh.surface_names.end(), side.name());
  if (found == mesh.surface_names.end())
    throw Error(fmt::format("{}: the mesh has no surface group \"{}\", which is to be periodic; groups are {}",
                            mesh.source, side.name(),
                            mesh.surface_names.empty() ? "none" : fmt::format("{}", fmt::join(mesh.surface_names, ", "))));
  return static_cast<std::uint16_t>(found - mesh.surface_names.begin());
}

/// Bounds of the elements: files may have other vertices.
BoxBounds bounds_of(const GlobalMesh& mesh) {
  BoxBounds bounds;
  for (const auto& corners : mesh.tetrahedra)
    for (const std::int64_t v : corners) bounds.include(mesh.vertices[static_cast<std::size_t>(v)]);
  return bounds;
}

/// Vertices of a side's triangles, ascending.
std::vector<std::int64_t> vertices_of_side(const GlobalMesh& mesh, const BoxBounds& bounds, BoxSide side) {
  const std::uint16_t group = group_of_side(mesh, side);
  std::vector<std::int64_t> vertices;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    if (mesh.triangle_group[t] == group)
      vertices.insert(vertices.end(), mesh.triangles[t].begin(), mesh.triangles[t].end());
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  for (const std::int64_t v : vertices)
    if (const Vec3& at = mesh.vertices[static_cast<std::size_t>(v)]; !bounds.on(side, at))
      throw Error(fmt::format(
          "{}: surface group \"{}\", which is to be periodic, has a vertex at {}, off the plane {} = {:.6g} m that "
          "bounds the mesh",
          mesh.source, side.name(), described(at), "xyz"[side.axis], bounds.coordinate(side)));
  return vertices;
}

/// Finds the vertex of a side at a place, by cells of its plane.
class PlaneVertices {
 public:
  PlaneVertices(const GlobalMesh& mesh, const std::vector<std::int64_t>& vertices, int axis, double tolerance)
      : mesh_(mesh), u_((axis + 1) % 3), v_((axis + 2) % 3), tolerance_(tolerance), all_(vertices) {
    for (const std::int64_t vertex : vertices) {
      const Vec3& at = mesh.vertices[static_cast<std::size_t>(vertex)];
      of_cell_.emplace(key(cell(at[u_]), cell(at[v_])), vertex);
    }
  }
  /// no_image if there is none within the tolerance.
  std::int64_t at(const Vec3& place) const {
    for (std::int64_t du = -1; du <= 1; ++du)
      for (std::int64_t dv = -1; dv <= 1; ++dv) {
        const auto [first, last] = of_cell_.equal_range(key(cell(place[u_]) + du, cell(place[v_]) + dv));
        for (auto i = first; i != last; ++i)
          if (distance(i->second, place) <= tolerance_) return i->second;
      }
    return no_image;
  }
  /// m, in the plane.
  double nearest(const Vec3& place) const {
    double least = std::numeric_limits<double>::infinity();
    for (const std::int64_t vertex : all_) least = std::min(least, distance(vertex, place));
    return least;
  }

 private:
  std::int64_t cell(double x) const { return static_cast<std::int64_t>(std::floor(x / (2 * tolerance_))); }
  static std::uint64_t key(std::int64_t u, std::int64_t v) {
    return static_cast<std::uint64_t>(u) * 0x9e3779b97f4a7c15u ^ static_cast<std::uint64_t>(v);
  }
  double distance(std::int64_t vertex, const Vec3& place) const {
    const Vec3& at = mesh_.vertices[static_cast<std::size_t>(vertex)];
    return std::hypot(at[u_] - place[u_], at[v_] - place[v_]);
  }

  const GlobalMesh& mesh_;
  int u_, v_;
  double tolerance_;  // m
  const std::vector<std::int64_t>& all_;
  std::unordered_multimap<std::uint64_t, std::int64_t> of_cell_;
};

/// [vertices] the image at the lower side of vertices of the upper one; no_image elsewhere.
std::vector<std::int64_t> lower_images(const GlobalMesh& mesh, int axis) {
  const BoxBounds bounds = bounds_of(mesh);
  const BoxSide low{axis, false}, high{axis, true};
  const auto lower = vertices_of_side(mesh, bounds, low), upper = vertices_of_side(mesh, bounds, high);
  const double tolerance = 1e-6 * norm(bounds.high - bounds.low);  // as BoxBounds::on
  std::vector<std::int64_t> image(mesh.vertices.size(), no_image);
  const auto find_all = [&](const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& others, BoxSide side,
                            BoxSide opposite, auto&& take) {
    const PlaneVertices places(mesh, others, axis, tolerance);
    for (const std::int64_t v : from) {
      const Vec3& at = mesh.vertices[static_cast<std::size_t>(v)];
      const std::int64_t other = places.at(at);
      if (other == no_image)
        throw Error(fmt::format(
            "{}: periodic sides {} and {} do not match: the vertex of {} at {} has no image on {}, where the nearest "
            "vertex is {} away; the same triangles are needed on both (in Gmsh: Periodic Surface)",
            mesh.source, low.name(), high.name(), side.name(), described(at), opposite.name(),
            others.empty() ? "nowhere" : units::length_text(places.nearest(at))));
      take(v, other);
    }
  };
  find_all(upper, lower, high, low, [&](std::int64_t v, std::int64_t other) { image[static_cast<std::size_t>(v)] = other; });
  find_all(lower, upper, low, high, [](std::int64_t, std::int64_t) {});
  return image;
}

}  // namespace

void order_periodic_vertices(GlobalMesh& mesh, const std::array<bool, 3>& periodic) {
  // Vertices in the order of their images at the lower sides, then of the sides that they are on.
  struct Place {
    std::int64_t lowest;
    int sides;
    std::int64_t vertex;
    auto operator<=>(const Place&) const = default;
  };
  std::vector<Place> order(mesh.vertices.size());
  for (std::size_t v = 0; v < order.size(); ++v) {
    const auto number = static_cast<std::int64_t>(v);
    order[v] = {number, 0, number};
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (!periodic[static_cast<std::size_t>(axis)]) continue;
    const auto image = lower_images(mesh, axis);
    for (Place& place : order)
      if (const std::int64_t lower = image[static_cast<std::size_t>(place.lowest)]; lower != no_image)
        place.lowest = lower, place.sides |= 1 << axis;
  }
  parallel_sort(order);
  std::vector<std::int64_t> number(order.size());  // [former number]
  std::vector<Vec3> vertices(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    number[static_cast<std::size_t>(order[i].vertex)] = static_cast<std::int64_t>(i);
    vertices[i] = mesh.vertices[static_cast<std::size_t>(order[i].vertex)];
  }
  mesh.vertices = std::move(vertices);
  const auto renumber = [&](auto& corners) {
    for (std::int64_t& v : corners) v = number[static_cast<std::size_t>(v)];
  };
  for (auto& corners : mesh.tetrahedra) renumber(corners);
  for (auto& corners : mesh.triangles) renumber(corners);
  for (InnerSurface& surface : mesh.inner_surfaces) {
    for (auto& corners : surface.faces) renumber(corners), corners = ascending(corners);
    std::sort(surface.faces.begin(), surface.faces.end());
  }
}

void join_periodic_faces(const GlobalMesh& mesh, const std::array<bool, 3>& periodic, FaceAdjacency& adjacency) {
  struct SideFace {
    std::array<std::int64_t, 3> vertices;  // at the lower side
    std::uint32_t code;
    auto operator<=>(const SideFace&) const = default;
  };
  for (int axis = 0; axis < 3; ++axis) {
    if (!periodic[static_cast<std::size_t>(axis)]) continue;
    const auto image = lower_images(mesh, axis);
    std::array<std::vector<SideFace>, 2> faces;
    const std::array<std::uint16_t, 2> group = {group_of_side(mesh, {axis, false}), group_of_side(mesh, {axis, true})};
    for (std::size_t code = 0; code < adjacency.behind.size(); ++code)
      for (std::size_t high = 0; high < 2; ++high) {
        if (!adjacency.boundary(code) || adjacency.surface(code) != group[high]) continue;
        auto vertices = face_vertices(ascending(mesh.tetrahedra[code / 4]), static_cast<int>(code % 4));
        if (high == 1)
          for (std::int64_t& v : vertices) v = image[static_cast<std::size_t>(v)];
        faces[high].push_back({vertices, static_cast<std::uint32_t>(code)});
      }
    for (auto& of_side : faces) parallel_sort(of_side);
    const auto refuse = [&](const SideFace& face, int high) {
      throw Error(fmt::format("{}: periodic sides {} and {} do not match: their vertices do, but {} of {} is not a "
                              "face of the other side; the same triangles are needed on both (in Gmsh: Periodic Surface)",
                              mesh.source, BoxSide{axis, false}.name(), BoxSide{axis, true}.name(),
                              describe_face(mesh, face_vertices(ascending(mesh.tetrahedra[face.code / 4]), face.code % 4)),
                              BoxSide{axis, high == 1}.name()));
    };
    const std::size_t common = std::min(faces[0].size(), faces[1].size());
    for (std::size_t i = 0; i < common; ++i) {
      if (faces[0][i].vertices != faces[1][i].vertices) refuse(faces[0][i], 0);
      adjacency.behind[faces[0][i].code] = faces[1][i].code;
      adjacency.behind[faces[1][i].code] = faces[0][i].code;
    }
    for (int high = 0; high < 2; ++high)
      if (faces[static_cast<std::size_t>(high)].size() > common) refuse(faces[static_cast<std::size_t>(high)][common], high);
  }
}

}  // namespace dgtd::mesh
