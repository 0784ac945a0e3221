#pragma once
// Extruded polygons as solids of Gmsh's Open CASCADE kernel.
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "dgtd/geometry/polygon.hpp"

namespace dgtd::mesh {

/// The tags of its solids in the model, one for each polygon, in units of `unit` (m) about `middle`.
std::vector<int> layout_solids(const geometry::Extrusion& body, const Vec3& middle, double unit);

}  // namespace dgtd::mesh
