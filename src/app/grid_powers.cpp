#include "dgtd/app/grid_powers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dgtd/app/fields_output.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/io/text_files.hpp"
#include "dgtd/parallel/on_root.hpp"

namespace dgtd::app {

namespace {

// A cell is an element: of the material at its centre, with the mean of |E|^2 on its edges, weighted by their
// conductivities, so that the strong field of an edge in air beside tissue does not count. Outside the box of the
// powers, in absorbing layers above all, no cell has a density.
dosimetry::Exposure exposure(const GridProblem& problem, int axes) {
  const auto& solver = *problem.powers;
  const auto& grid = solver.grid();
  const auto& block = solver.block();
  const double omega = 2 * pi * problem.schedule.dft_frequencies.front();
  std::vector<double> sigma;  // [materials] S/m, of conduction and poles
  for (const auto& m : problem.materials)
    sigma.push_back(omega * vacuum_permittivity * physics::permittivity(m.eps_r, m.sigma, m.poles, omega).imag());
  std::vector<double> x[3];
  for (int a = 0; a < 3; ++a) x[a] = grid.nodes(a);
  dosimetry::Exposure e;
  e.mean_square_field = solver.absorbed_density(0);
  std::size_t n = 0;
  for (int k = 0; k < block.cells[2]; ++k)
    for (int j = 0; j < block.cells[1]; ++j)
      for (int i = 0; i < block.cells[0]; ++i) {
        const std::int64_t at[3] = {block.first[0] + i, block.first[1] + j, block.first[2] + k};
        Vec3 centre;
        double volume = 1;  // m^3; m^2 or m where the fields do not vary along all axes
        bool inside = true;
        for (int a = 0; a < 3; ++a) {
          centre[a] = 0.5 * (x[a][at[a]] + x[a][at[a] + 1]);
          if (a < axes) volume *= x[a][at[a] + 1] - x[a][at[a]];
          inside = inside && at[a] >= problem.power_box.first[a] && at[a] < problem.power_box.last[a];
        }
        const int material = problem.media->material_at(centre);
        double& square = e.mean_square_field[n++];
        square = sigma[material] > 0 ? 2 * square / sigma[material] : 0;
        e.group.push_back(static_cast<std::uint16_t>(material));
        e.element_id.push_back((at[2] * grid.cells(1) + at[1]) * grid.cells(0) + at[0]);
        e.volume.push_back(volume);
        e.sigma.push_back(sigma[material]);
        e.density.push_back(inside ? problem.materials[material].density.value_or(0) : 0);
        e.centroid.push_back(centre);
      }
  return e;
}

}  // namespace

std::vector<io::Array> grid_powers(const config::Case& c, const GridProblem& problem, const LoopRecord& record,
                                   const parallel::Communicator& comm, io::Summary& s) {
  if (problem.powers == nullptr || problem.complex_fields || problem.schedule.dft_frequencies.empty() ||
      c.dft.window != config::Dft::Window::last_period)
    return {};
  const auto x = exposure(problem, config::dimensions(c.solver.method));
  std::vector<std::string> names;
  for (const auto& m : problem.materials) names.push_back(m.name);
  auto rows = dosimetry::tissue_table(x, names, comm);
  // The power is that of the field's components, which balances; cells at an interface have but one material each.
  const auto absorbed = problem.powers->absorbed(0, *problem.media, problem.power_box);
  double sum = 0;
  for (std::size_t m = 0; m < rows.size(); ++m) {
    rows[m].absorbed_W = absorbed[m];
    if (rows[m].sar_mean) rows[m].sar_mean = absorbed[m] / rows[m].mass_kg;
    sum += absorbed[m];
  }
  s.power = power_balance(record.source_work_last_period * *c.time.frequency, sum,
                          problem.powers->outflow(0, problem.power_box));
  // The work of sheets, beams and hard sources is not measured.
  const auto measured = [](const config::Source& source) {
    return source.type == config::Source::Type::dipole || source.type == config::Source::Type::plane_wave;
  };
  if (!std::all_of(c.sources.begin(), c.sources.end(), measured)) s.power.source_W.reset(), s.power.defect.reset();
  s.sar = dosimetry::scaling(c.sar, reference_powers(c, s.power, problem.materials.front()));
  s.tissues = dosimetry::scaled(rows, s.sar.factor);
  if (!has_tissues(rows) || !wants(c, "SAR")) return {};
  return sar_arrays(x, s.sar, s.power, comm);
}

void write_absorbed(const config::Case& c, const GridProblem& problem, const parallel::Communicator& comm) {
  const bool peak = c.dft.window == config::Dft::Window::last_period;
  const auto& frequencies = problem.schedule.dft_frequencies;
  if (problem.powers == nullptr || problem.complex_fields || frequencies.empty() || (frequencies.size() == 1 && peak))
    return;
  std::string text = "frequency_Hz,wavelength_m";
  for (const auto& m : problem.materials) text += fmt::format(",{}_{}", m.name, peak ? "W" : "J_per_Hz");
  text += "\n";
  for (std::size_t f = 0; f < frequencies.size(); ++f) {
    text += fmt::format("{},{}", frequencies[f], speed_of_light / frequencies[f]);
    // One-sided: four times what a peak phasor would give.
    for (const double power : problem.powers->absorbed(f, *problem.media, problem.power_box))
      text += fmt::format(",{}", (peak ? 1 : 4) * power);
    text += "\n";
  }
  parallel::on_root(comm, [&] { io::write_text(c.output.directory / "absorbed.csv", text); });
}

}  // namespace dgtd::app
