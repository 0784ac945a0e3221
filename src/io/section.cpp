#include "dgtd/io/section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace dgtd::io {

std::string count(std::int64_t value) {
  std::string text = fmt::format("{}", value);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
    text.insert(static_cast<std::size_t>(at), "\u202f");
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

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> plain_signs{
    {{"\u202f", ""}, {"\u00a0", " "}, {absent, "-"}}};

std::string plain(std::string text) {
  for (const auto& [sign, replacement] : plain_signs)
    for (std::size_t at; (at = text.find(sign)) != std::string::npos;) text.replace(at, sign.size(), replacement);
  return text;
}

// Signs of UTF-8: bytes that continue one do not count.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

// The lines of a row's cells; a cell that has fewer of them than others is empty below.
void add_lines(const std::vector<std::string>& cells, std::vector<std::vector<std::string>>& lines) {
  const std::size_t first = lines.size();
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const std::string text = plain(cells[c]);
    std::size_t line = first;
    for (std::size_t at = 0; at <= text.size(); ++line) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      if (line == lines.size()) lines.emplace_back(cells.size());
      lines[line][c] = text.substr(at, end - at);
      at = end + 1;
    }
  }
}

}  // namespace

std::string text_of(const Table& table) {
  std::vector<std::vector<std::string>> lines;
  std::vector<std::string> headings;
  for (const auto& column : table.columns) headings.push_back(column.heading);
  add_lines(headings, lines);
  for (const auto& row : table.rows) add_lines(row.cells, lines);
  std::vector<std::size_t> width(table.columns.size());
  for (const auto& line : lines)
    for (std::size_t c = 0; c < line.size(); ++c)  // the last cell of a row with fewer has the width that is left
      if (line.size() == width.size() || c + 1 < line.size()) width[c] = std::max(width[c], width_of(line[c]));
  std::string text;
  for (const auto& line : lines) {
    std::string row;
    for (std::size_t c = 0; c < line.size(); ++c) {
      const bool left = c == 0 || table.columns[c].is_text || line.size() < width.size();
      const std::string space(width[c] - std::min(width[c], width_of(line[c])), ' ');
      if (c > 0) row += "  ";
      row += left ? line[c] + space : space + line[c];
    }
    row.erase(row.find_last_not_of(' ') + 1);
    if (!text.empty()) text += '\n';
    text += row;
  }
  return text;
}

}  // namespace dgtd::io
