#pragma once
// Fluxes, far fields and monitors on tetrahedra.
#include "app/problems/dg_problem.hpp"
#include "app/problems/problem.hpp"

namespace dgtd::app {

/// Adds the observers of [flux], [far_field] and [monitor] to the problem, with what they read. made: before its solver
/// is moved; problem.plan and problem.exterior are set. Collective. Throws Error (bad_input, out_of_memory).
void add_mesh_regions(Problem& problem, const ProblemRequest& request, const mesh::Subdomain& mesh,
                      const DgProblem& made);

}  // namespace dgtd::app
