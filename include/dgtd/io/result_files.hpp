#pragma once
// The files of a run. They are listed in its output directory before they are written, so that the next run there
// removes exactly these, also after a crash and whatever wrote them; the list at the end of a run is made of them, too.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace dgtd::io {

/// What becomes of a file where a run is continued.
enum class Lifetime {
  at_end,  // it is removed and written again
  kept,    // it stays: a snapshot
  grows    // it stays and is made longer: a table
};

struct ResultFile {
  std::string name;  // in the output directory
  Lifetime lifetime = Lifetime::at_end;
  bool in_series = false;                // a .pvd file lists it, so the end of a run does not
  std::vector<std::string> pieces = {};  // files beside it to which it refers
};

class ResultFiles {
 public:
  static constexpr const char* list_name = "dgtd-files.txt";

  /// is_root: this process writes the list, and knows the files; others only get paths.
  explicit ResultFiles(std::filesystem::path directory, bool is_root = true)
      : directory_(std::move(directory)), is_root_(is_root) {}
  ResultFiles(const ResultFiles&) = delete;
  ResultFiles& operator=(const ResultFiles&) = delete;

  const std::filesystem::path& directory() const { return directory_; }
  /// Notes a file, before it is written, and returns its path. To be called on root at least, for the files of all
  /// ranks. Pieces that a file of this name had in the run that is continued, and has no more, are removed. Throws
  /// Error where the list cannot be written.
  std::filesystem::path add(ResultFile file);
  /// Starts a run in the directory, which exists: removes the results of an earlier run, or, where that is continued,
  /// those that are written again, and begins the list with the files that were noted so far. Other files stay. For
  /// root only. Throws Error where a file cannot be removed.
  void start(bool continued = false);

  /// Names of the tables of this run that a continued run makes longer.
  std::vector<std::string> growing_tables() const;
  /// One line per kind of file that is there: names, and how to open them.
  std::string overview() const;

 private:
  std::filesystem::path directory_;
  bool is_root_;
  bool started_ = false;
  std::map<std::string, ResultFile> files_;    // of this run
  std::map<std::string, ResultFile> earlier_;  // of the run that is continued, not yet written again
};

/// A file STEM.EXTENSION with pieces STEM_RANK.EXTENSION, as VTK's writers make them.
struct PiecedFile {
  ResultFiles& files;
  std::string stem;
  Lifetime lifetime = Lifetime::at_end;
  bool in_series = false;
};

}  // namespace dgtd::io
