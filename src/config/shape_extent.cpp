#include "dgtd/config/shape_extent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/error.hpp"
#include "dgtd/geometry/revolution.hpp"

namespace dgtd::config {
namespace {

using Type = Shape::Type;

// x, y or z, along which a shape has its axis; -1: it is oblique, or there is none.
int own_axis(const Shape& s) {
  const bool has_axis =
      s.type == Type::cylinder || s.type == Type::cone || s.type == Type::torus || s.type == Type::prism ||
      s.type == Type::plate;
  if (!has_axis || s.rotation) return -1;
  for (int a = 0; a < 3; ++a)
    if (std::abs(std::abs(s.axis[a]) - 1) < 1e-12) return a;
  return -1;
}

Vec3 cylinder_reach(const Shape& s) {
  Vec3 along;
  for (int a = 0; a < 3; ++a)
    along[a] = std::abs(s.axis[a]) * s.height / 2 + s.radius * std::sqrt(std::max(0.0, 1 - s.axis[a] * s.axis[a]));
  return along;
}

Vec3 ellipsoid_reach(const Shape& s, const geometry::Rotation& rotation) {
  Vec3 along;
  for (int a = 0; a < 3; ++a) {
    const Vec3& r = rotation.row(a);
    along[a] = norm(Vec3{r.x * s.radii.x, r.y * s.radii.y, r.z * s.radii.z});
  }
  return along;
}

// The reach of a cone or torus.
template <class Body>
Reach revolved_reach(const Shape& s, const Body& body, double any) {
  Reach reach{{}, {}, any};
  for (int a = 0; a < 3; ++a) reach.low[a] = body.reach(-s.axis[a]), reach.high[a] = body.reach(s.axis[a]);
  return reach;
}

Reach turned_prism_reach(const Shape& s) {
  const int axis = s.axis.x != 0 ? 0 : s.axis.y != 0 ? 1 : 2;
  const geometry::Rotation rotation(*s.rotation);
  Reach reach{{0, 0, 0}, {0, 0, 0}, 0};
  for (const auto& [u, v] : s.points)
    for (const double end : {-0.5, 0.5}) {
      Vec3 corner;
      corner[axis] = end * s.height, corner[(axis + 1) % 3] = u, corner[(axis + 2) % 3] = v;
      corner = rotation(corner);
      for (int a = 0; a < 3; ++a) {
        reach.low[a] = std::max(reach.low[a], -corner[a]);
        reach.high[a] = std::max(reach.high[a], corner[a]);
      }
      reach.any = std::max(reach.any, norm(corner));
    }
  return reach;
}

Reach prism_reach(const Shape& s) {
  if (s.rotation) return turned_prism_reach(s);
  const int axis = own_axis(s);
  Reach reach{{0, 0, 0}, {0, 0, 0}, 0};
  reach.low[axis] = reach.high[axis] = s.height / 2;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const int side : {0, 1}) {
    const int a = (axis + 1 + side) % 3;
    double low = infinity, high = -infinity;
    for (const auto& point : s.points) {
      low = std::min(low, point[static_cast<std::size_t>(side)]);
      high = std::max(high, point[static_cast<std::size_t>(side)]);
    }
    reach.low[a] = -low;
    reach.high[a] = high;
  }
  for (const auto& [u, v] : s.points) reach.any = std::max(reach.any, std::hypot(u, v, s.height / 2));
  return reach;
}

template <class Function>
void for_each_ring(const std::vector<geometry::Polygon>& polygons, const Function& f) {
  for (const auto& polygon : polygons) {
    f(polygon.outer);
    for (const auto& hole : polygon.holes) f(hole);
  }
}

Reach layout_reach(const Shape& s) {
  const geometry::Extrusion body = extrusion_of(s);
  Reach reach{{0, 0, s.centre.z - body.low}, {0, 0, body.high - s.centre.z}, 0};
  for (const auto* const polygons : {&body.bottom, &body.top})
    for_each_ring(*polygons, [&](const geometry::Ring& ring) {
      for (const auto& [x, y] : ring) {
        const double from[2] = {x - s.centre.x, y - s.centre.y};
        for (const int a : {0, 1}) {
          reach.low[a] = std::max(reach.low[a], -from[a]);
          reach.high[a] = std::max(reach.high[a], from[a]);
        }
        reach.any = std::max(reach.any, std::hypot(from[0], from[1], reach.high.z));
      }
    });
  return reach;
}

// Upright walls across an axis that are at least as long as a cell.
void add_walls(std::vector<FaceLine>& lines, const Shape& s, int axis, double cell) {
  const auto across = static_cast<std::size_t>(axis);
  if (axis == 2 || s.sidewall_angle != Shape().sidewall_angle) return;
  for_each_ring(s.polygons, [&](const geometry::Ring& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const auto &here = ring[i], &next = ring[(i + 1) % ring.size()];
      if (here[across] == next[across] && std::abs(next[1 - across] - here[1 - across]) >= cell)
        lines.push_back({here[across], true});
    }
  });
}

