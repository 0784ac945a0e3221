// Meshes of unions, differences and intersections.
#include <gtest/gtest.h>

#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/mesher/from_bodies.hpp"
#include "mesh/generate_measures.hpp"
#include "mesh/scratch_folder.hpp"

namespace dgtd::mesher {
namespace {

using geometry::Combination;
using mesh::Body;
using mesh::testing::ScratchFolder;

Body simple(Body::Form form, const Vec3& centre, const Vec3& size = {}) {
  Body b;
  b.form = form, b.centre = centre, b.size = size;
  return b;
}

Body cylinder(const Vec3& centre, const Vec3& axis, double radius, double height) {
  Body b = simple(Body::Form::cylinder, centre);
  b.axis = axis, b.radius = radius, b.height = height;
  return b;
}

Body combined(Combination combination, std::vector<Body> operands) {
  Body b;
  b.name = "body", b.group = "glass", b.element = 0.3;
  b.form = Body::Form::combined, b.combination = combination, b.operands = std::move(operands);
  return b;
}

mesh::BodyModel model_of(const Body& body) {
  mesh::BodyModel model;
  model.low = {-1, -1, -1}, model.high = {1, 1, 1};
  model.around = "air", model.element = 0.4;
  model.bodies = {body};
  return model;
}

// m3 of the body, and m2 of its walls where it is a hole.
double volume_of(const mesh::BodyModel& model, const std::filesystem::path& folder) {
  const auto found = mesh::read_gmsh(mesh_of_bodies(model, {}, folder).file, 1);
  EXPECT_NO_THROW(mesh::check(found));
  return 8 - mesh::testing::volumes(found)["air"];
}

// Two boxes that overlap, a box without a corner, what an L and a box have in common: exact. Of a bored cube the hole is
// a polygon of 12 edges and more; with exact volumes it is exact.
TEST(CombinedBodies, HaveTheirVolumes) {
  const ScratchFolder folder("combined");
  const Body a = simple(Body::Form::box, {}, {0.8, 0.8, 0.8}), b = simple(Body::Form::box, {0.4, 0.4, 0.4}, {0.8, 0.8, 0.8});
  EXPECT_NEAR(volume_of(model_of(combined(Combination::unite, {a, b})), folder / "u"), 2 * 0.512 - 0.064, 1e-9);
  EXPECT_NEAR(volume_of(model_of(combined(Combination::subtract, {a, b})), folder / "d"), 0.512 - 0.064, 1e-9);
  EXPECT_NEAR(volume_of(model_of(combined(Combination::intersect, {a, b})), folder / "i"), 0.064, 1e-9);
  // A part of a combined body is one again.
  const Body bar = simple(Body::Form::box, {}, {2, 0.2, 0.2});
  mesh::BodyModel nested = model_of(combined(Combination::subtract, {combined(Combination::unite, {a, bar}), b}));
  EXPECT_NEAR(volume_of(nested, folder / "n"), 0.512 - 0.064 + 1.2 * 0.04 - 0.4 * 0.01, 1e-9);
  nested.bodies[0].hole = true;
  EXPECT_NEAR(volume_of(nested, folder / "h"), 0.512 - 0.064 + 1.2 * 0.04 - 0.4 * 0.01, 1e-9);

  mesh::BodyModel bored = model_of(combined(Combination::subtract, {a, cylinder({}, {1, 0, 0}, 0.2, 2)}));
  const double bore = 0.8 * pi * 0.04, polygon = 0.512 - volume_of(bored, folder / "b");
  EXPECT_GT(polygon, 0.95 * bore);
  EXPECT_LT(polygon, bore);
  bored.exact_volumes = mesh::ExactVolumes::all;
  EXPECT_NEAR(0.512 - volume_of(bored, folder / "e"), bore, 1e-6 * bore);
  EXPECT_NE(mesh::hash_of(bored), mesh::hash_of(model_of(combined(Combination::unite, bored.bodies[0].operands))));
}

// The elbow of a wire: two cylinders with a ball in the corner, a quarter of which fills the gap between them.
TEST(CombinedBodies, AnElbowOfTubesHasItsVolume) {
  const ScratchFolder folder("elbow");
  const double r = 0.1, length = 0.5;
  Body ball = simple(Body::Form::ellipsoid, {}, {r, r, r});
  const Body elbow = combined(Combination::unite, {cylinder({length / 2, 0, 0}, {1, 0, 0}, r, length),
                                                   cylinder({0, length / 2, 0}, {0, 1, 0}, r, length), ball});
  // Cylinders at right angles that end in each other's axis have a quarter of J. Steinmetz's solid in common, 4/3 r^3; a
  // quarter of the ball is in neither.
  const double volume = volume_of(model_of(elbow), folder / "e"), exact = 2 * pi * r * r * length - 4.0 / 3 * r * r * r +
                                                                          pi / 3 * r * r * r;
  EXPECT_GT(volume, 0.94 * exact);
  EXPECT_LT(volume, exact);
}

TEST(CombinedBodies, NothingLeftIsAnError) {
  const ScratchFolder folder("nothing");
  const Body a = simple(Body::Form::box, {}, {0.4, 0.4, 0.4}), b = simple(Body::Form::box, {}, {0.8, 0.8, 0.8});
  try {
    volume_of(model_of(combined(Combination::subtract, {a, b})), folder / "n");
    ADD_FAILURE() << "nothing was meshed";
  } catch (const Error& error) { EXPECT_STREQ(error.what(), "body body: nothing is left of it"); }
}

}  // namespace
}  // namespace dgtd::mesher
