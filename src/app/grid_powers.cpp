#include "grid_powers.hpp"

#include <fmt/format.h>

#include "dgtd/base/constants.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/io/text_files.hpp"
#include "dgtd/parallel/on_root.hpp"

namespace dgtd::app {

namespace {

/// What an axis of the grid gives to the cells of a block.
struct AxisCells {
  std::vector<double> centre, length;  // [cells of the block] m; length: 1 where the fields do not vary
  std::vector<bool> inside;            // the box of the powers

  AxisCells(const grid::CartesianGrid& grid, const grid::Block& block, const fdtd::NodeBox& box, int axis, int axes) {
    const auto x = grid.nodes(axis);
    for (int i = 0; i < block.cells[axis]; ++i) {
      const std::int64_t at = block.first[axis] + i;
      const auto node = static_cast<std::size_t>(at);
      centre.push_back(0.5 * (x[node] + x[node + 1]));
      length.push_back(axis < axes ? x[node + 1] - x[node] : 1);
      inside.push_back(at >= box.first[axis] && at < box.last[axis]);
    }
  }
};

}  // namespace

// A cell is an element: of the material at its centre, with the mean of |E|^2 on its edges, weighted by their
// conductivities, so that the strong field of an edge in air beside tissue does not count. Outside the box of the
// powers, in absorbing layers above all, no cell has a density; cells without one have no entry.
dosimetry::Exposure GridPowers::exposure() const {
  const auto& grid = solver_.grid();
  const auto& block = solver_.block();
  const double omega = 2 * pi * sums_.frequencies.front();
  std::vector<double> sigma, density;  // [materials] S/m, of conduction and poles; kg/m^3
  for (const auto& m : scene_.materials) {
    sigma.push_back(omega * vacuum_permittivity * physics::permittivity(m.eps_r, m.sigma, m.poles, omega).imag());
    density.push_back(m.density.value_or(0));
  }
  const AxisCells axis[3] = {
      {grid, block, box_, 0, axes_}, {grid, block, box_, 1, axes_}, {grid, block, box_, 2, axes_}};
  const auto centre = [&](int i, int j, int k) {
    return Vec3{axis[0].centre[i], axis[1].centre[j], axis[2].centre[k]};
  };
  const std::size_t row = static_cast<std::size_t>(block.cells[0]);
  dosimetry::Exposure e;
  e.places = row * static_cast<std::size_t>(block.cells[1]) * static_cast<std::size_t>(block.cells[2]);

  // The cells with a density, and how many the rows before each row along x have.
  const int rows = block.cells[1] * block.cells[2];
  constexpr std::uint16_t none = 0xffff;
  std::vector<std::uint16_t> material(e.places, none);
  std::vector<std::size_t> before(static_cast<std::size_t>(rows) + 1);
#pragma omp parallel for schedule(dynamic, 64)
  for (int r = 0; r < rows; ++r) {
    const int j = r % block.cells[1], k = r / block.cells[1];
    if (!axis[1].inside[j] || !axis[2].inside[k]) continue;
    for (int i = 0; i < block.cells[0]; ++i) {
      const int m = axis[0].inside[i] ? scene_.media->material_at(centre(i, j, k)) : 0;
      if (!axis[0].inside[i] || density[m] <= 0) continue;
      material[r * row + i] = static_cast<std::uint16_t>(m);
      ++before[r + 1];
    }
  }
  for (int r = 0; r < rows; ++r) before[r + 1] += before[r];

  const auto absorbed = solver_.absorbed_density(0);
  const std::size_t entries = before.back();
  e.place.resize(entries), e.group.resize(entries), e.element_id.resize(entries), e.volume.resize(entries);
  e.sigma.resize(entries), e.density.resize(entries), e.mean_square_field.resize(entries), e.centroid.resize(entries);
#pragma omp parallel for schedule(static)
  for (int r = 0; r < rows; ++r) {
    const int j = r % block.cells[1], k = r / block.cells[1];
    std::size_t n = before[r];
    for (int i = 0; i < block.cells[0]; ++i) {
      const std::size_t cell = r * row + i;
      const std::uint16_t m = material[cell];
      if (m == none) continue;
      e.place[n] = static_cast<std::uint32_t>(cell);
      e.group[n] = m;
      e.element_id[n] =
          ((block.first[2] + k) * grid.cells(1) + block.first[1] + j) * grid.cells(0) + block.first[0] + i;
      e.volume[n] = axis[0].length[i] * axis[1].length[j] * axis[2].length[k];
      e.sigma[n] = sigma[m];
      e.density[n] = density[m];
      e.mean_square_field[n] = sigma[m] > 0 ? 2 * absorbed[cell] / sigma[m] : 0;
      e.centroid[n++] = centre(i, j, k);
    }
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
