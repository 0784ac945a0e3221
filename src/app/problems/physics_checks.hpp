#pragma once
// Cases that are well formed but whose results would mean nothing, or little: sources where no field can be, runs that
// end too early. What cells and steps do not resolve is in resolution_checks.hpp.
#include "app/problems/grid_scene.hpp"
#include "app/problems/time_plan.hpp"

namespace dgtd::app {

/// All poles must absorb in the band that sources and monitors use, and media with critical points at all frequencies:
/// throws Error (bad_input).
void check_poles(const config::Case& c);

/// Absorbing layers that leave no cell between them; dipoles and hard sources in a layer or a perfect conductor.
/// Throws Error (bad_input); warns of those that a lossy body surrounds, and of far-field boxes that meet a layer or
/// have no dipole inside.
void check_grid_sources(const config::Case& c, const GridScene& scene);

/// Warns of a far field with dipoles of which none is inside its box.
void check_dipoles_of_far_field(const config::Case& c, const physics::FarField& f);

/// Says at which mirrors a region of a section ends: a box, which has no face there, or another region.
void tell_mirrors(const std::string& section, const std::vector<std::string>& mirrors, bool is_box);

/// Throws Error (bad_input) for sources whose fields are beyond the case's precision, or its SAR's, which is single.
/// volume: of the smallest cell or element, m^3.
void check_strengths(const config::Case& c, double time_step, double volume);

/// Warns of pulses that still run when the run ends. steps: of the command line; such a run is short on purpose.
void check_length(const config::Case& c, const TimePlan& plan);

}  // namespace dgtd::app
