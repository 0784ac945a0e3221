#pragma once
// Far fields of a run on a grid as tables.
#include "dgtd/app/grid_problem.hpp"

namespace dgtd::app {

/// The boxes of [far_field.NAME] as the solver's flux monitors, to follow those of [flux.NAME]. Throws Error (bad_input)
/// where a box does not lie inside the grid with all its faces, or the background is not a lossless dielectric.
std::vector<config::Flux> far_boxes(const config::Case& c);

/// far_NAME.csv: a row a frequency and direction; far_NAME_total.csv: a row a frequency. incident: of the one plane
/// wave, J/(Hz m^2), by far field and frequency; empty without one. Collective.
void write_far_fields(const config::Case& c, const GridProblem& problem,
                      const std::vector<std::vector<double>>& incident, const parallel::Communicator& comm);

}  // namespace dgtd::app
