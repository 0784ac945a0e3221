#pragma once
// Adds the layers of a case to a mesh that has been read.
#include <cstdint>
#include <vector>

#include "dgtd/mesh/added_layers.hpp"
#include "dgtd/mesh/global_mesh.hpp"

namespace dgtd::mesh {

/// Differs between layers; their order counts.
std::uint64_t hash_of(const std::vector<AddedLayers>& layers);

/// The number of strata outside of triangles of this mean edge, m.
int strata_of(const AddedLayers& layers, double mean_edge);

/// Throws Error for a negative number of strata, a thickness below 0 and a surface that is listed twice; source: of the
/// mesh, for the message.
void check_layers(const std::vector<AddedLayers>& layers, const std::string& source);

/// Extrudes the surfaces that have layers. They are either whole sides of the mesh's bounding box, of which a surface
/// group may cover several and one may have several groups with the same layers, or one sphere around the mesh or a
/// part of it. Sides along x are extruded first, then those along y together with the strata's, then z, which fills
/// edges and corners. A thickness of 0 is the number of strata times the mean edge of the triangles that have these
/// layers, on the sides along one axis or on the sphere; each edge counts once. The number of strata that follows from
/// `stratum` is that of all triangles with layers that are alike. Throws Error for other surfaces, and that of check()
/// where the boundary is wrong. Where layers are volume groups of the mesh, name_layers() in place of all this.
GlobalMesh add_layers(GlobalMesh mesh, const std::vector<AddedLayers>& layers);

}  // namespace dgtd::mesh
