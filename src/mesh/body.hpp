#pragma once
// Geometry of one body: points, lines and boxes in it. All bodies are convex.
#include <string>

#include "dgtd/mesh/shapes.hpp"

namespace dgtd::mesh {

/// With a unit axis, and a sphere as the ellipsoid that it is. Throws Error where the body has no volume.
Body checked(Body body, std::size_t number);

/// Half the edges of the smallest box along the axes around the body, m.
Vec3 half_extent(const Body& body);

bool inside(const Body& body, const Vec3& x);

/// How much of a box lies in the body. `part` may also be said of a box that lies just outside.
enum class Cover { none, part, all };
Cover cover_of_box(const Body& body, const Vec3& centre, const Vec3& half);

/// Where the line x + t along the coordinate axis lies in the body: low < t < high, m; empty unless low < high.
struct Interval {
  double low = 0, high = 0;
};
Interval crossing(const Body& body, const Vec3& x, int axis);

/// The body's implicit function, which to first order is the distance to the surface (m, negative inside),
/// and its gradient, the outward normal. Of a box: its nearest face. Zero at an ellipsoid's centre.
struct Surface {
  double distance = 0;
  Vec3 normal;
};
Surface surface_near(const Body& body, const Vec3& x);

}  // namespace dgtd::mesh
