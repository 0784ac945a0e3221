#include "dgtd/observers/mesh_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/error.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/reference_element.hpp"
#include "dgtd/mesh/added_layers.hpp"

namespace dgtd::observers {

namespace {

using Point = std::array<double, 2>;  // in a plane, along the axes that follow its normal
using Polygon = std::vector<Point>;   // convex

struct Rectangle {
  int axis;     // of the normal
  double at;    // m
  double sign;  // of the outward normal
  Point low, high;
  double area() const { return (high[0] - low[0]) * (high[1] - low[1]); }
};

std::vector<Rectangle> rectangles_of(const physics::Flux& flux) {
  std::vector<Rectangle> list;
  const bool plane = flux.type == physics::Flux::Type::plane;
  const Vec3 low = flux.centre - 0.5 * flux.size, high = flux.centre + 0.5 * flux.size;
  for (int axis = 0; axis < 3; ++axis) {
    if (plane && flux.size[axis] != 0) continue;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (const bool upper : {false, true})
      if (upper || !plane)
        list.push_back(
            {axis, upper ? high[axis] : low[axis], upper ? 1.0 : -1.0, {low[u], low[v]}, {high[u], high[v]}});
  }
  return list;
}

/// The polygon in which a plane cuts an element; empty where it only touches it. tolerance: m, of vertices in the
/// plane.
Polygon cut(const mesh::Subdomain& mesh, std::size_t element, const Rectangle& r, double tolerance) {
  Point x[4];
  double d[4];
  int in_plane[4], above[4], below[4], counts[3] = {};  // of in_plane, above, below
  for (int v = 0; v < 4; ++v) {
    const Vec3 corner = mesh.vertex(element, v);
    x[v] = {corner[(r.axis + 1) % 3], corner[(r.axis + 2) % 3]};
    d[v] = corner[r.axis] - r.at;
    if (std::abs(d[v]) <= tolerance) in_plane[counts[0]++] = v;
    else if (d[v] > 0) above[counts[1]++] = v;
    else below[counts[2]++] = v;
  }
  if (counts[0] == 3) {  // a face of the element
    const bool is_above = counts[1] == 1;
    if (is_above && mesh.element_faces[element][above[0]].kind != mesh::FaceLink::Kind::boundary) return {};
    return {x[in_plane[0]], x[in_plane[1]], x[in_plane[2]]};
  }
  if (counts[1] == 0 || counts[2] == 0) return {};
  const auto crossing = [&](int i, int j) -> Point {
    const double t = d[i] / (d[i] - d[j]);
    return {x[i][0] + t * (x[j][0] - x[i][0]), x[i][1] + t * (x[j][1] - x[i][1])};
  };
  if (counts[1] == 2 && counts[2] == 2)  // around the quadrilateral
    return {crossing(above[0], below[0]), crossing(above[0], below[1]), crossing(above[1], below[1]),
            crossing(above[1], below[0])};
  Polygon polygon;
  for (int i = 0; i < counts[0]; ++i) polygon.push_back(x[in_plane[i]]);
  for (int i = 0; i < counts[1]; ++i)
    for (int j = 0; j < counts[2]; ++j) polygon.push_back(crossing(above[i], below[j]));
  return polygon;
}

// The part of a convex polygon with sign (p[axis] - bound) >= 0 (Sutherland and Hodgman, 1974).
Polygon clipped(const Polygon& polygon, int axis, double bound, double sign) {
  Polygon part;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    const double of_p = sign * (p[axis] - bound), of_q = sign * (q[axis] - bound);
    if (of_p >= 0) part.push_back(p);
    if ((of_p >= 0) == (of_q >= 0)) continue;
    const double t = of_p / (of_p - of_q);
    part.push_back({p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])});
  }
  return part;
}

