// Files of fields on tetrahedra, read by VTK and compared with the polynomials that the solver holds exactly.
#include <gtest/gtest.h>
#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkRectilinearGrid.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPRectilinearGridReader.h>
#include <vtkXMLPUnstructuredGridReader.h>

#include <cmath>

#include "dgtd/base/error.hpp"
#include "dgtd/dg/dg_solver.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/observers/field_monitors.hpp"
#include "dgtd/observers/mesh_field_writer.hpp"
#include "dgtd/observers/mesh_spectra.hpp"
#include "dgtd/observers/voxel_sampling.hpp"
#include "io/scratch.hpp"

namespace dgtd::observers {
namespace {

namespace fs = std::filesystem;
using parallel::Communicator;

constexpr double weight = 2.5, omega = 6e9, time_step = 1e-11;
constexpr int order = 2;

// A field of degree two.
Vec3 electric(const Vec3& x) { return {1 + x.y * x.z, 2 - x.x * x.x, 0.5 * x.z + x.x * x.y}; }
Vec3 magnetic(const Vec3& x) { return 1e-3 * Vec3{x.y, 1 + x.z * x.z, x.x - x.y}; }

// Mean of |E|^2 in a tetrahedron, exact for this degree: Gauss's rule of four points along each axis of the cube
// that collapses to it, with Jacobian (1 - x)^2 (1 - y).
double mean_square(vtkCell& cell) {
  constexpr double at[4] = {0.0694318442029737, 0.3300094782075719, 0.6699905217924281, 0.9305681557970263},
                   weights[4] = {0.1739274225687269, 0.3260725774312731, 0.3260725774312731, 0.1739274225687269};
  Vec3 corner[4];
  for (int v = 0; v < 4; ++v)
    for (int a = 0; a < 3; ++a) corner[v][a] = cell.GetPoints()->GetPoint(v)[a];
  double sum = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 4; ++k) {
        const double x = at[i], y = (1 - x) * at[j], z = (1 - x - y) * at[k];
        const Vec3 e = electric((1 - x - y - z) * corner[0] + x * corner[1] + y * corner[2] + z * corner[3]);
        sum += weights[i] * weights[j] * weights[k] * (1 - x) * (1 - x) * (1 - at[j]) * dot(e, e);
      }
  return 6 * sum;
}

/// A box of two volumes whose solver holds the polynomials, and their Fourier sums after one sample at t = 0.
struct Fixture {
  mesh::Subdomain mesh;
  std::unique_ptr<dg::DgSolver<double>> solver;

  explicit Fixture(const Communicator& comm) : mesh(mesh::make_box({4, 3, 5}, {1, 0.75, 1.25}, comm)) {
    mesh.volume_names = {"lower", "upper"};
    for (std::size_t e = 0; e < mesh.elements(); ++e)
      mesh.element_group[e] = dg::ElementGeometry(mesh, e).centre().z > 0.5;
    auto d = std::make_unique<dg::Discretisation<double>>(
        mesh, std::vector<physics::Medium>{{1, 1, 0}, {3, 1, 0.1}},
        std::vector<physics::BoundaryKind>(6, physics::BoundaryKind::pec), order, false, dg::cpu_field_lanes);
    auto executor = dg::make_cpu_executor(*d, solver::KernelFusion::fused, comm);
    solver = std::make_unique<dg::DgSolver<double>>(std::move(d), std::move(executor), time_step,
                                                    std::vector<physics::Source>{}, mesh.volume_names, comm);
    solver->set_fields(electric, magnetic);
    solver->start_dft({omega});
    solver->accumulate_dft(weight);
  }
};

class FieldFiles : public testing::Test {
 protected:
  Communicator comm_;
  io::Scratch scratch_{comm_.broadcast_value(static_cast<long>(::getpid()))};
  io::ResultFiles files_{scratch_.path(), comm_.is_root()};
  Fixture fixture_{comm_};

  ~FieldFiles() override { comm_.barrier(); }

  FieldSelection selection(const FieldChoice& phasors) const {
    FieldSelection s;
    s.phasors = phasors;
    s.present = {true, true, false};
    s.precision = io::FilePrecision::double_precision;
    return s;
  }

  vtkUnstructuredGrid* read(const std::string& index) {
    comm_.barrier();
    reader_->SetFileName((scratch_ / index).c_str());
    reader_->Update();
    return reader_->GetOutput();
  }

