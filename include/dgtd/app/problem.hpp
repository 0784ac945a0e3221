#pragma once
// From a case and a mesh to a solver: the table of methods, and the choice of backend and precision.
#include <memory>

#include "dgtd/config/case.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/monitor/schedule.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/physics/field_solver.hpp"

namespace dgtd::app {

struct Problem {
  std::vector<config::Material> group_material;   // [volume groups]
  bool closed = true;                             // no absorbing boundary
  monitor::Schedule schedule;
  int stability_iterations = 0;
  std::unique_ptr<physics::FieldSolver> solver;
};

/// The backend that the case gets ("cpu"), with the reason for the log. Throws Error for what this
/// version or this machine does not have.
std::string choose_backend(const config::Case& c, std::string& reason);

/// Collective. c's materials and boundaries are completed and matched to the mesh's groups.
Problem make_problem(config::Case& c, const mesh::Subdomain& mesh, const parallel::Communicator& comm, std::int64_t steps_override);

}  // namespace dgtd::app
