#pragma once
// Layouts of chips: GDSII stream files.
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "dgtd/geometry/polygon.hpp"

namespace dgtd::geometry {

struct Layer {
  int number = 0, type = 0;  // 0 to 65535; type: of data, "1/0" is layer 1, type 0

  auto operator<=>(const Layer&) const = default;
};
std::string text_of(const Layer& layer);

/// A corner in a file, in its database units.
struct GridPoint {
  std::int32_t x = 0, y = 0;

  bool operator==(const GridPoint&) const = default;
};

/// A line with a width.
struct LayoutPath {
  enum class End { flush, round, half_width, lengths };
  Layer layer;
  std::vector<GridPoint> points;
  double width = 0;         // database units
  bool same_width = false;  // where the cell is magnified
  End end = End::flush;
  double before = 0, beyond = 0;  // lengths: how far it goes on before its first and beyond its last point
};

/// Another cell at one or more places: mirrored at the x axis, magnified, turned (rad), moved, in this order.
struct LayoutReference {
  std::string cell;
  bool mirrored = false;
  double magnification = 1, angle = 0;
  int columns = 1, rows = 1;
  GridPoint origin;                   // of column 0, row 0
  std::array<double, 2> column_step{}, row_step{};  // database units
};

struct LayoutCell {
  struct Boundary {
    Layer layer;
    std::vector<GridPoint> corners;  // without the last, which is the first
  };
  std::vector<Boundary> boundaries;  // boxes included
  std::vector<LayoutPath> paths;
  std::vector<LayoutReference> references;
};

struct Layout {
  double unit = 0;  // m, of the database
  std::map<std::string, LayoutCell> cells;
};

/// Throws Error with the byte of the file where it is no GDSII stream, is cut off, or is of a kind that is not read.
Layout read_gdsii(const std::filesystem::path& file);

/// The polygons of a layer in a cell and in all that it refers to, united, m. An empty name: the only cell that no
/// other one refers to. Corners lie on the points of the database. Throws Error, with the names that exist, where the
/// cell, its layer or a cell that it refers to is missing, where cells contain themselves, and where there are more than
/// a million corners.
std::vector<Polygon> layer_polygons(const Layout& layout, const std::string& cell, const Layer& layer);

}  // namespace dgtd::geometry
