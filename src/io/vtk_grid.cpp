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

std::vector<std::int64_t> extent(const mesh::GridBlock& block) {
  std::vector<std::int64_t> e;
  for (int a = 0; a < 3; ++a) {
    e.push_back(block.first[a]);
    e.push_back(block.first[a] + block.cells[a]);
  }
  return e;
}

void write_piece(const std::filesystem::path& file, const mesh::Grid& grid, const mesh::GridBlock& block, const std::vector<Array>& cell) {
  vtkNew<vtkRectilinearGrid> vtk;
  const auto e = extent(block);
  vtk->SetExtent(int(e[0]), int(e[1]), int(e[2]), int(e[3]), int(e[4]), int(e[5]));
  for (int a = 0; a < 3; ++a) {
    const auto nodes = grid.nodes(a);
    vtkNew<vtkDoubleArray> x;
    for (std::int64_t i = e[2 * a]; i <= e[2 * a + 1]; ++i) x->InsertNextValue(nodes[static_cast<std::size_t>(i)]);
    if (a == 0) vtk->SetXCoordinates(x);
    else if (a == 1) vtk->SetYCoordinates(x);
    else vtk->SetZCoordinates(x);
  }
  for (const Array& array : cell) add_array(*vtk->GetCellData(), array, std::size_t(block.cells[0]) * block.cells[1] * block.cells[2]);
  vtkNew<vtkXMLRectilinearGridWriter> writer;
  writer->SetInputData(vtk);
  write_with(*writer, file);
}

std::string extent_text(const std::int64_t* e) { return fmt::format("{} {} {} {} {} {}", e[0], e[1], e[2], e[3], e[4], e[5]); }

std::string index_text(const std::string& stem, const mesh::Grid& grid, const std::vector<Array>& cell, const std::vector<std::int64_t>& extents) {
  const std::int64_t whole[6] = {0, grid.cells(0), 0, grid.cells(1), 0, grid.cells(2)};
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PRectilinearGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
      "  <PRectilinearGrid WholeExtent=\"{}\" GhostLevel=\"0\">\n    <PCellData>\n", extent_text(whole));
  for (const Array& array : cell)
    text += fmt::format("      <PDataArray type=\"Float32\" Name=\"{}\" NumberOfComponents=\"{}\"/>\n", xml_escaped(array.name), array.components);
  text += "    </PCellData>\n    <PCoordinates>\n";
  for (int a = 0; a < 3; ++a) text += "      <PDataArray type=\"Float64\"/>\n";
  text += "    </PCoordinates>\n";
  for (std::size_t rank = 0; rank < extents.size() / 6; ++rank)
    text += fmt::format("    <Piece Extent=\"{}\" Source=\"{}\"/>\n", extent_text(extents.data() + 6 * rank), xml_escaped(piece_name(stem, static_cast<int>(rank))));
  return text + "  </PRectilinearGrid>\n</VTKFile>\n";
}

}  // namespace

void write_vtr(const std::filesystem::path& directory, const std::string& stem, const mesh::Grid& grid, const mesh::GridBlock& block,
               const std::vector<Array>& cell, const parallel::Communicator& communicator) {
  const auto extents = communicator.gather_vectors(extent(block));
  together(communicator, [&] {
    make_directory(directory);
    write_piece(directory / piece_name(stem, communicator.rank()), grid, block, cell);
  });
  together(communicator, [&] {
    if (communicator.is_root()) write_text(directory / (stem + ".pvtr"), index_text(stem, grid, cell, extents));
  });
}

}  // namespace dgtd::io
