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
#include "dgtd/io/text_files.hpp"

namespace dgtd::io {

namespace {

namespace fs = std::filesystem;

// The list: this line, then a line per file: its lifetime, its name, and those of its pieces, with tabs between them.
constexpr std::string_view list_head =
    "# Files that a run of dgtd wrote here. A new run in this directory removes them; other files stay.\n";
constexpr std::string_view lifetimes[] = {"at_end", "kept", "grows"};

std::string line_of(const ResultFile& file) {
  std::string line = fmt::format("{}\t{}", lifetimes[static_cast<int>(file.lifetime)], file.name);
  for (const std::string& piece : file.pieces) line += "\t" + piece;
  return line + "\n";
}

// A damaged list must name nothing outside the directory.
bool is_plain(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

std::optional<ResultFile> file_of(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find('\t', at), line.size());
    words.emplace_back(line.substr(at, end - at));
    at = end + 1;
  }
  const auto lifetime = std::find(std::begin(lifetimes), std::end(lifetimes), words.front());
  if (lifetime == std::end(lifetimes) || words.size() < 2) return {};
  if (!std::all_of(words.begin() + 1, words.end(), is_plain)) return {};
  ResultFile file{words[1], static_cast<Lifetime>(lifetime - std::begin(lifetimes))};
  file.pieces.assign(words.begin() + 2, words.end());
  return file;
}

// Absent where there is no list. A last line without an end was being written when the process ended, before its file.
std::optional<std::vector<ResultFile>> read_list(const fs::path& directory) {
  std::ifstream stream(directory / ResultFiles::list_name, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!text.starts_with(list_head)) return {};
  std::vector<ResultFile> files;
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
                                          {"sar", {".vti", ".vtr"}},
                                          {"snapshots", {".pvd"}},
                                          {"probe_", {".csv"}},
                                          {"flux_", {".csv"}},
                                          {"far_", {".csv"}},
                                          {"monitor_", {".pvd", ".pvtr", ".vtr"}},
                                          {"snapshot_", {".pvtu", ".vtu", ".pvtr", ".vtr", ".npy"}},
                                          {"result", {".pvtu", ".vtu"}},
                                          {"fields", {".pvtr", ".vtr"}}}};

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
std::vector<ResultFile> find_old_results(const fs::path& directory) {
  std::error_code failure;
  if (!fs::exists(directory / "resolved.cfg", failure)) return {};
  std::vector<ResultFile> files;
  for (const auto& entry : fs::directory_iterator(directory, failure)) {
    const std::string name = entry.path().filename().string();
    if (!is_old_result(name)) continue;
    const bool stays = name.starts_with("probe_") || name.starts_with("snapshot");
    files.push_back({name, stays ? Lifetime::kept : Lifetime::at_end});
  }
  std::stable_partition(files.begin(), files.end(), [](const ResultFile& f) { return f.name != "resolved.cfg"; });
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

/// How to open files, by the ends of their names.
struct Kind {
  std::string_view extension, how;
};
constexpr Kind kinds[] = {
    {".html", "the run on one page: open it in a browser"},
    {".pvtu", "fields on tetrahedra: open it in ParaView"},
    {".pvtr", "fields on a grid: open it in ParaView"},
    {".pvd", "files over time or frequency: open it in ParaView"},
    {".vti", "SAR on voxels: open it in ParaView, or average it by dgtd-sar"},
    {".vtr", "SAR on voxels: open it in ParaView, or average it by dgtd-sar"},
    {".npy", "arrays: numpy.load(FILE)"},
    {".csv", "tables: a spreadsheet, or numpy.genfromtxt(FILE, delimiter=',', names=True)"},
    {".json", "numbers: python3 -m json.tool FILE"},
    {".cfg", "the case with all defaults: dgtd FILE runs it again"},
};

}  // namespace

fs::path ResultFiles::add(ResultFile file) {
  const fs::path path = directory_ / file.name;
  if (!is_root_) return path;
  ResultFile& noted = files_[file.name];
  if (const auto before = earlier_.find(file.name); before != earlier_.end()) {
    for (const std::string& piece : before->second.pieces)
      if (std::find(file.pieces.begin(), file.pieces.end(), piece) == file.pieces.end())
        remove_result(directory_ / piece);
    earlier_.erase(before);
  }
  const bool is_new = line_of(noted) != line_of(file);
  noted = std::move(file);
  if (started_ && is_new) append(directory_ / list_name, line_of(noted));
  return path;
}

// The new list replaces the old one when all is removed: a run that ends before is made good by the next one.
void ResultFiles::start(bool continued) {
  const auto list = read_list(directory_);
  for (const ResultFile& file : list ? *list : find_old_results(directory_)) {
    if (!continued || file.lifetime == Lifetime::at_end) remove_with_pieces(directory_, file);
    else earlier_[file.name] = file;
  }
  std::string text(list_head);
  for (const auto& [name, file] : earlier_) text += line_of(file);
  for (const auto& [name, file] : files_) {
    text += line_of(file);
    earlier_.erase(name);
  }
  write_text(directory_ / list_name, text);
  started_ = true;
}

std::vector<std::string> ResultFiles::growing_tables() const {
  std::vector<std::string> names;
  for (const auto& [name, file] : files_)
    if (file.lifetime == Lifetime::grows) names.push_back(name);
  return names;
}

std::string ResultFiles::overview() const {
  constexpr std::size_t most_names = 4;
  std::vector<std::string> found, of_kind[std::size(kinds)];
  for (const auto& [name, file] : files_) {
    std::error_code failure;
    if (file.in_series || !fs::exists(directory_ / name, failure)) continue;
    const auto kind = std::find_if(std::begin(kinds), std::end(kinds),
                                   [&name = name](const Kind& k) { return name.ends_with(k.extension); });
    if (kind != std::end(kinds)) of_kind[kind - std::begin(kinds)].push_back(name);
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
      text += fmt::format("{}  {:<{}}  {}", text.empty() ? "" : "\n", found[k], width, kinds[k].how);
  return text;
}

}  // namespace dgtd::io
