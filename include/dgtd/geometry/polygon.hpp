#pragma once
// Polygons with holes in a plane, and what is between two heights of them.
#include <array>
#include <vector>

namespace dgtd::geometry {

using Point = std::array<double, 2>;  // m
using Ring = std::vector<Point>;      // corners of a closed line, at least three

/// No two lines of a polygon cross.
struct Polygon {
  Ring outer;               // counter-clockwise
  std::vector<Ring> holes;  // clockwise

  bool operator==(const Polygon&) const = default;
};

/// Polygons between two heights, of which `top` has the corners of `bottom` in the same order, moved: edges are parallel
/// to those below, so that walls are plane.
struct Extrusion {
  std::vector<Polygon> bottom, top;
  double low = 0, high = 0;  // m

  bool operator==(const Extrusion&) const = default;
};

/// m^2, without the holes.
double area(const Polygon& polygon);
double area(const std::vector<Polygon>& polygons);

/// The corners of a ring at a share of the height, from 0 at the bottom to 1 at the top.
Ring at_height(const Ring& bottom, const Ring& top, double share);

/// Polygons that are `bottom` at the lower end, with walls of this angle (rad, above 0 and below pi) to the plane,
/// measured in the material: pi / 2 is upright, smaller angles make the upper end smaller. Throws Error with the place of
/// an edge that vanishes, or of walls that meet, below the upper end.
Extrusion extrude(std::vector<Polygon> bottom, double low, double high, double sidewall_angle);

}  // namespace dgtd::geometry
