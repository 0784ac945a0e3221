#include "dgtd/app/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dgtd/app/grid_run.hpp"
#include "dgtd/app/line_run.hpp"
#include "dgtd/app/march.hpp"
#include "dgtd/app/powers.hpp"
#include "dgtd/app/problem.hpp"
#include "dgtd/app/results.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/dosimetry/incident_power.hpp"
#include "dgtd/io/text_files.hpp"
#include "dgtd/io/vtk_output.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/monitor/energy.hpp"
#include "dgtd/parallel/on_root.hpp"
#include "dgtd/parallel/threads.hpp"

namespace dgtd::app {

namespace {

// SAR can refer only to a power that the case's sources have; said before the run, not after it.
void check_normalisation(const config::Case& c) {
  using Normalise = config::Sar::Normalise;
  const auto has = [&](config::Source::Type type) {
    return std::any_of(c.sources.begin(), c.sources.end(), [&](const auto& s) { return s.type == type; });
  };
  if ((c.sar.normalise == Normalise::emitted || c.sar.normalise == Normalise::accepted) &&
      !has(config::Source::Type::dipole))
    throw Error("sar.normalise = emitted or accepted needs a source of type dipole; allowed here are incident, none");
  if (c.sar.normalise != Normalise::none && (c.dft.frequencies.empty() || c.dft.window == config::Dft::Window::all))
    log::warn("sar.normalise has no effect: SAR needs time.frequency and dft.window = last-period");
  if (c.sar.normalise != Normalise::incident) return;
  if (!has(config::Source::Type::plane_wave))
    throw Error("sar.normalise = incident needs a source of type plane-wave; allowed here are emitted, accepted, none");
  if (c.dft.frequencies.empty()) return;
  const double frequency = c.dft.frequencies.front();
  if (!incident_power(c, {}))
    throw Error(
        fmt::format("sar.normalise = incident needs a source of type plane-wave at {} Hz, the first frequency "
                    "of [dft], which is that of the SAR",
                    frequency));
  for (const auto& s : c.sources)
    if (s.type == config::Source::Type::plane_wave && !dosimetry::has_frequency(s, frequency))
      log::warn("{}: source.{}: its {} Hz are not counted as incident power: SAR is that of {} Hz", s.origin, s.name,
                s.waveform.frequency, frequency);
}

void describe(const config::Case& c, const mesh::Subdomain& mesh, const Problem& problem,
              const parallel::Communicator& comm) {
  const auto elements = comm.gather(static_cast<double>(mesh.elements()));
  const auto memory = comm.gather(problem.solver->memory_bytes());
  if (!comm.is_root()) return;
  const auto [fewest, most] = std::minmax_element(elements.begin(), elements.end());
  const auto& s = problem.schedule;
  log::info("mesh: {} tetrahedra, {:.0f} to {:.0f} a rank on {} rank{}", mesh.global_elements, *fewest, *most,
            comm.size(), comm.size() > 1 ? "s" : "");
  log::info("P{} {}: {} unknowns, {:.1f} MB a rank", c.solver.order,
            c.solver.precision == config::Precision::single_precision ? "single" : "double", problem.solver->unknowns(),
            *std::max_element(memory.begin(), memory.end()) / 1e6);
  log::info("time step {:.6g} s ({} power iterations), {} steps{}", s.time_step, problem.stability_iterations, s.steps,
            s.steps_per_period > 0 ? fmt::format(", {} a period", s.steps_per_period) : "");
}

}  // namespace

void run(const config::Case& c, const parallel::Communicator& comm, const RunOptions& options) {
  const Timer setup;
  const Backend backend = choose_backend(c, comm);
  check_normalisation(c);
  const int threads = parallel::set_threads(c.solver.threads, comm);
  log::info("dgtd {}: {}, backend {} ({}), {} rank{} of {} thread{}", DGTD_VERSION, c.file.filename().string(),
            backend.name(), backend.reason, comm.size(), comm.size() > 1 ? "s" : "", threads, threads > 1 ? "s" : "");
  for (const auto& f : c.tissue_fits)
    log::info("material {}: {} as {} Debye poles, error at most {:.2g} % of |eps| from {:g} to {:g} Hz", f.material,
              f.tissue, f.poles, 100 * f.worst_error, f.band.lowest, f.band.highest);
  if (backend.cuda && comm.size() > 1)
    log::info("halos travel by {} ({})", backend.transport_name(), backend.transport_reason);
  if (backend.device.ranks_sharing > 1)
    log::warn("{} ranks share a device: one rank a device is faster", backend.device.ranks_sharing);

  if (c.solver.subdomains) return run_line(c, backend, setup, comm, options);
  if (!c.solver.method.has.tetrahedra) return run_grid(c, backend, setup, comm, options);
  auto mesh = mesh::load(c.mesh, comm);
  // The one volume of a box is called as the case calls its material.
  if (c.mesh.generator == config::Mesh::Generator::box && c.materials.size() == 1 && c.materials.front().name != "*")
    mesh.volume_names = {c.materials.front().name};
  parallel::set_threads(c.solver.threads, comm);
  auto problem = make_problem(c, mesh, backend, comm, {options.steps, 0});
  describe(c, mesh, problem, comm);
  if (options.dry_run) {
    log::info("\n{}", config::resolved_text(c));
    return;
  }
  parallel::on_root(comm, [&] {
    io::make_directory(c.output.directory);
    io::write_text(c.output.directory / "resolved.cfg", config::resolved_text(c));
  });
  if (problem.schedule.dft_frequencies.empty() && c.time.frequency)
    log::warn("the run is shorter than a period: no DFT, no SAR");
  if (c.initial.type == config::Initial::Type::cavity_mode)
    problem.solver->set_fields(cavity_electric(c, problem, mesh, 0, comm),
                               cavity_magnetic(c, problem, mesh, -0.5 * problem.schedule.time_step, comm));

  LoopRecord record;
  record.setup_s = setup.seconds();
  const Timer loop;
  const auto write = [&](const std::string& stem) {
    write_snapshot(c, mesh, *problem.solver, stem, comm);
    return stem + ".pvtu";
  };
  march(c, *problem.solver, problem.schedule, mesh.global_elements, write, record, comm);
  problem.solver->wait();
  comm.barrier();
  record.wall_s = loop.seconds();
  write_results(c, mesh, problem, record, backend, comm);
}

}  // namespace dgtd::app
