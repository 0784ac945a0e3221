#include "dgtd/io/vtk_output.hpp"

#include <fmt/format.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkFieldData.h>
#include <vtkHigherOrderTetra.h>
#include <vtkIdTypeArray.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkStringArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "collective_error.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/io/text_files.hpp"
#include "vtk_common.hpp"

namespace dgtd::io {

namespace {

int order_of(int points_per_element) {
  int order = 1;
  while (lagrange_point_count(order) < points_per_element) ++order;
  assert(lagrange_point_count(order) == points_per_element);
  return order;
}

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
  const Vec3 origin = mesh.vertex(element, 0);
  return dot(cross(mesh.vertex(element, 1) - origin, mesh.vertex(element, 2) - origin),
             mesh.vertex(element, 3) - origin) > 0;
}

// Points stay in the caller's order, so the caller's arrays serve as they are; only the list of each
// cell's points is turned round.
void set_cells(vtkUnstructuredGrid& grid, const mesh::Subdomain& mesh, int points_per_element) {
  const int order = order_of(points_per_element);
  const auto barycentric = lagrange_points(order);
  const auto mirrored = mirrored_places(barycentric);
  const auto cells = static_cast<vtkIdType>(mesh.elements());

  vtkNew<vtkPoints> points;
  points->SetDataTypeToFloat();
  points->SetNumberOfPoints(cells * points_per_element);
  vtkNew<vtkIdTypeArray> connectivity, offsets;
  connectivity->SetNumberOfValues(cells * points_per_element);
  offsets->SetNumberOfValues(cells + 1);
  vtkIdType next = 0;
  for (vtkIdType cell = 0; cell < cells; ++cell) {
    const bool upright = positive(mesh, cell);
    offsets->SetValue(cell, next);
    for (int i = 0; i < points_per_element; ++i) {
      Vec3 position;
      for (int corner = 0; corner < 4; ++corner) position += barycentric[i][corner] * mesh.vertex(cell, corner);
      points->SetPoint(cell * points_per_element + i, position.x, position.y, position.z);
      connectivity->SetValue(next++, cell * points_per_element + (upright ? i : mirrored[i]));
    }
  }
  offsets->SetValue(cells, next);

  vtkNew<vtkCellArray> list;
  list->SetData(offsets, connectivity);
  grid.SetPoints(points);
  grid.SetCells(order == 1 ? VTK_TETRA : VTK_LAGRANGE_TETRAHEDRON, list);
}

void add_partition(vtkUnstructuredGrid& grid, const mesh::Subdomain& mesh, int rank) {
  const auto cells = static_cast<vtkIdType>(mesh.elements());
  vtkNew<vtkIntArray> material, owner;
  material->SetName("material");
  material->SetNumberOfValues(cells);
  for (vtkIdType cell = 0; cell < cells; ++cell) material->SetValue(cell, mesh.element_group[cell]);
  owner->SetName("rank");
  owner->SetNumberOfValues(cells);
  owner->Fill(rank);
  grid.GetCellData()->AddArray(material);
  grid.GetCellData()->AddArray(owner);

  vtkNew<vtkStringArray> names;
  names->SetName("material_names");
  for (const std::string& name : mesh.volume_names) names->InsertNextValue(name);
  grid.GetFieldData()->AddArray(names);
}

void write_piece(const std::filesystem::path& file, const Piece& piece, int rank) {
  const mesh::Subdomain& mesh = *piece.mesh;
  vtkNew<vtkUnstructuredGrid> grid;
  set_cells(*grid, mesh, piece.points_per_element);
  for (const Array& array : piece.point)
    add_array(*grid->GetPointData(), array, mesh.elements() * piece.points_per_element);
  for (const Array& array : piece.cell) add_array(*grid->GetCellData(), array, mesh.elements());
  add_partition(*grid, mesh, rank);

  vtkNew<vtkXMLUnstructuredGridWriter> writer;
  writer->SetInputData(grid);
  write_with(*writer, file);
}

std::string piece_name(const std::string& stem, int rank) { return fmt::format("{}_{}.vtu", stem, rank); }

std::string index_text(const std::string& stem, const Piece& piece, int ranks) {
  const auto declare = [](const std::string& type, const std::string& name, int components) {
    return fmt::format("      <PDataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"/>\n", type,
                       xml_escaped(name), components);
  };
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PUnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
      "  <PUnstructuredGrid GhostLevel=\"0\">\n"
      "    <PPointData>\n";
  for (const Array& array : piece.point) text += declare("Float32", array.name, array.components);
  text += "    </PPointData>\n    <PCellData>\n";
  for (const Array& array : piece.cell) text += declare("Float32", array.name, array.components);
  text += declare("Int32", "material", 1) + declare("Int32", "rank", 1);
  text += "    </PCellData>\n    <PPoints>\n" + declare("Float32", "Points", 3) + "    </PPoints>\n";
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

void write_vtu(const std::filesystem::path& directory, const std::string& stem, const Piece& piece,
               const parallel::Communicator& communicator) {
  together(communicator, [&] {
    make_directory(directory);
    write_piece(directory / piece_name(stem, communicator.rank()), piece, communicator.rank());
  });
  together(communicator, [&] {
    if (communicator.is_root()) write_text(directory / (stem + ".pvtu"), index_text(stem, piece, communicator.size()));
  });
}

void TimeSeries::add(double time_s, const std::filesystem::path& pvtu_file) {
  snapshots_.emplace_back(time_s, pvtu_file.lexically_relative(file_.parent_path()).generic_string());
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
      "  <Collection>\n";
  for (const auto& [time, file] : snapshots_)
    text += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", time, xml_escaped(file));
  write_text(file_, text + "  </Collection>\n</VTKFile>\n");
}

}  // namespace dgtd::io
