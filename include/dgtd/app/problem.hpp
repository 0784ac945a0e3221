#pragma once
// From a case and a mesh to a solver: the table of methods, and the choice of backend and precision.
#include <memory>

#include "dgtd/config/case.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/monitor/schedule.hpp"
#include "dgtd/parallel/cuda_device.hpp"
#include "dgtd/physics/field_solver.hpp"

namespace dgtd::app {

struct Problem {
  std::vector<config::Material> group_material;   // [volume groups]
  bool closed = true;                             // no absorbing boundary
  monitor::Schedule schedule;
  int stability_iterations = 0;
  std::unique_ptr<physics::ElementSolver> solver;
};

/// What a run computes on.
struct Backend {
  bool cuda = false;
  std::string reason;                     // for the log
  parallel::CudaDevice device;            // where cuda
  config::Transport transport = config::Transport::mpi_host;
  std::string transport_reason;
  const char* name() const { return cuda ? "cuda" : "cpu"; }
  const char* transport_name() const;
};

/// As the case asks; auto takes CUDA where every rank has a device. Collective. Throws Error (device) for
/// what this build or this machine does not have.
Backend choose_backend(const config::Case& c, const parallel::Communicator& comm);

struct ProblemOptions {
  std::int64_t steps = 0;    // > 0: instead of the case's
  double time_step = 0;      // > 0: s, instead of the stability limit, which then is not sought
};

/// Collective. c's materials and boundaries are completed and matched to the mesh's groups.
Problem make_problem(config::Case& c, const mesh::Subdomain& mesh, const Backend& backend, const parallel::Communicator& comm,
                     const ProblemOptions& options = {});

}  // namespace dgtd::app
