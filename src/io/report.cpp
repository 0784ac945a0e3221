#include "dgtd/io/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/units.hpp"
#include "dgtd/io/text_files.hpp"
#include "report_charts.hpp"
#include "report_pictures.hpp"
#include "report_scene.hpp"
#include "web_files.hpp"
#include "xml.hpp"

namespace dgtd::io {

namespace {

// The first line of a cell; what follows is a remark.
std::string html_of_cell(const std::string& text) {
  const auto end = text.find('\n');
  std::string html = xml_escaped(text.substr(0, end));
  if (end == std::string::npos) return html;
  std::string remark = xml_escaped(text.substr(end + 1));
  for (std::size_t at; (at = remark.find('\n')) != std::string::npos;) remark.replace(at, 1, "<br>");
  return html + "<br><small>" + remark + "</small>";
}

// A bar whose length is a share of its cell.
std::string bar_cell(double share) {
  const double percent = std::isfinite(share) ? std::clamp(100 * share, 0.0, 100.0) : 0.0;
  return fmt::format("<td class=\"bar\"><i style=\"width:{:.1f}%\"></i></td>", percent);
}

std::string html_of(const Entries& entries) {
  std::string items;
  for (const auto& [name, value, is_important] : entries.list)
    items += fmt::format("<dt>{}</dt><dd>{}</dd>\n", xml_escaped(name),
                         is_important ? "<b>" + xml_escaped(value) + "</b>" : xml_escaped(value));
  return "<dl>\n" + items + "</dl>\n";
}

// A table in a box of its own that scrolls where it is too wide.
std::string html_of(const Table& table) {
  const bool has_bars =
      std::any_of(table.rows.begin(), table.rows.end(), [](const auto& row) { return row.share.has_value(); });
  std::string text = "<div class=\"scroll\"><table>\n<tr>";
  for (const auto& column : table.columns)
    text += fmt::format("<th{}>{}</th>", column.is_text ? " class=\"text\"" : "", html_of_cell(column.heading));
  text += has_bars ? "<th></th></tr>\n" : "</tr>\n";
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      const std::string cell = html_of_cell(row.cells[c]);
      const std::size_t wide = c + 1 == row.cells.size() ? table.columns.size() - c : 1;
      if (c == 0) text += fmt::format("<th>{}</th>", cell);
      else if (wide > 1) text += fmt::format("<td class=\"text\" colspan=\"{}\">{}</td>", wide, cell);
      else text += fmt::format("<td{}>{}</td>", table.columns[c].is_text ? " class=\"text\"" : "", cell);
    }
    if (has_bars) text += bar_cell(row.share.value_or(0));
    text += "</tr>\n";
  }
  return text + "</table></div>\n";
}

std::string html_of(const Note& note) { return "<p>" + xml_escaped(note.text) + "</p>\n"; }

std::string html_of(const Section& section) {
  std::string body;
  for (const Block& block : section.blocks) body += std::visit([](const auto& b) { return html_of(b); }, block);
  // A section of scenes alone stays hidden with them.
  const bool scenes_alone = !section.blocks.empty() &&
                            std::all_of(section.blocks.begin(), section.blocks.end(),
                                        [](const Block& b) { return std::holds_alternative<Scene>(b); });
  return fmt::format("<section{}>\n<h2>{}</h2>\n{}</section>\n", scenes_alone ? " class=\"of-scenes\" hidden" : "",
                     xml_escaped(section.title), body);
}

std::string chapter(const Summary& s, Chapter chapter) {
  std::string text;
  for (const Section& section : s.sections)
    if (section.chapter == chapter) text += html_of(section);
  return text;
}

Section run_section(const Summary& s) {
  Entries items;
  const auto add = [&](const char* name, std::string value) { items.list.push_back({name, std::move(value)}); };
  if (!s.interruption.empty())
    add("State", fmt::format("interrupted by {}; these are the results so far", s.interruption));
  add("Method", s.on_grid ? s.method : fmt::format("{}, order {}", s.method, s.order));
  add("Precision", s.precision);
  add("Backend", fmt::format("{}, {} kernels", s.backend, s.kernels));
  add("Ranks", fmt::format("{} ({})", s.ranks, s.comm));
  add("Time step", units::time_text(s.dt_s));
  if (s.steps_per_period) add("Steps per period", count(std::llround(*s.steps_per_period)));
  add("Steps", count(s.steps));
  add("Simulated time", units::time_text(s.dt_s * double(s.steps)));
  add("Set-up", units::time_text(s.setup_s));
  add("Time stepping", units::time_text(s.wall_s));
  if (s.fields_hash) add("Hash of the fields", fmt::format("{:016x}", *s.fields_hash));
  return {Chapter::domain, "Run", {items}};
}

