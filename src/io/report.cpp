#include "dgtd/io/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/dosimetry/table.hpp"
#include "dgtd/io/text_files.hpp"
#include "report_sections.hpp"
#include "report_style.hpp"
#include "report_text.hpp"
#include "xml.hpp"

namespace dgtd::io {

namespace {

using dosimetry::PowerUnit;

std::string case_and_run(const Summary& s) {
  const std::string method = xml_escaped(s.method);
  std::string items = entry("Method", s.on_grid ? method : fmt::format("{}, order {}", method, s.order)) +
                      entry("Precision", xml_escaped(s.precision)) +
                      entry("Backend", fmt::format("{}, {} kernels", xml_escaped(s.backend), xml_escaped(s.kernels))) +
                      entry("Ranks", fmt::format("{} ({})", s.ranks, xml_escaped(s.comm))) +
                      entry("Time step", fmt::format("{} ps", number(s.dt_s * 1e12)));
  if (!s.interruption.empty())
    items =
        entry("State", fmt::format("interrupted by {}; these are the results so far", xml_escaped(s.interruption))) +
        items;
  if (s.steps_per_period) items += entry("Steps per period", number(s.steps_per_period));
  items += entry("Steps", count(s.steps)) +
           entry("Simulated time", fmt::format("{} ns", number(s.dt_s * s.steps * 1e9))) +
           entry("Set-up", fmt::format("{} s", number(s.setup_s))) +
           entry("Time stepping", fmt::format("{} s", number(s.wall_s)));
  if (s.fields_hash) items += entry("Hash of the fields", fmt::format("<code>{:016x}</code>", *s.fields_hash));
  return section("Run", list(items));
}

std::string mesh(const Summary& s) {
  if (s.on_grid) return section("Grid", list(entry("Cells", count(s.elements)) + entry("Unknowns", count(s.unknowns))));
  const auto millimetres = [](const std::optional<double>& length) {
    return length ? number(*length * 1e3) + " mm" : absent;
  };
  std::string items =
      entry("Elements", count(s.elements)) + entry("Vertices", count(s.mesh.vertices)) +
      entry("Unknowns", count(s.unknowns)) + entry("Shortest edge", millimetres(s.mesh.shortest_edge_m)) +
      entry("Mean edge", millimetres(s.mesh.mean_edge_m)) + entry("Longest edge", millimetres(s.mesh.longest_edge_m));
  if (s.mesh.smallest_inradius_m) items += entry("Smallest inradius", millimetres(s.mesh.smallest_inradius_m));
  if (s.mesh.worst_shape) items += entry("Worst shape (regular: 1)", number(s.mesh.worst_shape));
  return section("Mesh", list(items));
}

std::string mesh_groups(const Summary& s) {
  if (s.mesh.groups.empty()) return {};
  std::string rows;
  for (const auto& group : s.mesh.groups)
    rows +=
        fmt::format("<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td></tr>\n", xml_escaped(group.name),
                    count(group.elements), number(group.volume_m3 * 1e6),
                    group.elements > 0 ? number(std::cbrt(group.volume_m3 / double(group.elements)) * 1e3) : absent);
  return section("Volumes of the mesh",
                 table({"Volume", "Elements", "Volume [cm<sup>3</sup>]", "Cube root of the mean element [mm]"}, rows));
}

std::string energy_and_error(const Summary& s) {
  std::string items;
  if (s.energy.first_J)
    items +=
        entry("Energy, first", number(s.energy.first_J) + " J") + entry("Energy, last", number(s.energy.last_J) + " J");
  if (s.energy.relative_drift) items += entry("Relative drift", number(s.energy.relative_drift));
  if (s.error)
    items += entry("Error of E, relative L<sub>2</sub>", number(s.error->l2_E)) +
             entry("Error of H, relative L<sub>2</sub>", number(s.error->l2_H));
  return items.empty() ? items : section("Energy and accuracy", list(items));
}

std::string power_balance(const PowerBalance& power) {
  if (!power.source_W) return {};
  const PowerUnit unit = dosimetry::power_unit(std::abs(*power.source_W));
  const auto row = [&](const char* name, const std::optional<double>& watts) {
    const std::optional<double> share =
        watts && *power.source_W != 0 ? std::optional(*watts / *power.source_W) : std::nullopt;
    return fmt::format("<tr><th>{}</th><td>{}</td><td>{}</td>{}</tr>\n", name,
                       watts ? number(*watts / unit.watts) : absent, percent(share), bar_cell(share.value_or(0)));
  };
  return section(
      "Power balance",
      table({"", fmt::format("Power [{}]", unit.name), "Share", ""},
            row("Source", power.source_W) + row("Absorbed", power.absorbed_W) + row("Outflow", power.outflow_W)) +
          "<p>Defect (source &minus; absorbed &minus; outflow, over source): <b>" + percent(power.defect) +
          "</b>. Means over the last period, of the run as it is.</p>\n");
}

std::string steady_state(const Summary& s) {
  const char* const title = "Convergence of the Fourier transform";
  if (!s.steady) {
    const bool is_short = s.power.absorbed_W && s.steps_per_period && double(s.steps) < 2 * *s.steps_per_period;
    return is_short ? section(title,
                              "<p>Not measured: the run is shorter than two periods. The first period of a run "
                              "is not a steady state.</p>\n")
                    : "";
  }
  const SteadyState& t = *s.steady;
  std::string items;
  if (t.change_E)
    items +=
        entry("Change of E over the last period", "<b>" + percent(t.change_E) + "</b>") +
        entry("Compared", fmt::format("phasors at {} MHz in {} {}{}, root mean square", number(t.frequency_Hz * 1e-6),
                                      t.places, s.on_grid ? "cells" : "elements", t.in_tissue ? " of tissue" : ""));
  if (t.source_W && t.source_before_W)
    items += entry("Emitted power, period before", number(*t.source_before_W * 1e3) + " mW (mean over the period)") +
             entry("Emitted power, last period", number(*t.source_W * 1e3) + " mW (mean over the period)");
  return section(title, list(items) +
                            "<p>In a steady state the last period repeats the one before: SAR and powers of the last "
                            "period are then those of a run without an end.</p>\n");
}

std::string timers(const Summary& s) {
  std::string items;
  for (const auto& [stage, seconds] : s.timers) items += entry(xml_escaped(stage), fmt::format("{:.3g} s", seconds));
  return items.empty() ? items : section("Time", list(items));
}

std::string further_sections(const Summary& s) {
  std::string text;
  for (const ReportSection& further : s.sections) {
    std::string items;
    for (const auto& [name, value] : further.entries) items += entry(xml_escaped(name), xml_escaped(value));
    text += section(xml_escaped(further.title), list(items));
  }
  return text;
}

std::string warnings(const Summary& s) {
  std::string items;
  for (const std::string& warning : s.warnings) items += "<li>" + xml_escaped(warning) + "</li>\n";
  return items.empty() ? items : section("Warnings", "<ul class=\"warnings\">\n" + items + "</ul>\n");
}

std::string performance(const Summary& s) {
  const Performance& p = s.performance;
  return section(
      "Performance",
      list(entry(s.on_grid ? "Cell steps" : "Element steps",
                 fmt::format("{} million/s", number(p.element_steps_per_s * 1e-6))) +
           entry("Unknowns", fmt::format("{} million/s", number(p.unknowns_per_s * 1e-6))) +
           entry("Compulsory traffic",
                 fmt::format("{} MB per step, {} GB/s", number(p.bytes_per_step * 1e-6), number(p.GB_per_s))) +
           entry("Copy bandwidth", p.copy_GB_per_s ? number(p.copy_GB_per_s) + " GB/s" : absent) +
           entry("Share of the roofline", percent(p.roofline_fraction)) +
           entry("Arithmetic", fmt::format("{} Gflop/s", number(p.gflop_per_s))) +
           entry("Waiting for halos", percent(p.halo_wait_fraction)) +
           entry("Peak memory", fmt::format("{} MB", number(static_cast<double>(p.peak_memory_bytes) * 1e-6)))));
}

}  // namespace

std::string report_html(const Summary& s, const std::string& resolved_case) {
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{0}</title>\n<style>\n{1}</style>\n</head>\n"
      "<body>\n<h1>{0}</h1>\n<p>dgtd {2}</p>\n<div class=\"pair\">\n",
      xml_escaped(s.case_name), report_style, xml_escaped(s.version));
  page += mesh(s) + case_and_run(s) + "</div>\n" + warnings(s) + tissue_section(s) + average_section(s) +
          limit_section(s) + picture_section(s) + power_balance(s.power) + steady_state(s) + energy_and_error(s) +
          material_section(s) + mesh_groups(s) + further_sections(s) + performance(s) + timers(s);
  if (!resolved_case.empty())
    page += section("Case file, with all defaults", "<pre>" + xml_escaped(resolved_case) + "</pre>\n");
  return page + "</body>\n</html>\n";
}

void write_report_html(const std::filesystem::path& file, const Summary& summary, const std::string& resolved_case) {
  write_text(file, report_html(summary, resolved_case));
}

}  // namespace dgtd::io
