#pragma once
// From a case and a mesh to a solver on tetrahedra.
#include <memory>

#include "dgtd/app/backend.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/monitor/schedule.hpp"
#include "dgtd/solver/solver.hpp"

namespace dgtd::app {

struct Problem {
  std::vector<config::Material> group_material;  // [volume groups]
  config::Material exterior;                     // behind the absorbing boundary, where a plane wave enters
  bool closed = true;                            // no absorbing boundary
  monitor::Schedule schedule;
  int stability_iterations = 0;
  std::unique_ptr<solver::ElementSolver> solver;
};

struct ProblemOptions {
  std::int64_t steps = 0;  // > 0: instead of the case's
  double time_step = 0;    // > 0: s, instead of the stability limit, which then is not sought
};

/// Collective. c's materials and boundaries are completed and matched to the mesh's groups.
Problem make_problem(const config::Case& c, const mesh::Subdomain& mesh, const Backend& backend,
                     const parallel::Communicator& comm, const ProblemOptions& options = {});

}  // namespace dgtd::app
