// Rotations and rectangles that other keys of a shape can express are replaced by these. The hash of a mesh, and the
// fields of a grid, are then those of the same body without a rotation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "complete.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/geometry/turn_after.hpp"

namespace dgtd::config {
namespace {

using geometry::Rotation;
using Type = Shape::Type;

constexpr Vec3 no_minus_zeros;  // added, since -0 has another text

Vec3 positive(const Vec3& v) { return {std::abs(v.x), std::abs(v.y), std::abs(v.z)}; }

// Its polygon lies in the plane of the two axes that follow its own.
bool turn_prism(Shape& s, const Rotation& rotation) {
  const Vec3 turned = rotation(s.axis);
  int from = 0, to = -1;
  for (int a = 0; a < 3; ++a) {
    if (s.axis[a] != 0) from = a;
    if (std::abs(turned[a]) == 1) to = a;
  }
  if (to < 0) return false;
  for (auto& point : s.points) {
    Vec3 corner;
    corner[(from + 1) % 3] = point[0], corner[(from + 2) % 3] = point[1];
    corner = rotation(corner) + no_minus_zeros;
    point = {corner[(to + 1) % 3], corner[(to + 2) % 3]};
  }
  s.axis = turned + no_minus_zeros;
  return true;
}

// Whether the shape is turned without its key.
bool turn(Shape& s, const Rotation& rotation) {
  if (rotation.is_nothing()) return true;
  switch (s.type) {
    case Type::sphere: return true;
    case Type::cylinder:
    case Type::cone:
    case Type::torus: {
      const Vec3 axis = rotation(s.axis);
      s.axis = axis / norm(axis) + no_minus_zeros;
      return true;
    }
    case Type::plate:
    case Type::prism: return turn_prism(s, rotation);
    case Type::box:
      if (rotation.permutes_axes()) s.size = positive(rotation(s.size));
      return rotation.permutes_axes();
    case Type::ellipsoid:
      if (rotation.permutes_axes()) s.radii = positive(rotation(s.radii));
      return rotation.permutes_axes() || (s.radii.x == s.radii.y && s.radii.x == s.radii.z);
    case Type::stl:
    case Type::step:
    case Type::gds:
    case Type::wire:
    case Type::unite:
    case Type::difference:
    case Type::intersection:
    case Type::labels: break;
  }
  return false;
}

// The polygon of a plate that is given as a rectangle.
void make_polygon(Shape& s) {
  if (s.type != Type::plate || s.size == Vec3()) return;
  int normal = 0;
  for (const int a : {1, 2})
    if (s.size[a] == 0) normal = a;
  s.axis = Vec3();
  s.axis[normal] = 1;
  const double u = 0.5 * s.size[(normal + 1) % 3], v = 0.5 * s.size[(normal + 2) % 3];
  s.points = {{-u, -v}, {u, -v}, {u, v}, {-u, v}};
  s.size = Vec3();
}

Shape& shape_to_turn(Case& c, const std::string& name) {
  return *std::find_if(c.shapes.begin(), c.shapes.end(), [&](const Shape& s) { return s.name == name; });
}

bool is_part_of_another(const Case& c, const Shape& part, const Shape& whole) {
  return std::any_of(c.shapes.begin(), c.shapes.end(), [&](const Shape& s) {
    return s.name != whole.name && std::find(s.operands.begin(), s.operands.end(), part.name) != s.operands.end();
  });
}

// About a point.
void turn_about(Case& c, Shape& s, const geometry::Turn& by, const Vec3& pivot, const Shape& key_of) {
  const Rotation rotation(by);
  const auto refuse = [&](const std::string& why) {
    throw Error(fmt::format("{}: shape.{}.rotation: {}", key_of.origin, key_of.name, why));
  };
  const auto moved = [&](const Vec3& x) { return pivot + rotation(x - pivot) + no_minus_zeros; };
  if (s.type == Type::wire) {
    for (Vec3& place : s.path) place = moved(place);
    return;
  }
  for (const std::string& name : s.operands) {
    Shape& part = shape_to_turn(c, name);
    if (is_part_of_another(c, part, s)) refuse(fmt::format("shape.{} is a part of other shapes too, which do not turn", name));
    turn_about(c, part, by, pivot, key_of);
  }
  if (!s.operands.empty()) return;
  const bool from_file = s.type == Type::stl || s.type == Type::step || s.type == Type::gds;
  Vec3& place = from_file ? s.position : s.centre;
  place = moved(place);
  const geometry::Turn whole = s.rotation ? geometry::turn_after(*s.rotation, by) : by;
  if (s.type == Type::gds && (whole.axis.x != 0 || whole.axis.y != 0))
    refuse(fmt::format("shape.{} is a layout, which turns about z alone", s.name));
  s.rotation = whole;
  if (turn(s, Rotation(whole))) s.rotation.reset();
}

// A combination or a wire is turned by turning its parts, the inner ones first.
void turn_parts(Case& c, Shape& s) {
  for (const std::string& name : s.operands) turn_parts(c, shape_to_turn(c, name));
  if (!s.rotation || (s.operands.empty() && s.type != Type::wire)) return;
  const geometry::Turn by = *s.rotation;
  s.rotation.reset();
  if (!Rotation(by).is_nothing()) turn_about(c, s, by, s.centre, s);
  s.centre = Vec3();
}

}  // namespace

void simplify_shapes(Case& c) {
  for (Shape& s : c.shapes) {
    make_polygon(s);
    if (s.rotation && turn(s, Rotation(*s.rotation))) s.rotation.reset();
  }
  for (Shape& s : c.shapes) turn_parts(c, s);
  for (Shape& s : c.shapes)
    if (s.type == Type::cone && s.radius == s.top_radius) s.type = Type::cylinder, s.top_radius = 0;
}

}  // namespace dgtd::config
