#include "dgtd/io/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/dosimetry/table.hpp"
#include "dgtd/io/text_files.hpp"
#include "report_style.hpp"
#include "xml.hpp"

namespace dgtd::io {

namespace {

using dosimetry::PowerUnit;
using dosimetry::TissueRow;

const std::string absent = "\u2013";

// Thin spaces between groups of three digits. Not for negative numbers.
std::string count(std::int64_t value) {
  std::string text = fmt::format("{}", value);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3) text.insert(at, "&#8239;");
  return text;
}

std::string number(double value) {
  if (!std::isfinite(value)) return absent;
  if (value >= 1e4 && value < 1e12) return count(std::llround(value));
  return fmt::format("{:.4g}", value);
}
std::string number(const std::optional<double>& value) { return value ? number(*value) : absent; }
std::string percent(double fraction) {
  return std::isfinite(fraction) ? fmt::format("{:.2f} %", 100 * fraction) : absent;
}
std::string percent(const std::optional<double>& fraction) { return fraction ? percent(*fraction) : absent; }

std::string entry(const std::string& name, const std::string& value) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, value);
}

std::string section(const std::string& title, const std::string& body) {
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", title, body);
}

std::string case_and_run(const Summary& s) {
  const std::string method = xml_escaped(s.method);
  std::string list = entry("Method", s.on_grid ? method : fmt::format("{}, order {}", method, s.order)) +
                     entry("Precision", xml_escaped(s.precision)) +
                     entry("Backend", fmt::format("{}, {} kernels", xml_escaped(s.backend), xml_escaped(s.kernels))) +
                     entry("Ranks", fmt::format("{} ({})", s.ranks, xml_escaped(s.comm))) +
                     entry("Time step", fmt::format("{} ps", number(s.dt_s * 1e12)));
  if (!s.interruption.empty())
    list = entry("State", fmt::format("interrupted by {}; these are the results so far", xml_escaped(s.interruption))) +
           list;
  if (s.steps_per_period) list += entry("Steps a period", number(s.steps_per_period));
  list += entry("Steps", count(s.steps)) +
          entry("Simulated time", fmt::format("{} ns", number(s.dt_s * s.steps * 1e9))) +
          entry("Set-up", fmt::format("{} s", number(s.setup_s))) +
          entry("Time stepping", fmt::format("{} s", number(s.wall_s)));
  if (s.fields_hash) list += entry("Hash of the fields", fmt::format("<code>{:016x}</code>", *s.fields_hash));
  return section("Run", "<dl>\n" + list + "</dl>\n");
}

std::string mesh(const Summary& s) {
  if (s.on_grid)
    return section("Grid",
                   "<dl>\n" + entry("Cells", count(s.elements)) + entry("Unknowns", count(s.unknowns)) + "</dl>\n");
  const auto millimetres = [](const std::optional<double>& length) {
    return length ? number(*length * 1e3) + " mm" : absent;
  };
  return section("Mesh", "<dl>\n" + entry("Elements", count(s.elements)) + entry("Vertices", count(s.mesh.vertices)) +
                             entry("Unknowns", count(s.unknowns)) +
                             entry("Shortest edge", millimetres(s.mesh.shortest_edge_m)) +
                             entry("Mean edge", millimetres(s.mesh.mean_edge_m)) +
                             entry("Longest edge", millimetres(s.mesh.longest_edge_m)) + "</dl>\n");
}

std::string energy_and_error(const Summary& s) {
  std::string list;
  if (s.energy.first_J)
    list +=
        entry("Energy, first", number(s.energy.first_J) + " J") + entry("Energy, last", number(s.energy.last_J) + " J");
  if (s.energy.relative_drift) list += entry("Relative drift", number(s.energy.relative_drift));
  if (s.error)
    list += entry("Error of E, relative L<sub>2</sub>", number(s.error->l2_E)) +
            entry("Error of H, relative L<sub>2</sub>", number(s.error->l2_H));
  return list.empty() ? list : section("Energy and accuracy", "<dl>\n" + list + "</dl>\n");
}

std::string power_balance(const PowerBalance& power) {
  if (!power.source_W) return {};
  const PowerUnit unit = dosimetry::power_unit(std::abs(*power.source_W));
  const auto row = [&](const char* name, const std::optional<double>& watts) {
    const std::optional<double> share =
        watts && *power.source_W != 0 ? std::optional(*watts / *power.source_W) : std::nullopt;
    const double bar = share && std::isfinite(*share) ? std::clamp(100 * *share, 0.0, 100.0) : 0.0;
    return fmt::format(
        "<tr><th>{}</th><td>{}</td><td>{}</td><td class=\"bar\"><i style=\"width:{:.1f}%\"></i></td></tr>\n", name,
        watts ? number(*watts / unit.watts) : absent, percent(share), bar);
  };
  std::string body = fmt::format("<table>\n<tr><th></th><th>Power [{}]</th><th>Share</th><th></th></tr>\n", unit.name);
  body += row("Source", power.source_W) + row("Absorbed", power.absorbed_W) + row("Outflow", power.outflow_W);
  body += "</table>\n<p>Defect (source &minus; absorbed &minus; outflow, over source): <b>" + percent(power.defect) +
          "</b>. Means over the last period.</p>\n";
  return section("Power balance", body);
}

