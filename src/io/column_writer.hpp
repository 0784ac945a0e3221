#pragma once
// Columns and lists of numbers into the arrays of an appended file, run by run.
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "dgtd/io/appended_file.hpp"
#include "dgtd/io/columns.hpp"

namespace dgtd::io {

inline Kind kind_of(FilePrecision precision) {
  return precision == FilePrecision::single_precision ? Kind::float32 : Kind::float64;
}

/// A file with its layout; arrays by their numbers in it.
class AppendedFile {
 public:
  AppendedFile(const std::filesystem::path& path, const AppendedLayout& layout) : file_(path) {
    const auto& lengths = layout.lengths();
    file_.write(0, layout.head());
    for (std::size_t a = 0; a < lengths.size(); ++a) {
      places_.push_back(layout.place(a));
      const auto length = static_cast<std::uint64_t>(lengths[a]);
      file_.write(places_[a] - 8, {reinterpret_cast<const char*>(&length), sizeof length});
    }
    file_.write(layout.bytes() - static_cast<std::int64_t>(layout.tail().size()), layout.tail());
  }

  /// Values first, ..., first + count - 1 of an array: value(i) of the i-th, in any order and by all threads.
  template <class T, class Value>
  void write(std::size_t array, std::size_t first, std::size_t count, const Value& value) {
    auto block = file_.block(count * sizeof(T));
    auto* const to = reinterpret_cast<T*>(block.data.get());
    const auto n = static_cast<std::ptrdiff_t>(count);
#pragma omp parallel for schedule(static) if (count > 10000)
    for (std::ptrdiff_t i = 0; i < n; ++i) to[i] = static_cast<T>(value(static_cast<std::size_t>(i)));
    file_.write(places_[array] + static_cast<std::int64_t>(first * sizeof(T)), std::move(block));
  }

  /// Calls run(first, count) for each run of rows.
  template <class Run>
  static void runs(std::size_t rows, std::size_t rows_per_run, const Run& run) {
    for (std::size_t first = 0; first < rows; first += rows_per_run) run(first, std::min(rows_per_run, rows - first));
  }

  /// All rows of columns; points: values of a component per row (the points of a cell). arrays: their numbers.
  void write(const Columns& columns, std::span<const std::size_t> arrays, std::size_t rows, std::size_t points,
             FilePrecision precision) {
    if (columns.list.empty()) return;
    std::size_t components = 0;
    for (const Column& c : columns.list) components += static_cast<std::size_t>(c.components);
    const std::size_t together = columns.rows_together,
                      run_rows = std::max<std::size_t>(1, values_per_run / (components * points) / together) * together;
    std::vector<std::vector<double>> buffers;
    std::vector<double*> values;
    for (const Column& c : columns.list) {
      buffers.emplace_back(std::min(rows, run_rows) * points * static_cast<std::size_t>(c.components));
      values.push_back(buffers.back().data());
    }
    runs(rows, run_rows, [&](std::size_t first, std::size_t count) {
      columns.fill(first, count, values);
      for (std::size_t c = 0; c < arrays.size(); ++c) {
        const std::size_t n = points * static_cast<std::size_t>(columns.list[c].components);
        const double* const from = values[c];
        const auto value = [from](std::size_t i) { return from[i]; };
        if (precision == FilePrecision::single_precision) write<float>(arrays[c], first * n, count * n, value);
        else write<double>(arrays[c], first * n, count * n, value);
      }
    });
  }

  void close() { file_.close(); }

 private:
  static constexpr std::size_t values_per_run = std::size_t{1} << 20;  // of all columns: 8 MB before the conversion

  BackgroundFile file_;
  std::vector<std::int64_t> places_;
};

}  // namespace dgtd::io