  vtkNew<vtkXMLPUnstructuredGridReader> reader_;
};

void expect_vector(vtkDataArray* array, vtkIdType i, const Vec3& expected) {
  for (int k = 0; k < 3; ++k) ASSERT_NEAR(array->GetComponent(i, k), expected[k], 1e-10 * (1 + std::abs(expected[k])));
}

TEST_F(FieldFiles, OfWholeFieldsAreThePolynomials) {
  const MeshFieldWriter writer(*fixture_.solver, fixture_.mesh, order, selection({true, true, true}), comm_);
  const std::vector<io::CellQuantity> quantity = {{"id", [&](std::span<const std::size_t> elements, double* values) {
                                                     for (const std::size_t e : elements)
                                                       *values++ = double(fixture_.mesh.element_id[e]);
                                                   }}};
  const auto bytes = writer.write_phasors({files_, "result"}, {omega}, true, quantity);
  EXPECT_EQ(bytes, writer.bytes_phasors({omega}, 1) - std::int64_t(std::string("SAR_W_per_kg").size() - 2));
  EXPECT_EQ(bytes, std::int64_t(fs::file_size(scratch_ / ("result_" + std::to_string(comm_.rank()) + ".vtu"))));
  auto* grid = read("result.pvtu");
  ASSERT_EQ(grid->GetNumberOfCells(), fixture_.mesh.global_elements);
  ASSERT_EQ(grid->GetNumberOfPoints(), 10 * fixture_.mesh.global_elements);
  EXPECT_EQ(grid->GetCellType(0), VTK_LAGRANGE_TETRAHEDRON);
  auto* data = grid->GetPointData();
  for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) {
    const double* p = grid->GetPoint(i);
    const Vec3 x{p[0], p[1], p[2]}, e = weight * electric(x), h = weight * magnetic(x);
    expect_vector(data->GetArray("E_real_V_per_m"), i, e);
    expect_vector(data->GetArray("E_imag_V_per_m"), i, {});
    ASSERT_NEAR(data->GetArray("E_amplitude_V_per_m")->GetTuple1(i), std::sqrt(dot(e, e)), 1e-10);
    expect_vector(data->GetArray("H_real_A_per_m"), i, std::cos(0.5 * omega * time_step) * h);  // half a step earlier
    expect_vector(data->GetArray("H_imag_A_per_m"), i, -std::sin(0.5 * omega * time_step) * h);
  }
  std::vector<int> seen(static_cast<std::size_t>(fixture_.mesh.global_elements));
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c)
    ++seen[static_cast<std::size_t>(grid->GetCellData()->GetArray("id")->GetTuple1(c))];
  EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
}

TEST_F(FieldFiles, OfPresentFieldsAreThePolynomials) {
  const MeshFieldWriter writer(*fixture_.solver, fixture_.mesh, order, selection({}), comm_);
  EXPECT_EQ(writer.write_present({files_, "now"}, {}), writer.bytes_present(0));
  auto* grid = read("now.pvtu");
  for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) {
    const double* p = grid->GetPoint(i);
    expect_vector(grid->GetPointData()->GetArray("E_V_per_m"), i, electric({p[0], p[1], p[2]}));
    expect_vector(grid->GetPointData()->GetArray("H_A_per_m"), i, magnetic({p[0], p[1], p[2]}));
  }
}

TEST_F(FieldFiles, OfTheAmplitudeShareVerticesInsideAVolume) {
  const MeshFieldWriter writer(*fixture_.solver, fixture_.mesh, order, selection({false, false, true}), comm_);
  EXPECT_EQ(writer.write_phasors({files_, "result"}, {omega}, true, {}), writer.bytes_phasors({omega}, 0));
  auto* grid = read("result.pvtu");
  ASSERT_EQ(grid->GetNumberOfCells(), fixture_.mesh.global_elements);
  EXPECT_EQ(grid->GetCellType(0), VTK_TETRA);
  // 5 x 4 vertices in 6 layers, of which that between the volumes has two points per vertex.
  if (comm_.size() == 1) { EXPECT_EQ(grid->GetNumberOfPoints(), 5 * 4 * 7); }
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c)
    ASSERT_NEAR(grid->GetCellData()->GetArray("E_amplitude_V_per_m")->GetTuple1(c),
                weight * std::sqrt(mean_square(*grid->GetCell(c))), 1e-10);
}

TEST_F(FieldFiles, OfThePresentAmplitudeAreMeansOfElements) {
  FieldSelection s = selection({});
  s.present = {false, false, true};
  const MeshFieldWriter writer(*fixture_.solver, fixture_.mesh, order, s, comm_);
  EXPECT_EQ(writer.write_present({files_, "now"}, {}), writer.bytes_present(0));
  auto* grid = read("now.pvtu");
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c)
    ASSERT_NEAR(grid->GetCellData()->GetArray("E_magnitude_V_per_m")->GetTuple1(c),
                std::sqrt(mean_square(*grid->GetCell(c))), 1e-10);
}

TEST_F(FieldFiles, ShowTheChosenVolumes) {
  FieldSelection chosen = selection({false, false, true});
  chosen.groups = {"up*"};
  const MeshFieldWriter writer(*fixture_.solver, fixture_.mesh, order, chosen, comm_);
  writer.write_phasors({files_, "result"}, {omega}, true, {});
  auto* grid = read("result.pvtu");
  ASSERT_EQ(grid->GetNumberOfCells(), fixture_.mesh.global_elements * 3 / 5);
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c)
    EXPECT_EQ(grid->GetCellData()->GetArray("material")->GetTuple1(c), 1);
  for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) EXPECT_GT(grid->GetPoint(i)[2], 0.5 - 1e-9);
}

TEST_F(FieldFiles, RefuseSharedPointsOfFieldsThatJump) {
  FieldSelection shared = selection({true, false, false});
  shared.points = PointChoice::shared;
  EXPECT_THROW(MeshFieldWriter(*fixture_.solver, fixture_.mesh, order, shared, comm_), Error);
}

