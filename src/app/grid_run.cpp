#include "dgtd/app/grid_run.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>

#include "dgtd/app/far_field_output.hpp"
#include "dgtd/app/fields_output.hpp"
#include "dgtd/app/grid_powers.hpp"
#include "dgtd/app/initial_fields.hpp"
#include "dgtd/app/march.hpp"
#include "dgtd/app/monitor_output.hpp"
#include "dgtd/app/run_figures.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/io/report.hpp"
#include "dgtd/io/text_files.hpp"
#include "dgtd/io/vtk_grid.hpp"
#include "dgtd/parallel/on_root.hpp"
#include "dgtd/physics/cavity_mode.hpp"
#include "dgtd/physics/waveform.hpp"

namespace dgtd::app {

namespace {

using Field = solver::Quantity::Field;
using Part = solver::Quantity::Part;

std::int64_t cells_of(const GridProblem& problem) { return problem.solver->grid().cells(); }

void describe(const config::Case& c, const GridProblem& problem, const parallel::Communicator& comm) {
  const auto& grid = problem.solver->grid();
  const double memory = comm.max(problem.solver->memory_bytes());
  const auto& s = problem.schedule;
  log::info("grid: {} x {} x {} = {} cells on {} rank{}", grid.cells(0), grid.cells(1), grid.cells(2), grid.cells(),
            comm.size(), comm.size() > 1 ? "s" : "");
  const auto variant = c.solver.variant == config::Variant::native
                           ? std::string()
                           : fmt::format(", {}", config::name_of(c.solver.variant));
  log::info("{} {}{}: {} unknowns, {:.1f} MB a rank", config::name_of(c.solver.method),
            c.solver.precision == config::Precision::single_precision ? "single" : "double", variant,
            problem.solver->unknowns(), memory / 1e6);
  log::info("time step {:.6g} s, {} steps{}", s.time_step, s.steps,
            s.steps_per_period > 0 ? fmt::format(", {} a period", s.steps_per_period) : "");
}

struct Cavity {
  physics::CavityMode mode;
  Vec3 corner;
};

Cavity cavity_of(const config::Case& c, const grid::CartesianGrid& grid) {
  if (!c.shapes.empty() || !c.grid.background.empty())
    throw Error("initial.type = cavity-mode needs an empty grid without shapes and background");
  const auto types = config::side_types(c);
  for (int side = 0; side < 2 * config::dimensions(c.solver.method); ++side)
    if (types[side] != config::Boundary::Type::pec)
      throw Error("initial.type = cavity-mode needs boundaries of type pec only");
  Vec3 size;
  for (int a = 0; a < 3; ++a)
    size[a] = a < config::dimensions(c.solver.method) ? grid.nodes(a).back() - grid.origin[a] : 1;
  return {{c.initial.mode, size, 1, 1}, grid.origin};
}
solver::VectorFunction electric_of(const Cavity& cavity, double t) {
  return [=](const Vec3& x) { return cavity.mode.electric(x - cavity.corner, t); };
}
solver::VectorFunction magnetic_of(const Cavity& cavity, double t) {
  return [=](const Vec3& x) { return cavity.mode.magnetic(x - cavity.corner, t); };
}

std::vector<io::Array> present_fields(const config::Case& c, const grid::GridSolver& solver) {
  std::vector<io::Array> arrays;
  if (wants(c, "E")) arrays.push_back({"E_V_per_m", 3, solver.sample_cells({Field::electric, Part::present, 0})});
  if (wants(c, "H")) arrays.push_back({"H_A_per_m", 3, solver.sample_cells({Field::magnetic, Part::present, 0})});
  return arrays;
}

std::vector<io::Array> phasors(const config::Case& c, const grid::GridSolver& solver,
                               const std::vector<double>& frequencies) {
  const bool peak = c.dft.window == config::Dft::Window::last_period;
  std::vector<io::Array> arrays;
  for (std::size_t k = 0; k < frequencies.size(); ++k) {
    const std::string suffix = frequencies.size() > 1 ? fmt::format("_{:g}MHz", frequencies[k] / 1e6) : "";
    const auto add = [&](const char* name, Field field, const std::string& unit) {
      for (const auto& [part, part_name] : {std::pair{Part::real, "real"}, std::pair{Part::imaginary, "imag"}})
        arrays.push_back(
            {fmt::format("{}_{}_{}{}", name, part_name, unit, suffix), 3, solver.sample_cells({field, part, k})});
    };
    if (wants(c, "E")) add("E", Field::electric, peak ? "V_per_m" : "V_s_per_m");
    if (wants(c, "H")) add("H", Field::magnetic, peak ? "A_per_m" : "A_s_per_m");
  }
  return arrays;
}

// The one plane wave's energy a frequency and area, J/(Hz m^2), one-sided, over the run; empty without one.
std::vector<double> incident_spectrum(const config::Case& c, const GridProblem& problem,
                                      const std::vector<double>& frequencies) {
  const config::Source* wave = nullptr;
  for (const auto& s : c.sources) {
    if (s.type != config::Source::Type::plane_wave || wave != nullptr) return {};
    wave = &s;
  }
  if (wave == nullptr) return {};
  const auto shape = physics::shape_of(wave->waveform);
  const double dt = problem.schedule.time_step;
  std::vector<double> spectrum;
  for (const double f : frequencies) {
    std::complex<double> sum = 0;
    for (std::int64_t n = 0; n < problem.schedule.steps; ++n)
      sum += dt * physics::value(shape, double(n) * dt) * std::polar(1.0, 2 * pi * f * double(n) * dt);
    spectrum.push_back(2 * std::norm(wave->amplitude * sum) / vacuum_impedance);
  }
  return spectrum;
}

// flux_NAME.csv: energy outwards a frequency, and as a cross section where a plane wave alone drives the run.
void write_fluxes(const config::Case& c, const GridProblem& problem, const parallel::Communicator& comm) {
  for (std::size_t m = 0; m < c.fluxes.size(); ++m) {
    const auto& flux = c.fluxes[m];
    const auto spectrum = problem.powers->flux(m);
    const auto incident =
        c.grid.background.empty() ? incident_spectrum(c, problem, flux.frequencies) : std::vector<double>{};
    std::string text = "frequency_Hz,wavelength_m,outward_energy_J_per_Hz" +
                       std::string(incident.empty() ? "" : ",outward_cross_section_m2") + "\n";
    for (std::size_t f = 0; f < spectrum.size(); ++f) {
      text += fmt::format("{},{},{}", flux.frequencies[f], speed_of_light / flux.frequencies[f], spectrum[f]);
      text += incident.empty() ? "\n" : fmt::format(",{}\n", spectrum[f] / incident[f]);
    }
    parallel::on_root(comm, [&] { io::write_text(c.output.directory / ("flux_" + flux.name + ".csv"), text); });
  }
}

io::Summary figures(const config::Case& c, const GridProblem& problem, const LoopRecord& record, const Backend& backend,
                    const parallel::Communicator& comm) {
  bool conserves = problem.closed && c.sources.empty();
  for (const auto& m : c.materials) conserves = conserves && m.sigma == 0 && m.sigma_m == 0 && m.poles.empty();
  io::Summary s =
      run_figures(c, *problem.solver, problem.schedule, cells_of(problem), conserves, record, backend, comm);
  s.method = config::name_of(c.solver.method);
  if (c.solver.variant != config::Variant::native) s.kernels = config::name_of(c.solver.variant);
  s.on_grid = true;
  return s;
}

}  // namespace

void run_grid(const config::Case& c, const Backend& backend, const Timer& setup, const parallel::Communicator& comm,
              const RunOptions& options) {
  auto problem = make_grid_problem(c, backend, comm, options.steps);
  auto& solver = *problem.solver;
  describe(c, problem, comm);
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
  const bool cavity_mode = c.initial.type == config::Initial::Type::cavity_mode;
  const Cavity cavity = cavity_mode ? cavity_of(c, solver.grid()) : Cavity{};
  const double dt = problem.schedule.time_step;
  if (cavity_mode) {
    solver.set_fields(electric_of(cavity, 0), magnetic_of(cavity, -0.5 * dt));
  } else if (c.initial.type != config::Initial::Type::zero) {
    const InitialFields fields = initial_fields(c, solver.grid());
    solver.set_fields(fields.electric, fields.magnetic);
  }

  const auto write = [&](const std::string& stem) {
    io::write_vtr(c.output.directory, stem, solver.grid(), solver.block(), present_fields(c, solver), comm);
    return stem + ".pvtr";
  };
  LoopRecord record;
  record.setup_s = setup.seconds();
  const Timer loop;
  march(c, solver, problem.schedule, cells_of(problem), write, record, comm);
  solver.wait();
  comm.barrier();
  record.wall_s = loop.seconds();

  io::Summary s = figures(c, problem, record, backend, comm);
  if (cavity_mode) {
    const double t = double(s.steps) * dt;
    const auto squared = solver.squared_errors(electric_of(cavity, t), magnetic_of(cavity, t - 0.5 * dt));
    const auto sums = comm.sum(std::vector<double>(squared.begin(), squared.end()));
    s.error = io::FieldError{std::sqrt(sums[0] / sums[1]), std::sqrt(sums[2] / sums[3])};
  }
  write_fluxes(c, problem, comm);
  std::vector<std::vector<double>> incident;
  for (const auto& f : c.far_fields)
    incident.push_back(c.grid.background.empty() ? incident_spectrum(c, problem, f.frequencies)
                                                 : std::vector<double>{});
  write_far_fields(c, problem, incident, comm);
  write_monitors(c, problem, comm);
  write_absorbed(c, problem, comm);
  const auto sar = grid_powers(c, problem, record, comm, s);
  if (!wants(c, "none")) {
    const auto& frequencies = problem.schedule.dft_frequencies;
    auto arrays = frequencies.empty() ? present_fields(c, solver) : phasors(c, solver, frequencies);
    arrays.insert(arrays.end(), sar.begin(), sar.end());
    io::write_vtr(c.output.directory, "fields", solver.grid(), solver.block(), arrays, comm);
  }
  parallel::on_root(comm, [&] { io::write_summary(c.output.directory / "summary.json", s); });
  print_error_and_drift(s);
  print_powers(s, "");
  print_performance(s.performance, "cell");
  log::info("results in {}", c.output.directory.string());
}

}  // namespace dgtd::app
