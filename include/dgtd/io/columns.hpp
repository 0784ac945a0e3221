#pragma once
// Values of a file that are computed while it is written, so that no array of a file is whole in memory.
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace dgtd::io {

/// A named array of a file; the unit belongs in the name.
struct Column {
  std::string name;
  int components = 1;
};

/// Columns with what computes them: `fill` sets values[column][count][components] of the rows first, ..., first + count
/// - 1. It may use all threads. A row is a cell, a point, or the points of a cell, as the file says.
struct Columns {
  std::vector<Column> list;
  std::function<void(std::size_t first, std::size_t count, std::span<double* const> values)> fill;
  std::size_t rows_together = 1;  // `first` is a multiple of it, and `count` is but for the last rows
};

/// Number precision of a file's values and points.
enum class FilePrecision { single_precision, double_precision };

/// Several groups of columns as one.
Columns joined(std::vector<Columns> parts);

/// Columns whose values are in memory: [rows][components], one vector per column.
Columns columns_of(std::vector<Column> list, std::vector<std::vector<double>> values);

}  // namespace dgtd::io
