// Pixels of planes and views on tetrahedra and on cells, and the pictures of a run, on any number of ranks.
#include "dgtd/observers/pictures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/dg/dg_solver.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/observers/field_monitors.hpp"
#include "dgtd/observers/grid_view.hpp"
#include "dgtd/observers/last_fields.hpp"
#include "dgtd/observers/mesh_view.hpp"
#include "dgtd/observers/scene_view.hpp"
#include "fdtd/grid_problem.hpp"

namespace dgtd::observers {
namespace {

using parallel::Communicator;

// A field of degree one, which every element holds.
Vec3 electric(const Vec3& x) { return {1 + x.y, 2 - x.z, 0.5 * x.x}; }

/// A box of 1 x 0.75 x 1.25 m whose upper part (z > 0.5 m) is tissue.
struct MeshFixture {
  const Communicator& comm;
  mesh::Subdomain mesh;
  std::unique_ptr<dg::DgSolver<double>> solver;

  explicit MeshFixture(const Communicator& c, const std::array<bool, 3>& periodic = {})
      : comm(c), mesh(mesh::make_box({4, 3, 5}, {1, 0.75, 1.25}, c, {}, periodic)) {
    mesh.volume_names = {"air", "tissue"};
    for (std::size_t e = 0; e < mesh.elements(); ++e)
      mesh.element_group[e] = dg::ElementGeometry(mesh, e).centre().z > 0.5;
    auto d = std::make_unique<dg::Discretisation<double>>(
        mesh, std::vector<physics::Medium>{{1, 1, 0}, {3, 1, 0.1}},
        std::vector<physics::BoundaryKind>(6, physics::BoundaryKind::pec), 1, false, dg::cpu_field_lanes);
    auto executor = dg::make_cpu_executor(*d, solver::KernelFusion::fused, comm);
    solver = std::make_unique<dg::DgSolver<double>>(std::move(d), std::move(executor), 1e-12,
                                                    std::vector<physics::Source>{}, mesh.volume_names, comm);
    solver->set_fields(electric, electric);
  }
  MeshView view() const { return {*solver, mesh, {false, true}, comm}; }

