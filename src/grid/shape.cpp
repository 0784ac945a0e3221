#include "shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "dgtd/base/error.hpp"
#include "intervals.hpp"

namespace dgtd::grid {
namespace {

using Type = Shape::Type;

Vec3 quotient(const Vec3& a, const Vec3& b) { return {a.x / b.x, a.y / b.y, a.z / b.z}; }

double square(double a) { return a * a; }

/// A cylinder's coordinates: along its axis, from the middle, and the vector from the axis to the point.
struct Cylindrical {
  double along;
  Vec3 across;
};
Cylindrical cylindrical(const Shape& body, const Vec3& x) {
  const Vec3 d = x - body.centre;
  const double along = dot(d, body.axis);
  return {along, d - along * body.axis};
}

Interval crossing_of_cylinder(const Shape& body, const Vec3& x, int axis) {
  const auto [along, across] = cylindrical(body, x);
  const Interval between_lids = where_within(along, body.axis[axis], body.height / 2);
  // |across + t step|^2 < radius^2
  Vec3 step = -body.axis[axis] * body.axis;
  step[axis] += 1;
  const double a = dot(step, step), b = dot(across, step), c = dot(across, across) - square(body.radius);
  if (a < 1e-24) return c <= 0 ? between_lids : Interval{};  // parallel to the cylinder's axis but for rounding
  const double discriminant = b * b - a * c;
  if (discriminant <= 0) return {};
  const double root = std::sqrt(discriminant);
  return common_part(between_lids, {(-b - root) / a, (-b + root) / a});
}

}  // namespace

Shape checked(Shape body, std::size_t number) {
  const auto require = [&](const char* what, std::initializer_list<double> lengths) {
    for (const double length : lengths)
      if (!(length > 0 && std::isfinite(length)))
        throw Error(fmt::format("body {}: {} {} m: must be positive", number, what, fmt::join(lengths, " ")));
  };
  if (body.type == Type::box) require("size", {body.size.x, body.size.y, body.size.z});
  if (body.type == Type::ellipsoid) require("radii", {body.radii.x, body.radii.y, body.radii.z});
  if (body.type == Type::sphere || body.type == Type::cylinder) require("radius", {body.radius});
  if (body.type == Type::sphere) {
    body.type = Type::ellipsoid;
    body.radii = {body.radius, body.radius, body.radius};
  }
  if (body.type == Type::cylinder) {
    require("height", {body.height});
    const double length = norm(body.axis);
    if (!(length > 0 && std::isfinite(length)))
      throw Error(
          fmt::format("body {}: axis {} {} {}: must not be zero", number, body.axis.x, body.axis.y, body.axis.z));
    body.axis = body.axis / length;
  }
  return body;
}

namespace {

// Half the edges of the smallest box along the axes. Of a cylinder, along each axis e: half the height's share a.e and
// the disc's, radius |e - (a.e) a|.
Vec3 half_extent(const Shape& body) {
  if (body.type == Type::box) return 0.5 * body.size;
  if (body.type == Type::ellipsoid) return body.radii;
  Vec3 half;
  for (int i = 0; i < 3; ++i)
    half[i] =
        0.5 * body.height * std::abs(body.axis[i]) + body.radius * std::sqrt(std::max(0.0, 1 - square(body.axis[i])));
  return half;
}

}  // namespace

Bounds bounds(const Shape& body) {
  if (body.type == Type::solid) return body.solid->bounds();
  const Vec3 half = half_extent(checked(body, 0));
  return {body.centre - half, body.centre + half};
}

bool inside(const Shape& body, const Vec3& x) {
  if (body.type == Type::solid) return body.solid->inside(x);
  if (body.type == Type::cylinder) {
    const auto [along, across] = cylindrical(body, x);
    return std::abs(along) <= body.height / 2 && dot(across, across) <= square(body.radius);
  }
  const Vec3 d = x - body.centre;
  if (body.type == Type::box)
    return std::abs(d.x) <= body.size.x / 2 && std::abs(d.y) <= body.size.y / 2 && std::abs(d.z) <= body.size.z / 2;
  const Vec3 scaled = quotient(d, body.radii);
  return dot(scaled, scaled) <= 1;
}

// A convex body holds a box when it holds the corners. Outside: of an ellipsoid the nearest point of the
// box, after scaling to a unit sphere; of a cylinder, planes at its lids and the ball around the box.
Cover cover_of_box(const Shape& body, const Vec3& centre, const Vec3& half) {
  if (body.type == Type::solid) return body.solid->cover_of_box(centre, half);
  const Vec3 d = centre - body.centre;
  const Vec3 gap{std::abs(d.x) - half.x, std::abs(d.y) - half.y, std::abs(d.z) - half.z};
  if (body.type == Type::box && (2 * gap.x >= body.size.x || 2 * gap.y >= body.size.y || 2 * gap.z >= body.size.z))
    return Cover::none;
  if (body.type == Type::ellipsoid) {
    const Vec3 nearest = quotient({std::max(gap.x, 0.0), std::max(gap.y, 0.0), std::max(gap.z, 0.0)}, body.radii);
    if (dot(nearest, nearest) >= 1) return Cover::none;
  }
  if (body.type == Type::cylinder) {
    const auto [along, across] = cylindrical(body, centre);
    const Vec3& a = body.axis;
    const double reach = half.x * std::abs(a.x) + half.y * std::abs(a.y) + half.z * std::abs(a.z);
    if (std::abs(along) - reach >= body.height / 2 || norm(across) - norm(half) >= body.radius) return Cover::none;
  }
  for (int corner = 0; corner < 8; ++corner)
    if (!inside(body, centre + Vec3{corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y,
                                    corner & 4 ? half.z : -half.z}))
      return Cover::part;
  return Cover::all;
}

Interval crossing(const Shape& body, const Vec3& x, int axis) {
  if (body.type == Type::cylinder) return crossing_of_cylinder(body, x, axis);
  const Vec3 d = x - body.centre;
  const int next = (axis + 1) % 3, last = (axis + 2) % 3;
  double reach = 0;  // half the interval
  if (body.type == Type::box) {
    if (2 * std::abs(d[next]) <= body.size[next] && 2 * std::abs(d[last]) <= body.size[last])
      reach = body.size[axis] / 2;
  } else {
    const double rest = 1 - square(d[next] / body.radii[next]) - square(d[last] / body.radii[last]);
    if (rest > 0) reach = body.radii[axis] * std::sqrt(rest);
  }
  return {-d[axis] - reach, -d[axis] + reach};
}

void add_crossings(const Shape& body, const Vec3& x, int axis, double reach, std::vector<Interval>& to) {
  if (body.type == Type::solid) return body.solid->add_crossings(x, axis, reach, to);
  const Interval interval = crossing(body, x, axis);
  if (interval.low < interval.high) to.push_back(interval);
}

// Box and cylinder: the largest of the distances to their faces. Ellipsoid: f / |grad f| of
// f = |(x / a, y / b, z / c)| - 1.
Surface surface_near(const Shape& body, const Vec3& x) {
  if (body.type == Type::solid) return body.solid->surface_near(x);
  const Vec3 d = x - body.centre;
  if (body.type == Type::ellipsoid) {
    const Vec3 scaled = quotient(d, body.radii);
    const double value = norm(scaled);
    if (value == 0) return {-std::min({body.radii.x, body.radii.y, body.radii.z}), {}};
    const Vec3 gradient = quotient(scaled, body.radii) / value;
    return {(value - 1) / norm(gradient), gradient / norm(gradient)};
  }
  Surface nearest{-std::numeric_limits<double>::infinity(), {}};
  const auto face = [&](double distance, const Vec3& normal) {
    if (distance > nearest.distance) nearest = {distance, normal};
  };
  if (body.type == Type::cylinder) {
    const auto [along, across] = cylindrical(body, x);
    const double from_axis = norm(across);
    face(std::abs(along) - body.height / 2, along < 0 ? -body.axis : body.axis);
    if (from_axis > 0) face(from_axis - body.radius, across / from_axis);
    return nearest;
  }
  for (int i = 0; i < 3; ++i) {
    Vec3 normal;
    normal[i] = d[i] < 0 ? -1 : 1;
    face(std::abs(d[i]) - body.size[i] / 2, normal);
  }
  return nearest;
}

}  // namespace dgtd::grid
