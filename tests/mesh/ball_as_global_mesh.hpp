#pragma once
// A ball as if it had been read from a file.
#include <algorithm>
#include <cmath>

#include "box_as_global_mesh.hpp"

namespace dgtd::mesh::testing {

/// The cube of edge 2 around the origin with each point moved radially, so that the cube's surface becomes the sphere:
/// volume group "air", surface group "absorbing". half: of z > 0 only, with its flat side in surface group "symmetry".
inline GlobalMesh ball_as_global_mesh(std::int64_t cells, double radius, const Vec3& centre, bool half = false) {
  GlobalMesh mesh = box_as_global_mesh({2 * cells, 2 * cells, half ? cells : 2 * cells}, {2, 2, half ? 1.0 : 2.0});
  for (Vec3& p : mesh.vertices) {
    p -= {1, 1, half ? 0.0 : 1.0};
    const double distance = norm(p);
    if (distance > 0) p *= radius * std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) / distance;
    p += centre;
  }
  mesh.volume_names = {"air"};
  mesh.surface_names = {"absorbing", "symmetry"};
  for (std::uint16_t& group : mesh.triangle_group) group = half && group == 4;
  mesh.source = "ball.msh";
  return mesh;
}

}  // namespace dgtd::mesh::testing
