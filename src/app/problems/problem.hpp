#pragma once
// Problem that a method makes of a case: a solver with all that observers and results need of it.
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/problems/backend.hpp"
#include "app/problems/time_plan.hpp"
#include "dgtd/base/timers.hpp"
#include "dgtd/io/result_files.hpp"
#include "dgtd/io/summary.hpp"
#include "dgtd/observers/domain_view.hpp"
#include "dgtd/observers/exact_error.hpp"
#include "dgtd/observers/far_fields.hpp"
#include "dgtd/observers/field_monitors.hpp"
#include "dgtd/observers/field_writer.hpp"
#include "dgtd/observers/power_meter.hpp"
#include "dgtd/solver/current_spectra.hpp"
#include "dgtd/solver/port_records.hpp"
#include "dgtd/solver/region_spectra.hpp"
#include "dgtd/solver/time_loop.hpp"

namespace dgtd::app {

/// The arguments of a method's factory. All references outlive the problem.
struct ProblemRequest {
  const config::Case& c;
  const Backend& backend;
  const parallel::Communicator& comm;
  io::ResultFiles& files;
  std::int64_t steps;  // > 0: in place of the case's
  Timers& timers;
  double time_step = 0;  // > 0: s, of the run that is continued
  std::optional<std::filesystem::path> adapt = {};  // output of a run from whose errors orders of elements follow
};

/// Resolution of the waves of a case by cells, or by elements over their order.
struct ResolutionFigures {
  struct Row {
    std::string material;
    std::optional<double> per_wavelength, per_skin_depth;  // one of them, as waves propagate or not
  };
  double frequency = 0;  // Hz, the highest one of the case
  std::vector<Row> rows;
};

struct Problem {
  std::shared_ptr<const void> domain;  // mesh or media, to which the solver refers
  std::unique_ptr<solver::Solver> solver;
  std::vector<std::unique_ptr<solver::RegionSpectra>> spectra;  // for observers, where the solver has none itself
  TimePlan plan;
  std::vector<std::string> description;  // lines of the log: domain, unknowns, time step
  ResolutionFigures resolution;          // empty without frequencies
  io::Summary summary;                   // the method's own part: kernels, order, mesh or grid
  std::int64_t elements = 0;             // tetrahedra or cells, all ranks
  std::array<Vec3, 2> box{};             // m, around the domain
  std::uint64_t identity = 0;            // hash of the mesh or the media on the cells, of all ranks
  config::Material exterior;             // of plane waves
  bool conserves_energy = false;         // closed, without losses and sources
  const char* unsteady_hint = "";        // what else may open the power balance
  std::function<void()> set_initial_fields = [] {};
  std::optional<observers::ExactSolution> exact;
  std::unique_ptr<observers::FieldWriter> writer;
  std::unique_ptr<observers::PowerMeter> powers;     // null: not measured
  const solver::CurrentSpectra* currents = nullptr;  // of the solver; null: SAR is that of a steady state only
  solver::PortRecords* port_records = nullptr;       // of the solver; null: there are no ports
  solver::RegionSpectra* port_spectra = nullptr;     // in which ports across guides have their planes
  std::unique_ptr<observers::DomainView> view;       // null: no pictures, no check of the steady state
  std::vector<observers::Region> regions;            // of the view
  double sampling_bytes = 0;                         // of this rank while fields are sampled for a file
  double host_copy_bytes = 0;                        // of this rank's fields on a device, for results
  bool source_work_is_measured = true;               // of all sources
  solver::Observers observers;                       // those that only this method has
  std::vector<observers::FieldMonitors*> monitors;   // among these
  solver::Observers closing_observers;               // the same, which use what those of SAR have left in the results
};

/// Adds an observer of monitors, which shows its pictures where the run has any.
inline void add_field_monitors(Problem& problem, std::unique_ptr<observers::FieldMonitors> monitors) {
  problem.monitors.push_back(monitors.get());
  problem.observers.push_back(std::move(monitors));
}

/// Absorbed powers of antennas, where the problem has a meter and sums of the whole run.
inline void measure_absorbed_powers(Problem& problem) {
  if (!problem.powers || problem.plan.fourier.frequencies.empty()) return;
  for (const auto& observer : problem.observers)
    if (auto* const far = dynamic_cast<observers::FarFields*>(observer.get()))
      far->absorbed_by(*problem.powers, problem.plan.fourier);
}

}  // namespace dgtd::app
