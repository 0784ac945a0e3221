// Meshes of bodies: volumes, names, holes, sides.
#include "dgtd/mesher/from_bodies.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/mesh/load.hpp"
#include "mesh/generate_measures.hpp"
#include "mesh/scratch_folder.hpp"

namespace dgtd::mesher {
namespace {

using mesh::Body;
using mesh::BodyModel;
using mesh::testing::ScratchFolder;

Body body(const std::string& name, const std::string& group, Body::Form form, const Vec3& centre, const Vec3& size = {}) {
  Body b;
  b.name = name;
  b.group = group;
  b.form = form;
  b.centre = centre;
  b.size = size;
  return b;
}

// A ball that pierces nothing, a metal rod along x, and a slab through the lower sides, in a box beside the origin.
BodyModel three_bodies() {
  BodyModel model;
  model.low = {1, 0, 0};
  model.high = {2, 1, 1.5};
  model.around = "air";
  model.element = 0.3;
  Body slab = body("slab", "glass", Body::Form::box, {1.5, 0.5, 0}, {2, 2, 0.4});
  slab.element = 0.25;
  Body ball = body("ball", "wax", Body::Form::ellipsoid, {1.5, 0.5, 0.6}, {0.2, 0.2, 0.2});
  ball.element = 0.2;
  Body rod = body("rod", "tin", Body::Form::cylinder, {1.5, 0.5, 1.2});
  rod.hole = true;
  rod.axis = {1, 0, 0};
  rod.radius = 0.1;
  rod.height = 0.5;
  model.bodies = {slab, ball, rod};
  return model;
}

TEST(FromBodies, HaveTheirVolumesHolesAndSides) {
  const ScratchFolder folder("bodies");
  const BodyModel model = three_bodies();
  const auto made = mesh_of_bodies(model, {{"glass", 1.5}}, folder / "a"),
             again = mesh_of_bodies(model, {}, folder / "a");
  EXPECT_TRUE(made.made);
  EXPECT_FALSE(again.made);
  EXPECT_EQ(made.file, again.file);
  EXPECT_EQ(made.bad_after, 0);
  EXPECT_GE(made.gain, 1);
  EXPECT_GT(made.worst_shape, 0.2);

  const mesh::GlobalMesh found = mesh::read_gmsh(made.file, 1);
  EXPECT_EQ(std::set(found.volume_names.begin(), found.volume_names.end()),
            (std::set<std::string>{"glass", "wax", "air"}));
  auto volumes = mesh::testing::volumes(found);
  const double ball = 4 * pi / 3 * 0.008;
  EXPECT_NEAR(volumes["wax"], ball, 1e-6 * ball);
  EXPECT_NEAR(volumes["glass"], 0.2, 1e-9);
  EXPECT_GT(mesh::testing::smallest_volume(found), 0);
  // A regular polygon of 12 edges and more has at least 0.955 of the circle's area.
  const double rod = 1.5 - 0.2 - ball - volumes["air"];
  EXPECT_GT(rod, 0.95 * pi * 0.01 * 0.5);
  EXPECT_LT(rod, pi * 0.01 * 0.5);
  auto areas = mesh::testing::areas(found);
  EXPECT_EQ(areas.size(), 7u);
  for (const char* side : {"xmin", "xmax", "ymin", "ymax"}) EXPECT_NEAR(areas[side], 1.5, 1e-9) << side;
  for (const char* side : {"zmin", "zmax"}) EXPECT_NEAR(areas[side], 1.0, 1e-9) << side;
  EXPECT_NEAR(areas["tin"], 2 * pi * 0.1 * 0.5 + 2 * pi * 0.01, 0.03 * areas["tin"]);
  for (const Vec3& x : found.vertices)
    EXPECT_TRUE(x.x >= 1 && x.x <= 2 && x.y >= 0 && x.y <= 1 && x.z >= 0 && x.z <= 1.5);
}

// The later body counts, a part of the ball outside of the domain is cut off.
TEST(FromBodies, LaterBodiesCutEarlierOnes) {
  const ScratchFolder folder("overlaps");
  BodyModel model = three_bodies();
  model.ball = true;
  model.low = {0, 0, 0};
  model.high = {2, 2, 2};
  Body cube = body("cube", "glass", Body::Form::box, {1, 1, 1}, {0.8, 0.8, 0.8});
  Body core = cube;
  core.name = "core", core.group = "wax", core.size = {0.4, 0.4, 0.4};
  Body corner = body("post", "tar", Body::Form::prism, {1, 1, 2});
  corner.height = 1;
  corner.points = {{-0.2, -0.2}, {0.2, -0.2}, {-0.2, 0.2}};
  cube.element = core.element = corner.element = 0.3;
  model.bodies = {cube, core, corner};
  auto found = mesh::read_gmsh(mesh_of_bodies(model, {}, folder / "m").file, 1);
  auto volumes = mesh::testing::volumes(found);
  EXPECT_NEAR(volumes["wax"], 0.064, 1e-9);
  EXPECT_NEAR(volumes["glass"], 0.512 - 0.064, 1e-9);
  EXPECT_GT(volumes["tar"], 0.9 * 0.08 * 0.5);
  EXPECT_LT(volumes["tar"], 0.08 * 0.5);
  EXPECT_EQ(found.surface_names, std::vector<std::string>{"outer"});

  std::swap(model.bodies[0], model.bodies[1]);
  try {
    mesh_of_bodies(model, {}, folder / "n");
    ADD_FAILURE() << "a hidden body was meshed";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "body core: nothing of it is left in the mesh: others of higher priority fill it");
  }
}

// A frame with an opening and a bar beside it, one body: its volume is exact, upright or leaning, also where a layout is
// a hole of the mesh and where the domain cuts it.
TEST(FromBodies, LayoutsHaveTheirVolumes) {
  const ScratchFolder folder("layouts");
  const std::vector<geometry::Polygon> polygons{
      {{{0.1, 0.1}, {0.7, 0.1}, {0.7, 0.7}, {0.1, 0.7}}, {{{0.3, 0.3}, {0.3, 0.5}, {0.5, 0.5}, {0.5, 0.3}}}},
      {{{0.8, 0.2}, {1.2, 0.2}, {1.2, 0.4}, {0.8, 0.6}}, {}}};
  const auto model_of = [&](double degrees) {
    BodyModel model;
    model.low = {0, 0, 0};
    model.high = {1, 1, 1};
    model.around = "air";
    model.element = 0.3;
    Body layout = body("strips", "glass", Body::Form::layout, {0.65, 0.4, 0.5});
    layout.layout = geometry::extrude(polygons, 0.4, 0.6, degrees * pi / 180);
    layout.element = 0.2;
    model.bodies = {layout};
    return model;
  };
  const auto volume = [&](double degrees, const char* name) {
    const auto found = mesh::read_gmsh(mesh_of_bodies(model_of(degrees), {}, folder / name).file, 1);
    return mesh::testing::volumes(found)["glass"];
  };
  // Half of the bar's width is outside: a trapezium of the sides 0.4 and 0.3.
  EXPECT_NEAR(volume(90, "upright"), 0.2 * (0.36 - 0.04 + 0.2 * 0.35), 1e-9);
  // At the height h all edges have moved by d(h) = h / tan(angle): squares of edges 0.6 - 2 d and 0.2 + 2 d, of the bar
  // the trapezium from x = 0.8 + d to 1, between y = 0.2 + d and the oblique edge y = 1 - x / 2 - d sqrt(5 / 4).
  const double slope = 1 / std::tan(80 * pi / 180), top = 0.2 * slope, stretch = std::sqrt(1.25);
  const auto area = [&](double d) {
    const double width = 0.2 - d, middle = 0.9 + d / 2;
    return (0.6 - 2 * d) * (0.6 - 2 * d) - (0.2 + 2 * d) * (0.2 + 2 * d) + width * (1 - middle / 2 - d * stretch - 0.2 - d);
  };
  EXPECT_NEAR(volume(80, "leaning"), 0.2 / 6 * (area(0) + 4 * area(top / 2) + area(top)), 1e-9);
  BodyModel metal = model_of(90);
  metal.bodies[0].hole = true;
  const auto found = mesh::read_gmsh(mesh_of_bodies(metal, {}, folder / "metal").file, 1);
  EXPECT_NEAR(mesh::testing::volumes(found)["air"], 1 - 0.2 * 0.39, 1e-9);
  EXPECT_NE(mesh::hash_of(model_of(90)), mesh::hash_of(model_of(89)));
}

// Each vertex of xmin has one at the same place of xmax.
TEST(FromBodies, PeriodicSidesHaveTheSameTriangles) {
  const ScratchFolder folder("periodic");
  BodyModel model = three_bodies();
  model.bodies.resize(1);
  model.periodic = {true, true, false};
  const auto found = mesh::read_gmsh(mesh_of_bodies(model, {}, folder / "m").file, 1);
  std::set<std::pair<long, long>> at[4];
  for (const Vec3& v : found.vertices) {
    const auto place = [](double a, double b) { return std::pair(std::lround(1e6 * a), std::lround(1e6 * b)); };
    if (v.x == 1) at[0].insert(place(v.y, v.z));
    if (v.x == 2) at[1].insert(place(v.y, v.z));
    if (v.y == 0) at[2].insert(place(v.x, v.z));
    if (v.y == 1) at[3].insert(place(v.x, v.z));
  }
  EXPECT_GT(at[0].size(), 20u);
  EXPECT_EQ(at[0], at[1]);
  EXPECT_EQ(at[2], at[3]);
}

TEST(BodySizes, GrowFromBodiesAndFollowCurvature) {
  BodyModel model = three_bodies();
  model.finer = {{{1.1, 0.1, 1.4}, {}, 0.01}};
  const mesh::BodySizes sizes(model);
  EXPECT_NEAR(sizes.at({1.5, 0.5, 0.4}), 2 * pi * 0.2 / 12, 1e-12);            // on the ball
  EXPECT_NEAR(sizes.at({1.5, 0.6, 1.2}), 2 * pi * 0.1 / 12, 1e-12);            // on the rod
  EXPECT_NEAR(sizes.at({1.5, 0.7, 1.2}), 2 * pi * 0.1 / 12 + 0.3 * 0.1, 1e-12);
  EXPECT_NEAR(sizes.at({1.1, 0.1, 1.3}), 0.01 + 0.3 * 0.1, 1e-12);
  model.finest = 0.08;
  EXPECT_NEAR(sizes.at({1.5, 0.6, 1.2}), 0.08, 1e-12);
  // An oblate ellipsoid is curved most at its rim: radius c^2 / a there, a^2 / c at the poles.
  model.finest = 0;
  model.bodies = {body("e", "wax", Body::Form::ellipsoid, {0, 0, 0}, {1, 1, 0.5})};
  EXPECT_NEAR(sizes.asked_by(model.bodies[0], {1, 0, 0}), 2 * pi * 0.25 / 12, 1e-12);
  EXPECT_GT(mesh::hash_of(model), 0u);
  BodyModel changed = model;
  changed.bodies[0].element = 0.1;
  EXPECT_NE(mesh::hash_of(changed), mesh::hash_of(model));
}

TEST(BodySizes, DistancesAreSigned) {
  Body prism = body("p", "g", Body::Form::prism, {1, 0, 0});
  prism.axis = {1, 0, 0};  // points are along y and z
  prism.height = 2;
  prism.points = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  EXPECT_NEAR(mesh::distance(prism, {1, 0.5, 0.75}), -0.25, 1e-15);
  EXPECT_NEAR(mesh::distance(prism, {1, 2, 0.5}), 1, 1e-15);
  EXPECT_NEAR(mesh::distance(prism, {5, 0.5, 4}), std::hypot(3, 3), 1e-15);
  Body frame = body("l", "g", Body::Form::layout, {});
  frame.layout = geometry::extrude({{{{0, 0}, {4, 0}, {4, 4}, {0, 4}}, {{{1, 1}, {1, 3}, {3, 3}, {3, 1}}}}}, 0, 2, pi / 2);
  EXPECT_NEAR(mesh::distance(frame, {2, 2, 1}), 1, 1e-15);      // in the opening
  EXPECT_NEAR(mesh::distance(frame, {0.25, 2, 1}), -0.25, 1e-15);
  EXPECT_NEAR(mesh::distance(frame, {-3, 2, 6}), 5, 1e-15);
  Body rod = body("r", "g", Body::Form::cylinder, {});
  rod.radius = 1, rod.height = 2;
  EXPECT_NEAR(mesh::distance(rod, {0, 0.25, 0}), -0.75, 1e-15);
  EXPECT_NEAR(mesh::distance(rod, {0, 4, 5}), 5, 1e-15);
}

}  // namespace
}  // namespace dgtd::mesher
