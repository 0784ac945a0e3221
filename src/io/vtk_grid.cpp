#include "dgtd/io/vtk_grid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "column_writer.hpp"
#include "dgtd/grid/cell_materials.hpp"
#include "dgtd/io/text_files.hpp"
#include "dgtd/parallel/root_or_throw.hpp"
#include "dgtd/parallel/together.hpp"
#include "xml.hpp"

namespace dgtd::io {

std::size_t NodeExtent::cells() const {
  std::size_t cells = 1;
  for (int a = 0; a < 3; ++a)
    if (last[a] > first[a]) cells *= static_cast<std::size_t>(last[a] - first[a]);
  return cells;
}

namespace {

std::string grid_piece_name(const std::string& stem, int rank) { return fmt::format("{}_{}.vtr", stem, rank); }

std::string extent_text(const NodeExtent& e) {
  return fmt::format("{} {} {} {} {} {}", e.first[0], e.last[0], e.first[1], e.last[1], e.first[2], e.last[2]);
}

// One byte where that is enough: of large grids it is a quarter of a field's.
Kind kind_of(const CellMaterials& materials) { return materials.names.size() <= 256 ? Kind::uint8 : Kind::int32; }

/// The layout of a piece and the numbers of its arrays.
struct GridPieceLayout {
  AppendedLayout file{"RectilinearGrid"};
  std::vector<std::size_t> cell;
  std::size_t material = 0;
  std::array<std::size_t, 3> nodes{};

