// Gaps between perfect conductors that are solids of STEP files, combined bodies and shapes.
#include <gtest/gtest.h>

#include <cmath>

#include "conductor_bodies.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/mesh/body_sizes.hpp"
#include "mesh/scratch_folder.hpp"

namespace dgtd::mesher {
namespace {

namespace occ = gmsh::model::occ;
using geometry::Combination;
using mesh::Body;
using mesh::testing::ScratchFolder;
using testing::box;
using testing::combined;
using testing::elements;
using testing::mesh_of;
using testing::step;

mesh::BodyModel plain_model_of(std::vector<Body> bodies) {
  mesh::BodyModel model = testing::model_of(std::move(bodies));
  model.edge_refinement = 1;
  return model;
}

// -1 unless there is one.
double only_width(const mesh::BodyModel& model) {
  const auto gaps = mesh::conductor_gaps(model);
  return gaps.size() == 1 ? gaps[0].width : -1;
}

// Boxes of 0.4 x 0.5 x 0.6 m, 60 mm apart.
constexpr double gap = 0.06;
const Vec3 size{0.4, 0.5, 0.6}, left{-0.23, 0, 0}, right{0.23, 0, 0};

Body left_step(const ScratchFolder& folder) {
  return step(folder / "left.step", [] { occ::addBox(-430, -250, -300, 400, 500, 600); });
}

Body cylinder(double radius, double height) {
  Body b;
  b.form = Body::Form::cylinder, b.radius = radius, b.height = height;
  return b;
}

Body cylinder_step(const std::filesystem::path& file, double radius, double height) {
  return step(file, [&] { occ::addCylinder(0, 0, -500 * height, 0, 0, 1e3 * height, 1e3 * radius); });
}

// A block of 0.6 x 0.6 x 0.4 m with a bore of 0.2 m radius.
Body bored_block_step(const std::filesystem::path& file) {
  return step(file, [] {
    gmsh::vectorpair made;
    std::vector<gmsh::vectorpair> parts;
    occ::cut({{3, occ::addBox(-300, -300, -200, 600, 600, 400)}}, {{3, occ::addCylinder(0, 0, -500, 0, 0, 1000, 200)}},
             made, parts);
  });
}

// By the same rule: elements of 30 mm between the boxes, and as many in all as in the mesh of two shapes.
TEST(SolidGaps, OfTwoBoxesAreTheSameByAllWays) {
  const ScratchFolder folder("gaps_of_boxes");
  const mesh::BodyModel shapes = plain_model_of({box(left, size), box(right, size)});
  const double expected = elements(mesh_of(shapes, folder / "shapes.msh"));
  EXPECT_NEAR(only_width(shapes), gap, 1e-9);
  const auto expect_same = [&](std::vector<Body> bodies, const char* name) {
    const mesh::BodyModel model = plain_model_of(std::move(bodies));
    EXPECT_NEAR(only_width(model), gap, 1e-6) << name;
    EXPECT_NEAR(mesh::BodySizes(model).at({0, 0.1, 0.2}), gap / 2, 1e-6) << name;
    EXPECT_NEAR(elements(mesh_of(model, folder / "other.msh")), expected, 0.04 * expected) << name;
  };
  const Body first = left_step(folder);
  expect_same({first, step(folder / "right.step", [] { occ::addBox(30, -250, -300, 400, 500, 600); })}, "two files");
  expect_same({first, box(right, size)}, "a file and a shape");
  expect_same({step(folder / "both.step",
                    [] {
                      occ::addBox(-430, -250, -300, 400, 500, 600);
                      occ::addBox(30, -250, -300, 400, 500, 600);
                    })},
              "one file");
  Body turned = step(folder / "turned.step", [] { occ::addBox(0, 0, 0, 500, 400, 600); });
  turned.turn = geometry::Turn{{0, 0, 1}, pi / 2};
  turned.centre = {0.43, -0.25, -0.3};
  expect_same({first, turned}, "turned");
  // Halves whose faces continue each other's, and what two boxes have in common.
  const Body united =
      combined(Combination::unite, {box({-0.33, 0, 0}, {0.2, 0.5, 0.6}), box({-0.13, 0, 0}, {0.2, 0.5, 0.6})});
  const Body common =
      combined(Combination::intersect, {box({0.33, 0, 0}, {0.6, 0.5, 0.9}), box({0.23, 0, 0}, {0.4, 0.9, 0.6})});
  const Body cut = combined(Combination::subtract, {first, box({0.3, 0, 0}, {0.1, 0.1, 0.1})});
  expect_same({united, common}, "combined");
  expect_same({cut, common}, "combined with a file");
  mesh::BodyModel far = plain_model_of({first, box(right + Vec3{0.5, 0, 0}, size)});
  EXPECT_EQ(only_width(far), -1);  // more than two elements
}

// A rod in the bore of a block, 40 mm all around, as shapes and from files.
TEST(SolidGaps, AroundARodInABore) {
  const ScratchFolder folder("gap_in_a_bore");
  const double height = 0.4;
  const mesh::BodyModel shapes = plain_model_of(
      {combined(Combination::subtract, {box({}, {0.6, 0.6, height}), cylinder(0.2, 1)}), cylinder(0.16, height)});
  const Body block = bored_block_step(folder / "block.step"), rod = cylinder_step(folder / "rod.step", 0.16, height);
  const mesh::BodyModel solids = plain_model_of({block, rod});
  EXPECT_NEAR(only_width(shapes), 0.04, 1e-6);
  EXPECT_NEAR(only_width(solids), 0.04, 0.005 * 0.2);  // from a chord of the bore
  const double expected = elements(mesh_of(shapes, folder / "shapes.msh"));
  EXPECT_NEAR(elements(mesh_of(solids, folder / "solids.msh")), expected, 0.05 * expected);
}

// Which of the solids has the face does not matter, and curved ones are only as near as their triangles.
TEST(SolidGaps, AreNoneWhereSolidsTouch) {
  const ScratchFolder folder("touching_solids");
  const Body first = left_step(folder);
  EXPECT_EQ(mesh::conductor_gaps(plain_model_of({first, box({0.17, 0.1, 0}, size)})).size(), 0u);
  const Body beside = step(folder / "beside.step", [] { occ::addBox(-30, -100, -200, 300, 500, 400); });
  EXPECT_EQ(mesh::conductor_gaps(plain_model_of({first, beside})).size(), 0u);
  const Body across = step(folder / "across.step", [] { occ::addBox(-600, -50, -50, 1200, 100, 100); });
  EXPECT_EQ(mesh::conductor_gaps(plain_model_of({first, across})).size(), 0u);
  const Body bored = bored_block_step(folder / "bored.step");
  Body pin = cylinder_step(folder / "pin.step", 0.2, 0.6);
  pin.turn = geometry::Turn{{0, 0, 1}, 0.05};  // chords are not the same
  EXPECT_EQ(mesh::conductor_gaps(plain_model_of({bored, pin})).size(), 0u);
  const Body between = step(folder / "between.step", [] { occ::addBox(-30, -50, -50, 60, 100, 100); });  // a third one
  EXPECT_EQ(mesh::conductor_gaps(plain_model_of({first, box(right, size), between})).size(), 0u);
}

// The number that is known before the solids are cut, from samples, is that of the same bodies as shapes.
TEST(SolidEdges, CountInTheNumberExpected) {
  const ScratchFolder folder("expected_edges");
  const auto expected = [](const Body& body) {
    const mesh::BodyModel model = testing::model_of({body});
    return mesh::BodySizes(model, mesh::expected_edges_of_solids(model)).tetrahedra();
  };
  const auto expect_same = [&](const Body& body, const Body& shape, const char* name) {
    const double of_shape = expected(shape);
    EXPECT_NEAR(expected(body), of_shape, 0.02 * of_shape) << name;
  };
  const Body simple = box({}, {0.4, 0.5, 0.6});
  expect_same(step(folder / "box.step", [] { occ::addBox(-200, -250, -300, 400, 500, 600); }), simple, "file");
  expect_same(combined(Combination::unite, {box({-0.1, 0, 0}, {0.2, 0.5, 0.6}), box({0.1, 0, 0}, {0.2, 0.5, 0.6})}),
              simple, "union");
  expect_same(cylinder_step(folder / "drum.step", 0.3, 0.4), cylinder(0.3, 0.4), "drum");
  Body prism;
  prism.form = Body::Form::prism, prism.height = 1;
  prism.points = {{-0.4, -0.4}, {0.4, -0.4}, {0.4, 0}, {0, 0}, {0, 0.4}, {-0.4, 0.4}};
  // Where the smaller box ends on the faces of the other one, two of its edges are of the L, too.
  expect_same(combined(Combination::unite, {box({0, -0.2, 0}, {0.8, 0.4, 1}), box({-0.2, 0.2, 0}, {0.4, 0.4, 1})}),
              prism, "L");
}

}  // namespace
}  // namespace dgtd::mesher
