#include "dgtd/io/vtk_grid.hpp"

#include <fmt/format.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkRectilinearGrid.h>
#include <vtkXMLRectilinearGridWriter.h>

#include "collective_error.hpp"
#include "dgtd/io/text_files.hpp"
#include "vtk_common.hpp"

namespace dgtd::io {

namespace {

std::string piece_name(const std::string& stem, int rank) { return fmt::format("{}_{}.vtr", stem, rank); }

void write_piece(const std::filesystem::path& file, const grid::CartesianGrid& grid, const NodeExtent& e,
                 const std::vector<Array>& cell) {
  vtkNew<vtkRectilinearGrid> vtk;
  vtk->SetExtent(int(e.first[0]), int(e.last[0]), int(e.first[1]), int(e.last[1]), int(e.first[2]), int(e.last[2]));
  std::size_t cells = 1;
  for (int a = 0; a < 3; ++a) {
    const auto nodes = grid.nodes(a);
    vtkNew<vtkDoubleArray> x;
    for (std::int64_t i = e.first[a]; i <= e.last[a]; ++i) x->InsertNextValue(nodes[static_cast<std::size_t>(i)]);
    if (e.last[a] > e.first[a]) cells *= static_cast<std::size_t>(e.last[a] - e.first[a]);
    if (a == 0) vtk->SetXCoordinates(x);
    else if (a == 1) vtk->SetYCoordinates(x);
    else vtk->SetZCoordinates(x);
  }
  for (const Array& array : cell) add_array(*vtk->GetCellData(), array, cells);
  vtkNew<vtkXMLRectilinearGridWriter> writer;
  writer->SetInputData(vtk);
  write_with(*writer, file);
}

std::string extent_text(const NodeExtent& e) {
  return fmt::format("{} {} {} {} {} {}", e.first[0], e.last[0], e.first[1], e.last[1], e.first[2], e.last[2]);
}

/// A rank that wrote a piece.
struct WrittenPiece {
  int rank;
  NodeExtent extent;
};

std::string index_text(const std::string& stem, const NodeExtent& whole, const std::vector<Array>& cell,
                       const std::vector<WrittenPiece>& pieces) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PRectilinearGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n"
      "  <PRectilinearGrid WholeExtent=\"{}\" GhostLevel=\"0\">\n    <PCellData>\n",
      extent_text(whole));
  for (const Array& array : cell)
    text += fmt::format("      <PDataArray type=\"Float32\" Name=\"{}\" NumberOfComponents=\"{}\"/>\n",
                        xml_escaped(array.name), array.components);
  text += "    </PCellData>\n    <PCoordinates>\n";
  for (int a = 0; a < 3; ++a) text += "      <PDataArray type=\"Float64\"/>\n";
  text += "    </PCoordinates>\n";
  for (const WrittenPiece& piece : pieces)
    text += fmt::format("    <Piece Extent=\"{}\" Source=\"{}\"/>\n", extent_text(piece.extent),
                        xml_escaped(piece_name(stem, piece.rank)));
  return text + "  </PRectilinearGrid>\n</VTKFile>\n";
}

}  // namespace

void write_vtr(const std::filesystem::path& directory, const std::string& stem, const grid::CartesianGrid& grid,
               const NodeExtent& whole, const NodeExtent* mine, const std::vector<Array>& cell,
               const parallel::Communicator& communicator) {
  std::vector<WrittenPiece> written;
  if (mine != nullptr) written.push_back({communicator.rank(), *mine});
  const auto pieces = communicator.gather_vectors(written);
  together(communicator, [&] {
    make_directory(directory);
    if (mine != nullptr) write_piece(directory / piece_name(stem, communicator.rank()), grid, *mine, cell);
  });
  together(communicator, [&] {
    if (communicator.is_root()) write_text(directory / (stem + ".pvtr"), index_text(stem, whole, cell, pieces));
  });
}

void write_vtr(const std::filesystem::path& directory, const std::string& stem, const grid::CartesianGrid& grid,
               const grid::Block& block, const std::vector<Array>& cell, const parallel::Communicator& communicator) {
  const NodeExtent whole{{0, 0, 0}, {grid.cells(0), grid.cells(1), grid.cells(2)}};
  NodeExtent mine;
  for (int a = 0; a < 3; ++a) mine.first[a] = block.first[a], mine.last[a] = block.first[a] + block.cells[a];
  write_vtr(directory, stem, grid, whole, &mine, cell, communicator);
}

}  // namespace dgtd::io
