#pragma once
// Solids of revolution: a point has the coordinates `along` the axis, from the middle, and `across`, its distance from
// the axis, m.

namespace dgtd::geometry {

/// To first order the distance to a surface (m, negative inside), and the components of the outward normal there.
struct Meridian {
  double distance, along, across;
};

struct Cone {
  double radius, top_radius, height;  // m; radius: at the lower end; either may be 0

  double radius_at(double along) const;
  /// Exact inside; outside the larger of the distances to the faces, which is at most that to the cone.
  Meridian surface(double along, double across) const;
  /// m, from the middle: how far the cone reaches in a direction whose component along the axis is this.
  double reach(double component) const;
};

struct Torus {
  double radius, tube_radius;  // m; radius: of the circle in the middle of the tube, above tube_radius

  /// Exact.
  Meridian surface(double along, double across) const;
  double reach(double component) const;
};

}  // namespace dgtd::geometry
