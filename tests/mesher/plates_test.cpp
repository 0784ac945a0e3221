// Plates in meshes of bodies: faces between elements, with a surface behind both.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dgtd/mesh/added_layers.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/mesher/from_bodies.hpp"
#include "mesh/generate/add_layers.hpp"
#include "mesh/compact/face_adjacency.hpp"
#include "mesh/generate_measures.hpp"
#include "mesh/scratch_folder.hpp"

namespace dgtd::mesher {
namespace {

using mesh::Body;
using mesh::BodyModel;
using mesh::Plate;
using mesh::testing::ScratchFolder;

Plate plate(int axis, const Vec3& centre, double u, double v) {
  Plate p;
  p.name = "p", p.group = "tin", p.axis = axis, p.centre = centre, p.element = 0.15;
  p.points = {{-u / 2, -v / 2}, {u / 2, -v / 2}, {u / 2, v / 2}, {-u / 2, v / 2}};
  return p;
}

BodyModel box() {
  BodyModel model;
  model.low = {0, 0, 0}, model.high = {1, 1, 1};
  model.around = "air";
  model.element = 0.25;
  return model;
}

mesh::GlobalMesh mesh_of(const BodyModel& model, const std::filesystem::path& folder) {
  return mesh::read_gmsh(mesh_of_bodies(model, {}, folder).file, 1);
}

// Faces of elements with that surface behind them.
std::int64_t faces_at(const mesh::GlobalMesh& mesh, const std::string& surface) {
  const mesh::FaceAdjacency adjacency = mesh::pair_faces(mesh);
  std::int64_t count = 0;
  for (std::size_t code = 0; code < adjacency.behind.size(); ++code)
    count += adjacency.boundary(code) && mesh.surface_names[adjacency.surface(code)] == surface;
  return count;
}

std::int64_t triangles_of(const mesh::GlobalMesh& mesh, const std::string& surface) {
  return std::count_if(mesh.triangle_group.begin(), mesh.triangle_group.end(),
                       [&](std::uint16_t group) { return mesh.surface_names[group] == surface; });
}

// One plate of a T stands in what is beside the other: the optimiser moves neither.
TEST(Plates, AreBetweenTwoElementsAndHaveTheirAreas) {
  const ScratchFolder folder("plates");
  BodyModel model = box();
  model.plates = {plate(2, {0.5, 0.5, 0.4}, 0.6, 0.4), plate(0, {0.5, 0.5, 0.5}, 0.3, 0.2)};
  Plate letter = plate(1, {0.2, 0.1, 0.2}, 0, 0);
  letter.points = {{0, 0}, {0.3, 0}, {0.3, 0.1}, {0.1, 0.1}, {0.1, 0.3}, {0, 0.3}};
  model.plates.push_back(letter);
  const auto found = mesh_of(model, folder / "t");
  EXPECT_EQ(found.volume_names, std::vector<std::string>{"air"});
  EXPECT_NO_THROW(mesh::check(found));
  auto areas = mesh::testing::areas(found);
  EXPECT_NEAR(areas["tin (plate)"], 0.24 + 0.06 + 0.05, 1e-9);
  EXPECT_NEAR(mesh::testing::volumes(found)["air"], 1, 1e-9);
  EXPECT_EQ(faces_at(found, "tin (plate)"), 2 * triangles_of(found, "tin (plate)"));
  EXPECT_NE(mesh::hash_of(model), mesh::hash_of(box()));
  model.plates = {plate(0, {0.4, 0.5, 0.5}, 3, 3)};  // divides the domain
  const auto divided = mesh_of(model, folder / "d");
  EXPECT_NO_THROW(mesh::check(divided));
  EXPECT_NEAR(mesh::testing::areas(divided)["tin (plate)"], 1, 1e-9);
}

// Oblique ones, one of which ends on the domain's sides and divides it, and another one in a hole.
TEST(Plates, MayBeOblique) {
  const ScratchFolder folder("oblique_plates");
  BodyModel model = box();
  Plate turned = plate(2, {0.5, 0.5, 0.5}, 0.5, 0.3);
  turned.turn = geometry::Turn{Vec3{1, 2, 2} / 3, 0.7};
  model.plates = {turned};
  const auto found = mesh_of(model, folder / "o");
  EXPECT_NO_THROW(mesh::check(found));
  EXPECT_NEAR(mesh::testing::areas(found)["tin (plate)"], 0.15, 1e-9);
  EXPECT_NEAR(mesh::testing::volumes(found)["air"], 1, 1e-9);
  EXPECT_EQ(faces_at(found, "tin (plate)"), 2 * triangles_of(found, "tin (plate)"));
  BodyModel straight = model;
  straight.plates[0].turn.reset();
  EXPECT_NE(mesh::hash_of(model), mesh::hash_of(straight));
  Body hole;
  hole.name = "h", hole.group = "tin", hole.hole = true, hole.centre = {0.5, 0.5, 0.5}, hole.size = {2, 0.4, 0.4};
  model.bodies = {hole};
  model.plates = {plate(0, {0.5, 0.5, 0.5}, 4, 4)};
  model.plates[0].turn = geometry::Turn{{0, 0, 1}, 0.3};  // about the middle of its prism's side: 1 / cos(0.3) long
  const auto divided = mesh_of(model, folder / "d");
  EXPECT_NO_THROW(mesh::check(divided));
  EXPECT_NEAR(mesh::testing::areas(divided)["tin (plate)"], (1 - 0.16) / std::cos(0.3), 1e-9);
}

// A part of it in a hole, a part on a hole's wall, a part outside of the domain, one on the face of a body.
TEST(Plates, EndAtHolesAndSides) {
  const ScratchFolder folder("plates_and_holes");
  BodyModel model = box();
  Body hole;
  hole.name = "h", hole.group = "tin", hole.hole = true, hole.centre = {0.5, 0.5, 0.5}, hole.size = {0.4, 0.4, 0.4};
  Body slab = hole;
  slab.name = "s", slab.group = "glass", slab.hole = false, slab.element = 0.25;
  slab.centre = {0.5, 0.5, 0.1}, slab.size = {1, 1, 0.2};
  model.bodies = {slab, hole};
  model.plates = {plate(0, {0.5, 0.5, 0.5}, 0.8, 0.8), plate(2, {0.5, 0.5, 0.7}, 0.6, 0.6),
                  plate(2, {0.9, 0.5, 0.2}, 0.4, 0.4)};
  const auto found = mesh_of(model, folder / "h");
  EXPECT_NO_THROW(mesh::check(found));
  auto areas = mesh::testing::areas(found);
  EXPECT_NEAR(areas["tin (plate)"], 0.64 - 0.16 + 0.36 - 0.16 + 0.3 * 0.4, 1e-9);
  EXPECT_NEAR(areas["tin"], 6 * 0.16, 1e-9);
  EXPECT_NEAR(mesh::testing::volumes(found)["glass"], 0.2, 1e-9);
  EXPECT_NEAR(areas["xmax"], 1, 1e-9);
}

// A strip that ends on two sides goes on in the layers outside of them.
TEST(Plates, GoOnThroughLayers) {
  const ScratchFolder folder("plates_and_layers");
  BodyModel model = box();
  model.plates = {plate(2, {0.5, 0.5, 0.5}, 2, 0.2), plate(1, {0.9, 0.9, 0.9}, 0.8, 0.8)};
  const auto inner = mesh_of(model, folder / "l");
  EXPECT_NEAR(mesh::testing::areas(inner)["tin (plate)"], 0.2 + 0.25, 1e-9);
  const auto found = mesh::add_layers(inner, {{"*", 2, 0.3}});
  EXPECT_NO_THROW(mesh::check(found));
  // The second one has a corner in the edge of two layers.
  EXPECT_NEAR(mesh::testing::areas(found)["tin (plate)"], 1.6 * 0.2 + 0.8 * 0.8, 1e-9);
  EXPECT_EQ(faces_at(found, "tin (plate)"), 2 * triangles_of(found, "tin (plate)"));
}

}  // namespace
}  // namespace dgtd::mesher
