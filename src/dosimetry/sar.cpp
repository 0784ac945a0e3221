#include "dgtd/dosimetry/sar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/error.hpp"

namespace dgtd::dosimetry {

namespace {

constexpr double none = -std::numeric_limits<double>::infinity();

// Entries are added in blocks, and the blocks in their order: the same sums for any number of threads.
constexpr std::size_t entries_of_block = std::size_t{1} << 16;

std::size_t blocks_of(std::size_t entries) { return (entries + entries_of_block - 1) / entries_of_block; }

// visit(block, its first entry, the one after its last), in parallel.
template <class Visit>
void for_blocks(std::size_t entries, Visit visit) {
  const std::size_t blocks = blocks_of(entries);
#pragma omp parallel for schedule(static)
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t first = block * entries_of_block;
    visit(block, first, std::min(entries, first + entries_of_block));
  }
}

// The largest element of each group, over all ranks. Compared by value, then by global number, so that neither the
// partition nor the order of elements decides.
struct Largest {
  std::vector<double> sar;         // [groups]
  std::vector<double> element_id;  // [groups] exact as a double up to 2^53
  std::vector<double> at;          // [groups][3]
};

constexpr std::size_t nowhere = -1;

// Entry of the largest element of each group on this rank; nowhere: there is none. [groups]
std::vector<std::size_t> largest_entries(const Exposure& exposure, std::size_t groups) {
  const auto id_of = [&](std::size_t e) { return exposure.element_id(exposure.element_of(e)); };
  const auto take = [&](std::size_t& best, std::size_t e) {
    if (best == nowhere) {
      best = e;
      return;
    }
    const double here = local_sar(exposure, e), there = local_sar(exposure, best);
    if (here > there || (here == there && id_of(e) < id_of(best))) best = e;
  };
  const std::size_t entries = exposure.group.size();
  std::vector<std::vector<std::size_t>> of_block(blocks_of(entries), std::vector<std::size_t>(groups, nowhere));
  for_blocks(entries, [&](std::size_t block, std::size_t first, std::size_t end) {
    for (std::size_t e = first; e < end; ++e)
      if (exposure.is_tissue(e)) take(of_block[block][exposure.group[e]], e);
  });
  std::vector<std::size_t> largest(groups, nowhere);
  for (const auto& block : of_block)
    for (std::size_t g = 0; g < groups; ++g)
      if (block[g] != nowhere) take(largest[g], block[g]);
  return largest;
}

Largest largest_elements(const Exposure& exposure, std::size_t groups, const parallel::Communicator& communicator) {
  const auto winner = largest_entries(exposure, groups);
  const auto element = [&](std::size_t g) { return exposure.element_of(winner[g]); };
  Largest result{std::vector<double>(groups, none), std::vector<double>(groups, none), std::vector<double>(3 * groups)};
  for (std::size_t g = 0; g < groups; ++g)
    if (winner[g] != nowhere) result.sar[g] = local_sar(exposure, winner[g]);
  const std::vector<double> mine = result.sar;
  result.sar = communicator.max(std::move(result.sar));

  for (std::size_t g = 0; g < groups; ++g)
    if (winner[g] != nowhere && mine[g] == result.sar[g])
      result.element_id[g] = -static_cast<double>(exposure.element_id(element(g)));
  result.element_id = communicator.max(std::move(result.element_id));
  for (double& id : result.element_id) id = -id;

  for (std::size_t g = 0; g < groups; ++g)
    if (winner[g] != nowhere && static_cast<double>(exposure.element_id(element(g))) == result.element_id[g])
      for (int axis = 0; axis < 3; ++axis) result.at[3 * g + axis] = exposure.centroid(element(g))[axis];
  result.at = communicator.sum(std::move(result.at));  // one rank's position and zeros
  return result;
}

}  // namespace

std::string_view name_of(Normalisation::Normalise normalise) {
  switch (normalise) {
    case Normalisation::Normalise::emitted: return "emitted";
    case Normalisation::Normalise::accepted: return "accepted";
    case Normalisation::Normalise::incident_at_port: return "incident at port";
    case Normalisation::Normalise::incident: return "incident";
    case Normalisation::Normalise::none: break;
  }
  return "none";
}

std::string_view phrase_of(Normalisation::Normalise normalise) {
  switch (normalise) {
    case Normalisation::Normalise::emitted: return "an emitted power";
    case Normalisation::Normalise::accepted: return "an accepted power";
    case Normalisation::Normalise::incident_at_port: return "a power incident at ports";
    case Normalisation::Normalise::incident: return "an incident power density";
    case Normalisation::Normalise::none: break;
  }
  return "";
}

// SAR = factor sigma <|E|^2> / (2 rho)
double local_sar(const Exposure& exposure, std::size_t e) {
  const std::uint16_t group = exposure.group[e];
  const double density = exposure.density[group];
  return density > 0
             ? exposure.scaling.factor * (exposure.conductivity[group] * exposure.mean_square_field[e] / (2 * density))
             : 0;
}

