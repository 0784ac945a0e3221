#include "dgtd/observers/mass_averaging.hpp"

#include <cmath>

#include "dgtd/base/log.hpp"
#include "dgtd/io/voxel_file.hpp"
#include "dgtd/parallel/root_or_throw.hpp"

namespace dgtd::observers {

std::vector<io::VoxelTissue> voxel_tissues(const dosimetry::VoxelGrid& grid,
                                           const std::vector<dosimetry::TissueRow>& rows) {
  std::vector<io::VoxelTissue> all(rows.size());
  for (std::int64_t v = 0; v < grid.cells(); ++v) {
    const auto n = static_cast<std::size_t>(v);
    if (!(grid.density[n] > 0)) continue;
    const auto at = grid.at(v);
    double volume = 1;
    for (int a = 0; a < 3; ++a) volume *= grid.nodes[a][at[a] + 1] - grid.nodes[a][at[a]];
    io::VoxelTissue& tissue = all[grid.tissue[n]];
    ++tissue.voxels;
    tissue.mass_kg += grid.density[n] * volume;
    tissue.absorbed_W += double(grid.sar[n]) * grid.density[n] * volume;
  }
  std::vector<io::VoxelTissue> tissues;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    if (rows[t].mass_kg <= 0) continue;
    all[t].name = rows[t].name;
    tissues.push_back(std::move(all[t]));
  }
  return tissues;
}

std::vector<io::VoxelTissue> conserve_power(dosimetry::VoxelGrid& grid, const std::vector<dosimetry::TissueRow>& rows) {
  auto tissues = voxel_tissues(grid, rows);
  std::vector<double> factors(grid.tissue_names.size() + 1, 1);  // the last: background
  auto tissue = tissues.begin();
  for (std::size_t t = 0; t < rows.size(); ++t) {
    if (rows[t].mass_kg <= 0) continue;
    if (tissue->absorbed_W > 0) tissue->power_factor = factors[t] = rows[t].absorbed_W / tissue->absorbed_W;
    tissue->absorbed_W *= tissue->power_factor;
    ++tissue;
  }
  const std::int64_t cells = grid.cells();
#pragma omp parallel for schedule(static)
  for (std::int64_t v = 0; v < cells; ++v) {
    const auto n = static_cast<std::size_t>(v);
    grid.sar[n] = static_cast<float>(grid.sar[n] * factors[grid.tissue[n]]);
  }
  return tissues;
}

namespace {

// Tissues that voxels represent badly.
void warn_of(const std::vector<io::VoxelTissue>& tissues) {
  constexpr double noticeable = 0.2;
  for (const auto& t : tissues)
    if (t.voxels == 0)
      log::warn("{}: no voxel has its centre there, so averaged SAR lacks it (a smaller sar.voxel)", t.name);
    else if (std::abs(t.power_factor - 1) > noticeable)
      log::warn(
          "{}: its SAR on voxels was multiplied by {:.3g} so that the power is that of the elements (a smaller "
          "sar.voxel)",
          t.name, t.power_factor);
}

}  // namespace

void MassAveraging::finish(io::Results& results) {
  if (!results.exposure || meter_.voxel_count() == 0) return;
  VoxelSar sampled = meter_.voxels(*results.exposure);
  parallel::root_or_throw(results.comm, [&] {
    io::Summary& s = results.summary;
    auto voxels = std::make_shared<io::AveragedVoxels>();
    voxels->grid = std::move(sampled.grid);
    voxels->conventions = {"SAR " + dosimetry::power_text(s.sar)};
    dosimetry::VoxelGrid& grid = voxels->grid;
    for (float& sar : grid.sar) sar = static_cast<float>(sar * s.sar.factor);
    s.voxels.emplace();
    s.voxels->is_sampled = sampled.is_sampled;
    s.voxels->tissues = sampled.is_sampled ? conserve_power(grid, s.tissues) : voxel_tissues(grid, s.tissues);
    for (int a = 0; a < 3; ++a) s.voxels->cells[a] = grid.cells(a);
    if (grid.is_uniform()) s.voxels->edge_m = (grid.nodes[0].back() - grid.nodes[0].front()) / double(grid.cells(0));
    warn_of(s.voxels->tissues);
    voxels->averages = dosimetry::average_sar(grid, settings_.masses, settings_.processor);
    for (const auto& average : voxels->averages) s.averages.push_back(dosimetry::peaks(grid, average));
    results.voxels = std::move(voxels);
  });
}

void MassAveraging::finish_fields(io::Results& results) {
  if (!settings_.write_file) return;
  parallel::root_or_throw(results.comm, [&] {
    if (results.voxels) results.field_bytes += io::write_voxels(results.directory, *results.voxels);
  });
}

double MassAveraging::output_bytes() const {
  constexpr double per_voxel = 102, per_average = 10;  // at most, of root: values, sums and averages
  return (per_voxel + per_average * double(settings_.masses.size())) * meter_.voxel_count();
}

std::vector<solver::FileSize> MassAveraging::field_files(std::int64_t) const {
  const double voxels = meter_.voxel_count();
  if (!settings_.write_file || voxels == 0) return {};
  return {{"sar.vti", io::voxel_file_bytes(voxels, settings_.masses.size()), 1}};
}

}  // namespace dgtd::observers
