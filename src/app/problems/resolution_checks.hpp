#pragma once
// Resolution of the waves of a case by cells, elements and steps.
#include <vector>

#include "app/problems/grid_scene.hpp"
#include "dgtd/config/case.hpp"
#include "dgtd/mesh/subdomain.hpp"

namespace dgtd::app {

/// Throws Error (bad_input) below 2 cells per wavelength in the middle of all cells of a material, at the lowest
/// carrier, below 4 steps per period of it, and below 2 steps per period of any frequency of the case. Warns below 6
/// cells per wavelength and 10 steps per period at the highest frequency, and below 1 cell per skin depth in materials
/// in which waves do not propagate. Returns what it has found, empty without a frequency.
ResolutionFigures check_grid_resolution(const config::Case& c, const GridScene& scene, double time_step);

/// The same for tetrahedra: order times wavelength over edge, below 1 and below 3; order times skin depth over edge
/// below 1. Warns of a mesh that is a small part of a wavelength. materials: [volume groups]; order_of_element: [elements].
/// Collective.
ResolutionFigures check_mesh_resolution(const config::Case& c, const mesh::Subdomain& mesh,
                                        const std::vector<config::Material>& materials,
                                        const std::vector<int>& order_of_element, double time_step,
                                        const parallel::Communicator& comm);

}  // namespace dgtd::app