// Appends the points of one element on a rectangle.
void add_points(const mesh::Subdomain& mesh, std::uint32_t element, const Rectangle& r, double tolerance,
                const dg::TriangleQuadrature& quadrature, std::vector<SurfacePoint>& list) {
  Polygon polygon = cut(mesh, element, r, tolerance);
  for (int axis = 0; axis < 2 && !polygon.empty(); ++axis) {
    polygon = clipped(polygon, axis, r.low[axis], 1);
    polygon = clipped(polygon, axis, r.high[axis], -1);
  }
  if (polygon.size() < 3) return;
  const dg::ElementGeometry geometry(mesh, element);
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
    const Point &a = polygon[0], &b = polygon[i], &c = polygon[i + 1];
    const double twice = std::abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
    if (twice <= tolerance * tolerance) continue;
    for (std::size_t q = 0; q < quadrature.points.size(); ++q) {
      const auto& l = quadrature.points[q];
      Vec3 position;
      position[r.axis] = r.at;
      for (int k = 0; k < 2; ++k) position[(r.axis + 1 + k) % 3] = l[0] * a[k] + l[1] * b[k] + l[2] * c[k];
      list.push_back(
          {element, geometry.barycentric(position), position, r.axis, r.sign * quadrature.weights[q] * twice});
    }
  }
}

bool may_cut(const Vec3& low, const Vec3& high, const Rectangle& r, double tolerance) {
  const int u = (r.axis + 1) % 3, v = (r.axis + 2) % 3;
  return low[r.axis] <= r.at + tolerance && high[r.axis] >= r.at - tolerance && low[u] <= r.high[0] &&
         high[u] >= r.low[0] && low[v] <= r.high[1] && high[v] >= r.low[1];
}

// Lengths below it are equal. Collective.
double tolerance_of(const mesh::Subdomain& mesh, const parallel::Communicator& comm) {
  double largest = 0;
  for (const Vec3& x : mesh.vertices) largest = std::max({largest, std::abs(x.x), std::abs(x.y), std::abs(x.z)});
  return 1e-9 * comm.max(largest);
}

// Whether a face of a box is at a mirror.
bool is_at(const Mirrors& mirrors, const Rectangle& r, double tolerance) {
  const auto& plane = mirrors[static_cast<std::size_t>(2 * r.axis + (r.sign > 0))];
  return plane && std::abs(r.at - *plane) <= tolerance;
}

}  // namespace

std::vector<SurfacePoint> mesh_surface(const physics::Flux& flux, const std::string& section,
                                       const mesh::Subdomain& mesh, std::span<const std::uint32_t> stored, int order,
                                       const parallel::Communicator& comm, const Mirrors& mirrors) {
  constexpr double share_outside = 1e-6;  // rounding errors of cuts are smaller
  std::vector<Rectangle> rectangles = rectangles_of(flux);
  const double tolerance = tolerance_of(mesh, comm);
  if (flux.type == physics::Flux::Type::box)
    std::erase_if(rectangles, [&](const Rectangle& r) { return is_at(mirrors, r, tolerance); });
  if (rectangles.empty())
    throw Error(fmt::format("{}: {}: all its faces are at mirrors, through which nothing flows", flux.origin, section));
  const auto quadrature = dg::triangle_quadrature(order + 1);  // exact for the degree 2 order + 1
  std::vector<bool> in_layer;                                  // [volume groups]
  for (const std::string& name : mesh.volume_names) in_layer.push_back(mesh::is_layer_name(name));
  const bool has_layers = std::find(in_layer.begin(), in_layer.end(), true) != in_layer.end();
  std::vector<SurfacePoint> list;
  std::vector<double> area(rectangles.size(), 0.0);
  for (const std::uint32_t e : stored) {
    if (in_layer[mesh.element_group[e]]) continue;
    Vec3 low = mesh.vertex(e, 0), high = low;
    for (int v = 1; v < 4; ++v)
      for (int a = 0; a < 3; ++a) {
        low[a] = std::min(low[a], mesh.vertex(e, v)[a]);
        high[a] = std::max(high[a], mesh.vertex(e, v)[a]);
      }
    for (std::size_t i = 0; i < rectangles.size(); ++i) {
      if (!may_cut(low, high, rectangles[i], tolerance)) continue;
      const std::size_t before = list.size();
      add_points(mesh, e, rectangles[i], tolerance, quadrature, list);
      for (std::size_t p = before; p < list.size(); ++p) area[i] += std::abs(list[p].area);
    }
  }
  area = comm.sum(std::move(area));
  std::size_t worst = 0;
  const auto outside = [&](std::size_t i) { return 1 - area[i] / rectangles[i].area(); };
  for (std::size_t i = 1; i < rectangles.size(); ++i)
    if (outside(i) > outside(worst)) worst = i;
  if (outside(worst) > share_outside)
    throw Error(fmt::format(
        "{}: {}: {:.3g} % of its {} at {} = {:.6g} m are outside of the mesh{}; it must be in the mesh as a whole",
        flux.origin, section, 100 * outside(worst), flux.type == physics::Flux::Type::plane ? "area" : "face",
        "xyz"[rectangles[worst].axis], rectangles[worst].at, has_layers ? " or in its absorbing layers" : ""));
  return list;
}