Section performance_section(const Summary& s) {
  const Performance& p = s.performance;
  Entries items;
  const auto add = [&](const char* name, std::string value) { items.list.push_back({name, std::move(value)}); };
  add(s.on_grid ? "Cell steps" : "Element steps", number(p.element_steps_per_s * 1e-6) + " million/s");
  add("Unknowns", number(p.unknowns_per_s * 1e-6) + " million/s");
  add("Compulsory traffic",
      fmt::format("{} MB per step, {} GB/s", number(p.bytes_per_step * 1e-6), number(p.GB_per_s)));
  add("Copy bandwidth", p.copy_GB_per_s ? number(p.copy_GB_per_s) + " GB/s" : absent);
  add("Share of the roofline", percent(p.roofline_fraction));
  add("Arithmetic", number(p.gflop_per_s) + " Gflop/s");
  add("Waiting for halos", percent(p.halo_wait_fraction));
  add("Peak memory, rank with most", number(p.peak_memory_bytes * 1e-6) + " MB");
  if (p.device_memory_bytes) add("Arrays on the device, rank with most", number(*p.device_memory_bytes * 1e-6) + " MB");
  return {Chapter::method, "Performance", {items}};
}

std::string timers(const Summary& s) {
  Entries items;
  for (const auto& [stage, seconds] : s.timers) items.list.push_back({stage, units::time_text(seconds, 3)});
  return items.list.empty() ? "" : html_of(Section{Chapter::method, "Time", {items}});
}

std::string html_of_warnings(const std::vector<std::string>& warnings) {
  std::string items;
  for (const std::string& warning : warnings) items += "<li>" + xml_escaped(warning) + "</li>\n";
  if (items.empty()) return items;
  return "<section>\n<h2>Warnings</h2>\n<ul class=\"warnings\">\n" + items + "</ul>\n</section>\n";
}

bool has_scene(const std::vector<Section>& sections) {
  for (const Section& section : sections)
    for (const Block& block : section.blocks)
      if (std::holds_alternative<Scene>(block)) return true;
  return false;
}

// With the case below the body, and the scripts where there is a scene among the sections.
std::string whole_page(const std::string& title, const std::string& subtitle, const std::string& body,
                       const std::vector<Section>& sections, const std::string& resolved_case) {
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{0}</title>\n<style>\n{1}</style>\n</head>\n"
      "<body>\n<h1>{0}</h1>\n<p>{2}</p>\n",
      xml_escaped(title), page_css, xml_escaped(subtitle));
  page += body;
  if (!resolved_case.empty())
    page += fmt::format("<section>\n<h2>Case file, with all defaults</h2>\n<pre>{}</pre>\n</section>\n",
                        xml_escaped(resolved_case));
  if (has_scene(sections)) page += scene_scripts();
  return page + "</body>\n</html>\n";
}

}  // namespace

std::string report_html(const Summary& s, const std::string& resolved_case) {
  std::string body = "<div class=\"pair\">\n" + chapter(s, Chapter::domain) + html_of(run_section(s)) + "</div>\n" +
                     html_of_warnings(s.warnings);
  for (const Chapter c :
       {Chapter::dosimetry, Chapter::measurements, Chapter::power, Chapter::accuracy, Chapter::model, Chapter::method})
    body += chapter(s, c);
  body += html_of(performance_section(s)) + timers(s);
  return whole_page(s.case_name, "dgtd " + s.version, body, s.sections, resolved_case);
}

std::string page_html(const Page& page) {
  std::string body = html_of_warnings(page.warnings);
  for (const Section& section : page.sections) body += html_of(section);
  return whole_page(page.title, page.subtitle, body, page.sections, page.resolved_case);
}

void write_report_html(const std::filesystem::path& file, const Summary& summary, const std::string& resolved_case) {
  write_text(file, report_html(summary, resolved_case));
}

}  // namespace dgtd::io
