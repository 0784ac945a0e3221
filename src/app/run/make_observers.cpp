#include "app/run/make_observers.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>

#include "app/problems/case_lines.hpp"
#include "app/problems/incident_spectrum.hpp"
#include "app/problems/output_selection.hpp"
#include "app/problems/reference_powers.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/observers/energy.hpp"
#include "dgtd/observers/error_estimate.hpp"
#include "dgtd/observers/exposure_limits.hpp"
#include "dgtd/observers/final_fields.hpp"
#include "dgtd/observers/fourier_sums.hpp"
#include "dgtd/observers/mass_averaging.hpp"
#include "dgtd/observers/pictures.hpp"
#include "dgtd/observers/port_powers.hpp"
#include "dgtd/observers/powers.hpp"
#include "dgtd/observers/probes.hpp"
#include "dgtd/observers/progress.hpp"
#include "dgtd/observers/sar_spectrum.hpp"
#include "dgtd/observers/scene_view.hpp"
#include "dgtd/observers/snapshots.hpp"
#include "dgtd/observers/steady_state.hpp"

namespace dgtd::app {

namespace {

bool has_dipole(const config::Case& c) {
  return std::any_of(c.sources.begin(), c.sources.end(),
                     [](const auto& s) { return s.type == config::Source::Type::dipole; });
}

// Where excited ports alone drive the fields; else null.
std::unique_ptr<observers::PortPowers> port_powers(const config::Case& c, const Problem& problem,
                                                   const parallel::Communicator& comm) {
  if (!has_excited_port(c) || !c.sources.empty()) return nullptr;
  const TimePlan& plan = problem.plan;
  observers::PortPeriod period;
  period.frequency = plan.fourier.frequencies.front();
  period.time_step = plan.time_step;
  period.steps = plan.steps_per_period;
  if (plan.end != config::RunEnd::Type::steady) period.begin = plan.steps - plan.steps_per_period;
  return std::make_unique<observers::PortPowers>(c.ports, period, *problem.port_records, *problem.port_spectra, comm);
}

observers::PowerSettings power_settings(const config::Case& c, const Problem& problem) {
  observers::PowerSettings settings;
  settings.period_begin = problem.plan.steps - problem.plan.steps_per_period;
  if (problem.plan.end == config::RunEnd::Type::steady) {
    settings.period_begin = 0;
    settings.period = problem.plan.steps_per_period;
    settings.remedy = "a smaller time.tolerance or a longer time.at_most";
  }
  settings.frequency = *c.time.frequency;
  settings.work_is_measured = problem.source_work_is_measured;
  settings.write_sar = writes_sar(c);
  settings.sar = c.sar;
  settings.emits = has_dipole(c) || has_excited_port(c);
  settings.incident_W_per_m2 = incident_power(c, problem.exterior);
  settings.unsteady_hint = problem.unsteady_hint;
  return settings;
}

observers::MassAveragingSettings averaging_settings(const config::Case& c) {
  observers::MassAveragingSettings settings;
  for (const double mass : c.sar.masses) settings.masses.push_back(1e-3 * mass);
  settings.write_file = writes_sar(c);
  if (c.solver.backend != config::Backend::cpu) settings.processor = dosimetry::Processor::automatic;
  return settings;
}

// Number of arrays of SAR in the last file.
std::size_t sar_quantities(const config::Case& c, const Problem& problem) {
  const auto& plan = problem.plan;
  if (problem.currents && has_sar_spectrum(c)) return writes_sar(c) ? plan.fourier.frequencies.size() : 0;
  const bool measured = problem.powers && plan.fourier.peak && !plan.fourier.frequencies.empty();
  const bool tissue = std::any_of(c.materials.begin(), c.materials.end(), [](const auto& m) { return m.density > 0; });
  if (!measured || !tissue || !writes_sar(c)) return 0;
  const bool emits = problem.source_work_is_measured && (has_dipole(c) || has_excited_port(c));
  return emits ? 4 : 3;
}

// Whether the case has sources, and the work of all of them is measured step by step.
bool has_measured_sources(const config::Case& c, const Problem& problem) {
  const bool by_guide =
      std::any_of(c.ports.begin(), c.ports.end(), [](const auto& p) { return p.is_excited() && !p.is_lumped(); });
  return !config::waveforms(c).empty() && problem.source_work_is_measured && !by_guide;
}

// elements: of this rank.
observers::PictureSettings picture_settings(const config::Case& c, bool on_grid, double elements) {
  observers::PictureSettings settings;
  for (const auto& s : c.sources)
    if (s.type == config::Source::Type::dipole) settings.sources.push_back(s.position);
  if (std::any_of(c.materials.begin(), c.materials.end(), [](const auto& m) { return m.density > 0; })) {
    // Measured with one to eight threads, which take pictures at the same time.
    const double threads = std::min(8, omp_get_max_threads());
    settings.pixel_bytes =
        (on_grid ? 180 + 11 * threads : 170 + 60 * std::min(4.0, threads)) + 24 * double(c.sar.masses.size());
    settings.element_bytes = on_grid ? 0 : 10 * elements;
  }
  return settings;
}

// Time of the decay of pulses in the domain. A pulse is as weak ten spreads after its start as at it, and a wave may
// need the time along the whole domain more.
observers::Decay decay_of(const config::Case& c, const Problem& problem) {
  observers::Decay decay{c.time.decay, 0, lowest_pulse_carrier(c)};
  for (const auto& w : config::waveforms(c))
    decay.sources_end_s = std::max(decay.sources_end_s, 10 * physics::shape_of(w).spread);
  const double slowness = std::sqrt(problem.exterior.permittivity * problem.exterior.permeability) / speed_of_light;
  for (const config::Source& s : c.sources) {
    double through = 0, to_end = 0;  // m, along a wave's direction: the domain, and from the phase's zero to its end
    for (int a = 0; a < 3 && s.type == config::Source::Type::plane_wave; ++a) {
      through += std::abs(s.direction[a]) * (problem.box[1][a] - problem.box[0][a]);
      to_end += s.direction[a] * (problem.box[s.direction[a] > 0 ? 1 : 0][a] - s.position[a]);
    }
    double way = std::max(through, to_end);
    if (way > 0) way += 1 / (slowness * s.waveform.frequency);  // a wave may begin up to a period later
    const double over = 10 * physics::shape_of(s.waveform).spread + way * slowness;
    decay.sources_end_s = std::max(decay.sources_end_s, over);
  }
  return decay;
}

std::vector<observers::Box> boxes_of(const std::vector<config::Monitor>& monitors) {
  std::vector<observers::Box> boxes;
  for (const auto& m : monitors) boxes.push_back({m.centre - 0.5 * m.size, m.centre + 0.5 * m.size});
  return boxes;
}

std::unique_ptr<observers::SteadyState> steady_state(const config::Case& c, const Problem& problem,
                                                     const observers::Energy& energies,
                                                     const parallel::Communicator& comm) {
  const TimePlan& plan = problem.plan;
  const bool ends = plan.end == config::RunEnd::Type::steady;
  const bool measured = has_measured_sources(c, problem);
  auto steady = std::make_unique<observers::SteadyState>(
      plan.fourier, plan.steps_per_period, problem.solver->time_step(), measured, *problem.view, *problem.solver, comm,
      ends ? boxes_of(c.monitors) : std::vector<observers::Box>());
  if (ends) steady->end_when_steady(c.time.tolerance, energies);
  return steady;
}

observers::SceneViewSettings scene_settings(const config::Case& c, const Problem& problem) {
  observers::SceneViewSettings settings;
  settings.regions = problem.regions;
  // No more than there are cells, and on a mesh some per element.
  const double elements = double(problem.elements);
  settings.scene.voxels = std::min(settings.scene.voxels, problem.summary.on_grid ? elements : 20 * elements);
  settings.lines = [&c, domain = problem.box](const std::array<Vec3, 2>& box) { return lines_of(c, domain, box); };
  settings.fourier = problem.plan.fourier;
  const auto& frequencies = settings.fourier.frequencies;
  if (frequencies.empty()) return settings;
  settings.field = fmt::format("|E| at {}{}", units::frequency_text(frequencies.front()),
                               problem.plan.fourier.peak ? ", peak of the phasor" : ", Fourier integral over the run");
  if (!problem.plan.fourier.peak) settings.field_unit = "V s/m";
  return settings;
}

std::vector<observers::Probe> probes_of(const config::Case& c) {
  std::vector<observers::Probe> probes;
  for (const auto& p : c.probes) probes.push_back({p.name, p.position, p.every, p.origin});
  return probes;
}

observers::IncidentSpectrum wave_spectrum(const config::Case& c, const Problem& problem) {
  const config::Material& m = problem.exterior;
  return incident_spectrum(c, *problem.solver, m.permittivity == 1 && m.permeability == 1 && m.is_lossless());
}

}  // namespace

solver::Observers make_observers(const config::Case& c, Problem& problem, io::ResultFiles& files,
                                 const parallel::Communicator& comm, Timers& timers) {
  if (!c.output.reference.empty() && c.fluxes.empty())
    throw Error("output.reference: there is no [flux.NAME], whose energies would be compared with it");
  solver::Observers list;
  const auto add = [&](auto observer) { list.push_back(std::move(observer)); };
  solver::Solver& solver = *problem.solver;
  const TimePlan& plan = problem.plan;

  const char* const unit = problem.summary.on_grid ? "cell" : "element";
  auto energy = std::make_unique<observers::Energy>(plan.energy_interval, plan.steps, problem.conserves_energy, solver,
                                                    comm, unit);
  if (plan.spectra_of_pulse) energy->expect_fading();
  if (plan.end == config::RunEnd::Type::decayed) energy->end_when_decayed(decay_of(c, problem));
  if (plan.end == config::RunEnd::Type::steady) energy->sample_periods(plan.steps_per_period);
  const observers::Energy& energies = *energy;
  add(std::move(energy));
  if (!c.probes.empty()) {
    const bool single = c.solver.precision != config::Precision::double_precision;
    add(std::make_unique<observers::Probes>(probes_of(c), solver, files,
                                            single ? io::ProbeFile::digits_single : io::ProbeFile::digits_double));
  }
  add(std::make_unique<observers::FourierSums>(plan.fourier, solver));
  if (c.output.every > 0) add(std::make_unique<observers::Snapshots>(c.output.every, *problem.writer, files, comm));
  if (problem.view && c.output.report_pictures && config::dimensions(c.solver.method) >= 2)
    for (observers::FieldMonitors* monitors : problem.monitors)
      monitors->show({*problem.view, wave_spectrum(c, problem), comm});
  for (auto& own : problem.observers) add(std::move(own));
  problem.observers.clear();
  const bool has_phasors = plan.fourier.peak && !plan.fourier.frequencies.empty();
  if (problem.powers && has_phasors) {
    observers::PowerSettings settings = power_settings(c, problem);
    if (auto ports = port_powers(c, problem, comm)) {
      settings.ports = ports.get();
      add(std::move(ports));
    }
    add(std::make_unique<observers::Powers>(settings, *problem.powers, solver, comm));
  }
  if (problem.powers && problem.currents && has_sar_spectrum(c)) {
    observers::SarSpectrumSettings settings{c.sar, averaging_settings(c)};
    settings.driven = driven_spectrum(c, problem.port_records, solver.time_step());
    add(std::make_unique<observers::SarSpectrum>(settings, plan.fourier, *problem.powers, *problem.currents));
  }
  const bool has_end = plan.end == config::RunEnd::Type::steady;
  if (problem.view && (problem.powers || has_end) && has_phasors && plan.steps >= 2 * plan.steps_per_period)
    add(steady_state(c, problem, energies, comm));
  if (problem.powers && has_phasors && !c.sar.masses.empty())
    add(std::make_unique<observers::MassAveraging>(averaging_settings(c), *problem.powers));
  if (problem.powers && has_phasors)
    add(std::make_unique<observers::ExposureLimits>(plan.fourier.frequencies.front(), c.sar.whole_body, c.sar.part));
  if (problem.powers && problem.view && has_phasors && c.output.report_pictures &&
      config::dimensions(c.solver.method) == 3)
    add(std::make_unique<observers::Pictures>(
        picture_settings(c, problem.summary.on_grid, double(problem.elements) / comm.size()), *problem.view, comm,
        timers));
  if (problem.view && c.output.report_pictures && config::dimensions(c.solver.method) == 3)
    add(std::make_unique<observers::SceneView>(scene_settings(c, problem), *problem.view, comm, timers));
  if (problem.exact) add(std::make_unique<observers::ExactError>(*problem.exact, solver, solver, comm));
  for (auto& closing : problem.closing_observers) add(std::move(closing));
  problem.closing_observers.clear();
  if (!has_field(c, "none")) {
    const std::size_t of_errors = c.output.error ? observers::error_quantities(plan.fourier.frequencies.size()) : 0;
    add(std::make_unique<observers::FinalFields>(*problem.writer, plan.fourier,
                                                 sar_quantities(c, problem) + of_errors, comm));
  }
  auto progress = std::make_unique<observers::Progress>(plan.steps, double(problem.elements), unit, energies, comm,
                                                        c.output.directory);
  if (plan.end != config::RunEnd::Type::seconds) progress->expect_end();
  add(std::move(progress));
  return list;
}

}  // namespace dgtd::app
