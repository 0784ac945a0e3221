#include "grid_powers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "dgtd/base/constants.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/io/text_files.hpp"
#include "dgtd/parallel/root_or_throw.hpp"

namespace dgtd::app {

namespace {

// Cells of a block, each of the material at its centre.
class TissueCells {
 public:
  TissueCells(const fdtd::PowerSolver& solver, const GridScene& scene, const fdtd::NodeBox& box, int axes)
      : block_(solver.block()), grid_(solver.grid()), scene_(scene), box_(box), axes_(axes) {
    for (int a = 0; a < 3; ++a) x_[a] = grid_.nodes(a);
  }

  // Lists the cells in the box whose material has a density, in ascending order: [group], [listed]. Threads take
  // planes.
  void list(dosimetry::Exposure& e) const {
    const auto planes = static_cast<std::size_t>(block_.cells[2]);
    std::vector<std::vector<Cell>> of_plane(planes);
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < block_.cells[2]; ++k) of_plane[static_cast<std::size_t>(k)] = plane(k);
    std::vector<std::size_t> first(planes + 1, 0);
    for (std::size_t k = 0; k < planes; ++k) first[k + 1] = first[k] + of_plane[k].size();
    e.elements = std::size_t(block_.cells[0]) * block_.cells[1] * planes;
    e.listed.resize(first[planes]);
    e.group.resize(first[planes]);
#pragma omp parallel for schedule(static)
    for (std::size_t k = 0; k < planes; ++k)
      for (std::size_t i = 0; i < of_plane[k].size(); ++i) {
        e.listed[first[k] + i] = of_plane[k][i].number;
        e.group[first[k] + i] = of_plane[k][i].material;
      }
  }

  std::array<std::int64_t, 3> at(std::size_t number) const {
    const auto n = static_cast<std::int64_t>(number), nx = std::int64_t{block_.cells[0]},
               ny = std::int64_t{block_.cells[1]};
    return {block_.first[0] + n % nx, block_.first[1] + n / nx % ny, block_.first[2] + n / nx / ny};
  }
  std::int64_t global(const std::array<std::int64_t, 3>& at) const {
    return (at[2] * grid_.cells(1) + at[1]) * grid_.cells(0) + at[0];
  }
  Vec3 centre(const std::array<std::int64_t, 3>& at) const {
    Vec3 c;
    for (int a = 0; a < 3; ++a) c[a] = 0.5 * (x_[a][at[a]] + x_[a][at[a] + 1]);
    return c;
  }
  double volume(const std::array<std::int64_t, 3>& at) const {  // m^3; m^2 or m where the fields vary along fewer axes
    double volume = 1;
    for (int a = 0; a < axes_; ++a) volume *= x_[a][at[a] + 1] - x_[a][at[a]];
    return volume;
  }

 private:
  struct Cell {
    std::size_t number;
    std::uint16_t material;
  };
  std::vector<Cell> plane(int k) const {
    std::vector<Cell> cells;
    const auto within = [&](int a, int i) {
      const std::int64_t at = block_.first[a] + i;
      return at >= box_.first[a] && at < box_.last[a];
    };
    if (!within(2, k)) return cells;
    for (int j = 0; j < block_.cells[1]; ++j)
      for (int i = 0; within(1, j) && i < block_.cells[0]; ++i) {
        if (!within(0, i)) continue;
        const std::size_t number = (std::size_t(k) * block_.cells[1] + j) * block_.cells[0] + i;
        const int material = scene_.media->material_at(centre(at(number)));
        if (scene_.materials[material].density.value_or(0) > 0)
          cells.push_back({number, static_cast<std::uint16_t>(material)});
      }
    return cells;
  }

  const grid::Block& block_;
  const grid::CartesianGrid& grid_;
  const GridScene& scene_;
  const fdtd::NodeBox& box_;
  int axes_;
  std::vector<double> x_[3];  // [nodes] m
};

}  // namespace

// A cell is an element, with the mean of |E|^2 on its edges, weighted by their conductivities, so that the strong field
// of an edge in air beside tissue does not count. Outside the box of the powers, in absorbing layers above all, there
// is no tissue.
dosimetry::Exposure GridPowers::exposure() const {
  const double omega = 2 * pi * sums_.frequencies.front();
  std::vector<double> sigma;  // [materials] S/m, of conduction and poles
  for (const auto& m : scene_.materials)
    sigma.push_back(omega * vacuum_permittivity * physics::permittivity(m.eps_r, m.sigma, m.poles, omega).imag());
  const TissueCells cells(solver_, scene_, box_, axes_);
  dosimetry::Exposure e;
  cells.list(e);
  e.mean_square_field = solver_.absorbed_density(0, e.listed);
  const std::size_t count = e.listed.size();
  e.element_id.resize(count);
  e.volume.resize(count);
  e.sigma.resize(count);
  e.density.resize(count);
  e.centroid.resize(count);
#pragma omp parallel for schedule(static)
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t material = e.group[n];
    const auto at = cells.at(e.listed[n]);
    double& square = e.mean_square_field[n];
    square = sigma[material] > 0 ? 2 * square / sigma[material] : 0;
    e.element_id[n] = cells.global(at);
    e.volume[n] = cells.volume(at);
    e.sigma[n] = sigma[material];
    e.density[n] = *scene_.materials[material].density;
    e.centroid[n] = cells.centre(at);
  }
  return e;
}

