#pragma once
// The exact cross sections of a case that is one sphere in a plane wave.
#include "dgtd/config/case.hpp"
#include "dgtd/grid/setup.hpp"
#include "dgtd/observers/fluxes.hpp"

namespace dgtd::app {

/// For a case on a grid that is one homogeneous sphere in a plane wave, its only source, in vacuum, between open sides
/// or mirrors through the sphere's centre: the outward cross section of a box around the sphere, at its frequencies. It
/// is minus the absorption (of the part that is in the grid) inside the total field, the scattering outside of it, and
/// nothing for other surfaces. For other cases an empty function.
observers::ExactCrossSections exact_sphere(const config::Case& c, const grid::Setup& setup);

}  // namespace dgtd::app
