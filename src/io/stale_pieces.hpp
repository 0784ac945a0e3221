#pragma once
// Pieces that an earlier run with more ranks left beside the present ones.
#include <charconv>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dgtd::io {

/// Removes files STEM_NUMBER.EXTENSION of the directory whose number `is_stale`.
template <class Stale>
void remove_pieces(const std::filesystem::path& directory, const std::string& stem, std::string_view extension,
                   const Stale& is_stale) {
  std::vector<std::filesystem::path> stale;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(directory, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(stem + "_") || entry.path().extension() != extension) continue;
    const char *const begin = name.data() + stem.size() + 1, *const end = name.data() + name.size() - extension.size();
    int number = 0;
    const auto [rest, failure] = std::from_chars(begin, end, number);
    // Only the spelling that pieces have: snapshot_00000012_0 is not a piece of "snapshot".
    if (failure == std::errc() && rest == end && std::to_string(number) == std::string_view(begin, end) &&
        is_stale(number))
      stale.push_back(entry.path());
  }
  for (const auto& file : stale) std::filesystem::remove(file, ignored);
}

}  // namespace dgtd::io
