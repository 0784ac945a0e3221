// Elements at the edges of perfect conductors that only their solids show: those of STEP files and combined bodies.
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
using testing::model_of;
using testing::step;

// m, the mean edge of walls' triangles both of whose ends are on a curve.
template <class OnCurve>
double mean_edge(const mesh::GlobalMesh& mesh, const OnCurve& is_on) {
  double sum = 0;
  int count = 0;
  for (const auto& triangle : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 &a = mesh.vertices[std::size_t(triangle[i])], &b = mesh.vertices[std::size_t(triangle[(i + 1) % 3])];
      if (is_on(a) && is_on(b)) sum += norm(b - a), ++count;
    }
  EXPECT_GT(count, 0);
  return sum / count;
}

// On an upright line, at heights below half.
auto on_upright(double x, double y, double half) {
  return [=](const Vec3& p) { return std::hypot(p.x - x, p.y - y) < 1e-6 && std::abs(p.z) < half; };
}

// From a file, also turned and beside its origin, and by Booleans whose operands are partly outside of the domain.
TEST(SolidEdges, OfABoxAreTheSameByAllWays) {
  const ScratchFolder folder("edges_of_boxes");
  const Body simple = box({}, {0.4, 0.5, 0.6});
  const double expected = elements(mesh_of(model_of({simple}), folder / "box.msh"));
  const auto expect_same = [&](const Body& body, const char* name) {
    EXPECT_NEAR(elements(mesh_of(model_of({body}), folder / (std::string(name) + ".msh"))), expected, 0.05 * expected)
        << name;
  };
  const Body same = step(folder / "box.step", [] { occ::addBox(-200, -250, -300, 400, 500, 600); });
  expect_same(same, "same");
  Body turned = step(folder / "turned.step", [] { occ::addBox(100, 100, 100, 500, 400, 600); });
  turned.turn = geometry::Turn{{0, 0, 1}, pi / 2};
  turned.centre = {0.3, -0.35, -0.4};
  expect_same(turned, "turned");
  // Halves whose faces continue each other's, and what two boxes have in common.
  expect_same(combined(Combination::unite, {box({-0.1, 0, 0}, {0.2, 0.5, 0.6}), box({0.1, 0, 0}, {0.2, 0.5, 0.6})}),
              "union");
  expect_same(combined(Combination::intersect, {box({0.3, 0, 0}, {1, 0.5, 0.9}), box({-0.3, 0, 0}, {1, 0.9, 0.6})}),
              "common");
  mesh::BodyModel plain = model_of({same});
  plain.edge_refinement = 1;
  EXPECT_LT(elements(mesh_of(plain, folder / "plain.msh")), 0.5 * expected);
}

// A box without a corner, which a larger box cuts off: its upright edges are convex but for one.
TEST(SolidEdges, OfAnLAreConvex) {
  const ScratchFolder folder("edges_of_l");
  const auto found =
      mesh_of(model_of({combined(Combination::subtract, {box({}, {0.8, 0.8, 1}), box({0.4, 0.4, 0}, {0.8, 0.8, 2})})}),
              folder / "l.msh");
  const double element = 0.2 / 4;
  const std::array<double, 2> convex[] = {{-0.4, -0.4}, {0.4, -0.4}, {0.4, 0}, {0, 0.4}, {-0.4, 0.4}};
  for (const auto& [x, y] : convex) EXPECT_LT(mean_edge(found, on_upright(x, y, 0.3)), 1.2 * element) << x << ' ' << y;
  EXPECT_GT(mean_edge(found, on_upright(0, 0, 0.3)), 2 * element);
}

