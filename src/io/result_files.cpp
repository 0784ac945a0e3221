#include "dgtd/io/result_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <optional>
#include <string_view>

#include "dgtd/base/error.hpp"
#include "dgtd/base/os_reason.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/io/text_files.hpp"
#include "dgtd/io/value.hpp"

namespace dgtd::io {

namespace {

namespace fs = std::filesystem;

// The list: this line, then a line per file: its lifetime, its name, those of its pieces, and its contents as JSON,
// with tabs between them.
constexpr std::string_view list_head =
    "# Files that a run of dgtd wrote here. A new run in this directory removes them; other files stay.\n";
constexpr std::string_view lifetimes[] = {"at_end", "kept", "grows"};

std::string contents_line(const ResultFile& file) {
  Value::List axes, arrays;
  for (const auto& axis : file.contents.axes)
    axes.emplace_back(Value::Object{{"name", axis.name}, {"unit", axis.unit}});
  for (const Column& array : file.contents.arrays)
    arrays.emplace_back(
        Value::Object{{"name", array.name}, {"unit", units::at_end(array.name)}, {"components", array.components}});
  Value contents(Value::Object{{"axes", std::move(axes)}, {"arrays", std::move(arrays)}});
  if (!file.series.empty()) contents["series"] = file.series;
  return json_line(contents);
}

// A damaged list must name nothing outside the directory.
bool is_plain(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

/// A line of the list.
struct ListedFile {
  ResultFile file;
  std::string contents;
};

std::optional<ListedFile> file_of(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find('\t', at), line.size());
    words.emplace_back(line.substr(at, end - at));
    at = end + 1;
  }
  const auto lifetime = std::find(std::begin(lifetimes), std::end(lifetimes), words.front());
  if (lifetime == std::end(lifetimes) || words.size() < 2) return {};
  std::string contents = contents_line({});  // of lists of older versions
  if (is_json_object(words.back())) contents = std::move(words.back()), words.pop_back();
  if (words.size() < 2 || !std::all_of(words.begin() + 1, words.end(), is_plain)) return {};
  ResultFile file{words[1], static_cast<Lifetime>(lifetime - std::begin(lifetimes))};
  file.pieces.assign(words.begin() + 2, words.end());
  return ListedFile{std::move(file), std::move(contents)};
}

// Absent where there is no list. A last line without an end was being written when the process ended, before its file.
std::optional<std::vector<ListedFile>> read_list(const fs::path& directory) {
  std::ifstream stream(directory / ResultFiles::list_name, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!text.starts_with(list_head)) return {};
  std::vector<ListedFile> files;
  for (std::size_t at = list_head.size(), end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    if (auto file = file_of(std::string_view(text).substr(at, end - at))) files.push_back(std::move(*file));
  return files;
}

/// Names of results before there were lists. This table is complete: later results are in lists.
struct OldNames {
  std::string_view start;
  std::vector<std::string_view> extensions;
};
const std::array<OldNames, 14> old_names{{{"resolved", {".cfg"}},
                                          {"summary", {".json"}},
                                          {"report", {".html", ".json"}},
                                          {"energy", {".csv"}},
                                          {"absorbed", {".csv"}},
                                          {"sar", {".vti", "voxels", ".vtr"}},
                                          {"snapshots", {".pvd"}},
                                          {"probe_", {".csv"}},
                                          {"flux_", {".csv"}},
                                          {"far_", {".csv"}},
                                          {"monitor_", {".pvd", "series", ".pvtr", ".vtr"}},
                                          {"snapshot_", {".pvtu", "tetrahedra", ".vtu", ".pvtr", ".vtr", ".npy"}},
                                          {"result", {".pvtu", ".vtu"}},
                                          {"fields", {".pvtr", "grid", ".vtr"}}}};

// "fields.pvtr" and "fields_7.vtr", but not "fields_of_mine.vtr".
bool is_old_result(std::string_view name) {
  if (name.ends_with(".tmp")) name.remove_suffix(4);
  const auto is_number = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  return std::any_of(old_names.begin(), old_names.end(), [&](const OldNames& old) {
    if (!name.starts_with(old.start)) return false;
    return std::any_of(old.extensions.begin(), old.extensions.end(), [&](std::string_view extension) {
      if (!name.ends_with(extension) || name.size() < old.start.size() + extension.size()) return false;
      const auto middle = name.substr(old.start.size(), name.size() - old.start.size() - extension.size());
      if (old.start.ends_with('_')) return !middle.empty();
      return middle.empty() || (middle.front() == '_' && is_number(middle.substr(1)));
    });
  });
}

// Results in a directory without a list, which is one of results where a run has left its resolved case; that file
// comes last, so that what was broken off is continued by the next run.
std::vector<ListedFile> find_old_results(const fs::path& directory) {
  std::error_code failure;
  if (!fs::exists(directory / "resolved.cfg", failure)) return {};
  std::vector<ListedFile> files;
  for (const auto& entry : fs::directory_iterator(directory, failure)) {
    const std::string name = entry.path().filename().string();
    if (!is_old_result(name)) continue;
    const bool stays = name.starts_with("probe_") || name.starts_with("snapshot");
    files.push_back({{name, stays ? Lifetime::kept : Lifetime::at_end}, contents_line({})});
  }
  std::stable_partition(files.begin(), files.end(), [](const ListedFile& f) { return f.file.name != "resolved.cfg"; });
  return files;
}

// With what was left of it by a run that ended while it wrote it.
void remove_result(const fs::path& file) {
  fs::path unfinished = file;
  unfinished += ".tmp";
  std::error_code failure;
  for (const fs::path& path : {file, unfinished})
    if (fs::remove(path, failure); failure)
      throw Error(ExitCode::other, fmt::format("{}: cannot remove this result of an earlier run: {}", path.string(),
                                               os_reason(failure.value())));
}

void remove_with_pieces(const fs::path& directory, const ResultFile& file) {
  for (const std::string& piece : file.pieces) remove_result(directory / piece);
  remove_result(directory / file.name);
}

void append(const fs::path& list, const std::string& line) {
  std::FILE* const out = std::fopen(list.c_str(), "ab");
  const bool written = out != nullptr && std::fwrite(line.data(), 1, line.size(), out) == line.size();
  int reason = written ? 0 : errno;
  if (out != nullptr && std::fclose(out) != 0 && reason == 0) reason = errno;
  if (reason != 0) throw Error(ExitCode::other, fmt::format("{}: cannot write: {}", list.string(), os_reason(reason)));
}

/// Kinds of files by the ends of their names: what they are, for people, and how to open them.
struct Kind {
  std::string_view extension, name, what, how;
};
constexpr std::string_view touchstone = ".sNp";  // for any number of ports

bool is_touchstone(std::string_view name) {
  const std::size_t dot = name.rfind(".s");
  if (dot == std::string_view::npos || !name.ends_with('p') || name.size() < dot + 4) return false;
  return name.substr(dot + 2, name.size() - dot - 3).find_first_not_of("0123456789") == std::string_view::npos;
}

constexpr Kind kinds[] = {
    {".html", "page", "the run on one page: open it in", "a browser"},
    {".pvtu", "tetrahedra", "fields on tetrahedra: open it in", "ParaView"},
    {".pvtr", "grid", "fields on a grid: open it in", "ParaView"},
    {".pvd", "series", "files over time or frequency: open it in", "ParaView"},
    {".vti", "voxels", "SAR on voxels: open it in", "ParaView, or average it by dgtd-sar"},
    {".vtr", "voxels", "SAR on voxels: open it in", "ParaView, or average it by dgtd-sar"},
    {".npy", "array", "arrays:", "numpy.load(FILE)"},
    {touchstone, "network", "S-parameters (Touchstone):", "skrf.Network(FILE)"},
    {".csv", "table", "tables:", "a spreadsheet, or numpy.genfromtxt(FILE, delimiter=',', names=True)"},
    {".json", "numbers", "numbers:", "python3 -m json.tool FILE"},
    {".cfg", "case", "the case with all defaults, to be run again:", "dgtd FILE"},
};

// Null: no file of a user.
const Kind* kind_of(std::string_view name) {
  const auto kind =
      std::find_if(std::begin(kinds), std::end(kinds), [&](const Kind& k) {
    return k.extension == touchstone ? is_touchstone(name) : name.ends_with(k.extension);
  });
  return kind == std::end(kinds) ? nullptr : &*kind;
}

}  // namespace

FileContents table_contents(std::string_view head, const std::vector<std::string>& axes) {
  FileContents contents;
  for (std::size_t at = 0; at <= head.size();) {
    const std::size_t end = std::min(head.find(',', at), head.size());
    const std::string name(head.substr(at, end - at));
    if (std::find(axes.begin(), axes.end(), name) != axes.end()) contents.axes.push_back({name, units::at_end(name)});
    else contents.arrays.push_back({name});
    at = end + 1;
  }
  return contents;
}

FileContents contents_in_space(std::vector<Column> arrays) {
  return {{{"x", "m"}, {"y", "m"}, {"z", "m"}}, std::move(arrays)};
}

std::string ResultFiles::line_of(const Noted& noted) {
  const ResultFile& file = noted.file;
  std::string line = fmt::format("{}\t{}", lifetimes[static_cast<int>(file.lifetime)], file.name);
  for (const std::string& piece : file.pieces) line += "\t" + piece;
  return line + "\t" + noted.contents + "\n";
}

// The keys of the file, then those of its contents, in one object.
std::string ResultFiles::entry_of(const Noted& noted) {
  const ResultFile& file = noted.file;
  const Kind* const kind = kind_of(file.name);
  Value entry(Value::Object{{"name", file.name}});
  entry["kind"] = kind != nullptr ? kind->name : "other";
  entry["open"] = kind != nullptr ? kind->how : "";
  entry["pieces"] = Value::list_of(file.pieces);
  std::string text = json_line(entry);
  text.pop_back();
  return text + "," + noted.contents.substr(1);
}

fs::path ResultFiles::add(ResultFile file) {
  const fs::path path = directory_ / file.name;
  if (!is_root_) return path;
  Noted& noted = files_[file.name];
  if (const auto before = earlier_.find(file.name); before != earlier_.end()) {
    for (const std::string& piece : before->second.file.pieces)
      if (std::find(file.pieces.begin(), file.pieces.end(), piece) == file.pieces.end())
        remove_result(directory_ / piece);
    earlier_.erase(before);
  }
  std::string contents = contents_line(file);
  Noted next{std::move(file), std::move(contents)};
  const bool is_new = line_of(noted) != line_of(next);
  noted = std::move(next);
  if (started_ && is_new) append(directory_ / list_name, line_of(noted));
  return path;
}

void ResultFiles::write_table(const std::string& name, const std::vector<std::string>& axes, std::string_view text) {
  ResultFile table{name};
  table.contents = table_contents(text.substr(0, text.find('\n')), axes);
  write_text(add(std::move(table)), text);
}

// The new list replaces the old one when all is removed: a run that ends before is made good by the next one.
void ResultFiles::start(bool continued) {
  const auto list = read_list(directory_);
  for (const auto& [file, contents] : list ? *list : find_old_results(directory_)) {
    if (!continued || file.lifetime == Lifetime::at_end) remove_with_pieces(directory_, file);
    else earlier_[file.name] = {file, contents};
  }
  std::string text(list_head);
  for (const auto& [name, noted] : earlier_) text += line_of(noted);
  for (const auto& [name, noted] : files_) {
    text += line_of(noted);
    earlier_.erase(name);
  }
  write_text(directory_ / list_name, text);
  started_ = true;
}

std::vector<std::string> ResultFiles::growing_tables() const {
  std::vector<std::string> names;
  for (const auto& [name, noted] : files_)
    if (noted.file.lifetime == Lifetime::grows) names.push_back(name);
  return names;
}

std::string ResultFiles::overview() const {
  constexpr std::size_t most_names = 4;
  std::vector<std::string> found, of_kind[std::size(kinds)];
  for (const auto& [name, noted] : files_) {
    std::error_code failure;
    if (!noted.file.series.empty() || !fs::exists(directory_ / name, failure)) continue;
    if (const Kind* const kind = kind_of(name)) of_kind[kind - kinds].push_back(name);
  }
  std::size_t width = 0;
  for (auto& names : of_kind) {
    const std::size_t count = names.size();
    if (count > most_names)
      names.resize(most_names - 1), names.push_back(fmt::format("and {} more", count - most_names + 1));
    found.push_back(fmt::format("{}", fmt::join(names, ", ")));
    width = std::max(width, found.back().size());
  }
  std::string text;
  for (std::size_t k = 0; k < found.size(); ++k)
    if (!found[k].empty())
      text += fmt::format("{}  {:<{}}  {} {}", text.empty() ? "" : "\n", found[k], width, kinds[k].what, kinds[k].how);
  return text;
}

void ResultFiles::write_index() {
  const fs::path path = add({index_name});
  std::map<std::string, std::string> entries;
  for (const auto* noted : {&earlier_, &files_})
    for (const auto& [name, file] : *noted) {
      std::error_code failure;
      if (name == index_name || fs::exists(directory_ / name, failure)) entries[name] = entry_of(file);
    }
  std::string text;
  for (const auto& [name, entry] : entries) text += (text.empty() ? "" : ",\n") + entry;
  write_text(path, "{\"files\": [\n" + text + "\n]}\n");
}

}  // namespace dgtd::io
