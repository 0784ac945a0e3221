#pragma once
// Bodies and arrays of permittivities that leave no trace on the grid: none of its field components is in them.
#include <vector>

#include "dgtd/config/case.hpp"
#include "dgtd/grid/permittivity_media.hpp"
#include "dgtd/grid/setup.hpp"
#include "dgtd/grid/shapes.hpp"

namespace dgtd::app {

/// Throws Error (bad_input), without the shape's place in the case file, where the bodies of a shape change the medium
/// of no component of the case's method. It ends at the first such component. Of a body whose surface cuts more cells
/// without one than a check may take, nothing is said. setup: with its materials.
void check_trace(const std::vector<grid::Shape>& bodies, const config::Case& c, const grid::Setup& setup);

/// The same of an array of permittivities: outside of the grid, or between the places of E.
void check_trace(const grid::PermittivityArray& array, const grid::Setup& setup);

}  // namespace dgtd::app