// Sides of the polygon across one of its two axes.
void add_sides(std::vector<FaceLine>& lines, const Shape& s, int axis) {
  const auto along = static_cast<std::size_t>((axis - own_axis(s) + 3) % 3 - 1);
  for (std::size_t i = 0; i < s.points.size(); ++i) {
    const double here = s.points[i][along], next = s.points[(i + 1) % s.points.size()][along];
    if (here == next) lines.push_back({s.centre[axis] + here, true});
  }
}

}  // namespace

geometry::Extrusion extrusion_of(const Shape& s) {
  return geometry::extrude(s.polygons, s.position.z + s.z[0], s.position.z + s.z[1], s.sidewall_angle);
}

bool has_reach(const Shape& s) {
  switch (s.type) {
    case Type::stl:
    case Type::labels: return false;
    case Type::step:
    case Type::wire:
    case Type::unite:
    case Type::difference:
    case Type::intersection: return s.extent.has_value();
    default: return true;
  }
}

Reach reach_of(const Shape& s) {
  if (s.extent) {
    const auto& [low, high] = *s.extent;
    return {s.centre - low, high - s.centre, 0.5 * norm(high - low)};
  }
  const auto even = [](const Vec3& along, double any) { return Reach{along, along, any}; };
  const geometry::Rotation rotation = s.rotation ? geometry::Rotation(*s.rotation) : geometry::Rotation();
  switch (s.type) {
    case Type::box: return even(rotation.box_around(0.5 * s.size), 0.5 * norm(s.size));
    case Type::sphere: return even({s.radius, s.radius, s.radius}, s.radius);
    case Type::ellipsoid: return even(ellipsoid_reach(s, rotation), std::max({s.radii.x, s.radii.y, s.radii.z}));
    case Type::cylinder: return even(cylinder_reach(s), std::hypot(s.radius, s.height / 2));
    case Type::cone:
      return revolved_reach(s, geometry::Cone{s.radius, s.top_radius, s.height},
                            std::hypot(std::max(s.radius, s.top_radius), s.height / 2));
    case Type::torus:
      return revolved_reach(s, geometry::Torus{s.radius, s.tube_radius}, s.radius + s.tube_radius);
    case Type::plate:  // of height 0
    case Type::prism: return prism_reach(s);
    case Type::gds: return layout_reach(s);
    case Type::stl:
    case Type::step:
    case Type::labels:
    case Type::wire:
    case Type::unite:
    case Type::difference:
    case Type::intersection: break;
  }
  throw Error(
      fmt::format("{}: shape.{}: its extent is known only when its file is read: domain.size is required in "
                  "place of a margin",
                  s.origin, s.name));
}

std::vector<FaceLine> lines_of(const Shape& s, int axis, bool perfect, double thin) {
  const Reach reach = reach_of(s);
  const int own = own_axis(s);
  if (s.type == Type::cylinder && perfect && own >= 0 && own != axis && 2 * s.radius < thin)
    return {{s.centre[axis], true}};
  std::vector<FaceLine> lines;
  if ((s.type == Type::prism || s.type == Type::plate) && own >= 0 && own != axis) add_sides(lines, s, axis);
  if (s.type == Type::gds) add_walls(lines, s, axis, thin);
  const bool has_lids = own >= 0 && own == axis && s.type != Type::torus;
  const bool flat = (s.type == Type::box && !s.rotation) || (s.type == Type::gds && axis == 2) ||
                    s.type == Type::step || has_lids;
  const bool tip = s.type == Type::cone && s.top_radius == 0, tip_is_high = s.axis[axis] > 0;
  lines.push_back({s.centre[axis] - reach.low[axis], flat && !(tip && !tip_is_high)});
  lines.push_back({s.centre[axis] + reach.high[axis], flat && !(tip && tip_is_high)});
  return lines;
}

double round_cell(const Shape& s, int axis) {
  constexpr double across = 12, across_turned_plate = 2;  // a perfectly conducting one has no holes then
  switch (s.type) {
    case Type::box:
      if (s.rotation) return std::min({s.size.x, s.size.y, s.size.z}) / across_turned_plate;
      break;
    case Type::prism:
      if (s.rotation) return s.height / across_turned_plate;
      break;
    case Type::sphere: return 2 * s.radius / across;
    case Type::ellipsoid:
      return 2 * (s.rotation ? std::min({s.radii.x, s.radii.y, s.radii.z}) : s.radii[axis]) / across;
    case Type::torus: return 2 * s.tube_radius / across;
    case Type::cone:
      if (own_axis(s) != axis) return 2 * std::max(s.radius, s.top_radius) / across;
      break;
    case Type::cylinder:
      if (own_axis(s) != axis) return 2 * s.radius / across;
      break;
    default: break;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace dgtd::config
