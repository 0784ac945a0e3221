#pragma once
// A run on one page, for people: a single HTML file without anything outside it, fit for printing; and the same for
// programs (report.json, whose keys are in docs/contracts.md).
#include <filesystem>
#include <string>

#include "dgtd/io/summary.hpp"

namespace dgtd::io {

/// The page: mesh, run, tissues, limits, pictures, power balance, convergence, materials, performance; the resolved
/// case file follows where it is given. Sections of what the run does not have are left out.
std::string report_html(const Summary& summary, const std::string& resolved_case = {});

/// Packs the arrays of scenes once for all pages that are written of these sections, which then do not change.
void pack_scenes(std::vector<Section>& sections);

/// A page of sections, in their order.
struct Page {
  std::string title, subtitle;
  std::vector<Section> sections;
  std::vector<std::string> warnings;
  std::string resolved_case;
};
std::string page_html(const Page& page);

/// Whole or not at all (see write_text).
void write_report_html(const std::filesystem::path& file, const Summary& summary,
                       const std::string& resolved_case = {});

/// Dosimetry of a run: conventions, materials, mesh, convergence, powers, tissues, limits, planes of the pictures. SI
/// units; what the run does not have is null or empty.
std::string report_json(const Summary& summary);

/// Whole or not at all (see write_text).
void write_report_json(const std::filesystem::path& file, const Summary& summary);

}  // namespace dgtd::io
