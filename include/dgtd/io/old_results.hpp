#pragma once
// Results of an earlier run in the directory of a new one: beside a new resolved.cfg they would pass for its own.
#include <filesystem>
#include <string_view>

namespace dgtd::io {

/// Whether a run writes files of that name.
bool is_result(std::string_view file_name);

/// Removes the results of an earlier run, which has left its resolved.cfg there; other files stay. Does nothing in a
/// directory without one. continued: tables of probes and snapshots, which a continued run goes on with, stay. To be
/// called on root only. Throws Error where a file cannot be removed.
void remove_results(const std::filesystem::path& directory, bool continued = false);

}  // namespace dgtd::io
