#include "grid_powers.hpp"

#include <fmt/format.h>

#include "dgtd/base/constants.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/io/text_files.hpp"
#include "dgtd/parallel/on_root.hpp"

namespace dgtd::app {

// A cell is an element: of the material at its centre, with the mean of |E|^2 on its edges, weighted by their
// conductivities, so that the strong field of an edge in air beside tissue does not count. Outside the box of the
// powers, in absorbing layers above all, no cell has a density.
dosimetry::Exposure GridPowers::exposure() const {
  const auto& grid = solver_.grid();
  const auto& block = solver_.block();
  const double omega = 2 * pi * sums_.frequencies.front();
  std::vector<double> sigma;  // [materials] S/m, of conduction and poles
  for (const auto& m : scene_.materials)
    sigma.push_back(omega * vacuum_permittivity * physics::permittivity(m.eps_r, m.sigma, m.poles, omega).imag());
  std::vector<double> x[3];
  for (int a = 0; a < 3; ++a) x[a] = grid.nodes(a);
  dosimetry::Exposure e;
  e.mean_square_field = solver_.absorbed_density(0);
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
          if (a < axes_) volume *= x[a][at[a] + 1] - x[a][at[a]];
          inside = inside && at[a] >= box_.first[a] && at[a] < box_.last[a];
        }
        const int material = scene_.media->material_at(centre);
        double& square = e.mean_square_field[n++];
        square = sigma[material] > 0 ? 2 * square / sigma[material] : 0;
        e.group.push_back(static_cast<std::uint16_t>(material));
        e.element_id.push_back((at[2] * grid.cells(1) + at[1]) * grid.cells(0) + at[0]);
        e.volume.push_back(volume);
        e.sigma.push_back(sigma[material]);
        e.density.push_back(inside ? scene_.materials[material].density.value_or(0) : 0);
        e.centroid.push_back(centre);
      }
  return e;
}

std::vector<std::string> GridPowers::names() const {
  std::vector<std::string> names;
  for (const auto& m : scene_.materials) names.push_back(m.name);
  return names;
}

std::vector<dosimetry::TissueRow> GridPowers::tissues(const dosimetry::Exposure& exposure) const {
  auto rows = dosimetry::tissue_table(exposure, names(), comm_);
  const auto powers = solver_.absorbed(0, *scene_.media, box_);
  for (std::size_t m = 0; m < rows.size(); ++m) {
    rows[m].absorbed_W = powers[m];
    if (rows[m].sar_mean) rows[m].sar_mean = powers[m] / rows[m].mass_kg;
  }
  return rows;
}

// One-sided: four times what a peak phasor would give.
std::vector<double> GridPowers::absorbed(std::size_t frequency) const {
  auto powers = solver_.absorbed(frequency, *scene_.media, box_);
  for (double& power : powers) power *= sums_.peak ? 1 : 4;
  return powers;
}

void AbsorbedSpectrum::finish(io::Results& results) {
  const auto& sums = meter_.sums();
  if (sums.frequencies.size() == 1 && sums.peak) return;
  std::string text = "frequency_Hz,wavelength_m";
  for (const auto& name : meter_.names()) text += fmt::format(",{}_{}", name, sums.peak ? "W" : "J_per_Hz");
  text += "\n";
  for (std::size_t f = 0; f < sums.frequencies.size(); ++f) {
    text += fmt::format("{},{}", sums.frequencies[f], speed_of_light / sums.frequencies[f]);
    for (const double power : meter_.absorbed(f)) text += fmt::format(",{}", power);
    text += "\n";
  }
  parallel::on_root(results.comm, [&] { io::write_text(results.directory / "absorbed.csv", text); });
}

}  // namespace dgtd::app
