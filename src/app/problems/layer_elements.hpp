#pragma once
// Reflection that the elements of absorbing layers add to that of their strata.
#include <cstddef>
#include <vector>

#include "dgtd/mesh/added_layers.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::app {

/// Amplitude that comes back from layers so thick that their strata reflect nothing, for elements of this order and so
/// many cubes, of six elements each, per wavelength. Measured on tetrahedra (docs/verification.md, "Absorbing layers on
/// tetrahedra") and continued by the power `order + 1/2` of the size. angle: index in physics::layer_angles.
double reflection_of_elements(int order, double per_wavelength, std::size_t angle);

/// [surfaces] m: edge of the cubes with two triangles per side that are as large as those of the surface, in the mean.
/// surfaces: the number of layers_by_surface. 0 of those that no LayerPlace has: on a sphere the first one has all.
/// Collective.
std::vector<double> cube_edges(const mesh::Subdomain& mesh, const mesh::LayerGeometry& geometry, std::size_t surfaces,
                               const parallel::Communicator& comm);

}  // namespace dgtd::app