std::string scaling_note(const dosimetry::SarScaling& sar) {
  using Normalise = dosimetry::Normalisation::Normalise;
  if (sar.normalise == Normalise::none) return "<p>At the power of the run itself.</p>\n";
  const bool incident = sar.normalise == Normalise::incident;
  const char* power = incident                               ? "incident power density"
                      : sar.normalise == Normalise::accepted ? "accepted power"
                                                             : "emitted power";
  const char* unit = incident ? "W/m<sup>2</sup>" : "W";
  return fmt::format("<p>At an {} of {} {} (the run's own: {} {}; factor {}).</p>\n", power, number(sar.chosen_power),
                     unit, number(sar.run_power), unit, number(sar.factor));
}

std::string tissue_table(const Summary& s) {
  if (s.tissues.empty()) return {};
  double largest_W = 0, largest_sar = 0;
  for (const TissueRow& row : s.tissues) {
    largest_W = std::max(largest_W, row.absorbed_W);
    largest_sar = std::max(largest_sar, row.sar_max.value_or(0));
  }
  const PowerUnit unit = dosimetry::power_unit(largest_W);
  std::string body = scaling_note(s.sar) +
                     fmt::format(
                         "<table>\n<tr><th>Group</th><th>Mass [g]</th><th>Absorbed [{}]</th><th>SAR mean [W/kg]</th>"
                         "<th>SAR max [W/kg]</th><th>Maximum at [mm]</th><th></th></tr>\n",
                         unit.name);
  for (const TissueRow& row : s.tissues) {
    const double bar = row.sar_max && largest_sar > 0 ? 100 * *row.sar_max / largest_sar : 0;
    body += fmt::format(
        "<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td class=\"bar\"><i style=\"width:{:.1f}%\"></i></td></tr>\n",
        xml_escaped(row.name), row.mass_kg > 0 ? number(row.mass_kg * 1e3) : absent,
        number(row.absorbed_W / unit.watts), number(row.sar_mean), number(row.sar_max),
        row.at ? fmt::format("{:.1f}, {:.1f}, {:.1f}", row.at->x * 1e3, row.at->y * 1e3, row.at->z * 1e3) : absent,
        bar);
  }
  return section("Tissues", body +
                                "</table>\n<p>The largest SAR is that of the element with the largest mean, the "
                                "position its centroid; bars compare the largest values.</p>\n");
}

std::string timers(const Summary& s) {
  std::string list;
  for (const auto& [stage, seconds] : s.timers) list += entry(xml_escaped(stage), fmt::format("{:.3g} s", seconds));
  return list.empty() ? list : section("Time", "<dl>\n" + list + "</dl>\n");
}

std::string further_sections(const Summary& s) {
  std::string text;
  for (const ReportSection& further : s.sections) {
    std::string list;
    for (const auto& [name, value] : further.entries) list += entry(xml_escaped(name), xml_escaped(value));
    text += section(xml_escaped(further.title), "<dl>\n" + list + "</dl>\n");
  }
  return text;
}

std::string performance(const Summary& s) {
  const Performance& p = s.performance;
  return section(
      "Performance",
      "<dl>\n" +
          entry(s.on_grid ? "Cell steps" : "Element steps",
                fmt::format("{} million/s", number(p.element_steps_per_s * 1e-6))) +
          entry("Unknowns", fmt::format("{} million/s", number(p.unknowns_per_s * 1e-6))) +
          entry("Compulsory traffic",
                fmt::format("{} MB a step, {} GB/s", number(p.bytes_per_step * 1e-6), number(p.GB_per_s))) +
          entry("Copy bandwidth", p.copy_GB_per_s ? number(p.copy_GB_per_s) + " GB/s" : absent) +
          entry("Share of the roofline", percent(p.roofline_fraction)) +
          entry("Arithmetic", fmt::format("{} Gflop/s", number(p.gflop_per_s))) +
          entry("Waiting for halos", percent(p.halo_wait_fraction)) +
          entry("Peak memory", fmt::format("{} MB", number(static_cast<double>(p.peak_memory_bytes) * 1e-6))) +
          "</dl>\n");
}

}  // namespace

std::string report_html(const Summary& s, const std::string& resolved_case) {
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n<style>\n{1}</style>\n</head>\n"
      "<body>\n<h1>{0}</h1>\n<p>dgtd {2}</p>\n<div class=\"pair\">\n",
      xml_escaped(s.case_name), report_style, xml_escaped(s.version));
  page += mesh(s) + case_and_run(s) + "</div>\n" + energy_and_error(s) + power_balance(s.power) + tissue_table(s) +
          further_sections(s) + performance(s) + timers(s);
  if (!resolved_case.empty())
    page += section("Case file, with all defaults", "<pre>" + xml_escaped(resolved_case) + "</pre>\n");
  return page + "</body>\n</html>\n";
}

void write_report_html(const std::filesystem::path& file, const Summary& summary, const std::string& resolved_case) {
  write_text(file, report_html(summary, resolved_case));
}

}  // namespace dgtd::io
