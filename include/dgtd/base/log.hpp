#pragma once
// One line per message on standard output, from rank 0 only.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dgtd::log {

/// Only the rank that calls this with true prints; the default is to print.
void set_enabled(bool enabled);
bool enabled();
/// A rank that does not print may still warn: the first one of several runs at once.
void set_warns(bool warns);
bool warns();

/// On standard output. Throws Error (other) where it is closed or full.
void line(std::string_view text);
/// Throws Error (other) where something could not be written to standard output.
void require_standard_output();
/// Whether that was because its reader has ended, as head does.
bool has_lost_reader();
void warning(std::string_view text);  // standard error, "dgtd: warning: …"; kept for warnings()

/// Texts of all warnings so far, in order, for summary.json and the report. Empty on ranks that neither print nor warn.
const std::vector<std::string>& warnings();
/// A process that runs several cases forgets those of the last one.
void forget_warnings();

template <class... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
  if (enabled()) line(fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void warn(fmt::format_string<Args...> format, Args&&... args) {
  if (warns()) warning(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace dgtd::log
