#pragma once
// A series of VTK files over time or frequency.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace dgtd::io {

/// A .pvd file that lists snapshots in time, or spectra over frequency (Hz as the time). To be used on root only.
class TimeSeries {
 public:
  explicit TimeSeries(std::filesystem::path pvd_file) : file_(std::move(pvd_file)) {}

  /// Adds a snapshot and rewrites the file, so that it is whole after every step of a run that is
  /// cut short. The .pvtu file is in the .pvd file's directory or below it.
  void add(double time_s, const std::filesystem::path& pvtu_file);

 private:
  std::filesystem::path file_;
  std::vector<std::pair<double, std::string>> snapshots_;
};

}  // namespace dgtd::io
