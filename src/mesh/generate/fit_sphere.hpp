#pragma once
// The sphere through points.
#include <optional>
#include <vector>

#include "dgtd/base/vec3.hpp"

namespace dgtd::mesh {

struct FittedSphere {
  Vec3 centre;           // m
  double radius = 0;     // m
  double deviation = 0;  // m, the largest difference between the radius and a point's distance from the centre
};

/// Least squares of |p - centre|^2 - radius^2; exact but for rounding where the points lie on a sphere. Nothing for
/// points in a plane.
std::optional<FittedSphere> fit_sphere(const std::vector<Vec3>& points);

}  // namespace dgtd::mesh
