// Files that dgtd writes, as VTK itself reads them.
#include "dgtd/io/vtk_output.hpp"

#include <gtest/gtest.h>
#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkGenericCell.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkStringArray.h>
#include <vtkTetra.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPUnstructuredGridReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <map>
#include <tuple>

#include "dgtd/base/error.hpp"
#include "dgtd/io/text_files.hpp"
#include "dgtd/io/time_series.hpp"
#include "io/scratch.hpp"

namespace dgtd::io {
namespace {

using parallel::Communicator;
namespace fs = std::filesystem;

// A brick of cells cut into six tetrahedra each, vertices sorted as in every subdomain (so that half
// the elements are negatively oriented); elements are dealt to the ranks in turn.
mesh::Subdomain brick(int cells, const Communicator& communicator) {
  mesh::Subdomain mesh;
  const int side = cells + 1;
  for (int i = 0; i < side * side * side; ++i) {
    mesh.vertices.push_back({0.5 * (i % side), 0.7 * (i / side % side), 1.1 * (i / side / side)});
    mesh.vertex_id.push_back(i);
  }
  std::array<int, 3> axes{0, 1, 2};
  const int stride[3] = {1, side, side * side};
  std::int64_t id = 0;
  for (int cell = 0; cell < cells * cells * cells; ++cell) {
    const int corner = cell % cells + side * (cell / cells % cells) + side * side * (cell / cells / cells);
    std::sort(axes.begin(), axes.end());
    do {
      std::array<std::uint32_t, 4> element{};
      int vertex = corner;
      element[0] = vertex;
      for (int i = 0; i < 3; ++i) element[i + 1] = vertex += stride[axes[i]];
      if (id % communicator.size() == communicator.rank()) {
        mesh.element_vertices.push_back(element);
        mesh.element_id.push_back(id);
        mesh.element_group.push_back(id % 2);
      }
      ++id;
    } while (std::next_permutation(axes.begin(), axes.end()));
  }
  mesh.volume_names = {"air", "skin & bone"};
  return mesh;
}

// A polynomial of the given degree that no symmetry of the points leaves alone.
double polynomial(int degree, const Vec3& x) { return std::pow(0.3 + x.x + 0.5 * x.y - 0.2 * x.z, degree) + x.y; }

Vec3 place(const mesh::Subdomain& mesh, std::uint32_t element, const std::array<double, 4>& point) {
  Vec3 x;
  for (int corner = 0; corner < 4; ++corner) x += point[corner] * mesh.vertex(element, corner);
  if (const mesh::CurvedElement* const curved = mesh.curved_element(element)) x += curved->offset(point);
  return x;
}

// Elements in an order that is not theirs.
TetrahedraFile sampled(const mesh::Subdomain& mesh, int order) {
  TetrahedraFile file;
  file.mesh = &mesh;
  file.degree = order;
  for (std::uint32_t e = 0; e < mesh.elements(); ++e) file.elements.insert(file.elements.begin(), e);
  file.point = {
      {{"value", 1}, {"position", 3}},
      [&mesh, order, elements = file.elements](std::size_t first, std::size_t count, std::span<double* const> values) {
        const auto points = lagrange_points(order);
        for (std::size_t i = 0, n = 0; i < count; ++i)
          for (const auto& point : points) {
            const Vec3 x = place(mesh, elements[first + i], point);
            values[0][n] = polynomial(order, x);
            for (int axis = 0; axis < 3; ++axis) values[1][3 * n + static_cast<std::size_t>(axis)] = x[axis];
            ++n;
          }
      }};
  file.cell = {
      {{"number", 1}},
      [&mesh, elements = file.elements](std::size_t first, std::size_t count, std::span<double* const> values) {
        for (std::size_t i = 0; i < count; ++i)
          values[0][i] = static_cast<double>(mesh.element_id[elements[first + i]]);
      }};
  return file;
}

class VtkOutput : public testing::TestWithParam<int> {
 protected:
  Communicator communicator_;
  // One directory for all ranks.
  Scratch scratch_{communicator_.broadcast_value(static_cast<long>(::getpid()))};
  ResultFiles files_{scratch_.path(), communicator_.is_root()};

