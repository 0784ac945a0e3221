#include "dgtd/io/vtk_output.hpp"

#include <fmt/format.h>
#include <vtkHigherOrderTetra.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "column_writer.hpp"
#include "dgtd/io/text_files.hpp"
#include "dgtd/parallel/root_or_throw.hpp"
#include "dgtd/parallel/together.hpp"
#include "xml.hpp"

namespace dgtd::io {

namespace {

// For an element that is written with its last two vertices exchanged: which of the element's own
// points VTK expects at each place.
std::vector<int> mirrored_places(const std::vector<std::array<double, 4>>& points) {
  std::vector<int> places;
  for (const auto& wanted : points) {
    const std::array<double, 4> own{wanted[0], wanted[1], wanted[3], wanted[2]};
    const auto found = std::find_if(points.begin(), points.end(), [&](const auto& candidate) {
      double distance = 0;
      for (int i = 0; i < 4; ++i) distance += std::abs(candidate[i] - own[i]);
      return distance < 1e-9;
    });
    places.push_back(static_cast<int>(found - points.begin()));
  }
  return places;
}

bool positive(const mesh::Subdomain& mesh, std::size_t element) {
  return mesh.tetrahedron(element).signed_volume() > 0;
}

// VTK's numbers of cell types.
constexpr std::uint8_t linear_tetrahedron = 10, lagrange_tetrahedron = 71;
constexpr std::size_t values_per_run = std::size_t{1} << 20;

/// The layout of a piece and the numbers of its arrays.
struct PieceLayout {
  AppendedLayout file{"UnstructuredGrid"};
  std::size_t cells, points_per_cell, points;
  Kind real, index;
  std::vector<std::size_t> point, cell;
  std::size_t material, rank, position, connectivity, offsets, types;

  explicit PieceLayout(const TetrahedraFile& f)
      : cells(f.elements.size()),
        points_per_cell(static_cast<std::size_t>(lagrange_point_count(f.degree))),
        points(f.shared ? f.shared->vertex.size() : cells * points_per_cell),
        real(kind_of(f.precision)),
        index(cells * points_per_cell < std::size_t{std::numeric_limits<std::int32_t>::max()} ? Kind::int32
                                                                                              : Kind::int64) {
    const auto n = static_cast<std::int64_t>(cells), at = static_cast<std::int64_t>(points);
    file.text("  <UnstructuredGrid>\n" + field_data(string_array("material_names", f.mesh->volume_names) +
                                                    string_array("conventions", f.conventions)));
    file.text(fmt::format("    <Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n      <PointData>\n", at, n));
    for (const Column& c : f.point.list) point.push_back(file.array(c.name, real, c.components, at * c.components));
    file.text("      </PointData>\n      <CellData>\n");
    for (const Column& c : f.cell.list) cell.push_back(file.array(c.name, real, c.components, n * c.components));
    material = file.array("material", Kind::int32, 1, n);
    rank = file.array("rank", Kind::int32, 1, n);
    file.text("      </CellData>\n      <Points>\n");
    position = file.array("Points", real, 3, 3 * at);
    file.text("      </Points>\n      <Cells>\n");
    connectivity = file.array("connectivity", index, 1, n * static_cast<std::int64_t>(points_per_cell));
    offsets = file.array("offsets", index, 1, n);
    types = file.array("types", Kind::uint8, 1, n);
    file.text("      </Cells>\n    </Piece>\n  </UnstructuredGrid>\n");
  }
};

/// Writes the parts of a piece.
class PieceWriter {
 public:
  PieceWriter(const std::filesystem::path& path, const TetrahedraFile& f, const PieceLayout& layout)
      : f_(f),
        mesh_(*f.mesh),
        layout_(layout),
        file_(path, layout.file),
        barycentric_(lagrange_points(f.degree)),
        mirrored_(mirrored_places(barycentric_)) {}

  void write(int rank) {
    if (f_.precision == FilePrecision::single_precision) write_points<float>();
    else write_points<double>();
    if (layout_.index == Kind::int32) write_cells<std::int32_t>();
    else write_cells<std::int64_t>();
    list<std::int32_t>(layout_.material, layout_.cells,
                       [&](std::size_t c) { return mesh_.element_group[f_.elements[c]]; });
    list<std::int32_t>(layout_.rank, layout_.cells, [&](std::size_t) { return rank; });
    file_.write(f_.cell, layout_.cell, layout_.cells, 1, f_.precision);
    if (f_.shared) file_.write(f_.point, layout_.point, layout_.points, 1, f_.precision);
    else file_.write(f_.point, layout_.point, layout_.cells, layout_.points_per_cell, f_.precision);
    file_.close();
  }

 private:
  template <class T, class Value>
  void list(std::size_t array, std::size_t count, const Value& value) {
    AppendedFile::runs(count, values_per_run, [&](std::size_t first, std::size_t n) {
      file_.write<T>(array, first, n, [&](std::size_t i) { return value(first + i); });
    });
  }

