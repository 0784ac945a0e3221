// Materials, tissues and limits in the report.
#include <fmt/format.h>

#include <algorithm>

#include "dgtd/dosimetry/table.hpp"
#include "report_sections.hpp"
#include "report_text.hpp"
#include "xml.hpp"

namespace dgtd::io {

namespace {

using dosimetry::TissueRow;
using Normalise = dosimetry::Normalisation::Normalise;

std::string source_text(const MaterialRow& row) {
  if (row.density_source.empty() || row.density_source == row.dielectric_source)
    return xml_escaped(row.dielectric_source);
  return xml_escaped(row.dielectric_source) + "; density: " + xml_escaped(row.density_source);
}

std::string scaling_note(const Summary& s) {
  const dosimetry::SarScaling& sar = s.sar;
  const char* const peak = "E is the peak of its phasor, powers are means over a period.";
  if (sar.normalise == Normalise::none)
    return fmt::format("<p>At the power of the run itself{}. {}</p>\n",
                       s.power.source_W ? fmt::format(" (source: {} W)", number(s.power.source_W)) : "", peak);
  const bool incident = sar.normalise == Normalise::incident;
  const char* power = incident                               ? "incident power density"
                      : sar.normalise == Normalise::accepted ? "accepted power"
                                                             : "emitted power";
  const char* unit = incident ? "W/m<sup>2</sup>" : "W";
  return fmt::format("<p>At an {} of {} {}, mean over a period (the run's own: {} {}; factor {}). {}</p>\n", power,
                     number(sar.chosen_power), unit, number(sar.run_power), unit, number(sar.factor), peak);
}

// The largest average of a tissue; null where there is none.
const dosimetry::PeakAverage* peak_of(const dosimetry::MassAverage& average, const std::string& tissue) {
  for (const auto& peak : average.of_tissues)
    if (peak.tissue == tissue) return &peak;
  return nullptr;
}

std::string place_text(const Vec3& at) {
  return fmt::format("{:.1f}, {:.1f}, {:.1f}", at.x * 1e3, at.y * 1e3, at.z * 1e3);
}

// How many voxels are in each state but background.
std::string count_cell(const dosimetry::MassAverage& average) {
  using Status = dosimetry::VoxelStatus;
  std::string text = "<td>";
  for (const Status status : {Status::valid, Status::used, Status::unused, Status::no_cube})
    text += (status == Status::valid ? "" : ", ") + count(average.voxels_in[static_cast<std::size_t>(status)]);
  return text + "</td>";
}

bool has_sar(const Summary& s) {
  return std::any_of(s.tissues.begin(), s.tissues.end(), [](const TissueRow& row) { return row.sar_max.has_value(); });
}

}  // namespace

std::string mass_text(const dosimetry::MassAverage& average) {
  return fmt::format("{:.6g}\u00a0g", average.mass_kg * 1e3);
}

std::string material_section(const Summary& s) {
  if (s.materials.empty()) return {};
  std::string rows;
  for (const MaterialRow& m : s.materials) {
    const std::string name =
        xml_escaped(m.name) + (m.tissue.empty() ? "" : fmt::format("<br><small>{}</small>", xml_escaped(m.tissue)));
    if (m.perfect_conductor) {
      rows += fmt::format("<tr><th>{}</th><td colspan=\"4\">perfect conductor</td><td class=\"text\">{}</td></tr>\n",
                          name, source_text(m));
      continue;
    }
    rows += fmt::format("<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"text\">{}</td></tr>\n",
                        name, number(m.permittivity), number(m.conductivity), number(m.permeability), number(m.density),
                        source_text(m));
  }
  const std::string frequency =
      s.frequency_Hz ? fmt::format("<p>Values at {} MHz; \u03c3 is that of conduction and poles together.</p>\n",
                                   number(*s.frequency_Hz * 1e-6))
                     : "";
  return section("Materials", frequency + table({"Material", "\u03b5<sub>r</sub>", "\u03c3 [S/m]", "\u03bc<sub>r</sub>",
                                                 "Density [kg/m<sup>3</sup>]", "<Source"},
                                                rows));
}

std::string tissue_section(const Summary& s) {
  if (s.tissues.empty()) return {};
  double largest_W = 0, largest_sar = 0;
  for (const TissueRow& row : s.tissues) {
    largest_W = std::max(largest_W, row.absorbed_W);
    largest_sar = std::max(largest_sar, row.sar_max.value_or(0));
  }
  const auto unit = dosimetry::power_unit(largest_W);
  std::vector<std::string> heads{"Group",
                                 "Mass [g]",
                                 fmt::format("Absorbed, mean over a period [{}]", unit.name),
                                 "SAR mean [W/kg]",
                                 "SAR max, local [W/kg]",
                                 "Maximum at [mm]"};
  for (const auto& average : s.averages) {
    heads.push_back(fmt::format("Peak over {} [W/kg]", mass_text(average)));
    heads.emplace_back("at [mm]");
  }
  heads.emplace_back("");
  std::string rows;
  for (const TissueRow& row : s.tissues) {
    rows += fmt::format("<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>", xml_escaped(row.name),
                        row.mass_kg > 0 ? number(row.mass_kg * 1e3) : absent, number(row.absorbed_W / unit.watts),
                        number(row.sar_mean), number(row.sar_max), row.at ? place_text(*row.at) : absent);
    for (const auto& average : s.averages) {
      const auto* const peak = peak_of(average, row.name);
      rows += fmt::format("<td>{}</td><td>{}</td>", peak ? number(peak->sar) : absent,
                          peak ? place_text(peak->at) : absent);
    }
    rows += bar_cell(row.sar_max && largest_sar > 0 ? *row.sar_max / largest_sar : 0) + "</tr>\n";
  }
  return section("Tissues",
                 scaling_note(s) + table(heads, rows) +
                     fmt::format("<p>The largest local SAR is that of the {} with the largest mean, the position its "
                                 "{}; bars compare the largest values.</p>\n",
                                 s.on_grid ? "cell" : "element", s.on_grid ? "centre" : "centroid"));
}

std::string average_section(const Summary& s) {
  std::string rows;
  for (const auto& average : s.averages) {
    rows += fmt::format("<tr><th>{}</th>", mass_text(average));
    if (!average.peak) {
      rows += "<td colspan=\"6\">no cube of this mass fits into the model</td></tr>\n";
      continue;
    }
    const auto& peak = *average.peak;
    rows +=
        fmt::format("<td>{}</td><td class=\"text\">{}</td><td>{}</td><td>{}</td><td class=\"text\">{}</td>{}</tr>\n",
                    number(peak.sar), xml_escaped(peak.tissue), place_text(peak.at), number(peak.side * 1e3),
                    dosimetry::name_of(peak.orientation), count_cell(average));
  }
  if (rows.empty()) return {};
  std::string note = fmt::format("<p>Averages over cubes, {}.", xml_escaped(dosimetry::power_text(s.sar)));
  if (s.voxels && s.voxels->edge_m) note += fmt::format(" Voxels of {} mm.", number(*s.voxels->edge_m * 1e3));
  if (s.voxels && s.voxels->is_sampled) {
    note += " SAR was sampled on them and multiplied per tissue, so that its power is that of the elements:";
    for (const auto& tissue : s.voxels->tissues)
      note += fmt::format(" {} {:.4f}{}", xml_escaped(tissue.name), tissue.power_factor,
                          &tissue == &s.voxels->tissues.back() ? "." : ",");
  }
  return section("Averaged SAR (IEC/IEEE 62704-1)",
                 table({"Mass", "Peak [W/kg]", "<in", "at [mm]", "Side of the cube [mm]", "<Cube",
                        "Voxels valid, used, unused, without a cube"},
                       rows) +
                     note + "</p>\n");
}

std::string limit_quantity(dosimetry::Limit::Quantity quantity) {
  using Quantity = dosimetry::Limit::Quantity;
  return quantity == Quantity::local_10g  ? "peak SAR over 10 g"
         : quantity == Quantity::local_1g ? "peak SAR over 1 g"
                                          : "whole-body mean SAR";
}

std::string limit_power_unit(const Summary& s) { return s.sar.normalise == Normalise::incident ? "W/m^2" : "W"; }

std::string limit_section(const Summary& s) {
  if (s.limits.empty() || !has_sar(s)) return {};
  std::string rows;
  bool whole = false, local = false;
  for (const auto& check : s.limits) {
    whole = whole || check.limit.quantity == dosimetry::Limit::Quantity::whole_body;
    local = local || check.limit.quantity != dosimetry::Limit::Quantity::whole_body;
    rows += fmt::format(
        "<tr><th>{}, {}</th><td class=\"text\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>{}</tr>\n",
        xml_escaped(std::string(check.limit.guideline)), xml_escaped(std::string(check.limit.population)),
        limit_quantity(check.limit.quantity), number(check.limit.sar), number(check.sar), percent(check.share),
        number(check.power), bar_cell(check.share));
  }
  const bool incident = s.sar.normalise == Normalise::incident;
  const std::string head = fmt::format("{} at the limit [{}]",
                                       incident                                 ? "Incident power density"
                                       : s.sar.normalise == Normalise::accepted ? "Accepted power"
                                                                                : "Emitted power",
                                       incident ? "W/m<sup>2</sup>" : "W");
  double mass = 0;
  for (const TissueRow& row : s.tissues) mass += row.mass_kg;
  std::string notes = fmt::format(
      "<p>SAR {}. Limits of head and torso, for exposure as long as their averaging time "
      "or longer; powers are means over a period.",
      xml_escaped(dosimetry::power_text(s.sar)));
  if (whole) notes += fmt::format(" The mean is over all tissue of the model, {} kg.", number(mass));
  else notes += " The limits of whole-body exposure are not compared: the case does not have sar.whole_body = on.";
  if (!local) notes += " The limits of local SAR are not compared: no averages over 1 g and 10 g were computed.";
  return section(
      "Exposure limits",
      table({"Limit", "<Quantity", "Limit [W/kg]", "Here [W/kg]", "Share", head, ""}, rows) + notes + "</p>\n");
}

}  // namespace dgtd::io