  ~VtkOutput() override { communicator_.barrier(); }
};

TEST_P(VtkOutput, IsReadBackByVtk) {
  const int order = GetParam();
  const mesh::Subdomain mesh = brick(2, communicator_);
  const TetrahedraFile file = sampled(mesh, order);
  if (communicator_.is_root()) std::filesystem::create_directories(scratch_ / "out");
  communicator_.barrier();
  ResultFiles files(scratch_ / "out", communicator_.is_root());
  const std::int64_t bytes = write_vtu({files, "result"}, file, communicator_);
  EXPECT_EQ(bytes, vtu_bytes(file));
  EXPECT_EQ(bytes, fs::file_size(scratch_ / ("out/result_" + std::to_string(communicator_.rank()) + ".vtu")));
  communicator_.barrier();

  vtkNew<vtkXMLPUnstructuredGridReader> reader;
  reader->SetFileName((scratch_ / "out/result.pvtu").c_str());
  reader->Update();
  vtkUnstructuredGrid* grid = reader->GetOutput();
  ASSERT_EQ(grid->GetNumberOfCells(), 48);
  ASSERT_EQ(grid->GetNumberOfPoints(), 48 * lagrange_point_count(order));
  auto* value = grid->GetPointData()->GetArray("value");
  auto* position = grid->GetPointData()->GetArray("position");
  auto* number = grid->GetCellData()->GetArray("number");
  auto* material = grid->GetCellData()->GetArray("material");
  auto* rank = grid->GetCellData()->GetArray("rank");
  ASSERT_TRUE(value && position && number && material && rank);
  EXPECT_EQ(material->GetDataType(), VTK_INT);
  for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
    for (int axis = 0; axis < 3; ++axis) ASSERT_FLOAT_EQ(position->GetComponent(i, axis), grid->GetPoint(i)[axis]);

  double volume = 0;
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
    vtkCell* cell = grid->GetCell(c);
    ASSERT_EQ(cell->GetCellType(), order == 1 ? VTK_TETRA : VTK_LAGRANGE_TETRAHEDRON);
    double corner[4][3];
    for (int i = 0; i < 4; ++i) cell->GetPoints()->GetPoint(i, corner[i]);
    const double signed_volume = vtkTetra::ComputeVolume(corner[0], corner[1], corner[2], corner[3]);
    ASSERT_GT(signed_volume, 0);
    volume += signed_volume;

    // VTK's own interpolation of the values reproduces the polynomial anywhere in the cell.
    double inside[3] = {0.17, 0.29, 0.41}, x[3];
    std::vector<double> weights(cell->GetNumberOfPoints());
    int part = 0;
    cell->EvaluateLocation(part, inside, x, weights.data());
    double interpolated = 0;
    for (vtkIdType i = 0; i < cell->GetNumberOfPoints(); ++i)
      interpolated += weights[i] * value->GetTuple1(cell->GetPointId(i));
    const double expected = polynomial(order, {x[0], x[1], x[2]});
    ASSERT_NEAR(interpolated, expected, 1e-5 * (1 + std::abs(expected)));

    const auto id = static_cast<int>(number->GetTuple1(c));
    EXPECT_EQ(material->GetTuple1(c), id % 2);
    EXPECT_EQ(rank->GetTuple1(c), id % communicator_.size());
  }
  EXPECT_NEAR(volume, 2 * 0.5 * 2 * 0.7 * 2 * 1.1, 1e-5);
}

// VTK's map of a cell is that of the curved element, which has degree 2.
TEST_P(VtkOutput, HasCurvedCells) {
  const int order = GetParam();
  mesh::Subdomain mesh = brick(2, communicator_);
  for (std::uint32_t e = 0; e < mesh.elements(); ++e) {
    mesh::CurvedElement element;
    for (std::size_t i = 0; i < 6; ++i) {
      const auto [a, b] = mesh::edge_corners[i];
      const Vec3 middle = 0.5 * (mesh.vertex(e, a) + mesh.vertex(e, b));
      element.bend[i] = {0.02 * middle.y, 0.03, -0.04 * middle.x};
    }
    mesh.curved.push_back(e);
    mesh.curvature.push_back(element);
  }
  const TetrahedraFile file = sampled(mesh, order);
  if (communicator_.is_root()) std::filesystem::create_directories(scratch_ / "out");
  communicator_.barrier();
  ResultFiles files(scratch_ / "out", communicator_.is_root());
  write_vtu({files, "result"}, file, communicator_);
  communicator_.barrier();
  vtkNew<vtkXMLPUnstructuredGridReader> reader;
  reader->SetFileName((scratch_ / "out/result.pvtu").c_str());
  reader->Update();
  vtkUnstructuredGrid* grid = reader->GetOutput();
  auto* position = grid->GetPointData()->GetArray("position");
  ASSERT_TRUE(position);
  for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
    for (int axis = 0; axis < 3; ++axis) ASSERT_NEAR(position->GetComponent(i, axis), grid->GetPoint(i)[axis], 1e-6);
  if (order == 1 || !communicator_.is_root()) return;
  double farthest = 0;
  for (vtkIdType c = 0; c < static_cast<vtkIdType>(mesh.elements()); ++c) {  // the first piece is that of root
    vtkCell* cell = grid->GetCell(c);
    double inside[3] = {0.17, 0.29, 0.21}, x[3];
    std::vector<double> weights(cell->GetNumberOfPoints());
    int part = 0;
    cell->EvaluateLocation(part, inside, x, weights.data());
    const std::uint32_t element = file.elements[static_cast<std::size_t>(c)];
    std::array<double, 4> l{1 - inside[0] - inside[1] - inside[2], inside[0], inside[1], inside[2]};
    if (mesh.tetrahedron(element).signed_volume() < 0) std::swap(l[2], l[3]);
    const Vec3 expected = place(mesh, element, l);
    for (int axis = 0; axis < 3; ++axis) ASSERT_NEAR(x[axis], expected[axis], 1e-6);
    farthest = std::max(farthest, norm(mesh.curved_element(element)->offset(l)));
  }
  EXPECT_GT(farthest, 0.02);
}

INSTANTIATE_TEST_SUITE_P(Orders, VtkOutput, testing::Values(1, 2, 3, 4, 5, 6));

class VtkFiles : public VtkOutput {};
INSTANTIATE_TEST_SUITE_P(Linear, VtkFiles, testing::Values(1));

TEST_P(VtkFiles, NameTheMaterials) {
  const mesh::Subdomain mesh = brick(1, communicator_);
  write_vtu({files_, "result"}, sampled(mesh, 1), communicator_);
  vtkNew<vtkXMLUnstructuredGridReader> reader;
  reader->SetFileName((scratch_ / ("result_" + std::to_string(communicator_.rank()) + ".vtu")).c_str());
  reader->Update();
  auto* names = vtkStringArray::SafeDownCast(reader->GetOutput()->GetFieldData()->GetAbstractArray("material_names"));
  ASSERT_TRUE(names);
  ASSERT_EQ(names->GetNumberOfValues(), 2);
  EXPECT_EQ(names->GetValue(1), "skin & bone");
}

TEST_P(VtkFiles, MayHaveARankWithoutElements) {
  mesh::Subdomain mesh = brick(1, communicator_);
  if (communicator_.is_root()) {
    mesh.element_vertices.clear();
    mesh.element_id.clear();
    mesh.element_group.clear();
  }
  write_vtu({files_, "result"}, sampled(mesh, 1), communicator_);
  vtkNew<vtkXMLPUnstructuredGridReader> reader;
  reader->SetFileName((scratch_ / "result.pvtu").c_str());
  reader->Update();
  EXPECT_EQ(reader->GetOutput()->GetNumberOfCells(), 6 * (communicator_.size() - 1) / communicator_.size());
}

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) { return error.what(); }
  return {};
}

