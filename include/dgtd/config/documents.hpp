#pragma once
// Documents for users about the keys of a case file, from the table that reads them.
#include <span>
#include <string>
#include <string_view>

#include "dgtd/solver/method.hpp"

namespace dgtd::config {

struct Case;

/// The answer to dgtd --help NAME: a key such as solver.order, or all keys of a section such as source.
/// Throws Error (bad_input) for another name, with the nearest one.
std::string key_help(std::string_view name, std::span<const solver::Method> methods);

/// JSON Schema (draft 2020-12) of a case file as JSON, an object per section: types, ranges, named values, defaults and
/// descriptions, and in keywords of its own what the standard has no word for: `unit`, `units` that a case file may
/// have in its place, `methods` that accept a section
/// or key, `methods_of_values` where not all of them accept a value, `default_text` (in words), `belongs_to` (the
/// values of another key with which a key has a meaning), `replaced_by` of former spellings.
std::string json_schema(std::span<const solver::Method> methods);

/// Values of keys of a completed case, as a case file writes them: of one key the value alone, of several a line
/// "KEY = VALUE" each, without keys the whole case as in resolved.cfg. The value is empty where the case has none.
/// Throws Error (bad_input) for a key that does not exist, with the nearest one, and for a section that the case does
/// not have.
std::string values_text(const Case& c, std::span<const std::string> names);

/// A markdown text in which the lines between "<!-- keys of SECTION -->" and "<!-- end -->" are the table of that
/// section's keys, and those between "<!-- tissues -->" ("<!-- optics -->") and
/// "<!-- end -->" the table of tissues (materials of optics). Throws Error for a
/// marker without a section or an end.
std::string with_key_tables(std::string_view markdown, std::span<const solver::Method> methods);

}  // namespace dgtd::config
