#include "ini_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "dgtd/base/error.hpp"

namespace dgtd::config {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

std::string without_comment(const std::string& line) {
  const std::string text = trimmed(line);
  if (text.starts_with('#') || text.starts_with(';')) return {};
  for (std::size_t i = 1; i < text.size(); ++i)
    if (text[i] == '#' && blanks.find(text[i - 1]) != std::string_view::npos) return trimmed(text.substr(0, i));
  return text;
}

}  // namespace

std::string_view kind_of(std::string_view section) { return section.substr(0, section.find('.')); }

std::string_view name_in(std::string_view section) {
  const auto dot = section.find('.');
  return dot == std::string_view::npos ? std::string_view() : section.substr(dot + 1);
}

IniTable IniTable::scan(const std::filesystem::path& file, Rename rename) {
  IniTable table;
  table.rename_ = std::move(rename);
  table.file_ = file.string();
  if (!std::filesystem::exists(file)) throw Error(fmt::format("{}: no such case file", table.file_));
  if (std::filesystem::is_directory(file))
    throw Error(fmt::format("{}: is a directory; a case is a file", table.file_));
  std::ifstream stream(file);
  if (!stream) throw Error(fmt::format("{}: the case file cannot be read", table.file_));

  std::string line, section;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // byte-order mark of some editors
    table.read_line(line, fmt::format("{}:{}", table.file_, number), section);
  }
  return table;
}

void IniTable::read_line(std::string line, const Origin& origin, std::string& section) {
  const std::string text = without_comment(line);
  if (text.empty()) return;
  if (text.front() == '[' && text.back() == ']') {
    section = trimmed(std::string_view(text).substr(1, text.size() - 2));
    std::string none;
    rename_(section, none, origin);
    add_section(section, origin);
    return;
  }
  const auto equals = text.find('=');
  const std::string key = trimmed(std::string_view(text).substr(0, equals));
  if (text.front() == '[' || equals == std::string::npos || key.empty())
    throw Error(fmt::format("{}: '{}': expected [section] or key = value", origin, text));
  Entry entry{section, key, trimmed(std::string_view(text).substr(equals + 1)), origin};
  if (sections_.empty())
    throw Error(fmt::format("{}: {} = {}: stands before the first [section]", origin, key, entry.value));
  if (entry.value.empty()) throw Error(fmt::format("{}: {} has no value", origin, entry.name()));
  rename_(entry.section, entry.key, origin);
  if (const Entry* first = find(entry.section, entry.key))
    throw Error(fmt::format("{}: is given twice, first at {}", entry.place(), first->origin));
  entries_.push_back(std::move(entry));
}

void IniTable::override_by(const std::string& text) {
  const Origin origin = "--set " + text;
  const auto equals = text.find('=');
  const auto dot = text.rfind('.', equals);
  if (equals == std::string::npos || dot == std::string::npos)
    throw Error(fmt::format("{}: must be section.key=value", origin));
  const std::string_view view = text;
  Entry entry{trimmed(view.substr(0, dot)), trimmed(view.substr(dot + 1, equals - dot - 1)),
              trimmed(view.substr(equals + 1)), origin, true};
  if (entry.section.empty() || entry.key.empty() || entry.value.empty())
    throw Error(fmt::format("{}: must be section.key=value", origin));
  rename_(entry.section, entry.key, origin);
  add_section(entry.section, origin);
  std::erase_if(entries_, [&](const Entry& e) { return e.section == entry.section && e.key == entry.key; });
  entries_.push_back(std::move(entry));
}

void IniTable::add_section(const std::string& name, const Origin& origin) {
  const bool known = std::any_of(sections_.begin(), sections_.end(), [&](const Title& s) { return s.name == name; });
  if (!known) sections_.push_back({name, origin});
}

const Entry* IniTable::find(std::string_view section, std::string_view key) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& e) { return e.section == section && e.key == key; });
  return found == entries_.end() ? nullptr : &*found;
}

void IniTable::drop_from_file(std::string_view section, std::string_view key) {
  std::erase_if(entries_, [&](const Entry& e) { return !e.overridden && e.section == section && e.key == key; });
}

}  // namespace dgtd::config