  /// SAR of 1 + z W/kg with the element's centre z, in tissue.
  dosimetry::Exposure exposure() const {
    dosimetry::Exposure x;
    x.elements = mesh.elements();
    for (std::size_t e = 0; e < mesh.elements(); ++e) {
      if (mesh.element_group[e] == 0) continue;
      x.listed.push_back(e), x.group.push_back(1), x.volume.push_back(dg::ElementGeometry(mesh, e).volume());
      x.mean_square_field.push_back(1000 * (1 + dg::ElementGeometry(mesh, e).centre().z));
    }
    x.conductivity = {0, 2}, x.density = {0, 1000};
    x.element_id = [this](std::size_t e) { return mesh.element_id[e]; };
    x.centroid = [this](std::size_t e) { return dg::ElementGeometry(mesh, e).centre(); };
    return x;
  }
};

PixelPlane plane(int axis, double position, double width, double height, int pixels) {
  PixelPlane p;
  p.axis = axis, p.position = position;
  p.pixel = std::max(width, height) / pixels;
  p.width = static_cast<int>(std::lround(width / p.pixel)), p.height = static_cast<int>(std::lround(height / p.pixel));
  return p;
}

class PicturesTest : public testing::Test {
 protected:
  Communicator comm_;
  io::ResultFiles files_{""};
  Timers timers_;
};

// Every pixel of y = 0.3 m shows the group of its z, and the element that holds its centre.
TEST_F(PicturesTest, SliceOfTetrahedra) {
  const MeshFixture f(comm_);
  const auto view = f.view();
  const PixelPlane p = plane(1, 0.3, 1, 1.25, 50);
  const auto hits = view.slice(p);
  for (const PixelHit& h : hits) {
    const Vec3 x{p.column_at(h.pixel % p.width), 0.3, p.row_at(h.pixel / p.width)};
    const auto l = dg::ElementGeometry(f.mesh, h.place).barycentric(x);
    EXPECT_GE(*std::min_element(l.begin(), l.end()), -1e-8);
    EXPECT_EQ(h.id, f.mesh.element_id[h.place]);
  }
  const auto image = gather_pixels(
      p, hits, [&](std::size_t e) { return static_cast<float>(dg::ElementGeometry(f.mesh, e).centre().z); }, comm_);
  if (!comm_.is_root()) return;
  ASSERT_EQ(image.raster.pixels(), 50u * 40u);
  for (int row = 0; row < p.height; ++row)
    for (int column = 0; column < p.width; ++column) {
      const auto at = static_cast<std::size_t>(p.number(row, column));
      EXPECT_EQ(image.raster.region[at], p.row_at(row) > 0.5) << row << " " << column;
      EXPECT_NEAR(image.raster.value[at], p.row_at(row), 0.25);  // the height of a layer of elements
    }
}

// The tissue is seen at z = 1.25 m from above, at the interface, z = 0.5 m, from below.
TEST_F(PicturesTest, SurfaceOfTetrahedra) {
  const MeshFixture f(comm_);
  std::vector<std::size_t> tissue;
  for (std::size_t e = 0; e < f.mesh.elements(); ++e)
    if (f.mesh.element_group[e] == 1) tissue.push_back(e);
  PixelPlane p = plane(2, 0, 1.2, 0.75, 24);
  p.low[0] = -0.1;
  for (const bool above : {true, false}) {
    const auto image = gather_pixels(
        p, f.view().surfaces(std::array{SurfaceView{p, above}}, tissue)[0], [](std::size_t) { return 1.0f; }, comm_);
    if (!comm_.is_root()) continue;
    for (int row = 0; row < p.height; ++row)
      for (int column = 0; column < p.width; ++column) {
        const auto at = static_cast<std::size_t>(p.number(row, column));
        const bool inside = p.column_at(column) > 0 && p.column_at(column) < 1;
        EXPECT_EQ(image.raster.region[at], inside ? 1 : -1);
        if (inside) {
          EXPECT_NEAR(image.depth[at], above ? 1.25 : -0.5, 1e-6);
        } else {
          EXPECT_TRUE(std::isnan(image.depth[at]));
        }
      }
  }
}

// The watched elements are those of tissue with the smallest scrambled numbers, on any number of ranks.
TEST_F(PicturesTest, WatchedElements) {
  const MeshFixture f(comm_);
  auto view = f.view();
  const auto mine = static_cast<std::int64_t>(view.watch(20, {}));
  EXPECT_EQ(comm_.sum(mine), 20);
  EXPECT_TRUE(view.watches_tissue());
  Vec3 sum;
  for (const Vec3& e : view.watched()) sum += e;

  struct Entry {
    std::uint64_t key;
    double x, y, z;
  };
  std::vector<Entry> entries;
  for (std::size_t e = 0; e < f.mesh.elements(); ++e)
    if (f.mesh.element_group[e] == 1) {
      const Vec3 field = electric(dg::ElementGeometry(f.mesh, e).centre());
      entries.push_back({scrambled(static_cast<std::uint64_t>(f.mesh.element_id[e])), field.x, field.y, field.z});
    }
  auto all = comm_.gather_vectors(entries);
  std::sort(all.begin(), all.end(), [](const Entry& a, const Entry& b) { return a.key < b.key; });
  const Vec3 total{comm_.sum(sum.x), comm_.sum(sum.y), comm_.sum(sum.z)};
  if (!comm_.is_root()) return;
  Vec3 expected;
  for (std::size_t i = 0; i < 20; ++i) expected += Vec3{all[i].x, all[i].y, all[i].z};
  EXPECT_NEAR(norm(total - expected), 0, 1e-9);
}

TEST_F(PicturesTest, WithoutTissueAnyElementIsWatched) {
  const MeshFixture f(comm_);
  MeshView view(*f.solver, f.mesh, {false, false}, comm_);
  EXPECT_EQ(comm_.sum(static_cast<std::int64_t>(view.watch(7, {}))), 7);
  EXPECT_FALSE(view.watches_tissue());
  EXPECT_EQ(comm_.sum(static_cast<std::int64_t>(view.watch(100000, {}))), f.mesh.global_elements);
}

// A body that reaches periodic sides is seen there, as at other sides.
TEST_F(PicturesTest, BodiesHaveFacesAtPeriodicSides) {
  const MeshFixture plain(comm_), periodic(comm_, {true, true, false});
  const PixelPlane from_side = plane(0, 1, 0.75, 1.25, 20);
  std::vector<std::int64_t> faces, pixels;
  for (const MeshFixture* f : {&plain, &periodic}) {
    std::vector<std::size_t> tissue;
    for (std::size_t e = 0; e < f->mesh.elements(); ++e)
      if (f->mesh.element_group[e] == 1) tissue.push_back(e);
    const SurfaceView view{from_side, true};
    faces.push_back(comm_.sum(static_cast<std::int64_t>(f->view().faces({false, true}).size())));
    pixels.push_back(comm_.sum(static_cast<std::int64_t>(f->view().surfaces({&view, 1}, tissue)[0].size())));
  }
  EXPECT_GE(faces[0], 2 * 2 * (4 * 3 + 4 * 3 + 3 * 3));  // three layers of cubes, two triangles each
  EXPECT_EQ(faces[0], faces[1]);
  EXPECT_GT(pixels[0], 0);
  EXPECT_EQ(pixels[0], pixels[1]);
}

/// At four times the power of the run.
dosimetry::Exposure exposure_of(const MeshFixture& f, const Communicator& comm) {
  dosimetry::Exposure x = f.exposure();
  x.tissues = dosimetry::scaled(dosimetry::tissue_table(x, {"air", "tissue"}, comm), 4);
  x.scaling = {dosimetry::Normalisation::Normalise::emitted, 0.25, 1, 4};
  return x;
}

io::Results results_of(io::ResultFiles& files, const MeshFixture& f, const Communicator& comm) {
  io::Results r{files, comm};
  r.exposure = std::make_shared<const dosimetry::Exposure>(exposure_of(f, comm));
  return r;
}

std::vector<io::PictureRow> pictures_of(const io::Results& r) {
  std::vector<io::PictureRow> rows;
  for (const auto& section : r.summary.sections)
    for (const auto& block : section.blocks) rows.push_back(std::get<io::PictureRow>(block));
  return rows;
}

TEST_F(PicturesTest, PicturesOfARun) {
  const MeshFixture f(comm_);
  const auto view = f.view();
  Pictures observer({{}, 60}, view, comm_, timers_);
  auto r = results_of(files_, f, comm_);
  observer.finish(r);
  if (!comm_.is_root()) {
    EXPECT_TRUE(r.summary.sections.empty());
    return;
  }
  const auto pictures = pictures_of(r);
  ASSERT_EQ(pictures.size(), 2u);  // no averages
  const auto& sar = pictures[0];
  const auto& peak = r.exposure->tissues[1];
  EXPECT_EQ(sar.title, "Local SAR at an emitted power of 1 W (mean over a period)");
  EXPECT_EQ(sar.scale.highest, *peak.sar_max);
  EXPECT_GT(*peak.sar_max, 4 * 2.1);  // factor 4 times 1 + z at the top
  ASSERT_EQ(sar.pictures.size(), 3u);
  for (const auto& p : sar.pictures) {
    EXPECT_EQ(p.plane->position, (*peak.at)[p.plane->axis]);
    EXPECT_EQ(p.png.substr(1, 3), "PNG");
    EXPECT_EQ(std::max(p.width, p.height), 60);
  }
  // The plane y = const: the tissue from 0 to 1 m along x and from 0.5 to 1.25 m along z, with 4 % of 1 m around it.
  EXPECT_EQ(sar.pictures[0].plane->axis, 1);
  EXPECT_NEAR(sar.pictures[0].low[0], -0.04, 1e-12);
  EXPECT_NEAR(sar.pictures[0].low[1], 0.46, 1e-12);
  EXPECT_NEAR(sar.pictures[0].high[1], 1.29, 0.02);  // whole pixels
  const auto& field = pictures[1];
  // |E|^2 = 4 * 1000 (1 + z), seen at the top.
  EXPECT_NEAR(field.scale.highest, std::sqrt(4000 * 2.2), 0.02 * std::sqrt(4000 * 2.2));
  EXPECT_NE(field.title.find("peak of the phasor"), std::string::npos);
}

// The averages of a body of two voxels of 0.5 m: 3 W/kg in the left one, none in the right one.
TEST_F(PicturesTest, AveragedSarIsOnTheSamePlanes) {
  const MeshFixture f(comm_);
  const auto view = f.view();
  auto r = results_of(files_, f, comm_);
  if (comm_.is_root()) {
    io::AveragedVoxels voxels;
    voxels.grid.nodes = {{{0, 0.5, 1}, {0, 0.75}, {0, 1.25}}};
    dosimetry::AveragedSar average;
    average.mass_kg = 0.01;
    average.sar = {3, 0};
    average.status = {dosimetry::VoxelStatus::valid, dosimetry::VoxelStatus::no_cube};
    voxels.averages = {average};
    r.voxels = std::make_shared<const io::AveragedVoxels>(std::move(voxels));
  }
  Pictures({{}, 40}, view, comm_, timers_).finish(r);
  if (!comm_.is_root()) return;
  const auto pictures = pictures_of(r);
  ASSERT_EQ(pictures.size(), 3u);
  const auto& row = pictures[1];
  EXPECT_EQ(row.title, "SAR averaged over 10 g at an emitted power of 1 W (mean over a period)");
  EXPECT_EQ(row.scale.highest, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(row.pictures[i].plane->axis, pictures[0].pictures[i].plane->axis);
    EXPECT_EQ(row.pictures[i].plane->position, pictures[0].pictures[i].plane->position);
  }
}

TEST_F(PicturesTest, NoneWithoutSar) {
  const MeshFixture f(comm_);
  const auto view = f.view();
  io::Results none{files_, comm_};
  Pictures({}, view, comm_, timers_).finish(none);
  EXPECT_TRUE(none.summary.sections.empty());
  auto exposure = exposure_of(f, comm_);
  for (auto& row : exposure.tissues)
    if (row.sar_max) row.sar_max = 0;
  io::Results zero{files_, comm_};
  zero.exposure = std::make_shared<const dosimetry::Exposure>(std::move(exposure));
  Pictures({}, view, comm_, timers_).finish(zero);
  EXPECT_TRUE(zero.summary.sections.empty());
}

// Tissue, material 1, where x < 0.4 m, else air.
struct Halves final : grid::Media {
  int material_at(const Vec3& x) const override { return x.x < 0.4 ? 1 : 0; }
  int filling(const Vec3&, const Vec3&) const override { return -1; }
  grid::LocalMedium electric(const Vec3& place, const Vec3&, const Vec3&, int) const override {
    return {material_at(place)};
  }
};

/// Cells of 0.1 m.
struct GridFixture {
  Halves halves;
  std::unique_ptr<fdtd::FdtdSolver<double>> solver;
  const Communicator& comm;

