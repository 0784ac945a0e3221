#pragma once
// What users read about the keys of a case file, from the table that reads them.
#include <span>
#include <string>
#include <string_view>

#include "dgtd/solver/method.hpp"

namespace dgtd::config {

/// The answer to dgtd --help NAME: a key such as solver.order, or all keys of a section such as source.
/// Throws Error (bad_input) for another name, with the nearest one.
std::string key_help(std::string_view name, std::span<const solver::Method> methods);

/// A markdown text in which the lines between "<!-- keys of SECTION -->" and "<!-- end -->" are the table of that
/// section's keys, and those between "<!-- tissues -->" and "<!-- end -->" the table of tissues. Throws Error for a
/// marker without a section or an end.
std::string with_key_tables(std::string_view markdown, std::span<const solver::Method> methods);

}  // namespace dgtd::config
