#pragma once
#include <vector>

#include "mesh/generate/generate_surface.hpp"

namespace dgtd::mesh {

/// Fills the open Gmsh model, whose surfaces are meshed, with tetrahedra; the triangulations of the
/// ellipsoids are improved before, and with Polyhedra::exact_volumes scaled. The model that is open afterwards is a
/// copy without CAD geometry, with the same physical groups.
void fill_volumes(const std::vector<Ellipsoid>& ellipsoids, Polyhedra polyhedra);

}  // namespace dgtd::mesh
