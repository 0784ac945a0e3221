#include "dgtd/config/shape_extent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/error.hpp"

namespace dgtd::config {
namespace {

using Type = Shape::Type;

// The axis of a prism or of a cylinder along x, y or z; -1: the cylinder is oblique.
int own_axis(const Shape& s) {
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

Reach prism_reach(const Shape& s) {
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

bool has_reach(const Shape& s) { return s.type != Type::stl && s.type != Type::labels; }

Reach reach_of(const Shape& s) {
  const auto even = [](const Vec3& along, double any) { return Reach{along, along, any}; };
  switch (s.type) {
    case Type::box: return even(0.5 * s.size, 0.5 * norm(s.size));
    case Type::sphere: return even({s.radius, s.radius, s.radius}, s.radius);
    case Type::ellipsoid: return even(s.radii, std::max({s.radii.x, s.radii.y, s.radii.z}));
    case Type::cylinder: return even(cylinder_reach(s), std::hypot(s.radius, s.height / 2));
    case Type::prism: return prism_reach(s);
    case Type::gds: return layout_reach(s);
    case Type::stl:
    case Type::labels: break;
  }
  throw Error(
      fmt::format("{}: shape.{}: its extent is known only when its file is read: domain.size is required in "
                  "place of a margin",
                  s.origin, s.name));
}

std::vector<FaceLine> lines_of(const Shape& s, int axis, bool perfect, double thin) {
  const Reach reach = reach_of(s);
  const int own = s.type == Type::cylinder || s.type == Type::prism ? own_axis(s) : -1;
  if (s.type == Type::cylinder && perfect && own >= 0 && own != axis && 2 * s.radius < thin)
    return {{s.centre[axis], true}};
  std::vector<FaceLine> lines;
  if (s.type == Type::prism && own != axis) add_sides(lines, s, axis);
  if (s.type == Type::gds) add_walls(lines, s, axis, thin);
  const bool flat = s.type == Type::box || (s.type == Type::gds && axis == 2) || (own >= 0 && own == axis);
  lines.push_back({s.centre[axis] - reach.low[axis], flat});
  lines.push_back({s.centre[axis] + reach.high[axis], flat});
  return lines;
}

double round_cell(const Shape& s, int axis) {
  constexpr double across = 12;
  switch (s.type) {
    case Type::sphere: return 2 * s.radius / across;
    case Type::ellipsoid: return 2 * s.radii[axis] / across;
    case Type::cylinder:
      if (own_axis(s) != axis) return 2 * s.radius / across;
      break;
    default: break;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace dgtd::config
