#include "dgtd/app/results.hpp"

#include <fmt/format.h>

#include <cmath>

#include "dgtd/app/fields_output.hpp"
#include "dgtd/app/run_figures.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/dosimetry/table.hpp"
#include "dgtd/io/report.hpp"
#include "dgtd/io/text_files.hpp"
#include "dgtd/mesh/quality.hpp"
#include "dgtd/parallel/on_root.hpp"

namespace dgtd::app {

namespace {

double volume(const mesh::Subdomain& mesh, std::size_t e) {
  const Vec3 o = mesh.vertex(e, 0);
  return std::abs(dot(mesh.vertex(e, 1) - o, cross(mesh.vertex(e, 2) - o, mesh.vertex(e, 3) - o))) / 6;
}

dosimetry::Exposure exposure(const mesh::Subdomain& mesh, const Problem& problem) {
  dosimetry::Exposure x;
  x.group = mesh.element_group;
  x.element_id = mesh.element_id;
  x.mean_square_field = problem.solver->mean_square_electric(0);
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    const auto& m = problem.group_material[mesh.element_group[e]];
    x.volume.push_back(volume(mesh, e));
    x.sigma.push_back(m.sigma);
    x.density.push_back(m.density.value_or(0));
    x.centroid.push_back(0.25 * (mesh.vertex(e, 0) + mesh.vertex(e, 1) + mesh.vertex(e, 2) + mesh.vertex(e, 3)));
  }
  return x;
}

dosimetry::ReferencePowers reference_powers(const config::Case& c, const io::PowerBalance& power) {
  dosimetry::ReferencePowers r;
  for (const auto& s : c.sources) {
    if (s.type == config::Source::Type::dipole) r.emitted_W = r.accepted_W = power.source_W;
    else r.incident_W_per_m2 = r.incident_W_per_m2.value_or(0) + s.amplitude * s.amplitude / (2 * vacuum_impedance);
  }
  return r;
}

std::vector<float> to_float(const std::vector<double>& values) { return {values.begin(), values.end()}; }

void add_sar(const dosimetry::Exposure& x, const dosimetry::SarScaling& scaling, const io::PowerBalance& power,
             const parallel::Communicator& comm, io::Piece& piece) {
  auto sar = dosimetry::local_sar(x);
  if (power.source_W && *power.source_W > 0)
    piece.cell.push_back({"SAR_per_emitted_power_per_kg", 1, to_float(dosimetry::over_power(sar, *power.source_W))});
  for (double& s : sar) s *= scaling.factor;
  const auto ratio = dosimetry::over_maximum(sar, dosimetry::largest(sar, comm));
  piece.cell.push_back({"SAR_W_per_kg", 1, to_float(sar)});
  piece.cell.push_back({"SAR_over_max", 1, to_float(ratio)});
  piece.cell.push_back({"SAR_over_max_dB", 1, to_float(dosimetry::decibels(ratio))});
}

// Means over the last period (a run without dipoles has no source power; its defect refers to what is absorbed).
io::PowerBalance power_balance(const config::Case& c, const Problem& problem, const LoopRecord& record,
                               const std::vector<dosimetry::TissueRow>& rows, const parallel::Communicator& comm) {
  io::PowerBalance p;
  double absorbed = 0;
  for (const auto& row : rows) absorbed += row.absorbed_W;
  p.absorbed_W = absorbed;
  p.source_W = record.source_work_last_period * *c.time.frequency;
  p.outflow_W = comm.sum(problem.solver->outflow(0));
  const double balance = *p.source_W - absorbed - *p.outflow_W;
  const double reference = *p.source_W != 0 ? *p.source_W : absorbed;
  if (reference != 0) p.defect = balance / reference;
  return p;
}

io::Summary figures(const config::Case& c, const mesh::Subdomain& mesh, const Problem& problem, const LoopRecord& record, const Backend& backend,
                    const parallel::Communicator& comm) {
  bool conserves = problem.closed && c.sources.empty();
  for (const auto& m : problem.group_material) conserves = conserves && m.sigma == 0;
  io::Summary s = run_figures(c, *problem.solver, problem.schedule, mesh.global_elements, conserves, record, backend, comm);
  s.method = "dgtd";
  s.order = c.solver.order;
  const auto quality = mesh::measure_quality(mesh, comm);
  s.mesh = {quality.vertices, quality.edge_min, quality.edge_max, quality.edge_mean};
  return s;
}

void print(const io::Summary& s, bool has_tissues) {
  print_error_and_drift(s);
  if (s.power.source_W) {
    log::info("power: source {:.6g} W = absorbed {:.6g} W + outflow {:.6g} W, defect {:.2f} %", *s.power.source_W,
              *s.power.absorbed_W, *s.power.outflow_W, 100 * s.power.defect.value_or(0));
    constexpr double noticeable = 0.02;
    if (std::abs(s.power.defect.value_or(0)) > noticeable)
      log::info("  powers that do not balance: the last period is not yet a steady state (more time.periods), or the mesh is coarse (a higher solver.order)");
  }
  if (has_tissues) log::info("{}", dosimetry::format_table(s.tissues));
  print_performance(s.performance, "element");
}

void write_energy_table(const config::Case& c, const std::vector<monitor::EnergySample>& samples) {
  std::string text = "step,t_s,energy_J,source_work_J\n";
  for (const auto& s : samples) text += fmt::format("{},{},{},{}\n", s.step, s.time_s, s.energy_J, s.source_work_J);
  io::write_text(c.output.directory / "energy.csv", text);
}

}  // namespace

