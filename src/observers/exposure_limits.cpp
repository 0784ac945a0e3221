#include "dgtd/observers/exposure_limits.hpp"

#include <fmt/format.h>

#include <cmath>

namespace dgtd::observers {

namespace {

using io::Value;
using Quantity = dosimetry::Limit::Quantity;
using Normalise = dosimetry::Normalisation::Normalise;

const char* name_of(Quantity quantity) {
  return quantity == Quantity::local_10g  ? "peak SAR over 10 g"
         : quantity == Quantity::local_1g ? "peak SAR over 1 g"
                                          : "whole-body mean SAR";
}

const char* name_of(dosimetry::BodyPart part) {
  switch (part) {
    case dosimetry::BodyPart::head: return "the head";
    case dosimetry::BodyPart::torso: return "the torso";
    case dosimetry::BodyPart::limb: return "a limb";
    case dosimetry::BodyPart::extremity: break;
  }
  return "an extremity";
}

// The largest average over a mass, kg.
std::optional<double> peak_over(const io::AveragedVoxels* voxels, double mass) {
  if (voxels == nullptr) return {};
  for (const auto& average : voxels->peaks)
    if (average.peak && std::abs(average.mass_kg - mass) < 1e-6 * mass) return average.peak->sar;
  return {};
}

double mass_of(const dosimetry::Exposure& exposure) {
  double mass = 0;
  for (const auto& row : exposure.tissues) mass += row.mass_kg;
  return mass;
}

dosimetry::ExposureFigures figures_of(const dosimetry::Exposure& exposure, const io::AveragedVoxels* voxels,
                                      bool is_whole_body, dosimetry::BodyPart part) {
  dosimetry::ExposureFigures figures;
  figures.part = part;
  double absorbed = 0;
  for (const auto& row : exposure.tissues)
    if (row.mass_kg > 0) absorbed += row.absorbed_W;
  if (const double mass = mass_of(exposure); mass > 0 && is_whole_body) figures.whole_body = absorbed / mass;
  figures.peak_1g = peak_over(voxels, 1e-3);
  figures.peak_10g = peak_over(voxels, 10e-3);
  return figures;
}

}  // namespace

void ExposureLimits::finish(io::Results& results) {
  if (!results.exposure || !results.comm.is_root()) return;
  const auto& exposure = *results.exposure;
  const auto figures = figures_of(exposure, results.voxels.get(), is_whole_body_, part_);
  add_limits(results.summary, dosimetry::compare_with_limits(figures, frequency_, exposure.power), part_, exposure);
}

void add_limits(io::Summary& s, const std::vector<dosimetry::LimitCheck>& limits, dosimetry::BodyPart part,
                const dosimetry::Exposure& exposure) {
  const auto normalise = exposure.scaling.normalise;
  const bool incident = normalise == Normalise::incident;
  Value::List list;
  io::Table table;
  table.columns = {{"Limit"},
                   {"Quantity", true},
                   {"Limit [W/kg]"},
                   {"Here [W/kg]"},
                   {"Share"},
                   {fmt::format("{} at the limit [{}]",
                                incident                           ? "Incident power density"
                                : normalise == Normalise::accepted ? "Accepted power"
                                                                   : "Emitted power",
                                incident ? "W/m\u00b2" : "W")}};
  bool whole = false, local = false;
  for (const auto& check : limits) {
    (check.limit.quantity == Quantity::whole_body ? whole : local) = true;
    list.push_back(
        Value::Object{{"guideline", check.limit.guideline},
                      {"population", check.limit.population},
                      {"published_in", check.limit.source},
                      {"quantity", name_of(check.limit.quantity)},
                      {"limit_W_per_kg", check.limit.sar},
                      {"sar_W_per_kg", check.sar},
                      {"share", check.share},
                      {incident ? "mean_incident_power_at_limit_W_per_m2" : "mean_power_at_limit_W", check.power}});
    table.rows.push_back(
        {{fmt::format("{}, {}", check.limit.guideline, check.limit.population), name_of(check.limit.quantity),
          io::number(check.limit.sar), io::number(check.sar), io::percent(check.share), io::number(check.power)},
         check.share});
  }
  s.report["limits"] = std::move(list);
  if (limits.empty()) return;
  std::string notes = fmt::format(
      "SAR {}. Limits of local SAR are those of {} (sar.part), for exposure as long as their averaging time or longer; "
      "powers are means over a period.",
      dosimetry::power_text(exposure.scaling), name_of(part));
  notes += whole ? fmt::format(" The mean is over all tissue of the model, {} kg.", io::number(mass_of(exposure)))
                 : " The limits of whole-body exposure are not compared: the case does not have sar.whole_body = on.";
  if (!local) notes += " The limits of local SAR are not compared: no averages over 1 g and 10 g were computed.";
  s.sections.push_back({io::Chapter::dosimetry, "Exposure limits", {table, io::Note{notes}}});
}

}  // namespace dgtd::observers
