#pragma once
// Initial fields on a grid that the case writes out: by formulas, or by a file of values.
#include "dgtd/config/case.hpp"
#include "dgtd/grid/cartesian_grid.hpp"
#include "dgtd/solver/solver.hpp"

namespace dgtd::app {

struct InitialFields {
  solver::VectorFunction electric,
      magnetic;  // V/m at t = 0, A/m half a time step earlier; not for several threads at once
};

/// Fields of initial.type = formula or file. Throws Error (bad_input) for a file that does not fit the grid.
InitialFields initial_fields(const config::Case& c, const grid::CartesianGrid& grid);

/// Ez at the nodes of a flat grid, V/m, [y][x]: rows of numbers from the lowest y upwards, one number a node; # begins
/// a comment. Throws Error (bad_input) that names file and line.
std::vector<double> read_node_values(const std::filesystem::path& file, const grid::CartesianGrid& grid, int axes);

}  // namespace dgtd::app
