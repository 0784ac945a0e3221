#pragma once
// Checks of a case for objects outside of its grid.
#include "app/problems/grid_scene.hpp"
#include "dgtd/config/case.hpp"

namespace dgtd::app {

/// Says what the grid loses of probes, sources, fluxes and monitors. Throws Error (bad_input) where nothing useful is
/// left; warns, naming what is lost, where a part is; a mirror (pec, pmc) that cuts something is only mentioned, since
/// nothing flows through it. Faces of total-field boxes must be in the background. Far fields and shapes are checked
/// where they are made.
void check_places(const config::Case& c, const GridScene& scene);

}  // namespace dgtd::app