TEST_P(VtkFiles, SayOnEveryRankThatTheDirectoryIsGone) {
  if (communicator_.is_root()) write_text(scratch_ / "file", "");
  communicator_.barrier();
  const mesh::Subdomain mesh = brick(1, communicator_);
  const auto directory = scratch_ / "file/out";
  ResultFiles files(directory, communicator_.is_root());
  EXPECT_EQ(error_of([&] {
              write_vtu({files, "result"}, sampled(mesh, 1), communicator_);
            }),
            (directory / "result_0.vtu").string() + ": cannot write: Not a directory");
}

TEST_P(VtkFiles, SayOnEveryRankThatOneRanksDiskIsFull) {
  const std::string last = "result_" + std::to_string(communicator_.size() - 1) + ".vtu";
  if (communicator_.is_root()) std::filesystem::create_symlink("/dev/full", scratch_ / (last + ".tmp"));
  communicator_.barrier();
  const mesh::Subdomain mesh = brick(1, communicator_);
  const std::string error = error_of([&] { write_vtu({files_, "result"}, sampled(mesh, 1), communicator_); });
  EXPECT_EQ(error.find((scratch_ / last).string() + ": cannot write: "), 0u) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "result.pvtu"));
  communicator_.barrier();
  for (const std::string& file : {last, last + ".tmp"})
    EXPECT_FALSE(std::filesystem::exists(std::filesystem::symlink_status(scratch_ / file))) << file;
}

TEST_P(VtkFiles, MayHaveDoublePrecision) {
  const mesh::Subdomain mesh = brick(2, communicator_);
  TetrahedraFile file = sampled(mesh, 2);
  file.precision = FilePrecision::double_precision;
  write_vtu({files_, "result"}, file, communicator_);
  vtkNew<vtkXMLPUnstructuredGridReader> reader;
  reader->SetFileName((scratch_ / "result.pvtu").c_str());
  reader->Update();
  auto* value = reader->GetOutput()->GetPointData()->GetArray("value");
  ASSERT_EQ(value->GetDataType(), VTK_DOUBLE);
  for (vtkIdType i = 0; i < value->GetNumberOfTuples(); ++i) {
    const double* x = reader->GetOutput()->GetPoint(i);
    ASSERT_NEAR(value->GetTuple1(i), polynomial(2, {x[0], x[1], x[2]}), 1e-13);
  }
}

