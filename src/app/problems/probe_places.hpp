#pragma once
// Places of the probes of a grid: at the centres of the cells that contain their positions.
#include "app/problems/problem.hpp"
#include "dgtd/grid/cartesian_grid.hpp"

namespace dgtd::app {

/// Adds the key `probes` of summary.json and lines of the description: the centre of each probe's cell, and how far the
/// position of the case is from it, along the first `axes` axes.
void state_probe_places(const config::Case& c, const grid::CartesianGrid& grid, int axes, Problem& problem);

}  // namespace dgtd::app
