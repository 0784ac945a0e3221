#include "app/problems/find_case.hpp"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <system_error>
#include <vector>

#include "dgtd/base/error.hpp"
#include "dgtd/base/nearest_name.hpp"
#include "dgtd/base/os_reason.hpp"

namespace dgtd::app {
namespace {

namespace fs = std::filesystem;
constexpr const char* extension = ".cfg";

std::optional<fs::path> case_at(const fs::path& path) {
  const fs::path with_extension = path.string() + extension;
  for (const fs::path& file : {path, with_extension}) {
    std::error_code failure;
    const auto status = fs::status(file, failure);
    if (failure == std::errc::too_many_symbolic_link_levels)
      throw Error(fmt::format("{}: the case file cannot be read: {}", file.string(), os_reason(failure.value())));
    if (fs::exists(status) && !fs::is_directory(status)) return file;
  }
  return std::nullopt;
}

void add_names(std::set<std::string>& names, const fs::path& folder) {
  std::error_code unreadable;  // such a folder has no names to suggest
  for (const auto& entry : fs::directory_iterator(folder, unreadable))
    if (entry.path().extension() == extension) names.insert(entry.path().stem().string());
}

[[noreturn]] void not_found(const fs::path& name, const fs::path& shipped) {
  const fs::path folder = fs::absolute(name).lexically_normal().parent_path();
  std::string searched = folder.string();
  if (!shipped.empty() && !name.has_parent_path())
    searched += fmt::format(" and the shipped cases in {}", shipped.string());
  std::set<std::string> names;
  add_names(names, folder);
  add_names(names, shipped);
  const auto nearest = nearest_name(name.stem().string(), {names.begin(), names.end()});
  throw Error(fmt::format("{}: no such case file; searched {}{}", name.string(), searched,
                          nearest ? fmt::format("; did you mean {}?", *nearest) : ""));
}

}  // namespace

fs::path shipped_cases() {
  std::error_code absent;
  const fs::path program = fs::read_symlink("/proc/self/exe", absent);
  if (absent) return {};
  // The build tree has a link of this name to the source tree (CMakeLists.txt); resolved, paths relative to a case
  // start in the source tree.
  const fs::path folder = fs::canonical(program.parent_path() / DGTD_DATA_FROM_PROGRAMS / "cases", absent);
  return absent ? fs::path() : folder;
}

CaseLocation find_case(const std::string& name) {
  if (const auto file = case_at(name)) return {*file, {}};
  const fs::path shipped = shipped_cases();
  if (!shipped.empty() && !fs::path(name).has_parent_path())
    if (const auto file = case_at(shipped / name)) return {*file, fs::current_path()};
  std::error_code absent;
  if (fs::is_directory(name, absent)) return {name, {}};  // reading it is an error that says so
  not_found(name, shipped);
}

}  // namespace dgtd::app