// SAR = factor sigma |E|^2 / (2 rho) at the centres of voxels, of the lower volume alone.
TEST_F(FieldFiles, VoxelsHaveTheSarOfThePolynomials) {
  std::vector<physics::Material> media(2);
  media[0].conductivity = 0.7, media[0].density = 1100, media[1].conductivity = 0.1;
  const double edge = 0.05, factor = 2;
  const VoxelSampling sampling(fixture_.mesh, media, edge, comm_);
  EXPECT_EQ(sampling.count(), 20 * 15 * 10);
  dosimetry::Exposure exposure;
  exposure.conductivity = {0.7, 0.1}, exposure.scaling.factor = factor;
  const auto sampled = sampling.sample(*fixture_.solver, order, exposure);
  if (comm_.is_root()) {
    const dosimetry::VoxelGrid& grid = sampled.grid;
    check(grid, "voxels");
    EXPECT_TRUE(grid.is_uniform());
    EXPECT_NEAR(grid.nodes[2].back(), 0.5, 1e-12);
    for (std::int64_t v = 0; v < grid.cells(); ++v) {
      const Vec3 e = weight * electric(grid.centre(v));
      ASSERT_EQ(grid.density[v], 1100);
      ASSERT_EQ(grid.tissue[v], 0);
      ASSERT_NEAR(grid.sar[v], factor * 0.7 * dot(e, e) / (2 * 1100), 1e-6 * grid.sar[v]) << v;
    }
  }
  try {
    VoxelSampling(fixture_.mesh, media, 1e-5, comm_);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 74),
              "sar.voxel = 1e-05 m: the box around the tissues has 3.75e+14 voxels, and a");
  }
  const VoxelSampling none(fixture_.mesh, std::vector<physics::Material>(2), edge, comm_);
  EXPECT_EQ(none.count(), 0);
}

TEST_F(FieldFiles, OfMonitorsAreThePolynomialsOnAGrid) {
  physics::Monitor plane, box;
  plane.name = "plane", plane.type = physics::Monitor::Type::plane, plane.origin = "a.cfg:1";
  plane.centre = {0.4, 0.35, 0.6}, plane.size = {0.6, 0, 0.8}, plane.spacing = 0.07, plane.frequencies = {omega};
  box = plane;
  box.name = "box", box.type = physics::Monitor::Type::box, box.size = {0.3, 1.0, 0.4};  // beyond the mesh along y
  FourierPlan plan;
  plan.frequencies = {1e9, omega};
  fixture_.solver->start_dft({1e9, omega});
  fixture_.solver->accumulate_dft(weight);
  MeshSpectra spectra(*fixture_.solver, fixture_.mesh, order, plan, comm_);
  FieldMonitors monitors({plane, box}, spectra, io::FilePrecision::double_precision, comm_);
  EXPECT_EQ(monitors.next(1), solver::never);  // the sums are those of the whole domain
  io::Results results{files_, comm_};
  monitors.finish_fields(results);
  const auto files = monitors.field_files(1);
  EXPECT_EQ(double(comm_.sum(results.field_bytes)), files[0].bytes + files[1].bytes);
  comm_.barrier();
  for (const char* name : {"plane", "box"}) {
    vtkNew<vtkXMLPRectilinearGridReader> reader;
    reader->SetFileName((scratch_ / (std::string("monitor_") + name + ".pvtr")).c_str());
    reader->Update();
    auto* grid = reader->GetOutput();
    ASSERT_EQ(grid->GetNumberOfCells(), std::string(name) == "plane" ? 9 * 11 : 4 * 14 * 6);
    int inside = 0;
    for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
      double b[6];
      grid->GetCellBounds(c, b);
      const Vec3 x{0.5 * (b[0] + b[1]), 0.5 * (b[2] + b[3]), 0.5 * (b[4] + b[5])};
      const bool in_mesh = x.y > 0 && x.y < 0.75;
      inside += in_mesh;
      const Vec3 e = in_mesh ? weight * electric(x) : Vec3{};
      expect_vector(grid->GetCellData()->GetArray("E_real_V_per_m"), c, e);
      ASSERT_NEAR(grid->GetCellData()->GetArray("E_amplitude_V_per_m")->GetTuple1(c), std::sqrt(dot(e, e)), 1e-10);
      expect_vector(grid->GetCellData()->GetArray("H_real_A_per_m"), c,
                    in_mesh ? weight * std::cos(0.5 * omega * time_step) * magnetic(x) : Vec3{});
    }
    EXPECT_GT(inside, 0);
  }
  EXPECT_THROW(spectra.add_region(physics::Flux{}), Error);  // surfaces have sums of their own
  try {
    plane.frequencies = {2e9};
    FieldMonitors({plane}, spectra, io::FilePrecision::double_precision, comm_);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "a.cfg:1: monitor.plane.frequencies: 2000000000 is not one of dft.frequencies; allowed are 1000000000 "
              "6000000000");
  }
}

}  // namespace
}  // namespace dgtd::observers
