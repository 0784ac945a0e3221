// GDSII stream files: cells with what is in them.
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>
#include <optional>
#include <utility>

#include "dgtd/base/error.hpp"
#include "dgtd/geometry/layout.hpp"
#include "gdsii_records.hpp"

namespace dgtd::geometry {
namespace {

using Kind = RecordKind;

// Records of one element, in any order.
struct ElementRecords {
  Record begin;
  std::optional<int> layer, type, path_end, transformation;
  std::vector<GridPoint> points;
  std::int32_t width = 0, before = 0, beyond = 0;
  double magnification = 1, degrees = 0;
  std::string name;
  std::vector<int> columns_and_rows{1, 1};
};

Layer layer_of(const ElementRecords& e) {
  if (!e.layer) reject_record(e.begin.place, "an element has no layer");
  if (!e.type) reject_record(e.begin.place, "an element has no data type");
  return {*e.layer, *e.type};
}

LayoutCell::Boundary boundary_of(const ElementRecords& e) {
  LayoutCell::Boundary boundary{layer_of(e), e.points};
  if (boundary.corners.size() > 1 && boundary.corners.back() == boundary.corners.front()) boundary.corners.pop_back();
  if (boundary.corners.size() < 3)
    reject_record(e.begin.place, fmt::format("a polygon of {} corners, 3 are needed", boundary.corners.size()));
  return boundary;
}

LayoutPath path_of(const ElementRecords& e) {
  LayoutPath path;
  path.layer = layer_of(e);
  path.points = e.points;
  path.width = std::abs(static_cast<double>(e.width));
  path.same_width = e.width < 0;
  if (path.points.empty()) reject_record(e.begin.place, "a path has no points");
  switch (e.path_end.value_or(0)) {
    case 0: path.end = LayoutPath::End::flush; break;
    case 1: path.end = LayoutPath::End::round; break;
    case 2: path.end = LayoutPath::End::half_width; break;
    case 4:
      path.end = LayoutPath::End::lengths;
      path.before = e.before, path.beyond = e.beyond;
      break;
    default: reject_record(e.begin.place, fmt::format("a path of type {}, allowed are 0, 1, 2 and 4", *e.path_end));
  }
  return path;
}

LayoutReference reference_of(const ElementRecords& e) {
  constexpr int mirrored = 0x8000, absolute = 0x0006;
  const bool is_array = e.begin.kind == Kind::array_reference;
  LayoutReference r;
  r.cell = e.name;
  if (r.cell.empty()) reject_record(e.begin.place, "a reference has no name of a cell");
  if (const std::size_t points = is_array ? 3 : 1; e.points.size() != points)
    reject_record(e.begin.place, fmt::format("a reference to cell {} has {} points, {} {} needed", r.cell, e.points.size(),
                                             points, is_array ? "are" : "is"));
  if ((e.transformation.value_or(0) & absolute) != 0)
    reject_record(e.begin.place,
                  fmt::format("a reference to cell {} has an absolute magnification or angle, which is not read", r.cell));
  r.mirrored = (e.transformation.value_or(0) & mirrored) != 0;
  r.magnification = e.magnification;
  if (!(r.magnification >= 1e-6 && r.magnification <= 1e6))
    reject_record(e.begin.place, fmt::format("a reference to cell {} is magnified by {}, allowed is 1e-6 to 1e6", r.cell,
                                             r.magnification));
  if (!(std::abs(e.degrees) <= 1e6))
    reject_record(e.begin.place, fmt::format("a reference to cell {} is turned by {} degrees", r.cell, e.degrees));
  r.angle = e.degrees * std::numbers::pi / 180;
  r.origin = e.points[0];
  if (!is_array) return r;
  r.columns = e.columns_and_rows[0], r.rows = e.columns_and_rows[1];
  if (r.columns < 1 || r.columns > 32767 || r.rows < 1 || r.rows > 32767)
    reject_record(e.begin.place, fmt::format("an array of cell {} has {} columns and {} rows, allowed are 1 to 32767",
                                             r.cell, r.columns, r.rows));
  const auto step = [&](const GridPoint& end, int count) {
    return std::array{(double(end.x) - r.origin.x) / count, (double(end.y) - r.origin.y) / count};
  };
  r.column_step = step(e.points[1], r.columns);
  r.row_step = step(e.points[2], r.rows);
  return r;
}

// Reads its records up to the end.
ElementRecords element_records(RecordReader& reader, const Record& begin) {
  ElementRecords e;
  e.begin = begin;
  for (Record record = reader.next();; record = reader.next()) switch (record.kind) {
      case Kind::end_element: return e;
      case Kind::layer: e.layer = record.integers(1)[0]; break;
      case Kind::data_type:
      case Kind::box_type: e.type = record.integers(1)[0]; break;
      case Kind::path_end: e.path_end = record.integers(1)[0]; break;
      case Kind::transformation: e.transformation = record.integers(1)[0]; break;
      case Kind::width: e.width = record.long_integers(1)[0]; break;
      case Kind::extension_before: e.before = record.long_integers(1)[0]; break;
      case Kind::extension_beyond: e.beyond = record.long_integers(1)[0]; break;
      case Kind::magnification: e.magnification = record.reals(1)[0]; break;
      case Kind::angle: e.degrees = record.reals(1)[0]; break;
      case Kind::referred_name: e.name = record.name(); break;
      case Kind::columns_and_rows: e.columns_and_rows = record.integers(2); break;
      case Kind::coordinates: {  // long polygons have several
        const auto more = record.points();
        e.points.insert(e.points.end(), more.begin(), more.end());
        break;
      }
      case Kind::begin_cell:
      case Kind::end_cell:
      case Kind::end_library: reject_record(record.place, "an element does not end");
      default: break;  // properties, and what only editors need
    }
}

std::pair<std::string, LayoutCell> read_cell(RecordReader& reader, const Record& begin) {
  std::pair<std::string, LayoutCell> named;
  auto& [name, cell] = named;
  for (Record record = reader.next();; record = reader.next()) switch (record.kind) {
      case Kind::end_cell:
        if (name.empty()) reject_record(begin.place, "a cell has no name");
        return named;
      case Kind::cell_name: name = record.name(); break;
      case Kind::boundary:
      case Kind::box: cell.boundaries.push_back(boundary_of(element_records(reader, record))); break;
      case Kind::path: cell.paths.push_back(path_of(element_records(reader, record))); break;
      case Kind::reference:
      case Kind::array_reference: cell.references.push_back(reference_of(element_records(reader, record))); break;
      case Kind::text:
      case Kind::node: element_records(reader, record); break;
      case Kind::begin_cell:
      case Kind::end_library: reject_record(record.place, fmt::format("cell {} does not end", name));
      default: break;
    }
}

Layout read_library(RecordReader reader) {
  Layout layout;
  if (reader.next().kind != Kind::header) reject_record(0, "the file does not begin as a GDSII stream");
  for (Record record = reader.next();; record = reader.next()) switch (record.kind) {
      case Kind::units:
        layout.unit = record.reals(2)[1];
        if (!(layout.unit >= 1e-15 && layout.unit <= 1))
          reject_record(record.place, fmt::format("the unit of the database is {} m, allowed are 1e-15 to 1 m", layout.unit));
        break;
      case Kind::begin_cell: {
        auto named = read_cell(reader, record);
        if (!layout.cells.insert(named).second)
          reject_record(record.place, fmt::format("cell {} is there twice", named.first));
        break;
      }
      case Kind::end_library:
        if (layout.unit == 0) reject_record(record.place, "the file gives no units");
        return layout;
      default: break;
    }
}

}  // namespace

Layout read_gdsii(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream || std::filesystem::is_directory(file)) throw Error(fmt::format("{}: cannot be opened", file.string()));
  const std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (bytes.empty()) throw Error(fmt::format("{}: is empty", file.string()));
  try {
    return read_library(RecordReader(bytes));
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: cannot be read as a GDSII file: {}", file.string(), error.what()));
  }
}

}  // namespace dgtd::geometry
