#pragma once
// Triangulations of ellipsoids, repaired. Gmsh makes narrow triangles at the poles of its
// parametrisation; each would force a flat tetrahedron, and one flat tetrahedron bounds the time step.
#include <array>
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "dgtd/geometry/turn.hpp"

namespace dgtd::mesh {

struct Ellipsoid {
  Vec3 centre, semi_axes;
  geometry::Rotation rotation = {};  // about the centre
};

using Triangle = std::array<int, 3>;

/// Property that polyhedra share with their ellipsoids: their corners on the ellipsoid, or its volume.
enum class Polyhedra { inscribed, exact_volumes };

/// Signed distance to the ellipsoid, negative inside; exact to first order next to the surface.
double distance(const Ellipsoid& ellipsoid, const Vec3& point);

/// 1 for the equilateral triangle, 0 for a flat one.
double shape(const Vec3& a, const Vec3& b, const Vec3& c);

/// Whether each edge has two triangles: what other bodies cut is open.
bool is_closed(const std::vector<Triangle>& triangles);

/// Flips edges and moves vertices over the ellipsoid while the worst triangle around becomes better.
/// points: all of them belong to the closed surface that the triangles form.
void improve(const Ellipsoid& ellipsoid, std::vector<Vec3>& points, std::vector<Triangle>& triangles);

/// Scales the closed surface, whose points are on the ellipsoid, about its centre until it encloses the ellipsoid's
/// volume.
void restore_volume(const Ellipsoid& ellipsoid, std::vector<Vec3>& points, const std::vector<Triangle>& triangles);

}  // namespace dgtd::mesh
