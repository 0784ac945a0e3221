#pragma once
// Files of the field monitors of a grid.
#include "dgtd/app/grid_problem.hpp"
#include "dgtd/config/case.hpp"

namespace dgtd::app {

/// monitor_NAME.pvtr with the real and imaginary parts and the amplitude of each field; with several frequencies
/// monitor_NAME_NNNN.pvtr from 0001 on and monitor_NAME.pvd, which lists them over frequency. Collective.
void write_monitors(const config::Case& c, const GridProblem& problem, const parallel::Communicator& comm);

}  // namespace dgtd::app
