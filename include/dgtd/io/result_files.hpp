#pragma once
// The files of a run. They are listed in its output directory before they are written, so that the next run there
// removes exactly these, also after a crash and whatever wrote them; the list at the end of a run and files.json, which
// describes them for programs, are made of the same notes.
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dgtd/io/columns.hpp"

namespace dgtd::io {

/// Fate of a file where a run is continued.
enum class Lifetime {
  at_end,  // it is removed and written again
  kept,    // it stays: a snapshot
  grows    // it stays and is made longer: a table
};

/// Contents of a file, for files.json.
struct FileContents {
  struct Axis {
    std::string name, unit;
  };
  std::vector<Axis> axes = {};      // that number the values: columns of a table, or directions, the slowest one last
  std::vector<Column> arrays = {};  // the other columns, or arrays; each name ends in its unit
};

/// The contents of a table with these names of columns ("a,b,c"), of which the named ones number the rows.
FileContents table_contents(std::string_view head, const std::vector<std::string>& axes);
/// Values at places in space: axes x, y and z in m.
FileContents contents_in_space(std::vector<Column> arrays);

struct ResultFile {
  std::string name;  // in the output directory
  Lifetime lifetime = Lifetime::at_end;
  std::string series = {};               // the .pvd file that lists it, so the end of a run does not; empty: none
  std::vector<std::string> pieces = {};  // files beside it to which it refers
  FileContents contents = {};
};

class ResultFiles {
 public:
  static constexpr const char* list_name = "dgtd-files.txt";
  static constexpr const char* index_name = "files.json";

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
  /// Notes a table and writes it: lines of comma-separated values, the first one with the names of the columns, of
  /// which the named ones number the rows. On root only. Throws Error where a file cannot be written.
  void write_table(const std::string& name, const std::vector<std::string>& axes, std::string_view text);
  /// Starts a run in the directory, which exists: removes the results of an earlier run, or, where that is continued,
  /// those that are written again, and begins the list with the files that were noted so far. Other files stay. For
  /// root only. Throws Error where a file cannot be removed.
  void start(bool continued = false);

  /// Names of the tables of this run that a continued run makes longer.
  std::vector<std::string> growing_tables() const;
  /// One line per kind of file that is there: names, and how to open them.
  std::string overview() const;
  /// Writes files.json, which has an entry per file that is there: also those that a run before this one has left to
  /// it. On root only. Throws Error where it cannot be written.
  void write_index();

 private:
  std::filesystem::path directory_;
  bool is_root_;
  bool started_ = false;
  /// A file with its contents as one line of JSON, also of a run before, whose contents are not read again.
  struct Noted {
    ResultFile file;
    std::string contents;
  };
  static std::string line_of(const Noted& noted);
  static std::string entry_of(const Noted& noted);

  std::map<std::string, Noted> files_;    // of this run
  std::map<std::string, Noted> earlier_;  // of the run that is continued, not yet written again
};

/// A file STEM.EXTENSION with pieces STEM_RANK.EXTENSION, as VTK's writers make them.
struct PiecedFile {
  ResultFiles& files;
  std::string stem;
  Lifetime lifetime = Lifetime::at_end;
  std::string series = {};  // as in ResultFile
};

}  // namespace dgtd::io
