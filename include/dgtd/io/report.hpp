#pragma once
// A run on one page, for people: a single HTML file without anything outside it, fit for printing.
#include <filesystem>
#include <string>

#include "dgtd/io/summary.hpp"

namespace dgtd::io {

/// The page: case, mesh, run, power balance, tissues, performance; the resolved case file follows
/// where it is given.
std::string report_html(const Summary& summary, const std::string& resolved_case = {});

/// Whole or not at all (see write_text).
void write_report_html(const std::filesystem::path& file, const Summary& summary,
                       const std::string& resolved_case = {});

}  // namespace dgtd::io
