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

std::string index_of(std::string_view section, std::string_view key) {
  std::string index(section);
  index += '\n';  // neither has one
  return index += key;
}

// A line ends with LF, CR LF or CR alone.
bool next_line(std::istream& stream, std::string& line) {
  line.clear();
  std::streambuf& characters = *stream.rdbuf();
  using Traits = std::streambuf::traits_type;
  for (auto c = characters.sbumpc(); !Traits::eq_int_type(c, Traits::eof()); c = characters.sbumpc()) {
    if (c == '\n') return true;
    if (c == '\r') {
      if (characters.sgetc() == '\n') characters.sbumpc();
      return true;
    }
    line.push_back(Traits::to_char_type(c));
  }
  return !line.empty();
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

  std::string section;
  int number = 0;
  for (std::string line; next_line(stream, line);) {
    if (++number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // byte-order mark of some editors
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
  add_entry(std::move(entry));
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
  replace(std::move(entry));
}

void IniTable::replace(Entry entry) {
  drop(entry.section, entry.key);
  add_entry(std::move(entry));
}

void IniTable::drop(std::string_view section, std::string_view key) {
  drop_entries([&](const Entry& e) { return e.section == section && e.key == key; });
}

void IniTable::drop_if_empty(std::string_view section) {
  if (std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.section == section; })) return;
  std::erase_if(sections_, [&](const Title& title) { return title.name == section; });
  known_sections_.erase(std::string(section));
}

void IniTable::add_section(const std::string& name, const Origin& origin) {
  if (known_sections_.insert(name).second) sections_.push_back({name, origin});
}

void IniTable::add_entry(Entry entry) {
  place_of_[index_of(entry.section, entry.key)] = entries_.size();
  entries_.push_back(std::move(entry));
}

template <class Condition>
void IniTable::drop_entries(const Condition& condition) {
  std::erase_if(entries_, condition);
  place_of_.clear();
  for (std::size_t i = 0; i < entries_.size(); ++i) place_of_[index_of(entries_[i].section, entries_[i].key)] = i;
}

const Entry* IniTable::find(std::string_view section, std::string_view key) const {
  const auto found = place_of_.find(index_of(section, key));
  return found == place_of_.end() ? nullptr : &entries_[found->second];
}

void IniTable::drop_from_file(std::string_view section, std::string_view key) {
  drop_entries([&](const Entry& e) { return !e.overridden && e.section == section && e.key == key; });
}

}  // namespace dgtd::config