TEST_P(VtkFiles, LoseThePiecesOfTheRunThatIsContinued) {
  const std::string more = "result_" + std::to_string(communicator_.size()) + ".vtu",
                    last = "result_" + std::to_string(communicator_.size() - 1) + ".vtu";
  const mesh::Subdomain mesh = brick(1, communicator_);
  if (communicator_.is_root()) {
    ResultFiles before(scratch_.path());
    before.start();
    before.add({"result.pvtu", Lifetime::kept, "result.pvd", {last, more}});
    for (const std::string& name : {more, last, std::string("result_123.vtu")}) write_text(scratch_ / name, "");
    files_.start(true);
  }
  communicator_.barrier();
  write_vtu({files_, "result"}, sampled(mesh, 1), communicator_);
  EXPECT_FALSE(fs::exists(scratch_ / more));
  EXPECT_TRUE(fs::exists(scratch_ / last));
  EXPECT_TRUE(fs::exists(scratch_ / "result_123.vtu"));  // somebody's own
}

TEST_P(VtkFiles, ShareTheVerticesOfEachGroup) {
  const mesh::Subdomain mesh = brick(3, communicator_);
  TetrahedraFile file = sampled(mesh, 1);
  const SharedPoints shared = share_points(mesh, file.elements);
  std::vector<double> values;
  for (std::size_t p = 0; p < shared.vertex.size(); ++p)
    values.push_back(polynomial(2, mesh.vertices[shared.vertex[p]]) + 10 * shared.group[p]);
  const Communicator alone(MPI_COMM_SELF);
  file.shared = &shared;
  file.point = columns_of({{"value", 1}}, {values});
  write_vtu({files_, "result_" + std::to_string(communicator_.rank())}, file, alone);

  vtkNew<vtkXMLPUnstructuredGridReader> reader;
  reader->SetFileName((scratch_ / ("result_" + std::to_string(communicator_.rank()) + ".pvtu")).c_str());
  reader->Update();
  vtkUnstructuredGrid* grid = reader->GetOutput();
  ASSERT_EQ(grid->GetNumberOfCells(), static_cast<vtkIdType>(mesh.elements()));
  EXPECT_LT(grid->GetNumberOfPoints(), 4 * grid->GetNumberOfCells());
  auto* material = grid->GetCellData()->GetArray("material");
  auto* value = grid->GetPointData()->GetArray("value");
  std::set<std::pair<std::array<double, 3>, int>> points;  // one per place and group
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
    double corner[4][3];
    for (int i = 0; i < 4; ++i) {
      const vtkIdType point = grid->GetCell(c)->GetPointId(i);
      grid->GetPoint(point, corner[i]);
      const auto& x = corner[i];
      ASSERT_NEAR(value->GetTuple1(point), polynomial(2, {x[0], x[1], x[2]}) + 10 * material->GetTuple1(c), 1e-5);
      points.insert({{x[0], x[1], x[2]}, static_cast<int>(material->GetTuple1(c))});
    }
    ASSERT_GT(vtkTetra::ComputeVolume(corner[0], corner[1], corner[2], corner[3]), 0);
  }
  EXPECT_EQ(static_cast<vtkIdType>(points.size()), grid->GetNumberOfPoints());
}

TEST_P(VtkFiles, AreListedInTime) {
  if (!communicator_.is_root()) return;
  TimeSeries series(scratch_ / "fields.pvd");
  series.add(0, scratch_ / "fields/t0.pvtu");
  series.add(2.5e-10, scratch_ / "fields/t1.pvtu");
  const std::string text = read(scratch_ / "fields.pvd");
  EXPECT_NE(text.find("<DataSet timestep=\"0\" part=\"0\" file=\"fields/t0.pvtu\"/>"), std::string::npos) << text;
  EXPECT_NE(text.find("<DataSet timestep=\"2.5e-10\" part=\"0\" file=\"fields/t1.pvtu\"/>"), std::string::npos) << text;
}

// Zienkiewicz's numbering of the ten-point tetrahedron, as VTK's documentation of
// vtkQuadraticTetra has it: vertices, then edges 01 12 20 03 13 23.
TEST(LagrangePoints, OfOrderTwoAreVerticesThenEdges) {
  const auto points = lagrange_points(2);
  const int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  ASSERT_EQ(points.size(), 10u);
  for (int v = 0; v < 4; ++v) EXPECT_EQ(points[v][v], 1);
  for (int e = 0; e < 6; ++e)
    for (const int v : edges[e]) EXPECT_EQ(points[4 + e][v], 0.5);
}

}  // namespace
}  // namespace dgtd::io