std::vector<SurfacePoint> points_on_faces(const physics::Flux& plane, const mesh::Subdomain& mesh,
                                          std::span<const std::uint32_t> stored, int order) {
  const int normal = plane.size.x == 0 ? 0 : plane.size.y == 0 ? 1 : 2;
  const Vec3 half = 0.5 * plane.size;
  constexpr double rounding = 1e-6;  // of the plane, and of coordinates in files of single precision
  const double tolerance = rounding * (2 * std::min(half[(normal + 1) % 3], half[(normal + 2) % 3]) + 0.1 * norm(plane.centre));
  const auto has = [&](const Vec3& x) {
    for (int a = 0; a < 3; ++a)
      if (std::abs(x[a] - plane.centre[a]) > half[a] + tolerance) return false;
    return true;
  };
  // More points for curved elements, of which neither the tangents nor the mode are polynomials.
  const auto of_straight = dg::triangle_quadrature(order + 1), of_curved = dg::triangle_quadrature(order + 3);
  std::vector<SurfacePoint> list;
  for (const std::uint32_t e : stored)
    for (int f = 0; f < 4; ++f) {
      if (mesh.element_faces[e][f].kind == mesh::FaceLink::Kind::boundary) continue;
      bool inside = true;
      for (int v = 0; v < 4; ++v) inside = inside && (v == f || has(mesh.vertex(e, v)));
      if (!inside) continue;
      const dg::ElementGeometry element(mesh, e);
      const double area = dg::FaceGeometry(element, f).area;
      const auto& quadrature = element.curved == nullptr ? of_straight : of_curved;
      for (std::size_t q = 0; q < quadrature.points.size(); ++q) {
        SurfacePoint p{e, {}, {}, normal, quadrature.weights[q] * area};  // the weights add up to 1/2
        for (int v = 0, i = 0; v < 4; ++v)
          if (v != f) p.barycentric[static_cast<std::size_t>(v)] = quadrature.points[q][static_cast<std::size_t>(i++)];
        p.position = element.point(p.barycentric);
        if (element.curved != nullptr) {  // |dx/dl_1 x dx/dl_2| of the face is |J grad l_f|
          const dg::PointGeometry at = element.at(p.barycentric);
          const Vec3 g = f == 0 ? -1.0 * (at.gradients[0] + at.gradients[1] + at.gradients[2]) : at.gradients[f - 1];
          p.area = quadrature.weights[q] * 0.5 * std::abs(at.determinant) * norm(g);
        }
        list.push_back(p);
      }
    }
  return list;
}

}  // namespace dgtd::observers
