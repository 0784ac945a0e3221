#pragma once
// Permittivities of many components of E at once, from an array of voxels.
#include "dgtd/grid/permittivity_media.hpp"

namespace dgtd::grid {

/// Averages over the cells around components: layers across the component's field are in series, what is beside each
/// other in a layer is parallel,
///   1 / eps = sum_along part / (sum_across part eps),
/// and where all voxels of a cell are alike their value. to: [z][y][x].
void average_permittivities(const PermittivityArray& array, const ComponentBox& box, double* to);

/// Values of the voxels at the places, of the component's own ones where there are any. to: [z][y][x].
void permittivities_at_places(const PermittivityArray& array, const ComponentBox& box, double* to);

/// The value of all voxels that one of the two functions would read; 0: they differ.
double common_value(const PermittivityArray& array, const ComponentBox& box, bool averaging);

}  // namespace dgtd::grid