// The rims of a cylinder, the ends of a wire of three pieces, whose corners are round, and a brick with rounded edges.
TEST(SolidEdges, AreSharp) {
  const ScratchFolder folder("sharp_edges");
  const double element = 0.2 / 4;
  const auto on_rim = [](double radius, double height) {
    return
        [=](const Vec3& p) { return std::abs(std::hypot(p.x, p.y) - radius) < 1e-6 && std::abs(p.z - height) < 1e-6; };
  };
  const Body drum = step(folder / "drum.step", [] { occ::addCylinder(0, 0, -200, 0, 0, 400, 300); });
  const auto of_drum = mesh_of(model_of({drum}), folder / "drum.msh");
  EXPECT_LT(mean_edge(of_drum, on_rim(0.3, 0.2)), 1.2 * element);
  EXPECT_LT(mean_edge(of_drum, on_rim(0.3, -0.2)), 1.2 * element);
  Body rounded = step(folder / "rounded.step", [] {
    const int brick = occ::addBox(-200, -250, -300, 400, 500, 600);
    occ::synchronize();
    gmsh::vectorpair all, made;
    gmsh::model::getEntities(all, 1);
    std::vector<int> edges;
    for (const auto& [dimension, tag] : all) edges.push_back(tag);
    occ::fillet({brick}, edges, {100}, made);
  });
  rounded.step.sizes.clear();
  mesh::BodyModel model = model_of({rounded});
  const double refined = elements(mesh_of(model, folder / "rounded.msh"));
  model.edge_refinement = 1;
  EXPECT_NEAR(elements(mesh_of(model, folder / "rounded.msh")), refined, 0.1 * refined);
  Body rod, ball;
  rod.form = Body::Form::cylinder, rod.radius = 0.15, rod.height = 0.4, rod.centre = {0, 0, -0.2};
  ball.form = Body::Form::ellipsoid, ball.size = {0.15, 0.15, 0.15};
  const auto pin = mesh_of(model_of({combined(Combination::unite, {rod, ball})}), folder / "pin.msh");
  EXPECT_LT(mean_edge(pin, on_rim(0.15, -0.4)), 1.2 * element);
  EXPECT_GT(mean_edge(pin, on_rim(0.15, 0)), 1.3 * element);
}

// Upright edges of a column: with eight corners they turn by 45 degrees, with 24 by 15.
TEST(SolidEdges, TurnByMoreThanThirtyDegrees) {
  const ScratchFolder folder("turns");
  const auto upright_edge = [&](int corners) {
    Body column;
    column.form = Body::Form::prism, column.height = 0.8;
    for (int i = 0; i < corners; ++i)
      column.points.push_back({0.3 * std::cos(2 * pi * i / corners), 0.3 * std::sin(2 * pi * i / corners)});
    const auto found = mesh_of(model_of({combined(Combination::unite, {column})}), folder / "column.msh");
    return mean_edge(found, on_upright(0.3, 0, 0.2));
  };
  EXPECT_LT(upright_edge(8), 1.2 * 0.05);
  EXPECT_GT(upright_edge(24), 1.3 * 0.05);
}

// A box or a plate below a block goes on beyond the edges of its lower face.
TEST(SolidEdges, OnOtherConductorsAreNone) {
  const ScratchFolder folder("covered_edges");
  const double element = 0.2 / 4;
  const Body block = step(folder / "block.step", [] { occ::addBox(-300, -300, 0, 600, 600, 300); });
  const auto at_height = [](double height) {
    return [=](const Vec3& p) {
      return std::abs(p.z - height) < 1e-6 && std::abs(std::max(std::abs(p.x), std::abs(p.y)) - 0.3) < 1e-6;
    };
  };
  mesh::BodyModel on_box = model_of({box({0, 0, -0.1}, {1, 1, 0.2}), block});
  const auto both = mesh_of(on_box, folder / "box.msh");
  EXPECT_LT(mean_edge(both, at_height(0.3)), 1.2 * element);
  EXPECT_GT(mean_edge(both, at_height(0)), 1.3 * element);
  mesh::BodyModel on_plate = model_of({block});
  mesh::Plate plate;
  plate.name = plate.group = "metal";
  plate.points = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
  plate.element = 0.3, plate.axis = 2;
  on_plate.plates = {plate};
  EXPECT_GT(mean_edge(mesh_of(on_plate, folder / "plate.msh"), at_height(0)), 1.3 * element);
}

TEST(SolidEdges, AreThoseOfHoles) {
  const mesh::BodyModel simple = model_of({box({}, {0.4, 0.4, 0.4})});
  EXPECT_FALSE(mesh::has_edges_of_solids(simple));
  mesh::BodyModel united = model_of({combined(Combination::unite, {box({}, {0.4, 0.4, 0.4})})});
  EXPECT_TRUE(mesh::has_edges_of_solids(united));
  united.bodies[0].hole = false;
  EXPECT_FALSE(mesh::has_edges_of_solids(united));
}

}  // namespace
}  // namespace dgtd::mesher
