#pragma once
// Power balance, absorbed power a material, and SAR on the cells of a Cartesian grid.
#include "dgtd/app/grid_problem.hpp"
#include "dgtd/app/powers.hpp"
#include "dgtd/app/results.hpp"

namespace dgtd::app {

/// Fills the summary's powers, SAR scaling and tissues from the first frequency of a DFT over the last period; returns
/// the SAR's arrays of cells (none without tissues, or where output.fields does not ask). Collective.
std::vector<io::Array> grid_powers(const config::Case& c, const GridProblem& problem, const LoopRecord& record,
                                   const parallel::Communicator& comm, io::Summary& s);

/// absorbed.csv: what each material takes up at each frequency of the DFT, where there are several or the window is the
/// whole run. Collective.
void write_absorbed(const config::Case& c, const GridProblem& problem, const parallel::Communicator& comm);

}  // namespace dgtd::app
