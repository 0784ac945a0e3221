#include "dgtd/observers/mesh_powers.hpp"

#include <algorithm>
#include <numeric>

#include "dgtd/base/constants.hpp"

namespace dgtd::observers {

dosimetry::Exposure MeshPowers::exposure_at(std::size_t frequency, const std::vector<double>& mean_square) const {
  dosimetry::Exposure x;
  x.frequency = frequency;
  x.elements = mesh_.elements();
  for (const physics::Material& m : materials_) {
    x.conductivity.push_back(m.poles.empty() ? m.conductivity
                                             : physics::conductivity(m, 2 * pi * frequencies_[frequency]));
    x.density.push_back(m.density.value_or(0));
  }
  x.element_id = [this](std::size_t e) { return mesh_.element_id[e]; };
  x.centroid = [this](std::size_t e) { return mesh_.tetrahedron(e).centroid(); };
  for (std::size_t e = 0; e < mesh_.elements(); ++e) {
    const auto group = mesh_.element_group[e];
    if (x.conductivity[group] > 0 || x.density[group] > 0) x.listed.push_back(e);
  }
  const std::size_t entries = x.listed.size();
  x.group.resize(entries), x.mean_square_field.resize(entries), x.volume.resize(entries);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < entries; ++i) {
    const std::size_t e = x.listed[i];
    x.group[i] = mesh_.element_group[e];
    x.mean_square_field[i] = mean_square[e];
    x.volume[i] = mesh_.volume(e);
  }
  return x;
}

PowerMeter::Measured MeshPowers::measure(std::size_t frequency) const {
  auto x = exposure_at(frequency, solver_.mean_square_electric(frequency));
  auto rows = dosimetry::tissue_table(x, mesh_.volume_names, comm_);
  return {std::move(x), std::move(rows)};
}

std::vector<double> MeshPowers::absorbed_of(std::size_t frequency, const std::vector<double>& mean_square) const {
  std::vector<double> powers;
  for (const auto& row : dosimetry::tissue_table(exposure_at(frequency, mean_square), mesh_.volume_names, comm_))
    powers.push_back(row.absorbed_W);
  return powers;
}

std::optional<double> MeshPowers::loss_of_opposite_phases(std::size_t frequency) const {
  if (phases_ == nullptr) return {};
  constexpr auto opposite = solver::Phases::opposite;
  const auto absorbed = absorbed_of(frequency, phases_->mean_square_electric(frequency, opposite));
  return std::accumulate(absorbed.begin(), absorbed.end(), comm_.sum(phases_->outflow(frequency, opposite)));
}

// Arrays of an Exposure and the numbers of its entries; three lists of reals in double precision, of which the mean of
// |E|^2 is made during the last periods: the heap keeps them where they are not large.
PowerMeter::ExposureBytes MeshPowers::exposure_bytes() const {
  constexpr double of_element = 27, of_means = 24, most_kept = 40e6;
  const double elements = double(mesh_.elements());
  const double bytes = of_element * elements + std::min(of_means * elements, most_kept);
  return {bytes, bytes};
}

}  // namespace dgtd::observers
