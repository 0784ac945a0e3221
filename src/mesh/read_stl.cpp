#include <fmt/format.h>
#include <vtkCellArray.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPolyData.h>
#include <vtkSTLReader.h>

#include "dgtd/base/error.hpp"
#include "dgtd/mesh/solid.hpp"
#include "vtk_reading.hpp"

namespace dgtd::mesh {

// The reader merges equal points, without which no two triangles would share an edge.
std::shared_ptr<const Solid> read_stl(const std::filesystem::path& file, double unit, const Vec3& position) {
  vtkNew<vtkSTLReader> reader;
  update(*reader, file, "an STL file");
  vtkPolyData& surface = *reader->GetOutput();
  std::vector<Vec3> points;
  for (vtkIdType p = 0; p < surface.GetNumberOfPoints(); ++p) {
    double x[3];
    surface.GetPoint(p, x);
    points.push_back(position + unit * Vec3{x[0], x[1], x[2]});
  }
  std::vector<std::array<int, 3>> triangles;
  vtkNew<vtkIdList> corners;
  for (vtkIdType t = 0; t < surface.GetNumberOfCells(); ++t) {
    surface.GetCellPoints(t, corners);
    if (corners->GetNumberOfIds() == 3)
      triangles.push_back({static_cast<int>(corners->GetId(0)), static_cast<int>(corners->GetId(1)), static_cast<int>(corners->GetId(2))});
  }
  try {
    return make_triangulated(std::move(points), std::move(triangles));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", file.string(), error.what()));
  }
}

}  // namespace dgtd::mesh
