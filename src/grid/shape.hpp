#pragma once
// Geometry of one body: points, lines and boxes in it. All but solids are convex.
#include <vector>

#include "dgtd/grid/shapes.hpp"

namespace dgtd::grid {

/// With a unit axis, and a sphere as the ellipsoid that it is. Throws Error where the body has no volume.
Shape checked(Shape body, std::size_t number);

bool inside(const Shape& body, const Vec3& x);

Cover cover_of_box(const Shape& body, const Vec3& centre, const Vec3& half);

/// Interval of t in which the line x + t along the coordinate axis is in a convex body.
Interval crossing(const Shape& body, const Vec3& x, int axis);

/// Adds the pieces of the line that lie in any body, at least those with |t| <= reach.
void add_crossings(const Shape& body, const Vec3& x, int axis, double reach, std::vector<Interval>& to);

/// The body's implicit function and its gradient. Of a box: its nearest face. The normal is zero at an ellipsoid's
/// centre.
Surface surface_near(const Shape& body, const Vec3& x);

}  // namespace dgtd::grid
