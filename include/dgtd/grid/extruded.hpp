#pragma once
// Extruded polygons on structured grids.
#include "dgtd/geometry/polygon.hpp"
#include "dgtd/grid/solid.hpp"

namespace dgtd::grid {

/// The polygons lie in the plane z = const. Throws Error for an extrusion without polygons or height.
std::shared_ptr<const Solid> make_extruded(const geometry::Extrusion& extrusion);

}  // namespace dgtd::grid
