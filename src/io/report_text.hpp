#pragma once
// Pieces of HTML that the sections of the report are made of.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dgtd::io {

/// Stands for a value that the run does not have.
inline const std::string absent = "\u2013";

/// Thin spaces between groups of three digits. Not for negative numbers.
std::string count(std::int64_t value);
/// Four significant digits; `absent` for what is no number.
std::string number(double value);
std::string number(const std::optional<double>& value);
std::string percent(double fraction);
std::string percent(const std::optional<double>& fraction);

/// A row of a list, and a list of rows. name and value are HTML.
std::string entry(const std::string& name, const std::string& value);
std::string list(const std::string& entries);
std::string section(const std::string& title, const std::string& body);
/// A table in a box of its own that scrolls where it is too wide. Cells are HTML; `rows` are whole rows. Columns are
/// aligned to the right but the first and those whose head starts with '<', for text.
std::string table(const std::vector<std::string>& heads, const std::string& rows);
/// A bar whose length is a share (0 to 1) of its cell.
std::string bar_cell(double share);

}  // namespace dgtd::io