  explicit GridFixture(const Communicator& c) : comm(c) {
    fdtd::GridProblem p;
    p.setup.grid = fdtd::uniform_grid(8, 6, 9, 0.1);
    p.setup.sides.fill(physics::BoundaryKind::pec);
    solver = p.make<double>(comm);
    solver->set_fields([](const Vec3&) { return Vec3{1, 2, 3}; }, [](const Vec3&) { return Vec3{}; });
  }
  GridView view(bool tissue = true) const { return {*solver, {{"air", "tissue"}, &halves}, {false, tissue}, comm}; }
  std::vector<std::size_t> tissue() const {
    std::vector<std::size_t> places;
    const auto& b = solver->block();
    const auto cells = static_cast<std::size_t>(b.cells[0]) * b.cells[1] * b.cells[2];
    for (std::size_t n = 0; n < cells; ++n)
      if (b.first[0] + static_cast<std::int64_t>(n) % b.cells[0] < 4) places.push_back(n);
    return places;
  }
};

// The surface of the tissue, 1 x 0.75 x 0.75 m, is closed on any number of ranks: its area and its volume are those of
// the box. SAR is 1 + z of the element inside.
TEST_F(PicturesTest, SceneOfTetrahedra) {
  const MeshFixture f(comm_);
  const auto view = f.view();
  auto r = results_of(files_, f, comm_);
  SceneViewSettings settings;
  settings.scene.voxels = 1000;
  settings.regions = {{"air", true}, {"tissue"}};
  settings.lines = [](const std::array<Vec3, 2>&) { return std::vector<io::Scene::Lines>{}; };
  SceneView(settings, view, comm_, timers_).finish(r);
  if (!comm_.is_root()) return;
  const auto& scene = std::get<io::Scene>(r.summary.sections.at(0).blocks.at(0));
  ASSERT_EQ(scene.surfaces.size(), 1u);
  const auto& s = scene.surfaces[0];
  EXPECT_EQ(s.material, 1u);
  double area = 0;
  const auto at = [&](std::uint32_t i) { return Vec3{s.points[i][0], s.points[i][1], s.points[i][2]}; };
  for (std::size_t t = 0; t < s.triangles.size(); ++t) {
    const auto [a, b, c] = s.triangles[t];
    area += 0.5 * norm(cross(at(b) - at(a), at(c) - at(a)));
    const double z = (at(a).z + at(b).z + at(c).z) / 3;
    EXPECT_NEAR(double(s.values[0][t]), 4 * (1 + z), 4 * 0.25);  // the height of a layer of elements
  }
  EXPECT_NEAR(area, 2 * 0.75 + 2 * 1.75 * 0.75, 1e-6);
  EXPECT_EQ(s.points.size(), 5u * 4 * 4 - 3 * 2 * 2);  // nodes of the box of 4 x 3 x 3 cells that are not inside it
  const auto& v = *scene.volume;
  EXPECT_FALSE(v.has_surfaces);
  EXPECT_LE(v.material.size(), 1000u);
  EXPECT_GT(v.material.size(), 700u);
  const std::size_t layer = (v.nodes[0].size() - 1) * (v.nodes[1].size() - 1);
  for (std::size_t i = 0; i < v.material.size(); ++i) {
    const double z = 0.5 * (v.nodes[2][i / layer] + v.nodes[2][i / layer + 1]);
    if (v.material[i] == io::Scene::Volume::nothing) continue;  // the margin
    EXPECT_EQ(v.material[i], z > 0.5) << z;
    if (z > 0.5) EXPECT_NEAR(double(v.values[0][i]), 4 * (1 + z), 4 * 0.25);
    else EXPECT_TRUE(std::isnan(v.values[0][i]));
  }
  ASSERT_EQ(scene.quantities.size(), 1u);
  EXPECT_EQ(scene.quantities[0].unit, "W/kg");
}

// A Fourier sum of one sample is the present field times its weight.
TEST_F(PicturesTest, AmplitudesAreThoseOfTheFirstSum) {
  const MeshFixture f(comm_);
  f.solver->start_dft({1e9});
  f.solver->accumulate_dft(2);
  const GridFixture cells(comm_);
  cells.solver->start_dft({1e9});
  cells.solver->accumulate_dft(2);
  std::vector<std::size_t> places;
  for (std::size_t e = 0; e < f.mesh.elements(); e += 3) places.push_back(e);
  std::reverse(places.begin(), places.end());
  const auto values = f.view().amplitudes(places);
  for (std::size_t i = 0; i < places.size(); ++i)
    EXPECT_NEAR(double(values[i]), 2 * norm(electric(dg::ElementGeometry(f.mesh, places[i]).centre())), 1e-5);
  const auto tissue = cells.tissue();
  const auto present = cells.solver->sample_cells({});
  const auto of_cells = cells.view().amplitudes(tissue);
  for (std::size_t i = 0; i < tissue.size(); ++i) {
    const float* e = present.data() + 3 * tissue[i];
    EXPECT_NEAR(double(of_cells[i]), 2 * std::hypot(double(e[0]), double(e[1]), double(e[2])), 1e-4);
  }
}

// Few cells are the voxels, many are joined in groups.
TEST_F(PicturesTest, SceneOfCells) {
  const GridFixture f(comm_);
  const auto view = f.view();
  for (const std::size_t most : {1000u, 100u}) {
    const auto scene = make_scene(view, {{"air", true}, {"tissue"}}, {}, {double(most), 1000}, comm_);
    if (!comm_.is_root()) continue;
    const auto& v = *scene.volume;
    EXPECT_TRUE(v.has_surfaces);
    EXPECT_TRUE(scene.surfaces.empty());
    ASSERT_LE(v.material.size(), most);
    if (most == 1000) { EXPECT_EQ(v.material.size(), 8u * 6 * 9); }
    const std::size_t nx = v.nodes[0].size() - 1;
    for (std::size_t i = 0; i < v.material.size(); ++i)
      EXPECT_EQ(v.material[i], 0.5 * (v.nodes[0][i % nx] + v.nodes[0][i % nx + 1]) < 0.4);
  }
}

TEST_F(PicturesTest, SliceOfCells) {
  const GridFixture f(comm_);
  const PixelPlane p = plane(2, 0.45, 0.8, 0.6, 80);
  const auto image = gather_pixels(
      p, f.view().slice(p), [](std::size_t) { return 1.0f; }, comm_);
  if (!comm_.is_root()) return;
  for (int row = 0; row < p.height; ++row)
    for (int column = 0; column < p.width; ++column)
      EXPECT_EQ(image.raster.region[static_cast<std::size_t>(p.number(row, column))], p.column_at(column) < 0.4);
}

// From +x one sees the tissue at x = 0.4 m, from -x at 0.
TEST_F(PicturesTest, SurfaceOfCells) {
  const GridFixture f(comm_);
  const PixelPlane p = plane(0, 0, 0.6, 0.9, 90);
  const auto tissue = f.tissue();
  for (const bool above : {true, false}) {
    const auto image = gather_pixels(
        p, f.view().surfaces(std::array{SurfaceView{p, above}}, tissue)[0], [](std::size_t) { return 1.0f; }, comm_);
    for (const float depth : image.depth) EXPECT_NEAR(depth, above ? 0.4 : 0, 1e-6);
  }
  const auto box = f.view().box(tissue);
  EXPECT_NEAR(comm_.max(box[1].x), 0.4, 1e-12);
  EXPECT_NEAR(comm_.min(box[0].z), 0, 1e-12);
  EXPECT_NEAR(comm_.max(box[1].z), 0.9, 1e-12);
}

TEST_F(PicturesTest, WatchedCells) {
  const GridFixture f(comm_);
  auto view = f.view();
  EXPECT_EQ(comm_.sum(static_cast<std::int64_t>(view.watch(30, {}))), 30);
  EXPECT_TRUE(view.watches_tissue());
  for (const Vec3& e : view.watched()) EXPECT_GT(norm(e), 0.5);  // the wall's cells have less than (1, 2, 3)
  auto none = f.view(false);
  EXPECT_GT(comm_.sum(static_cast<std::int64_t>(none.watch(30, {}))), 20);
  EXPECT_FALSE(none.watches_tissue());
}

/// A monitor of the field (1, 2, 3) V/m on the cells, whose sums are one sample of 2 s.
io::Section monitored(const GridFixture& f, physics::Monitor monitor, const IncidentSpectrum& incident,
                      const Communicator& comm, MonitorPictureSettings settings = {60}) {
  monitor.name = "cut";
  const std::size_t region = f.solver->add_region(monitor);
  f.solver->accumulate(region, 2);
  const auto view = f.view();
  return MonitorPictures(view, incident, comm, settings).section(monitor, region, *f.solver);
}

IncidentSpectrum no_wave() {
  return [](const std::vector<double>&) { return std::vector<double>{}; };
}

// A box of 0.4 x 0.4 x 0.2 m is cut normal to z through the centre of one of its two layers of cells.
TEST_F(PicturesTest, MonitorOfABoxIsCutInItsMiddle) {
  const GridFixture f(comm_);
  physics::Monitor box;
  box.centre = {0.4, 0.3, 0.4}, box.size = {0.4, 0.4, 0.2}, box.frequencies = {1e9};
  const auto section = monitored(f, box, no_wave(), comm_);
  box.centre.x = 0.6, box.size.x = 0.3;
  const auto in_air = monitored(f, box, no_wave(), comm_);
  if (!comm_.is_root()) {
    EXPECT_TRUE(section.blocks.empty());
    return;
  }
  EXPECT_EQ(section.title, "Monitor cut");
  ASSERT_EQ(section.blocks.size(), 1u);
  const auto& row = std::get<io::PictureRow>(section.blocks[0]);
  EXPECT_EQ(row.title, "|E| at 1 GHz");
  EXPECT_EQ(row.note, "Lines are borders of materials.");
  EXPECT_EQ(std::get<io::PictureRow>(in_air.blocks.at(0)).note, "");  // tissue ends at x = 0.4 m
  EXPECT_TRUE(row.folded.empty());
  EXPECT_EQ(row.scale.unit, "V s/m, Fourier integral over the run");
  EXPECT_FALSE(row.scale.logarithmic);
  EXPECT_NEAR(row.scale.highest, 2 * std::sqrt(14.0), 1e-5);  // far from the walls
  ASSERT_EQ(row.pictures.size(), 1u);
  const io::Picture& p = row.pictures[0];
  EXPECT_EQ(p.plane->axis, 2);
  EXPECT_NEAR(p.plane->position, 0.35, 1e-12);
  EXPECT_NEAR(p.low[0], 0.2, 1e-12);
  EXPECT_NEAR(p.high[1], 0.5, 1e-12);
  EXPECT_EQ(p.width, 60);
}

// Without monitors a page has the fifth of nine layers: as it is, (1, 2, 3) V/m far from the walls, or twice as much,
// the phasor of one sample with weight 2; not after an early end, when the period of the sums is not whole.
TEST_F(PicturesTest, TheLastFieldsAreThoseOfTheMiddleLayer) {
  const GridFixture f(comm_);
  const auto view = f.view();
  f.solver->start_dft({1e9});
  f.solver->accumulate_dft(2);
  FourierPlan sums;
  sums.frequencies = {1e9};
  const struct {
    FourierPlan plan;
    const char *interruption, *title;
  } runs[] = {{{}, "", "|E| after 0 s"}, {sums, "", "|E| at 1 GHz"}, {sums, "SIGTERM", "|E| after 0 s"}};
  for (const auto& run : runs) {
    io::Results r{files_, comm_};
    r.summary.interruption = run.interruption;
    LastFields(run.plan, view, *f.solver).finish(r);
    EXPECT_EQ(r.summary.sections.size(), comm_.is_root() ? 1u : 0u);
    if (!comm_.is_root()) continue;
    const auto& row = std::get<io::PictureRow>(r.summary.sections[0].blocks.at(0));
    EXPECT_EQ(row.title, run.title);
    const bool is_phasor = row.title.ends_with("GHz");
    EXPECT_EQ(row.scale.unit, is_phasor ? "V/m, peak of the phasor" : "V/m");
    EXPECT_NEAR(row.scale.highest, (is_phasor ? 2 : 1) * std::sqrt(14.0), 1e-5);
    EXPECT_NEAR(row.pictures.at(0).plane->position, 0.45, 1e-12);
    EXPECT_NEAR(row.pictures.at(0).high[1], 0.6, 1e-12);
  }
}

// The incident wave has 1 V s/m at 1 GHz and 2 V s/m at 2 GHz, so that the first one is the strongest.
TEST_F(PicturesTest, MonitorOfAPlaneRefersToTheIncidentWave) {
  const GridFixture f(comm_);
  physics::Monitor plane;
  plane.type = physics::Monitor::Type::plane;
  plane.centre = {0.4, 0.3, 0.45}, plane.size = {0.4, 0, 0.5}, plane.frequencies = {1e9, 2e9, 3e9};
  const IncidentSpectrum wave = [](const std::vector<double>& frequencies) {
    std::vector<double> energy;
    for (const double v : frequencies) energy.push_back(2 * std::pow(v / 1e9, 2) / vacuum_impedance);
    return energy;
  };
  const auto section = monitored(f, plane, wave, comm_);
  const auto few = monitored(f, plane, wave, comm_, {60, 2});
  const auto small = monitored(f, plane, wave, comm_, {60, 9, 10});
  plane.fields = {"H"};
  EXPECT_TRUE(monitored(f, plane, wave, comm_).blocks.empty());  // there is no H
  plane.fields = {"E"}, plane.size = {0.4, 0, 0.1};
  EXPECT_TRUE(monitored(f, plane, wave, comm_).blocks.empty());  // a line of cells
  if (!comm_.is_root()) return;
  ASSERT_EQ(section.blocks.size(), 2u);
  const auto& row = std::get<io::PictureRow>(section.blocks[0]);
  EXPECT_EQ(row.title, "|E| at 1 GHz, where it is largest of 3 frequencies");
  EXPECT_EQ(row.scale.title, "|E| over that of the incident wave");
  EXPECT_NEAR(row.scale.highest, 2 * std::sqrt(14.0), 1e-5);
  EXPECT_EQ(row.pictures.at(0).plane->axis, 1);
  EXPECT_NEAR(row.pictures[0].plane->position, 0.3, 1e-12);
  const auto& others = std::get<io::PictureRow>(section.blocks[1]);
  EXPECT_EQ(others.folded, "2 of 2 other frequencies");
  EXPECT_EQ(others.pictures.at(1).title, "3 GHz");
  EXPECT_EQ(others.scale.highest, row.scale.highest);
  EXPECT_NE(others.pictures[0].png, others.pictures[1].png);
  EXPECT_TRUE(others.note.empty());
  EXPECT_EQ(std::get<io::PictureRow>(few.blocks.at(1)).note, "All are in monitor_cut.pvd.");
  EXPECT_EQ(small.blocks.size(), 1u);  // no room for others
}

}  // namespace
}  // namespace dgtd::observers
