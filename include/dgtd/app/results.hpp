#pragma once
// What a run leaves behind: fields for ParaView, SAR, summary.json, the report.
#include "dgtd/app/problem.hpp"
#include "dgtd/io/summary.hpp"
#include "dgtd/monitor/energy.hpp"

namespace dgtd::app {

/// What the time loop measured.
struct LoopRecord {
  std::vector<monitor::EnergySample> energy;
  double source_work_last_period = 0;  // J, all ranks
  double wall_s = 0, setup_s = 0;
};

/// Collective. Writes into c.output.directory and prints the tables.
void write_results(const config::Case& c, const mesh::Subdomain& mesh, const Problem& problem, const LoopRecord& record,
                   const Backend& backend, const parallel::Communicator& comm);

/// Collective. Writes the present E and H as stem.pvtu.
void write_snapshot(const config::Case& c, const mesh::Subdomain& mesh, const solver::ElementSolver& solver,
                    const std::string& stem, const parallel::Communicator& comm);

/// The exact solution of a cavity-mode case: the mode in the mesh's bounding box. Collective.
solver::VectorFunction cavity_electric(const config::Case& c, const Problem& problem, const mesh::Subdomain& mesh,
                                       double time, const parallel::Communicator& comm);
solver::VectorFunction cavity_magnetic(const config::Case& c, const Problem& problem, const mesh::Subdomain& mesh,
                                       double time, const parallel::Communicator& comm);

}  // namespace dgtd::app
