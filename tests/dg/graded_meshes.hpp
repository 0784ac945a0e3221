#pragma once
// Meshes with small elements in the middle.
#include <algorithm>
#include <cmath>

#include "dgtd/mesh/subdomain.hpp"

namespace dgtd::dg::test {

/// Moves the vertices of a box from the origin to `size` (m) towards a point inside it, along rays from it to the
/// sides, which stay where they are: edges there are `smallest` times as long as before. Same bits on all ranks.
inline void concentrate(mesh::Subdomain& mesh, const Vec3& size, const Vec3& centre, double smallest) {
  for (Vec3& x : mesh.vertices) {
    const Vec3 ray = x - centre;
    double way = 0;  // from the centre, 0, to the side, 1
    for (int axis = 0; axis < 3; ++axis)
      way = std::max(way, ray[axis] > 0 ? ray[axis] / (size[axis] - centre[axis]) : -ray[axis] / centre[axis]);
    x = centre + (smallest + (1 - smallest) * way * way) * ray;
  }
}

}  // namespace dgtd::dg::test