const GridPowers::Tissue& GridPowers::tissue() const {
  if (tissue_) return *tissue_;
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();
  const TissueCells cells(solver_, scene_, box_, axes_);
  dosimetry::Exposure e;
  cells.list(e);
  tissue_.emplace();
  tissue_->cells = e.listed.size();
  if (axes_ < 3) return *tissue_;
  std::array<std::int64_t, 3> low{none, none, none}, high{none, none, none};  // -first, last + 1
  for (const std::size_t number : e.listed) {
    const auto at = cells.at(number);
    for (int a = 0; a < 3; ++a) low[a] = std::max(low[a], -at[a]), high[a] = std::max(high[a], at[a] + 1);
  }
  for (int a = 0; a < 3; ++a) low[a] = comm_.max(low[a]), high[a] = comm_.max(high[a]);
  if (high[0] == none) return *tissue_;
  for (int a = 0; a < 3; ++a) tissue_->box.first[a] = -low[a], tissue_->box.last[a] = high[a];
  return *tissue_;
}

double GridPowers::voxel_count() const {
  const fdtd::NodeBox& box = tissue().box;
  double count = 1;
  for (int a = 0; a < 3; ++a) count *= double(box.last[a] - box.first[a]);
  return count;
}

observers::PowerMeter::ExposureBytes GridPowers::exposure_bytes() const {
  // Cells, their materials and fields are there while the density of power is; the other arrays come after it.
  constexpr double of_listed = sizeof(std::size_t) + sizeof(std::uint16_t) + sizeof(double),
                   of_others = sizeof(std::int64_t) + 4 * sizeof(double) + sizeof(Vec3);
  const auto cells = double(tissue().cells);
  return {of_listed * cells + solver_.absorbed_density_bytes(), (of_listed + of_others) * cells};
}

namespace {

/// The tissue of a cell, for root.
struct CellTissue {
  std::int64_t cell;  // global
  float density, sar;
  std::uint16_t group;
};

}  // namespace

observers::VoxelSar GridPowers::voxels(const dosimetry::Exposure& exposure) const {
  const fdtd::NodeBox& box = tissue().box;
  observers::VoxelSar result{{{}, {}, {}, {}, names()}, false};
  dosimetry::VoxelGrid& grid = result.grid;
  for (int a = 0; a < 3; ++a) {
    const auto x = solver_.grid().nodes(a);
    grid.nodes[a].assign(x.begin() + box.first[a], x.begin() + box.last[a] + 1);
  }
  std::vector<CellTissue> mine;
  for (std::size_t n = 0; n < exposure.group.size(); ++n)
    if (exposure.density[n] > 0)
      mine.push_back({exposure.element_id[n], static_cast<float>(exposure.density[n]),
                      static_cast<float>(exposure.sigma[n] * exposure.mean_square_field[n] / (2 * exposure.density[n])),
                      exposure.group[n]});
  const auto all = comm_.gather_vectors(mine);
  if (!comm_.is_root()) return result;
  const auto cells = static_cast<std::size_t>(grid.cells());
  grid.density.assign(cells, 0);
  grid.sar.assign(cells, 0);
  grid.tissue.assign(cells, static_cast<std::uint16_t>(grid.tissue_names.size()));
  const std::int64_t nx = solver_.grid().cells(0), ny = solver_.grid().cells(1);
  for (const CellTissue& c : all) {
    const auto v = static_cast<std::size_t>(
        ((c.cell / nx / ny - box.first[2]) * grid.cells(1) + c.cell / nx % ny - box.first[1]) * grid.cells(0) +
        c.cell % nx - box.first[0]);
    grid.density[v] = c.density;
    grid.sar[v] = c.sar;
    grid.tissue[v] = c.group;
  }
  return result;
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
  if ((sums.frequencies.size() == 1 && sums.peak) || !sums.complete(results.summary)) return;
  std::string text = "frequency_Hz,wavelength_m";
  for (const auto& name : meter_.names()) text += fmt::format(",{}_{}", name, sums.peak ? "W" : "J_per_Hz");
  text += "\n";
  for (std::size_t f = 0; f < sums.frequencies.size(); ++f) {
    text += fmt::format("{},{}", sums.frequencies[f], speed_of_light / sums.frequencies[f]);
    for (const double power : meter_.absorbed(f)) text += fmt::format(",{}", power);
    text += "\n";
  }
  parallel::root_or_throw(results.comm, [&] { io::write_text(results.directory / "absorbed.csv", text); });
}

}  // namespace dgtd::app
