#pragma once
// Cases that are well formed but whose results would mean nothing, or little: sources where no field can be, waves that
// cells or steps do not resolve, runs that end too early.
#include <vector>

#include "time_plan.hpp"
#include "dgtd/grid/media.hpp"
#include "dgtd/grid/setup.hpp"
#include "dgtd/mesh/subdomain.hpp"

namespace dgtd::app {

/// All poles must absorb in the band that sources and monitors use: throws Error (bad_input).
void check_poles(const config::Case& c);

/// Absorbing layers that leave no cell between them; dipoles and hard sources in a layer or a perfect conductor.
/// Throws Error (bad_input); warns of far-field boxes that meet a layer or have no dipole inside.
void check_grid_sources(const config::Case& c, const grid::Setup& setup, const grid::Media& media);

/// How well cells and steps resolve the waves of a case: throws Error (bad_input) below 2 cells per wavelength in the
/// middle of all cells, or below 4 steps per period; warns below 6 cells per wavelength in any material and below 10
/// steps. materials: of the grid, with names.
void check_grid_resolution(const config::Case& c, const grid::Setup& setup, const grid::Media& media,
                           const std::vector<config::Material>& materials, double time_step);

/// The same for tetrahedra: order times wavelength over edge, below 1 on average and below 3 in any material.
/// materials: [volume groups]. Collective.
void check_mesh_resolution(const config::Case& c, const mesh::Subdomain& mesh,
                           const std::vector<config::Material>& materials, double time_step,
                           const parallel::Communicator& comm);

/// Warns of pulses that still run when the run ends. steps: of the command line; such a run is short on purpose.
void check_length(const config::Case& c, const TimePlan& plan);

}  // namespace dgtd::app
