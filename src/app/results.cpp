#include "dgtd/app/results.hpp"

#include <fmt/format.h>

#include <cmath>

#include "dgtd/app/fields_output.hpp"
#include "dgtd/app/powers.hpp"
#include "dgtd/app/run_figures.hpp"
#include "dgtd/base/log.hpp"
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

io::Summary figures(const config::Case& c, const mesh::Subdomain& mesh, const Problem& problem,
                    const LoopRecord& record, const Backend& backend, const parallel::Communicator& comm) {
  bool conserves = problem.closed && c.sources.empty();
  for (const auto& m : problem.group_material) conserves = conserves && m.sigma == 0;
  io::Summary s =
      run_figures(c, *problem.solver, problem.schedule, mesh.global_elements, conserves, record, backend, comm);
  s.method = "dgtd";
  s.order = c.solver.order;
  const auto quality = mesh::measure_quality(mesh, comm);
  s.mesh = {quality.vertices, quality.edge_min, quality.edge_max, quality.edge_mean};
  return s;
}

void print(const io::Summary& s) {
  print_error_and_drift(s);
  print_powers(s, ", or the mesh is coarse (a higher solver.order)");
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
    const auto squared = problem.solver->squared_errors(cavity_electric(c, problem, mesh, t, comm),
                                                        cavity_magnetic(c, problem, mesh, t - 0.5 * s.dt_s, comm));
    const auto sums = comm.sum(std::vector<double>(squared.begin(), squared.end()));
    s.error = io::FieldError{std::sqrt(sums[0] / sums[1]), std::sqrt(sums[2] / sums[3])};
  }

  auto piece = empty_piece(c, mesh);
  const auto& frequencies = problem.schedule.dft_frequencies;
  const bool steady = !frequencies.empty() && c.dft.window == config::Dft::Window::last_period;
  if (steady) {
    const auto x = exposure(mesh, problem);
    const auto rows = dosimetry::tissue_table(x, mesh.volume_names, comm);
    double absorbed = 0;
    for (const auto& row : rows) absorbed += row.absorbed_W;
    s.power = power_balance(record.source_work_last_period * *c.time.frequency, absorbed,
                            comm.sum(problem.solver->outflow(0)));
    s.sar = dosimetry::scaling(c.sar, reference_powers(c, s.power, problem.exterior));
    s.tissues = dosimetry::scaled(rows, s.sar.factor);
    if (has_tissues(rows) && wants(c, "SAR")) piece.cell = sar_arrays(x, s.sar, s.power, comm);
  }
  if (!wants(c, "none")) {
    if (frequencies.empty()) add_present(c, *problem.solver, piece);
    else add_phasors(c, *problem.solver, frequencies, piece);
    io::write_vtu(c.output.directory, "result", piece, comm);
  }
  parallel::on_root(comm, [&] {
    print(s);
    write_energy_table(c, record.energy);
    io::write_summary(c.output.directory / "summary.json", s);
    io::write_report_html(c.output.directory / "report.html", s, config::resolved_text(c));
    log::info("results in {}", c.output.directory.string());
  });
}

}  // namespace dgtd::app
