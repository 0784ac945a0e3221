#include "dgtd/io/old_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "dgtd/base/error.hpp"

namespace dgtd::io {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view whole_names[] = {"resolved.cfg", "summary.json", "report.html",
                                            "energy.csv",   "absorbed.csv", "snapshots.pvd"};

struct Series {
  std::string_view start;
  std::vector<std::string_view> extensions;
};
const std::array<Series, 7> series{{{"probe_", {".csv"}},
                                    {"flux_", {".csv"}},
                                    {"far_", {".csv"}},
                                    {"monitor_", {".pvd", ".pvtr", ".vtr"}},
                                    {"snapshot_", {".pvtu", ".vtu", ".pvtr", ".vtr", ".npy"}},
                                    {"result", {".pvtu", ".vtu"}},
                                    {"fields", {".pvtr", ".vtr"}}}};

}  // namespace

bool is_result(std::string_view name) {
  constexpr std::string_view unfinished = ".tmp";
  if (name.ends_with(unfinished)) name.remove_suffix(unfinished.size());
  if (std::find(std::begin(whole_names), std::end(whole_names), name) != std::end(whole_names)) return true;
  return std::any_of(series.begin(), series.end(), [&](const Series& s) {
    if (!name.starts_with(s.start)) return false;
    return std::any_of(s.extensions.begin(), s.extensions.end(), [&](auto extension) {
      if (!name.ends_with(extension)) return false;
      if (s.start.ends_with('_')) return true;
      // "result.pvtu" and "result_7.vtu", but not "results_of_mine.vtu"
      const auto rest = name.substr(s.start.size());
      return rest == extension || rest.starts_with('_');
    });
  });
}

void remove_results(const fs::path& directory, bool continued) {
  std::error_code failure;
  if (!fs::exists(directory / "resolved.cfg", failure)) return;
  std::vector<fs::path> old;
  for (const auto& entry : fs::directory_iterator(directory, failure))
    if (const std::string name = entry.path().filename().string();
        is_result(name) && !(continued && (name.starts_with("probe_") || name.starts_with("snapshot"))))
      old.push_back(entry.path());
  // The file that makes them results goes last: what was broken off is continued by the next run.
  std::stable_partition(old.begin(), old.end(), [](const fs::path& p) { return p.filename() != "resolved.cfg"; });
  for (const auto& file : old)
    if (fs::remove(file, failure); failure)
      throw Error(ExitCode::other,
                  fmt::format("{}: cannot remove this result of an earlier run: {}", file.string(), failure.message()));
}

}  // namespace dgtd::io