  double coordinate(std::size_t i) const {
    const std::size_t point = i / 3;
    const int axis = static_cast<int>(i % 3);
    if (f_.shared) return mesh_.vertices[f_.shared->vertex[point]][axis];
    const auto& l = barycentric_[point % layout_.points_per_cell];
    const std::uint32_t element = f_.elements[point / layout_.points_per_cell];
    const auto& v = mesh_.element_vertices[element];
    double x = 0;
    for (int corner = 0; corner < 4; ++corner) x += l[corner] * mesh_.vertices[v[corner]][axis];
    if (const mesh::CurvedElement* const curved = mesh_.curved_element(element)) x += curved->offset(l)[axis];
    return x;
  }

  template <class T>
  void write_points() {
    list<T>(layout_.position, 3 * layout_.points, [&](std::size_t i) { return coordinate(i); });
  }

  // Points stay in the caller's order, so the columns are written as they are; only the list of each cell's points is
  // mirrored where the element is negatively oriented.
  template <class Index>
  void write_cells() {
    const std::size_t n = layout_.points_per_cell;
    list<Index>(layout_.connectivity, layout_.cells * n, [&](std::size_t i) {
      const std::size_t cell = i / n, at = i % n;
      const std::size_t own = positive(mesh_, f_.elements[cell]) ? at : static_cast<std::size_t>(mirrored_[at]);
      return f_.shared ? std::size_t{f_.shared->corner[4 * cell + own]} : cell * n + own;
    });
    list<Index>(layout_.offsets, layout_.cells, [&](std::size_t c) { return (c + 1) * n; });
    list<std::uint8_t>(layout_.types, layout_.cells,
                       [&](std::size_t) { return f_.degree == 1 ? linear_tetrahedron : lagrange_tetrahedron; });
  }

  const TetrahedraFile& f_;
  const mesh::Subdomain& mesh_;
  const PieceLayout& layout_;
  AppendedFile file_;
  std::vector<std::array<double, 4>> barycentric_;
  std::vector<int> mirrored_;
};

std::string piece_name(const std::string& stem, int rank) { return fmt::format("{}_{}.vtu", stem, rank); }

FileContents contents_of(const TetrahedraFile& f) {
  FileContents contents = contents_in_space(f.point.list);
  contents.arrays.insert(contents.arrays.end(), f.cell.list.begin(), f.cell.list.end());
  for (const char* name : {"material", "rank"}) contents.arrays.push_back({name});
  return contents;
}

std::string index_text(const std::string& stem, const TetrahedraFile& f, int ranks) {
  const auto declare = [](std::string_view type, const std::string& name, int components) {
    return fmt::format("      <PDataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"/>\n", type,
                       xml_escaped(name), components);
  };
  const std::string_view real = vtk_name(kind_of(f.precision));
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PUnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
      "  <PUnstructuredGrid GhostLevel=\"0\">\n"
      "    <PPointData>\n";
  for (const Column& c : f.point.list) text += declare(real, c.name, c.components);
  text += "    </PPointData>\n    <PCellData>\n";
  for (const Column& c : f.cell.list) text += declare(real, c.name, c.components);
  text += declare("Int32", "material", 1) + declare("Int32", "rank", 1);
  text += "    </PCellData>\n    <PPoints>\n" + declare(real, "Points", 3) + "    </PPoints>\n";
  for (int rank = 0; rank < ranks; ++rank)
    text += fmt::format("    <Piece Source=\"{}\"/>\n", xml_escaped(piece_name(stem, rank)));
  return text + "  </PUnstructuredGrid>\n</VTKFile>\n";
}

}  // namespace

std::vector<std::array<double, 4>> lagrange_points(int order) {
  std::vector<std::array<double, 4>> points;
  for (int i = 0; i < lagrange_point_count(order); ++i) {
    vtkIdType index[4];  // VTK counts the first vertex last
    vtkHigherOrderTetra::BarycentricIndex(i, index, order);
    const auto coordinate = [&](int vertex) { return static_cast<double>(index[(vertex + 3) % 4]) / order; };
    points.push_back({coordinate(0), coordinate(1), coordinate(2), coordinate(3)});
  }
  return points;
}

std::int64_t vtu_bytes(const TetrahedraFile& file) { return PieceLayout(file).file.bytes(); }

// The columns' fill functions are not collective: a rank that fails keeps no other from ending its piece.
std::int64_t write_vtu(const PiecedFile& to, const TetrahedraFile& file, const parallel::Communicator& communicator) {
  assert(!file.shared || file.degree == 1);
  const std::filesystem::path& directory = to.files.directory();
  const std::string& stem = to.stem;
  const PieceLayout layout(file);
  parallel::root_or_throw(communicator, [&] {
    ResultFile noted{stem + ".pvtu", to.lifetime, to.series, {}, contents_of(file)};
    for (int rank = 0; rank < communicator.size(); ++rank) noted.pieces.push_back(piece_name(stem, rank));
    to.files.add(std::move(noted));
  });
  parallel::together(communicator, [&] {
    PieceWriter(directory / piece_name(stem, communicator.rank()), file, layout).write(communicator.rank());
  });
  parallel::together(communicator, [&] {
    if (communicator.is_root()) write_text(directory / (stem + ".pvtu"), index_text(stem, file, communicator.size()));
  });
  return layout.file.bytes();
}

}  // namespace dgtd::io
