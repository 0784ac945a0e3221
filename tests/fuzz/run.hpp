#pragma once
// Reads many damaged files, in processes of their own.
#include <cstdint>
#include <string>
#include <vector>

#include "targets.hpp"

namespace dgtd::fuzz {

struct Limits {
  std::uint64_t first = 0, count = 1000;  // numbers of the damaged files
  double seconds_per_file = 10;
  double bytes = 4e9;     // of memory
  bool messages = false;  // of refused files, on standard error
};

struct Finding {
  std::uint64_t number;  // of the damaged file
  std::string how;       // "signal 11", "hang", "exception: ..."
};

struct Outcome {
  std::uint64_t whole = 0;  // undamaged files that are read: those whose names do not begin with "unsupported"
  std::uint64_t executed = 0, accepted = 0, refused = 0;
  std::uint64_t failed_in_library = 0;  // of the refused: a library crashed or exceeded a limit in a process of its own
  std::uint64_t slowest = 0;    // number of the file that took longest, findings aside
  double slowest_seconds = 0;
  std::vector<Finding> findings;
};

/// The files of a folder, in the order of their names. Throws Error where it has none.
std::vector<std::string> read_corpus(const std::filesystem::path& folder);

/// The damaged file of a number; 0, 1, ... below the size of the corpus are the whole ones.
std::string damaged_file(const std::vector<std::string>& corpus, std::uint64_t number);

/// corpus: the folder of the undamaged files, where the target does not write them.
/// scratch: an empty folder, where the files are written one after the other. Files that lead to findings stay there as
/// finding_NUMBER.
Outcome run(const Target& target, const std::filesystem::path& corpus, const std::filesystem::path& scratch,
            const Limits& limits);

}  // namespace dgtd::fuzz
