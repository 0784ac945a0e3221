#pragma once
// Sections of results as values: what an observer has found, for people. report.html prints all of them, the console
// what they give it; a further kind of content is one more alternative of Block, with what prints it.
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dgtd/io/charts.hpp"
#include "dgtd/io/pictures.hpp"
#include "dgtd/io/scene.hpp"

namespace dgtd::io {

// All texts are plain UTF-8.

/// Names and values.
struct Entries {
  struct Entry {
    std::string name, value;
    bool is_important = false;
  };
  std::vector<Entry> list;
};

struct Table {
  struct Column {
    std::string heading;
    bool is_text = false;  // aligned to the left, as the first column is
  };
  struct Row {
    std::vector<std::string> cells;    // [columns]; lines after the first are remarks. Fewer: the last one is wide
    std::optional<double> share = {};  // 0 to 1, shown as a bar where a row has one
  };
  std::vector<Column> columns;
  std::vector<Row> rows;
};

struct Note {
  std::string text;
};

using Block = std::variant<Entries, Table, Note, PictureRow, Chart, PolarChart, SmithChart, Scene>;

/// Chapters of the report in their order; sections of a chapter are in the order in which they were added.
enum class Chapter {
  domain,        // mesh or grid
  dosimetry,     // tissues, averages, limits, pictures
  measurements,  // fluxes, absorption over frequency, far fields, probes
  power,         // powers and whether they are those of a steady state
  accuracy,      // energy, errors
  model,         // materials, volumes
  method         // figures of a method's own
};

struct Section {
  Chapter chapter = Chapter::method;
  std::string title;
  std::vector<Block> blocks;
  std::string console = {};  // lines for the console at the end of the run; empty: none
};

/// Stands for a value that a run does not have.
inline constexpr const char* absent = "\u2013";

/// Narrow spaces between groups of three digits. Not for negative numbers.
std::string count(std::int64_t value);
/// Four significant digits; `absent` for what is no number.
std::string number(double value);
std::string number(const std::optional<double>& value);
std::string percent(double fraction);
std::string percent(const std::optional<double>& fraction);

/// Aligned columns under their headings, for the console, without a newline at the end. Signs that terminals may lack
/// are replaced.
std::string text_of(const Table& table);

}  // namespace dgtd::io