EntryFinder::EntryFinder(const Exposure& exposure)
    : all_listed_(exposure.elements == 0),
      listed_((exposure.elements + 63) / 64, 0),
      entries_before_(listed_.size(), exposure.listed.size()) {
  const auto entries = static_cast<std::ptrdiff_t>(all_listed_ ? 0 : exposure.listed.size());
  // A thread sets the words whose first listed element it meets.
  const auto word_of = [&](std::ptrdiff_t e) { return exposure.listed[static_cast<std::size_t>(e)] / 64; };
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t e = 0; e < entries; ++e) {
    const std::size_t word = word_of(e);
    if (e > 0 && word_of(e - 1) == word) continue;
    entries_before_[word] = static_cast<std::uint64_t>(e);
    for (std::ptrdiff_t next = e; next < entries && word_of(next) == word; ++next)
      listed_[word] |= std::uint64_t{1} << (exposure.listed[static_cast<std::size_t>(next)] % 64);
  }
}

std::vector<TissueRow> tissue_table(const Exposure& exposure, const std::vector<std::string>& names,
                                    const parallel::Communicator& communicator) {
  const std::size_t groups = names.size();
  const std::size_t entries = exposure.group.size();
  std::vector<double> mass_of_block(blocks_of(entries) * groups), absorbed_of_block(mass_of_block.size());
  for_blocks(entries, [&](std::size_t block, std::size_t first, std::size_t end) {
    double *const mass = mass_of_block.data() + block * groups, *const absorbed =
                                                                    absorbed_of_block.data() + block * groups;
    for (std::size_t e = first; e < end; ++e) {
      const std::uint16_t group = exposure.group[e];
      mass[group] += exposure.density[group] * exposure.volume[e];
      absorbed[group] += exposure.conductivity[group] * exposure.mean_square_field[e] * exposure.volume[e] / 2;
    }
  });
  std::vector<double> mass(groups), absorbed(groups);
  for (std::size_t i = 0; i < mass_of_block.size(); ++i) {
    mass[i % groups] += mass_of_block[i];
    absorbed[i % groups] += absorbed_of_block[i];
  }
  mass = communicator.sum(std::move(mass));
  absorbed = communicator.sum(std::move(absorbed));
  const Largest largest = largest_elements(exposure, groups, communicator);

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
                      "have this value: emitted, accepted, incident at port or incident",
                      *sar.power));
    return {};
  }
  const std::string key = fmt::format("sar.normalise = {}", name_of(sar.normalise));
  const bool incident = sar.normalise == Normalise::incident;
  const bool at_port = sar.normalise == Normalise::incident_at_port;
  const std::optional<double> own = incident                               ? powers.incident_W_per_m2
                                    : at_port                              ? powers.incident_at_port_W
                                    : sar.normalise == Normalise::accepted ? powers.accepted_W
                                                                           : powers.emitted_W;
  if (!own)
    throw Error(fmt::format("{}: the case has no {}; use {}", key,
                            incident  ? "plane-wave source"
                            : at_port ? "port with excite"
                                      : "dipole source and no port with excite",
                            incident  ? "emitted, accepted, incident at port or none"
                            : at_port ? "emitted, accepted, incident or none"
                                      : "incident or none"));
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
  return fmt::format("at {} of {:.6g} {} (mean over a period)", phrase_of(scaling.normalise), *scaling.chosen_power,
                     incident ? "W/m^2" : "W");
}

std::string local_sar_text(const SarScaling& scaling) {
  return "mean of each element or cell, " + power_text(scaling);
}

std::vector<TissueRow> scaled(std::vector<TissueRow> rows, double factor) {
  for (TissueRow& row : rows) {
    row.absorbed_W *= factor;
    if (row.sar_mean) *row.sar_mean *= factor;
    if (row.sar_max) *row.sar_max *= factor;
  }
  return rows;
}

double largest_sar(const Exposure& exposure, const parallel::Communicator& communicator) {
  const std::size_t entries = exposure.group.size();
  std::vector<double> of_block(blocks_of(entries), 0);
  for_blocks(entries, [&](std::size_t block, std::size_t first, std::size_t end) {
    for (std::size_t e = first; e < end; ++e) of_block[block] = std::max(of_block[block], local_sar(exposure, e));
  });
  double most = 0;
  for (const double sar : of_block) most = std::max(most, sar);
  return communicator.max(most);
}

double over_maximum(double sar, double maximum) { return maximum > 0 ? sar / maximum : 0; }

double decibels(double ratio) { return ratio > 0 ? std::max(decibel_floor, 10 * std::log10(ratio)) : decibel_floor; }

}  // namespace dgtd::dosimetry
