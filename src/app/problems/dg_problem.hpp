#pragma once
// From a case and a mesh to a discontinuous Galerkin solver.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/problems/backend.hpp"
#include "app/problems/dg_layers.hpp"
#include "app/problems/time_plan.hpp"
#include "dgtd/base/timers.hpp"
#include "dgtd/dg/level_time_step.hpp"
#include "dgtd/dg/time_levels.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/solver/current_spectra.hpp"
#include "dgtd/solver/element_sums.hpp"
#include "dgtd/solver/error_indicators.hpp"
#include "dgtd/solver/phases.hpp"
#include "dgtd/solver/port_records.hpp"
#include "dgtd/solver/solver.hpp"

namespace dgtd::app {

/// Local time steps as they run.
struct LevelFigures {
  std::vector<std::int64_t> elements;  // on level 0 to L, all ranks; empty: all elements take the same steps
  double gain = 1;                     // updates that global steps would need over those that are made
  double largest_bound = 0;            // of the stability, below 1
  std::vector<double> imbalance;       // [L + 1] work of the rank with most over the mean of all ranks
};

/// The elements of one order, of all ranks.
struct OrderFigures {
  int order = 0;
  std::int64_t elements = 0;
};

struct DgProblem {
  std::shared_ptr<const mesh::Subdomain> two_copies;  // with Bloch phases, the mesh of the solver; else null
  std::vector<config::Material> group_material;       // [volume groups]
  config::Material exterior;                          // where a plane wave enters
  bool closed = true;                                 // no absorbing boundary
  TimePlan plan;
  int stability_iterations = 0;
  LevelFigures levels;
  int highest_order = 0;             // of the elements
  std::vector<OrderFigures> orders;  // ascending; empty: all elements have the same one
  double order_imbalance = 1;        // where they have several: work of the rank with most over the mean of all ranks
  std::vector<LayerFigures> layers;
  double pole_bytes = 0;  // per step and of all ranks: what poles keep, read and written; beside the compulsory bytes
  std::unique_ptr<solver::ElementSolver> solver;
  solver::ElementSums* sums = nullptr;               // of the solver
  const solver::CurrentSpectra* currents = nullptr;  // of the solver
  const solver::PhasePowers* phases = nullptr;       // of the solver, where fields are complex
  solver::PortRecords* ports = nullptr;              // of the solver
  const solver::ErrorIndicators* errors = nullptr;   // of the solver
};

struct DgOptions {
  std::int64_t steps = 0;                     // > 0: in place of the case's
  double time_step = 0;                       // > 0: s, in place of the stability limit, which then is not computed
  double continued = 0;                       // > 0: s, the time step of the run that is continued
  // Levels of the case's local time steps on this mesh, where they are known; not used where the solver's has two copies.
  std::optional<dg::TimeLevels> levels = {};
  std::vector<int> orders = {};  // [elements], without a second copy; empty: those of the case
  std::int64_t expected_steps = 0;  // > 0: of which preparations must be worth the time, in place of the plan's
  /// Whether a step with these bounds may run; null: where none is above 0.985. For tests.
  std::function<bool(const dg::LevelBounds&)> is_stable = {};
};

/// [volume groups] materials of the case. Those of layers are those of the groups that they continue, without density.
std::vector<config::Material> group_materials(const config::Case& c, const mesh::Subdomain& mesh);

/// Levels of the local time steps of the case; finest = 0 where they are off or bring too little. orders: as in
/// DgOptions. Collective.
dg::TimeLevels local_step_levels(const config::Case& c, const mesh::Subdomain& mesh, const parallel::Communicator& comm,
                                 const std::vector<int>& orders = {});

/// Collective. Adds the stages `discretise` and `time_step`. Throws Error (bad_input, out_of_memory).
DgProblem make_dg_problem(const config::Case& c, const mesh::Subdomain& mesh, const Backend& backend,
                          const parallel::Communicator& comm, const DgOptions& options, Timers& timers);

}  // namespace dgtd::app