void write_results(const config::Case& c, const mesh::Subdomain& mesh, const Problem& problem, const LoopRecord& record,
                   const Backend& backend, const parallel::Communicator& comm) {
  io::Summary s = figures(c, mesh, problem, record, backend, comm);
  if (c.initial.type == config::Initial::Type::cavity_mode) {
    const double t = double(s.steps) * s.dt_s;
    const auto squared = problem.solver->squared_errors(cavity_electric(c, problem, mesh, t, comm), cavity_magnetic(c, problem, mesh, t - 0.5 * s.dt_s, comm));
    const auto sums = comm.sum(std::vector<double>(squared.begin(), squared.end()));
    s.error = io::FieldError{std::sqrt(sums[0] / sums[1]), std::sqrt(sums[2] / sums[3])};
  }

  auto piece = empty_piece(c, mesh);
  const auto& frequencies = problem.schedule.dft_frequencies;
  const bool steady = !frequencies.empty() && c.dft.window == config::Dft::Window::last_period;
  bool has_tissues = false;
  if (steady) {
    const auto x = exposure(mesh, problem);
    const auto rows = dosimetry::tissue_table(x, mesh.volume_names, comm);
    s.power = power_balance(c, problem, record, rows, comm);
    s.sar = dosimetry::scaling(c.sar, reference_powers(c, s.power));
    s.tissues = dosimetry::scaled(rows, s.sar.factor);
    for (const auto& row : rows) has_tissues = has_tissues || row.mass_kg > 0;
    if (has_tissues && wants(c, "SAR")) add_sar(x, s.sar, s.power, comm, piece);
  }
  if (!wants(c, "none")) {
    if (frequencies.empty()) add_present(c, *problem.solver, piece);
    else add_phasors(c, *problem.solver, frequencies, piece);
    io::write_vtu(c.output.directory, "result", piece, comm);
  }
  parallel::on_root(comm, [&] {
    print(s, has_tissues);
    write_energy_table(c, record.energy);
    io::write_summary(c.output.directory / "summary.json", s);
    io::write_report_html(c.output.directory / "report.html", s, config::resolved_text(c));
    log::info("results in {}", c.output.directory.string());
  });
}

}  // namespace dgtd::app
