#include "dgtd/dosimetry/sar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/error.hpp"

namespace dgtd::dosimetry {

namespace {

constexpr double none = -std::numeric_limits<double>::infinity();

// The largest element of each group, over all ranks; sar: [entries]. Compared by value, then by global number, so
// that neither the partition nor the order of elements decides.
struct Largest {
  std::vector<double> sar;         // [groups]
  std::vector<double> element_id;  // [groups] exact as a double up to 2^53
  std::vector<double> at;          // [groups][3]
};

Largest largest_elements(const Exposure& exposure, const std::vector<double>& sar, std::size_t groups,
                         const parallel::Communicator& communicator) {
  constexpr std::size_t nowhere = -1;
  std::vector<std::size_t> winner(groups, nowhere);
  for (std::size_t e = 0; e < sar.size(); ++e) {
    if (exposure.density[e] <= 0) continue;
    std::size_t& best = winner[exposure.group[e]];
    if (best == nowhere || sar[e] > sar[best] ||
        (sar[e] == sar[best] && exposure.element_id[e] < exposure.element_id[best]))
      best = e;
  }

  Largest result{std::vector<double>(groups, none), std::vector<double>(groups, none), std::vector<double>(3 * groups)};
  for (std::size_t g = 0; g < groups; ++g)
    if (winner[g] != nowhere) result.sar[g] = sar[winner[g]];
  const std::vector<double> mine = result.sar;
  result.sar = communicator.max(std::move(result.sar));

  for (std::size_t g = 0; g < groups; ++g)
    if (winner[g] != nowhere && mine[g] == result.sar[g])
      result.element_id[g] = -static_cast<double>(exposure.element_id[winner[g]]);
  result.element_id = communicator.max(std::move(result.element_id));
  for (double& id : result.element_id) id = -id;

  for (std::size_t g = 0; g < groups; ++g)
    if (winner[g] != nowhere && static_cast<double>(exposure.element_id[winner[g]]) == result.element_id[g])
      for (int axis = 0; axis < 3; ++axis) result.at[3 * g + axis] = exposure.centroid[winner[g]][axis];
  result.at = communicator.sum(std::move(result.at));  // one rank's position and zeros
  return result;
}

// [entries] W/kg
std::vector<double> sar_of_entries(const Exposure& exposure) {
  std::vector<double> sar(exposure.density.size(), 0.0);
  for (std::size_t e = 0; e < sar.size(); ++e) sar[e] = local_sar(exposure, e);
  return sar;
}

const char* name_of(dosimetry::Normalisation::Normalise normalise) {
  switch (normalise) {
    case dosimetry::Normalisation::Normalise::emitted: return "emitted";
    case dosimetry::Normalisation::Normalise::accepted: return "accepted";
    case dosimetry::Normalisation::Normalise::incident: return "incident";
    case dosimetry::Normalisation::Normalise::none: break;
  }
  return "none";
}

}  // namespace

// SAR = sigma <|E|^2> / (2 rho)
double local_sar(const Exposure& exposure, std::size_t e) {
  if (exposure.density[e] <= 0) return 0;
  return exposure.sigma[e] * exposure.mean_square_field[e] / (2 * exposure.density[e]);
}

std::vector<double> local_sar(const Exposure& exposure) {
  std::vector<double> of_entries = sar_of_entries(exposure);
  if (exposure.elements == 0) return of_entries;
  std::vector<double> sar(exposure.elements, 0.0);
  for (std::size_t e = 0; e < of_entries.size(); ++e) sar[exposure.listed[e]] = of_entries[e];
  return sar;
}

std::vector<TissueRow> tissue_table(const Exposure& exposure, const std::vector<std::string>& names,
                                    const parallel::Communicator& communicator) {
  const std::size_t groups = names.size();
  std::vector<double> mass(groups), absorbed(groups);
  for (std::size_t e = 0; e < exposure.group.size(); ++e) {
    mass[exposure.group[e]] += exposure.density[e] * exposure.volume[e];
    absorbed[exposure.group[e]] += exposure.sigma[e] * exposure.mean_square_field[e] * exposure.volume[e] / 2;
  }
  mass = communicator.sum(std::move(mass));
  absorbed = communicator.sum(std::move(absorbed));
  const Largest largest = largest_elements(exposure, sar_of_entries(exposure), groups, communicator);

  std::vector<TissueRow> rows;
  for (std::size_t g = 0; g < groups; ++g) {
    TissueRow row{
        .name = names[g], .mass_kg = mass[g], .absorbed_W = absorbed[g], .sar_mean = {}, .sar_max = {}, .at = {}};
    if (mass[g] > 0) {
      row.sar_mean = absorbed[g] / mass[g];
      row.sar_max = largest.sar[g];
      row.at = Vec3{largest.at[3 * g], largest.at[3 * g + 1], largest.at[3 * g + 2]};
      row.element_id = static_cast<std::int64_t>(largest.element_id[g]);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

SarScaling scaling(const dosimetry::Normalisation& sar, const ReferencePowers& powers) {
  using Normalise = dosimetry::Normalisation::Normalise;
  if (sar.normalise == Normalise::none) {
    if (sar.power)
      throw Error(
          fmt::format("sar.power = {} has no meaning with sar.normalise = none; name the power that is to "
                      "have this value: emitted, accepted or incident",
                      *sar.power));
    return {};
  }
  const std::string key = fmt::format("sar.normalise = {}", name_of(sar.normalise));
  const bool incident = sar.normalise == Normalise::incident;
  const std::optional<double> own = incident                               ? powers.incident_W_per_m2
                                    : sar.normalise == Normalise::accepted ? powers.accepted_W
                                                                           : powers.emitted_W;
  if (!own)
    throw Error(fmt::format("{}: the case has no {}; use {}", key, incident ? "plane-wave source" : "dipole source",
                            incident ? "emitted, accepted or none" : "incident or none"));
  if (!std::isfinite(*own) || *own <= 0)
    throw Error(
        fmt::format("{}: the run's power is {:.6g} {}, but it must be positive", key, *own, incident ? "W/m^2" : "W"));
  const double chosen = sar.power.value_or(1.0);
  if (!std::isfinite(chosen) || chosen <= 0) throw Error(fmt::format("sar.power = {}: must be positive", chosen));
  return {sar.normalise, own, chosen, chosen / *own};
}

std::string power_text(const SarScaling& scaling) {
  using Normalise = dosimetry::Normalisation::Normalise;
  if (scaling.normalise == Normalise::none || !scaling.chosen_power) return "at the power of the run itself";
  const bool incident = scaling.normalise == Normalise::incident;
  return fmt::format("at an {} power{} of {:.6g} {} (mean over a period)", name_of(scaling.normalise),
                     incident ? " density" : "", *scaling.chosen_power, incident ? "W/m^2" : "W");
}

std::vector<TissueRow> scaled(std::vector<TissueRow> rows, double factor) {
  for (TissueRow& row : rows) {
    row.absorbed_W *= factor;
    if (row.sar_mean) *row.sar_mean *= factor;
    if (row.sar_max) *row.sar_max *= factor;
  }
  return rows;
}

double largest(const std::vector<double>& sar, const parallel::Communicator& communicator) {
  double most = 0;
  for (const double value : sar) most = std::max(most, value);
  return communicator.max(most);
}

double over_maximum(double sar, double maximum) { return maximum > 0 ? sar / maximum : 0; }

double decibels(double ratio) { return ratio > 0 ? std::max(decibel_floor, 10 * std::log10(ratio)) : decibel_floor; }

}  // namespace dgtd::dosimetry