  explicit GridPieceLayout(const GridFile& f) {
    const std::string extent = extent_text(*f.mine);
    const auto cells = static_cast<std::int64_t>(f.mine->cells());
    file.text(fmt::format("  <RectilinearGrid WholeExtent=\"{}\">\n", extent));
    file.text(
        field_data(string_array("material_names", f.materials.names) + string_array("conventions", f.conventions)));
    file.text(fmt::format("    <Piece Extent=\"{}\">\n      <CellData>\n", extent));
    for (const Column& c : f.cell.list)
      cell.push_back(file.array(c.name, kind_of(f.precision), c.components, cells * c.components));
    if (!f.materials.names.empty()) material = file.array("material", kind_of(f.materials), 1, cells);
    file.text("      </CellData>\n      <Coordinates>\n");
    for (int a = 0; a < 3; ++a) nodes[a] = file.array("", Kind::float64, 1, f.mine->last[a] - f.mine->first[a] + 1);
    file.text("      </Coordinates>\n    </Piece>\n  </RectilinearGrid>\n");
  }
};

template <class T>
void write_materials(AppendedFile& file, std::size_t array, const GridFile& f) {
  grid::AxisNodes nodes;
  for (int a = 0; a < 3; ++a) nodes[a] = f.grid->nodes(a);
  const NodeExtent& mine = *f.mine;
  const auto plane = static_cast<std::size_t>((mine.last[0] - mine.first[0]) * (mine.last[1] - mine.first[1]));
  constexpr std::size_t cells_per_run = std::size_t{1} << 22;
  constexpr std::int64_t planes_together = 4;
  const std::size_t planes = std::max<std::size_t>(1, cells_per_run / plane);
  std::vector<std::uint16_t> materials;  // [cells of a run]
  AppendedFile::runs(f.mine->cells(), planes * plane, [&](std::size_t first, std::size_t count) {
    materials.resize(count);
    const std::int64_t low = mine.first[2] + static_cast<std::int64_t>(first / plane),
                       high = low + static_cast<std::int64_t>(count / plane);
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t k = low; k < high; k += planes_together)
      grid::find_cell_materials(*f.materials.media, nodes, {mine.first[0], mine.first[1], k},
                                {mine.last[0], mine.last[1], std::min(k + planes_together, high)},
                                materials.data() + static_cast<std::size_t>(k - low) * plane);
    file.write<T>(array, first, count, [&](std::size_t n) { return materials[n]; });
  });
}

void write_grid_piece(const std::filesystem::path& path, const GridFile& f, const GridPieceLayout& layout) {
  AppendedFile file(path, layout.file);
  for (int a = 0; a < 3; ++a) {
    const auto x = f.grid->nodes(a);
    const auto first = static_cast<std::size_t>(f.mine->first[a]);
    file.write<double>(layout.nodes[a], 0, static_cast<std::size_t>(f.mine->last[a] - f.mine->first[a]) + 1,
                       [&](std::size_t i) { return x[first + i]; });
  }
  file.write(f.cell, layout.cell, f.mine->cells(), 1, f.precision);
  if (!f.materials.names.empty()) {
    if (kind_of(f.materials) == Kind::uint8) write_materials<std::uint8_t>(file, layout.material, f);
    else write_materials<std::int32_t>(file, layout.material, f);
  }
  file.close();
}

FileContents contents_of(const GridFile& f) {
  FileContents contents = contents_in_space(f.cell.list);
  if (!f.materials.names.empty()) contents.arrays.push_back({"material"});
  return contents;
}

/// A rank that wrote a piece.
struct WrittenPiece {
  int rank;
  NodeExtent extent;
};

std::string index_text(const std::string& stem, const GridFile& f, const std::vector<WrittenPiece>& pieces) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PRectilinearGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n"
      "  <PRectilinearGrid WholeExtent=\"{}\" GhostLevel=\"0\">\n    <PCellData>\n",
      extent_text(f.whole));
  for (const Column& c : f.cell.list)
    text += fmt::format("      <PDataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"/>\n",
                        vtk_name(kind_of(f.precision)), xml_escaped(c.name), c.components);
  if (!f.materials.names.empty())
    text += fmt::format("      <PDataArray type=\"{}\" Name=\"material\" NumberOfComponents=\"1\"/>\n",
                        vtk_name(kind_of(f.materials)));
  text += "    </PCellData>\n    <PCoordinates>\n";
  for (int a = 0; a < 3; ++a) text += "      <PDataArray type=\"Float64\"/>\n";
  text += "    </PCoordinates>\n";
  for (const WrittenPiece& piece : pieces)
    text += fmt::format("    <Piece Extent=\"{}\" Source=\"{}\"/>\n", extent_text(piece.extent),
                        xml_escaped(grid_piece_name(stem, piece.rank)));
  return text + "  </PRectilinearGrid>\n</VTKFile>\n";
}

}  // namespace

std::int64_t vtr_bytes(const GridFile& file) { return file.mine == nullptr ? 0 : GridPieceLayout(file).file.bytes(); }

std::int64_t write_vtr(const PiecedFile& to, const GridFile& file, const parallel::Communicator& communicator) {
  const std::filesystem::path& directory = to.files.directory();
  const std::string& stem = to.stem;
  std::vector<WrittenPiece> written;
  if (file.mine != nullptr) written.push_back({communicator.rank(), *file.mine});
  const auto pieces = communicator.gather_vectors(written);
  parallel::root_or_throw(communicator, [&] {
    ResultFile noted{stem + ".pvtr", to.lifetime, to.series, {}, contents_of(file)};
    for (const WrittenPiece& piece : pieces) noted.pieces.push_back(grid_piece_name(stem, piece.rank));
    to.files.add(std::move(noted));
  });
  std::int64_t bytes = 0;
  parallel::together(communicator, [&] {
    if (file.mine == nullptr) return;
    const GridPieceLayout layout(file);
    write_grid_piece(directory / grid_piece_name(stem, communicator.rank()), file, layout);
    bytes = layout.file.bytes();
  });
  parallel::together(communicator, [&] {
    if (communicator.is_root()) write_text(directory / (stem + ".pvtr"), index_text(stem, file, pieces));
  });
  return bytes;
}

}  // namespace dgtd::io
