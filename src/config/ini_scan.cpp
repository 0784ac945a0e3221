#include "ini_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <utility>

#include "dgtd/base/error.hpp"

namespace dgtd::config {
namespace {

constexpr std::string_view blanks = " \t\r";
constexpr std::size_t deepest_include = 100;

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

struct IniTable::Reader {
  std::filesystem::path file;
  std::vector<std::filesystem::path>& open;  // this file and those that include it, without links
  std::string section = {};
  bool has_section = false;
  int precedence = 0;
};

IniTable IniTable::scan(const std::filesystem::path& file, Rename rename) {
  IniTable table;
  table.rename_ = std::move(rename);
  table.file_ = file.string();
  std::vector<std::filesystem::path> open;
  table.scan_file(file, open);
  return table;
}

void IniTable::scan_file(const std::filesystem::path& file, std::vector<std::filesystem::path>& open) {
  const std::string name = file.string();
  if (!std::filesystem::exists(file)) throw Error(fmt::format("{}: no such case file", name));
  if (std::filesystem::is_directory(file)) throw Error(fmt::format("{}: is a directory; a case is a file", name));
  std::ifstream stream(file);
  if (!stream) throw Error(fmt::format("{}: the case file cannot be read", name));

  open.push_back(std::filesystem::canonical(file));
  seen_.push_back(open.back());
  Reader reader{file, open};
  int number = 0;
  for (std::string line; next_line(stream, line);) {
    if (++number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // byte-order mark of some editors
    read_line(line, fmt::format("{}:{}", name, number), reader);
  }
  ++files_;
  open.pop_back();
}

void IniTable::include(const std::string& value, const Origin& origin, Reader& reader) {
  const std::filesystem::path file = (reader.file.parent_path() / value).lexically_normal();
  const std::string begin = fmt::format("{}: include = {}", origin, value);
  if (reader.open.size() > deepest_include) throw Error(fmt::format("{}: too many files in each other", begin));
  if (!std::filesystem::is_regular_file(file)) throw Error(fmt::format("{}: no such file as {}", begin, file.string()));
  const auto true_file = std::filesystem::canonical(file);
  if (std::find(reader.open.begin(), reader.open.end(), true_file) != reader.open.end())
    throw Error(fmt::format("{}: {} includes itself", begin, file.string()));
  if (std::find(seen_.begin(), seen_.end(), true_file) == seen_.end()) scan_file(file, reader.open);
}

void IniTable::read_line(std::string line, const Origin& origin, Reader& reader) {
  const std::string text = without_comment(line);
  if (text.empty()) return;
  if (text.front() == '[' && text.back() == ']') {
    reader.section = trimmed(std::string_view(text).substr(1, text.size() - 2));
    std::string none;
    rename_(reader.section, none, origin);
    add_section(reader.section, origin);
    reader.has_section = true;
    return;
  }
  const auto equals = text.find('=');
  const std::string key = trimmed(std::string_view(text).substr(0, equals));
  if (text.front() == '[' || equals == std::string::npos || key.empty())
    throw Error(fmt::format("{}: '{}': expected [section] or key = value", origin, text));
  Entry entry{reader.section, key, trimmed(std::string_view(text).substr(equals + 1)), origin};
  if (key == "include") {
    if (entry.value.empty()) throw Error(fmt::format("{}: include has no value", origin));
    if (!reader.has_section) return include(entry.value, origin, reader);
    throw Error(fmt::format("{}: include = {}: must be before the first [section]", origin, entry.value));
  }
  if (!reader.has_section)
    throw Error(fmt::format("{}: {} = {}: stands before the first [section]", origin, key, entry.value));
  if (entry.value.empty()) throw Error(fmt::format("{}: {} has no value", origin, entry.name()));
  entry.precedence = files_;  // included files are complete by now
  if (reader.open.size() > 1) entry.folder = std::filesystem::absolute(reader.file).parent_path();
  rename_(entry.section, entry.key, origin);
  if (Entry* first = find(entry.section, entry.key)) {
    if (first->precedence == entry.precedence)
      throw Error(fmt::format("{}: is given twice, first at {}", entry.place(), first->origin));
    *first = std::move(entry);
    return;
  }
  add_entry(std::move(entry));
}

void IniTable::override_by(const std::string& text) {
  const Origin origin = "--set " + text;
  const auto equals = text.find('=');
  const auto dot = text.rfind('.', equals);
  if (equals == std::string::npos || dot == std::string::npos)
    throw Error(fmt::format("{}: must be section.key=value", origin));
  const std::string_view view = text;
  Entry entry{trimmed(view.substr(0, dot)),
              trimmed(view.substr(dot + 1, equals - dot - 1)),
              trimmed(view.substr(equals + 1)),
              origin,
              true,
              {},
              std::numeric_limits<int>::max()};
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

Entry* IniTable::find(std::string_view section, std::string_view key) {
  return const_cast<Entry*>(std::as_const(*this).find(section, key));
}

void IniTable::drop_below(int precedence, std::string_view section, std::string_view key) {
  const Entry* const entry = find(section, key);
  if (entry && entry->precedence < precedence) drop(section, key);
}

std::vector<Entry> IniTable::take_section(std::string_view section) {
  std::vector<Entry> taken;
  for (const Entry& entry : entries_)
    if (entry.section == section) taken.push_back(entry);
  if (!taken.empty()) drop_entries([&](const Entry& e) { return e.section == section; });
  drop_if_empty(section);
  return taken;
}

}  // namespace dgtd::config
