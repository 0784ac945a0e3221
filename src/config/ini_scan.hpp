#pragma once
// The lines of a case file as a table that stores where each value was written. Boost's own INI reader gives no line
// numbers, cuts values at any # and has no ; comments.
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dgtd/config/case.hpp"

namespace dgtd::config {

struct Entry {
  std::string section, key, value;
  Origin origin;
  bool overridden = false;         // by --set
  std::filesystem::path folder{};  // of the file that has it, where its paths start; empty: the case's own
  int precedence = 0;              // of two files the one with the higher number has the value
  std::string written{};           // the value as the user wrote it, where units and parameters were replaced in it

  std::string name() const { return section + "." + key; }
  /// Beginning of a message: "head.cfg:12: solver.order = 9" or "--set solver.order=9".
  std::string place() const {
    return overridden ? origin : origin + ": " + name() + " = " + (written.empty() ? value : written);
  }
};

struct Title {
  std::string name;  // "material.skin"
  Origin origin;     // of its first mention
};

/// "material.grey matter" is of the kind "material" and has the name "grey matter".
std::string_view kind_of(std::string_view section);
std::string_view name_in(std::string_view section);

class IniTable {
 public:
  /// Replaces old spellings of a section's title (the key is empty then) or of a key.
  using Rename = std::function<void(std::string& section, std::string& key, const Origin&)>;

  /// Comments are lines that begin with # or ;, and whatever follows a blank and #. Lines "include = FILE" before the
  /// first section stand for that file, whose path starts in the folder of the file that has them; a file counts where
  /// it is included first. Of a key that several files have, the value of the including file is used, else that of the
  /// file that is included last.
  static IniTable scan(const std::filesystem::path& file, Rename rename);

  /// "section.key=value" replaces the file's entry or adds one; the last of several wins.
  void override_by(const std::string& text);

  const std::string& file() const { return file_; }
  const std::vector<Title>& sections() const { return sections_; }
  const std::vector<Entry>& entries() const { return entries_; }
  const Entry* find(std::string_view section, std::string_view key) const;
  Entry* find(std::string_view section, std::string_view key);

  /// Puts the entry in the place of that of the same key, or adds it.
  void replace(Entry entry);

  /// Removes what is given for a key; a section that has no key.
  void drop(std::string_view section, std::string_view key);
  void drop_if_empty(std::string_view section);

  /// Removes what is given for a key with a lower precedence.
  void drop_below(int precedence, std::string_view section, std::string_view key);

  /// Removes a section, and returns its entries.
  std::vector<Entry> take_section(std::string_view section);

 private:
  struct Reader;  // of one file
  void scan_file(const std::filesystem::path& file, std::vector<std::filesystem::path>& open);
  void include(const std::string& value, const Origin& origin, Reader& reader);
  void read_line(std::string line, const Origin& origin, Reader& reader);
  void add_section(const std::string& name, const Origin& origin);
  void add_entry(Entry entry);
  template <class Condition>
  void drop_entries(const Condition& condition);

  std::string file_;  // as the user wrote it
  std::vector<Title> sections_;
  std::unordered_set<std::string> known_sections_;
  Rename rename_;
  int files_ = 0;                            // that were read to their end
  std::vector<std::filesystem::path> seen_;  // files, without links
  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::size_t> place_of_;  // in entries_; a case may have 100,000 of them
};

}  // namespace dgtd::config
