#pragma once
// Readers of files from outside, as functions of a file.
#include <filesystem>
#include <span>
#include <string_view>

namespace dgtd::fuzz {

struct Target {
  std::string_view name;       // of the folder of its corpus
  std::string_view extension;  // of its files
  /// Reads the file. Throws Error where it is refused; any other exception, a signal, a finding of a sanitizer, more
  /// than 10 s or 4 GB is a finding.
  void (*read)(const std::filesystem::path& file);
  /// Writes the undamaged files into an empty folder; null: they are those of the corpus.
  void (*write_whole)(const std::filesystem::path& folder) = nullptr;
  double patience = 1;  // times the 10 s
};

std::span<const Target> targets();

}  // namespace dgtd::fuzz
