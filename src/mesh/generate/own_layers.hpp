#pragma once
// Layers that are volume groups of a mesh file, in place of strata that the program adds.
#include <vector>

#include "dgtd/mesh/added_layers.hpp"
#include "dgtd/mesh/global_mesh.hpp"

namespace dgtd::mesh {

/// Gives the volume groups that are layers (AddedLayers::groups) the layer_suffix, where they do not have it. Elements
/// keep their places. Throws Error where a group or surface has no element or triangle, for layers that are added
/// beside, where the surfaces are neither whole sides of the mesh's bounding box nor one sphere, where other elements
/// reach them, so that a layer has no thickness, and where an element of a layer is inside of the box or sphere of the
/// others.
GlobalMesh name_layers(GlobalMesh mesh, const std::vector<AddedLayers>& layers);

}  // namespace dgtd::mesh
