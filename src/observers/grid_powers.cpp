#include "dgtd/observers/grid_powers.hpp"

#include <cmath>
#include <utility>

#include "dgtd/base/constants.hpp"
#include "dgtd/io/results.hpp"

namespace dgtd::observers {

namespace {

// The factors by which the squares in a material's cells are multiplied, so that their power is the material's: a
// surface cuts cells, which have the material at their centre whole or not at all. Rounded to 2^-22, so that rounding
// in the sums, which differs with the number of ranks, does not reach the cells.
std::vector<double> power_factors(const std::vector<dosimetry::TissueRow>& rows, const std::vector<double>& powers) {
  constexpr double steps = 1 << 22;
  std::vector<double> factors(rows.size(), 1);
  for (std::size_t m = 0; m < rows.size(); ++m)
    if (rows[m].mass_kg > 0 && rows[m].absorbed_W > 0)
      factors[m] = std::round(powers[m] / rows[m].absorbed_W * steps) / steps;
  return factors;
}

}  // namespace

// A cell is an element. Outside the box of the powers, in absorbing layers above all, there is no tissue.
PowerMeter::Measured GridPowers::measure(std::size_t frequency) const {
  dosimetry::Exposure e;
  e.frequency = frequency;
  const double omega = 2 * pi * sums_.frequencies.at(frequency);
  for (const physics::Material& m : materials_) {
    e.conductivity.push_back(physics::conductivity(m, omega));
    e.density.push_back(m.density.value_or(0));
  }
  const grid::TissueCells& cells = tissue().cells;
  e.elements = 1;
  for (const int n : solver_.block().cells) e.elements *= static_cast<std::size_t>(n);
  e.element_id = [&cells](std::size_t cell) { return cells.global_number(cell); };
  e.centroid = [&cells](std::size_t cell) { return cells.centre(cell); };
  e.listed.resize(cells.count()), e.group.resize(cells.count()), e.volume.resize(cells.count());
  e.mean_square_field.resize(cells.count());
  cells.list(e.listed, e.group, e.volume);
  const auto powers = solver_.absorbed(frequency, media_, box_, {e.listed, e.group, e.mean_square_field});
  e.power_factor = power_factors(dosimetry::tissue_table(e, names(), comm_), powers);
  const std::size_t count = e.listed.size();
#pragma omp parallel for schedule(static)
  for (std::size_t n = 0; n < count; ++n) e.mean_square_field[n] *= e.power_factor[e.group[n]];
  auto rows = dosimetry::tissue_table(e, names(), comm_);
  for (std::size_t m = 0; m < rows.size(); ++m) {
    rows[m].absorbed_W = powers[m];
    if (rows[m].sar_mean) rows[m].sar_mean = powers[m] / rows[m].mass_kg;
  }
  return {std::move(e), std::move(rows)};
}

const GridPowers::Tissue& GridPowers::tissue() const {
  if (tissue_) return *tissue_;
  std::vector<bool> is_tissue;
  for (const physics::Material& m : materials_) is_tissue.push_back(m.density.value_or(0) > 0);
  tissue_.emplace(Tissue{{solver_.grid(), solver_.block(), media_, std::move(is_tissue), box_, axes_}, {}});
  if (axes_ < 3) return *tissue_;
  solver::NodeBox box = tissue_->cells.around();
  for (int a = 0; a < 3; ++a) box.first[a] = -comm_.max(-box.first[a]), box.last[a] = comm_.max(box.last[a]);
  if (box.first[0] < box.last[0]) tissue_->box = box;
  return *tissue_;
}

double GridPowers::voxel_count() const {
  const solver::NodeBox& box = tissue().box;
  double count = 1;
  for (int a = 0; a < 3; ++a) count *= double(box.last[a] - box.first[a]);
  return count;
}

PowerMeter::ExposureBytes GridPowers::exposure_bytes() const {
  constexpr double of_cell = sizeof(std::uint16_t) + sizeof(std::size_t) + 2 * sizeof(double);  // dosimetry::Exposure
  const double cells = of_cell * double(tissue().cells.count());
  double finders = 2 * dosimetry::EntryFinder::bytes_per_element;  // of SAR in files and of pictures
  for (const int n : solver_.block().cells) finders *= n;
  return {cells + solver_.absorbed_bytes(2 * pi * sums_.frequencies.front()), cells + finders};
}

dosimetry::VoxelGrid GridPowers::voxel_grid() const {
  const solver::NodeBox& box = tissue().box;
  dosimetry::VoxelGrid grid{{}, {}, {}, {}, names()};
  for (int a = 0; a < 3; ++a) {
    const auto x = solver_.grid().nodes(a);
    grid.nodes[a].assign(x.begin() + box.first[a], x.begin() + box.last[a] + 1);
  }
  return grid;
}

namespace {

/// The tissue of a cell, for root.
struct CellTissue {
  std::int64_t cell;  // global
  float density, sar;
  std::uint16_t group;
};

}  // namespace

VoxelSar GridPowers::voxels(const dosimetry::Exposure& exposure) const {
  const solver::NodeBox& box = tissue().box;
  VoxelSar result{voxel_grid(), false};
  dosimetry::VoxelGrid& grid = result.grid;
  std::vector<CellTissue> mine;
  mine.reserve(exposure.group.size());
  for (std::size_t n = 0; n < exposure.group.size(); ++n)
    if (exposure.is_tissue(n))
      mine.push_back({exposure.element_id(exposure.element_of(n)),
                      static_cast<float>(exposure.density[exposure.group[n]]),
                      static_cast<float>(dosimetry::local_sar(exposure, n)), exposure.group[n]});
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
  for (const physics::Material& m : materials_) names.push_back(m.name);
  return names;
}

}  // namespace dgtd::observers
