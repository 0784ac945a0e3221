#include "dgtd/mesher/tissue_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <sstream>

#include "dgtd/base/error.hpp"
#include "dgtd/physics/tissue.hpp"

namespace dgtd::mesher {
namespace {

using Words = std::vector<std::string>;

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : file_(file.string()) {
    table_.source = file_;
    table_.tissues.push_back({.name = "air", .labels = {}});
  }

  TissueTable read() {
    std::ifstream stream(file_);
    if (!stream) throw Error(fmt::format("{}: cannot be opened", file_));
    for (std::string text; std::getline(stream, text);) {
      ++line_;
      text = text.substr(0, text.find('#'));
      const auto equals = text.find('=');
      if (equals == std::string::npos) rule(words(text));
      else entry(words(text.substr(0, equals)), words(text.substr(equals + 1)));
    }
    complete();
    return std::move(table_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw Error(fmt::format("{}:{}: {}", file_, line_, what)); }

  static Words words(const std::string& text) {
    std::istringstream stream(text);
    Words list;
    for (std::string word; stream >> word;) list.push_back(word);
    return list;
  }

  double number(const std::string& word, double least, const char* unit) const {
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || !(value >= least) || !(value < 1e9))
      fail(fmt::format("'{}' is not a number of at least {}{}", word, least, unit));
    return value;
  }

  void rule(const Words& w) {
    if (w.empty()) return;
    if (w[0] == "layer" && w.size() == 5) table_.layers.push_back({w[1], w[2], w[3], number(w[4], 0, " m")});
    else if (w[0] == "shell" && w.size() == 4) table_.shells.push_back({w[1], w[2], number(w[3], 0, " m")});
    else
      fail(fmt::format(
          "'{}' is not understood (allowed: NAME = LABELS, NAME.KEY = VALUE, layer NAME INNER OUTER METRES, "
          "shell NAME OF METRES)",
          fmt::join(w, " ")));
  }

  void entry(const Words& left, const Words& right) {
    if (left.size() != 1) fail("one name is needed before '='");
    if (right.empty()) fail(fmt::format("'{}' has no value", left[0]));
    const auto dot = left[0].find('.');
    if (dot == std::string::npos) labels(left[0], right);
    else property(left[0].substr(0, dot), left[0].substr(dot + 1), right);
  }

  void labels(const std::string& name, const Words& right) {
    if (name == "absorbing" || name == "metal") fail(fmt::format("'{}' is the name of a boundary", name));
    TissueRow& row = get(name);
    if (!row.labels.empty()) fail(fmt::format("tissue '{}' has its labels already", name));
    for (const std::string& word : right) {
      const double value = number(word, 0, "");
      if (value > 255 || value != static_cast<int>(value))
        fail(fmt::format("'{}' is not a label, a whole number from 0 to 255", word));
      const int label = static_cast<int>(value);
      for (const TissueRow& other : table_.tissues)
        if (std::find(other.labels.begin(), other.labels.end(), label) != other.labels.end())
          fail(fmt::format("label {} belongs to '{}' already", label, other.name));
      row.labels.push_back(label);
    }
  }

  void property(const std::string& name, const std::string& key, const Words& right) {
    TissueRow& row = get(name);
    if (key == "medium") {
      row.medium = fmt::format("{}", fmt::join(right, " "));
      try {
        physics::tissue_properties(row.medium, 1e9);
      } catch (const Error& error) { fail(error.what()); }
      return;
    }
    if (right.size() != 1) fail(fmt::format("'{}.{}' has one value", name, key));
    if (key == "size") row.size = number(right[0], 1e-9, " m");
    else if (key == "thickness") row.thickness = number(right[0], 0, " m");
    else if (key == "eps_r") row.permittivity = number(right[0], 1, "");
    else if (key == "sigma") row.conductivity = number(right[0], 0, " S/m");
    else fail(fmt::format("unknown key '{}' (allowed: size, thickness, medium, eps_r, sigma)", key));
  }

  TissueRow& get(const std::string& name) {
    if (const int at = table_.find(name); at >= 0) return table_.tissues[static_cast<std::size_t>(at)];
    table_.tissues.push_back({.name = name, .labels = {}});
    return table_.tissues.back();
  }

  // Checks that need the whole file.
  void complete() {
    const auto fail_in_file = [&](const std::string& what) { throw Error(fmt::format("{}: {}", file_, what)); };
    const auto has_labels = [&](const std::string& name) {
      const int at = table_.find(name);
      return at >= 0 && !table_.tissues[static_cast<std::size_t>(at)].labels.empty();
    };
    bool zero = false;
    for (const TissueRow& row : table_.tissues)
      zero = zero || std::find(row.labels.begin(), row.labels.end(), 0) != row.labels.end();
    if (!zero) table_.tissues.front().labels.push_back(0);
    for (const ShellRule& shell : table_.shells) {
      if (!has_labels(shell.of)) fail_in_file(fmt::format("shell {}: there is no tissue '{}'", shell.name, shell.of));
      if (has_labels(shell.name)) fail_in_file(fmt::format("shell {}: a shell has no labels of its own", shell.name));
      get(shell.name);
    }
    for (const TissueRow& row : table_.tissues) {
      const bool shell = std::any_of(table_.shells.begin(), table_.shells.end(),
                                     [&](const ShellRule& s) { return s.name == row.name; });
      if (row.labels.empty() && !shell) fail_in_file(fmt::format("tissue '{}' has no labels", row.name));
    }
    for (const LayerRule& layer : table_.layers)
      for (const std::string& name : {layer.of, layer.inner, layer.outer})
        if (table_.find(name) < 0) fail_in_file(fmt::format("layer {}: there is no tissue '{}'", layer.of, name));
    constexpr std::size_t most = 30;
    if (table_.tissues.size() > most)
      fail_in_file(fmt::format("{} tissues; at most {} are allowed", table_.tissues.size(), most));
  }

  std::string file_;
  int line_ = 0;
  TissueTable table_;
};

}  // namespace

int TissueTable::find(const std::string& name) const {
  for (std::size_t t = 0; t < tissues.size(); ++t)
    if (tissues[t].name == name) return static_cast<int>(t);
  return -1;
}

TissueTable read_tissue_table(const std::filesystem::path& file) { return Reader(file).read(); }

TissueTable default_tissue_table(const std::vector<int>& labels) {
  TissueTable table;
  table.source = "the image";
  table.tissues.push_back({.name = "air", .labels = {0}});
  for (const int label : labels)
    if (label != 0) table.tissues.push_back({.name = fmt::format("tissue_{}", label), .labels = {label}});
  return table;
}

}  // namespace dgtd::mesher
