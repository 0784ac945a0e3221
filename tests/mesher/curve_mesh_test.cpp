// Straight meshes whose edges are bent afterwards onto analytic surfaces and onto the faces of STEP solids.
#include "dgtd/mesher/curve_mesh.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/mesh/generate.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/mesh/mesh_comment.hpp"
#include "dgtd/mesher/from_bodies.hpp"
#include "curved_volume.hpp"
#include "mesh/scratch_folder.hpp"
#include "step_files.hpp"

namespace dgtd::mesher {
namespace {

namespace occ = gmsh::model::occ;
using mesh::Body;
using mesh::testing::ScratchFolder;
using testing::curved_volume_of;
using testing::write_step;

Body ball(double radius) {
  Body body;
  body.name = "ball";
  body.form = Body::Form::ellipsoid;
  body.size = {radius, radius, radius};
  return body;
}

mesh::GlobalMesh ball_in_ball(const std::filesystem::path& file) {
  mesh::generate_spheres({{0.3, 0.6}, {0.15, 0.3}, {"ball", "air"}, {}, false}, file);
  return mesh::read_gmsh(file, 1);
}

// A drum of 0.3 m radius and 0.4 m height in a box of 1.4 m.
mesh::GlobalMesh drum_in_box(const std::filesystem::path& file) {
  mesh::BodyModel model;
  model.low = {-0.7, -0.7, -0.7}, model.high = {0.7, 0.7, 0.7};
  model.around = "air", model.element = 0.4;
  Body drum;
  drum.name = drum.group = "drum";
  drum.form = Body::Form::cylinder;
  drum.radius = 0.3, drum.height = 0.4;
  drum.element = 0.2;
  model.bodies = {drum};
  mesh::generate_bodies(model, file);
  return mesh::read_gmsh(file, 1);
}

std::string message(mesh::GlobalMesh mesh, const CurvingSurfaces& surfaces) {
  try {
    curve_mesh(mesh, surfaces);
  } catch (const Error& error) { return error.what(); }
  return "no error";
}

TEST(CurveMesh, PutsTheMiddlesOfEdgesOnSpheres) {
  const ScratchFolder folder("curve_sphere");
  mesh::GlobalMesh mesh = ball_in_ball(folder / "balls.msh");
  const double exact = 4 * pi / 3 * 0.027, straight = curved_volume_of(mesh, "ball");
  const CurvedMesh made = curve_mesh(mesh, {{ball(0.3), ball(0.6)}, {}});
  EXPECT_EQ(made.curved, std::int64_t(mesh.curved_edges.size()));
  EXPECT_GT(made.curved, 100);
  for (const auto& edge : mesh.curved_edges) {
    const Vec3 middle = 0.5 * (mesh.vertices[std::size_t(edge.vertices[0])] + mesh.vertices[std::size_t(edge.vertices[1])]);
    const double r = norm(middle + edge.bend);
    EXPECT_NEAR(r < 0.45 ? r / 0.3 : r / 0.6, 1, 1e-9);
  }
  EXPECT_LT(straight, 0.97 * exact);
  EXPECT_NEAR(curved_volume_of(mesh, "ball") / exact, 1, 3e-3);  // of fourth order in edges of a quarter of a radian
}

TEST(CurveMesh, TakesTheFacesOfStepSolidsLikeAnalyticSurfaces) {
  const ScratchFolder folder("curve_step");
  write_step(folder / "ball.step", [] { occ::addSphere(0, 0, 0, 300); });
  const mesh::GlobalMesh straight = ball_in_ball(folder / "balls.msh");
  mesh::GlobalMesh by_sphere = straight, by_step = straight;
  curve_mesh(by_sphere, {{ball(0.3)}, {}});
  curve_mesh(by_step, {{}, {folder / "ball.step"}});
  ASSERT_EQ(by_step.curved_edges.size(), by_sphere.curved_edges.size());
  for (std::size_t i = 0; i < by_step.curved_edges.size(); ++i) {
    EXPECT_EQ(by_step.curved_edges[i].vertices, by_sphere.curved_edges[i].vertices);
    EXPECT_LT(norm(by_step.curved_edges[i].bend - by_sphere.curved_edges[i].bend), 1e-7);
  }
}

// Half of the error of the volume of the largest tissue is that of straight edges of a fifth of its radius; curved ones
// have an error of fourth order. Vertices and elements are those of the straight mesh, and cases take it for its level.
TEST(CurveMesh, HasTheTissuesOfTheHeadBesideAPhone) {
  const ScratchFolder folder("curve_head");
  const auto file = folder / "m0.msh";
  mesh::generate_head_phone("m0", file);
  const mesh::GlobalMesh straight = mesh::read_gmsh(file, 1);
  EXPECT_NE(make_head_phone_curved(file).find(" edges are curved; 0 stay straight"), std::string::npos);
  const mesh::GlobalMesh curved = mesh::read_gmsh(file, 1);
  EXPECT_EQ(curved.tetrahedra.size(), straight.tetrahedra.size());
  EXPECT_EQ(curved.vertices, straight.vertices);
  const auto& [name, centre, axes] = mesh::HeadPhone::brain;
  const double exact = 4 * pi / 3 * axes.x * axes.y * axes.z;
  EXPECT_LT(curved_volume_of(straight, name), 0.996 * exact);
  EXPECT_NEAR(curved_volume_of(curved, name) / exact, 1, 1e-4);
  mesh::append_comment(mesh::curved_head_phone_comment("m0"), file);
  mesh::MeshSource wanted;
  wanted.generator = mesh::MeshSource::Generator::head_phone;
  wanted.file = file;
  wanted.cache = mesh::MeshSource::Cache::off;
  EXPECT_GT(mesh::load(wanted, parallel::Communicator(MPI_COMM_SELF)).curved.size(), 10'000u);
}

// Edges of the rim are on two faces of the solid, whose curve they follow.
TEST(CurveMesh, FollowsTheCurvesBetweenFaces) {
  const ScratchFolder folder("curve_drum");
  write_step(folder / "drum.step", [] { occ::addCylinder(0, 0, -200, 0, 0, 400, 300); });
  mesh::GlobalMesh mesh = drum_in_box(folder / "drum.msh");
  const double exact = pi * 0.09 * 0.4, straight = curved_volume_of(mesh, "drum");
  curve_mesh(mesh, {{}, {folder / "drum.step"}});
  std::int64_t on_rim = 0;
  for (const auto& edge : mesh.curved_edges) {
    const Vec3& a = mesh.vertices[std::size_t(edge.vertices[0])];
    const Vec3& b = mesh.vertices[std::size_t(edge.vertices[1])];
    const Vec3 x = 0.5 * (a + b) + edge.bend;
    EXPECT_NEAR(std::hypot(x.x, x.y), 0.3, 1e-8);
    if (std::abs(std::abs(a.z) - 0.2) > 1e-9 || std::abs(a.z - b.z) > 1e-9) continue;
    EXPECT_NEAR(x.z, a.z, 1e-9);
    ++on_rim;
  }
  EXPECT_GE(on_rim, 16);
  EXPECT_LT(straight, 0.98 * exact);
  EXPECT_NEAR(curved_volume_of(mesh, "drum") / exact, 1, 1e-3);
}

TEST(CurveMesh, SaysWhatIsWrong) {
  const ScratchFolder folder("curve_errors");
  mesh::GlobalMesh mesh = ball_in_ball(folder / "balls.msh");
  const std::string nothing =
      ": no triangle between two volumes, or on the boundary, has its vertices on it (to 1e-6 of the mesh's size)";
  EXPECT_EQ(message(mesh, {{ball(0.31)}, {}}), "ball" + nothing);
  write_step(folder / "far.step", [] { occ::addSphere(0, 0, 0, 310); });
  EXPECT_EQ(message(mesh, {{}, {folder / "far.step"}}), (folder / "far.step").string() + nothing);
  EXPECT_EQ(message(mesh, {{}, {folder / "balls.msh"}}),
            (folder / "balls.msh").string() + ": is no STEP file: it does not begin with ISO-10303-21");
  curve_mesh(mesh, {{ball(0.3)}, {}});
  EXPECT_NE(message(mesh, {{ball(0.3)}, {}}).find(" curved edges already"), std::string::npos);
}

}  // namespace
}  // namespace dgtd::mesher
