#include "dgtd/app/run_figures.hpp"

#include "dgtd/base/log.hpp"
#include "dgtd/monitor/peak_memory.hpp"

namespace dgtd::app {

namespace {

io::Performance performance(solver::Solver& solver, const io::Summary& s, const parallel::Communicator& comm) {
  io::Performance p;
  const double steps_per_s = s.wall_s > 0 ? double(s.steps) / s.wall_s : 0;
  const double copy = comm.sum(solver.copy_bandwidth());
  p.element_steps_per_s = double(s.elements) * steps_per_s;
  p.unknowns_per_s = double(s.unknowns) * steps_per_s;
  p.bytes_per_step = solver.compulsory_bytes_per_step();
  p.GB_per_s = p.bytes_per_step * steps_per_s / 1e9;
  p.copy_GB_per_s = copy / 1e9;
  p.roofline_fraction = p.bytes_per_step * steps_per_s / copy;
  p.gflop_per_s = solver.operations_per_step() * steps_per_s / 1e9;
  p.halo_wait_fraction = s.wall_s > 0 ? comm.max(solver.halo_wait_seconds()) / s.wall_s : 0;
  p.peak_memory_bytes =
      static_cast<std::int64_t>(comm.sum(s.backend == "cuda" ? solver.memory_bytes() : monitor::peak_memory_bytes()));
  return p;
}

}  // namespace

io::Summary run_figures(const config::Case& c, solver::Solver& solver, const monitor::Schedule& schedule,
                        std::int64_t elements, bool conserves, const LoopRecord& record, const Backend& backend,
                        const parallel::Communicator& comm) {
  io::Summary s;
  s.version = DGTD_VERSION;
  s.case_name = c.name;
  s.precision = c.solver.precision == config::Precision::single_precision ? "single" : "double";
  s.backend = backend.name();
  s.kernels = c.solver.kernels == config::Kernels::split      ? "split"
              : c.solver.kernels == config::Kernels::diagonal ? "diagonal"
                                                              : "fused";
  s.comm = backend.transport_name();
  s.ranks = comm.size();
  s.elements = elements;
  s.unknowns = solver.unknowns();
  s.dt_s = solver.time_step();
  s.steps = solver.steps_done();
  s.wall_s = record.wall_s;
  s.setup_s = record.setup_s;
  s.fields_hash = comm.sum(solver.fields_hash());
  if (!record.energy.empty()) {
    s.energy.first_J = record.energy.front().energy_J;
    s.energy.last_J = record.energy.back().energy_J;
    if (conserves && *s.energy.first_J > 0)
      s.energy.relative_drift = (*s.energy.last_J - *s.energy.first_J) / *s.energy.first_J;
  }
  if (schedule.steps_per_period > 0) s.steps_per_period = static_cast<double>(schedule.steps_per_period);
  s.dft_frequencies_Hz = schedule.dft_frequencies;
  s.performance = performance(solver, s, comm);
  return s;
}

void print_error_and_drift(const io::Summary& s) {
  if (s.error) log::info("error against the exact solution: L2 E {:.4g}, L2 H {:.4g}", s.error->l2_E, s.error->l2_H);
  if (s.energy.relative_drift)
    log::info("energy {:.6g} J, relative drift {:.3g}", *s.energy.last_J, *s.energy.relative_drift);
}

void print_performance(const io::Performance& p, const char* unit) {
  log::info(
      "{:.3g} M {} steps/s, {:.3g} GB/s, {:.0f} % of the copy bandwidth ({:.3g} GB/s), {:.0f} % of the time waiting "
      "for halos",
      p.element_steps_per_s / 1e6, unit, p.GB_per_s, 100 * p.roofline_fraction.value_or(0), p.copy_GB_per_s.value_or(0),
      100 * p.halo_wait_fraction);
}

}  // namespace dgtd::app
