#include "dgtd/observers/exposure_limits.hpp"

#include <fmt/format.h>

#include <cmath>

#include "dgtd/dosimetry/absorbed_power_density.hpp"

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
  if (results.voxels) add_power_density(results.summary, results.voxels->grid, frequency_, exposure);
}

namespace {

std::string power_heading(const dosimetry::Exposure& exposure) {
  const auto normalise = exposure.scaling.normalise;
  const char* const power = normalise == Normalise::incident           ? "Incident power density"
                            : normalise == Normalise::accepted         ? "Accepted power"
                            : normalise == Normalise::incident_at_port ? "Power incident at ports"
                                                                       : "Emitted power";
  return fmt::format("{} at the limit [{}]", power, normalise == Normalise::incident ? "W/m\u00b2" : "W");
}

}  // namespace

void add_power_density(io::Summary& s, const dosimetry::VoxelGrid& voxels, double frequency,
                       const dosimetry::Exposure& exposure) {
  const auto limits = dosimetry::power_density_limits(frequency);
  if (limits.empty()) return;
  Value::List means, checks;
  io::Table table{{{"Limit"},
                   {"Mean over [cm\u00b2]"},
                   {"Limit [W/m\u00b2]"},
                   {"Here [W/m\u00b2]"},
                   {"Share"},
                   {power_heading(exposure)}},
                  {}};
  std::string console = "absorbed power density " + dosimetry::power_text(exposure.scaling) + ":";
  std::optional<dosimetry::AbsorbedPowerDensity> peak;
  for (const auto& limit : limits) {
    const double square_cm = 1e4 * limit.area;
    const bool is_new = !peak || peak->area != limit.area;
    if (is_new) peak = dosimetry::peak_absorbed_power_density(voxels, limit.area);
    if (!peak) break;
    if (is_new) {
      means.push_back(Value::Object{{"area_cm2", square_cm},
                                    {"mean_W_per_m2", peak->mean},
                                    {"at_m", peak->at},
                                    {"normal", std::string(peak->from_above ? "+" : "-") + "xyz"[peak->axis]}});
      console += fmt::format("{} {:.6g} W/m^2 over {:g} cm^2", means.size() > 1 ? "," : "", peak->mean, square_cm);
    }
    const double share = peak->mean / limit.limit;
    std::optional<double> power;
    if (exposure.power && share > 0) power = *exposure.power / share;
    checks.push_back(Value::Object{{"guideline", limit.guideline},
                                   {"population", limit.population},
                                   {"published_in", limit.source},
                                   {"area_cm2", square_cm},
                                   {"limit_W_per_m2", limit.limit},
                                   {"mean_W_per_m2", peak->mean},
                                   {"share", share},
                                   {"power_at_limit", power}});
    table.rows.push_back({{fmt::format("{}, {}", limit.guideline, limit.population), fmt::format("{:g}", square_cm),
                           io::number(limit.limit), io::number(peak->mean), io::percent(share), io::number(power)},
                          share});
  }
  s.keys["absorbed_power_density"] = means;
  s.report["absorbed_power_density"] = Value::Object{{"means", std::move(means)}, {"limits", std::move(checks)}};
  io::Section section{io::Chapter::dosimetry, "Absorbed power density", {}};
  if (table.rows.empty()) {
    section.blocks = {io::Note{"No square of 4 cm\u00b2 of the surface, seen along an axis, is filled by tissue."}};
  } else {
    section.blocks = {
        table, io::Note{fmt::format(
                   "The largest mean of what is absorbed below a square of the surface, seen along x, y or z, {}. "
                   "Where the surface is inclined the area is the projected one.",
                   dosimetry::power_text(exposure.scaling))}};
    section.console = console;
  }
  s.sections.push_back(std::move(section));
}

void add_limits(io::Summary& s, const std::vector<dosimetry::LimitCheck>& limits, dosimetry::BodyPart part,
                const dosimetry::Exposure& exposure) {
  const auto normalise = exposure.scaling.normalise;
  const bool incident = normalise == Normalise::incident;
  Value::List list;
  io::Table table;
  table.columns = {{"Limit"},       {"Quantity", true}, {"Limit [W/kg]"},
                   {"Here [W/kg]"}, {"Share"},          {power_heading(exposure)}};
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
