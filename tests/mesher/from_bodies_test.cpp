// Meshes of bodies: volumes, names, holes, sides.
#include "dgtd/mesh/body_sizes.hpp"
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

double volume_of(Body b, double element, const std::filesystem::path& file) {
  BodyModel model;
  model.low = {-1, -1, -1};
  model.high = {1, 1, 1};
  model.around = "air";
  model.element = 0.4;
  b.element = element;
  model.bodies = {b};
  const auto found = mesh::read_gmsh(mesh_of_bodies(model, {}, file).file, 1);
  auto volumes = mesh::testing::volumes(found);
  EXPECT_NEAR(volumes["glass"] + volumes["air"], 8, 1e-9);
  return volumes["glass"];
}

// Bodies with plane faces, and an ellipsoid by its scaled polyhedron, have their volumes in any direction; the polyhedra
// of cones and tori have their vertices on the surface, so that they lack h^2 / 8 over the radius of curvature of it,
// with the edge h of triangles (less for regular ones).
TEST(FromBodies, TurnedAndRoundBodiesHaveTheirVolumes) {
  const ScratchFolder folder("turned");
  const geometry::Turn turn{Vec3{1, 2, -0.5} / norm(Vec3{1, 2, -0.5}), 0.7};
  Body box = body("b", "glass", Body::Form::box, {0.1, 0, 0}, {0.5, 0.8, 0.3});
  box.turn = turn;
  EXPECT_NEAR(volume_of(box, 0.3, folder / "box"), 0.12, 1e-9);
  Body prism = body("p", "glass", Body::Form::prism, {0, 0.1, 0});
  prism.axis = {0, 1, 0};
  prism.height = 0.4;
  prism.points = {{-0.3, -0.3}, {0.4, -0.3}, {-0.3, 0.4}};
  prism.turn = turn;
  EXPECT_NEAR(volume_of(prism, 0.3, folder / "prism"), 0.4 * 0.245, 1e-9);
  Body egg = body("e", "glass", Body::Form::ellipsoid, {0.1, 0, 0}, {0.5, 0.3, 0.4});
  egg.turn = turn;
  EXPECT_NEAR(volume_of(egg, 0.2, folder / "egg"), 4 * pi / 3 * 0.06, 1e-6);
  Body cone = body("c", "glass", Body::Form::cone, {0, 0, 0.1});
  cone.axis = turn.axis;
  cone.radius = 0.5, cone.top_radius = 0.2, cone.height = 0.7;
  const double of_cone = pi * 0.7 / 3 * (0.25 + 0.1 + 0.04);
  Body torus = body("t", "glass", Body::Form::torus, {0, 0, 0});
  torus.axis = turn.axis;
  torus.radius = 0.6, torus.tube_radius = 0.2;
  const double of_torus = 2 * pi * pi * 0.6 * 0.04;
  for (const auto& [b, exact, most] : {std::tuple{cone, of_cone, 0.03}, {torus, of_torus, 0.06}}) {
    const double coarse = 1 - volume_of(b, 0.2, folder / b.name) / exact,
                 fine = 1 - volume_of(b, 0.05, folder / b.name) / exact;
    EXPECT_GT(coarse, 0);
    EXPECT_LT(coarse, most);
    EXPECT_GT(fine, 0);
    EXPECT_LT(fine, coarse / 2);
  }
  cone.top_radius = 0;  // a tip
  EXPECT_NEAR(volume_of(cone, 0.2, folder / "tip"), pi * 0.7 / 3 * 0.25, 0.04 * pi * 0.7 / 3 * 0.25);
}

// Hashes that name existing meshes do not depend on members that were added later, unless they are set.
TEST(FromBodies, TurnsAndTubesChangeTheHashWhereTheyAreSet) {
  BodyModel model = three_bodies();
  const auto before = mesh::hash_of(model);
  model.bodies[2].top_radius = model.bodies[2].tube_radius = 0.01;  // of a cylinder
  EXPECT_EQ(mesh::hash_of(model), before);
  model.bodies[0].turn = geometry::Turn{{0, 0, 1}, 0.1};
  EXPECT_NE(mesh::hash_of(model), before);
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

// m2, of the faces of elements in the rectangle of a sheet, those between elements counted twice.
double area_in(const mesh::GlobalMesh& found, const BodyModel::Sheet& sheet) {
  double area = 0;
  for (const auto& t : found.tetrahedra)
    for (std::size_t f = 0; f < 4; ++f) {
      std::array<Vec3, 3> corner;
      bool inside = true;
      for (std::size_t i = 0; i < 3; ++i) {
        corner[i] = found.vertices[static_cast<std::size_t>(t[(f + 1 + i) % 4])];
        for (int a = 0; a < 3; ++a)
          inside = inside && std::abs(corner[i][a] - sheet.centre[a]) <= 0.5 * sheet.size[a] + 1e-9;
      }
      if (inside) area += 0.5 * norm(cross(corner[1] - corner[0], corner[2] - corner[0]));
    }
  return area;
}

// In air between bodies, through the ball's surface, on a side of the domain, and at a body's face.
TEST(FromBodies, SheetsAreFacesOfElements) {
  const ScratchFolder folder("sheets");
  BodyModel model = three_bodies();
  const auto before = mesh::hash_of(model);
  model.sheets = {{{1.5, 0.5, 0.97}, {0, 0.1, 0.2}},
                  {{1.5, 0.7, 0.65}, {0.1, 0.2, 0}},
                  {{2, 0.2, 1}, {0, 0.2, 0.3}},
                  {{1.2, 0.2, 0.2}, {0.2, 0.1, 0}}};
  EXPECT_NE(mesh::hash_of(model), before);
  const auto found = mesh::read_gmsh(mesh_of_bodies(model, {}, folder / "m").file, 1);
  EXPECT_EQ(std::set(found.volume_names.begin(), found.volume_names.end()),
            (std::set<std::string>{"glass", "wax", "air"}));
  EXPECT_EQ(found.volume_names.size(), 3u);
  auto volumes = mesh::testing::volumes(found);
  EXPECT_NEAR(volumes["glass"], 0.2, 1e-9);
  EXPECT_NEAR(area_in(found, model.sheets[0]), 2 * 0.02, 1e-9);
  EXPECT_NEAR(area_in(found, model.sheets[1]), 2 * 0.02, 1e-9);
  EXPECT_NEAR(area_in(found, model.sheets[2]), 0.06, 1e-9);
  EXPECT_NEAR(area_in(found, model.sheets[3]), 2 * 0.02, 1e-9);
  auto areas = mesh::testing::areas(found);
  EXPECT_EQ(areas.size(), 7u);
  EXPECT_NEAR(areas["xmax"], 1.5, 1e-9);
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

// Where elements are curved, half as many along a circle do, but not at cones, tori and STEP files, which stay
// straight. The number of a case counts for all, at surfaces that stay straight among curved ones only above 12.
TEST(BodySizes, FollowTheNumberAlongACircle) {
  BodyModel model = three_bodies();
  model.finer = {};
  Body cone = body("cone", "wax", Body::Form::cone, {}), ring = body("ring", "wax", Body::Form::torus, {});
  cone.radius = cone.top_radius = 0.1, cone.height = 1;
  ring.radius = 0.5, ring.tube_radius = 0.1;
  const Body ball = body("ball", "wax", Body::Form::ellipsoid, {}, {0.1, 0.1, 0.1});
  Body rod = body("rod", "wax", Body::Form::cylinder, {});
  rod.radius = 0.1, rod.height = 1;
  Body joined = body("joined", "wax", Body::Form::combined, {});
  joined.operands = {ball};
  const Vec3 on_round{0.1, 0, 0}, on_ring{0.6, 0, 0};
  for (const bool curved : {false, true})
    for (const double per_circle : {6.0, 12.0, 20.0}) {
      model.curved = curved, model.per_circle = per_circle;
      const mesh::BodySizes sizes(model);
      const double round = 2 * pi * 0.1 / per_circle,
                   straight = 2 * pi * 0.1 / (curved ? std::max(12.0, per_circle) : per_circle);
      EXPECT_NEAR(sizes.asked_by(ball, on_round), round, 1e-12) << curved << per_circle;
      EXPECT_NEAR(sizes.asked_by(rod, on_round), round, 1e-12) << curved << per_circle;
      EXPECT_NEAR(sizes.asked_by(joined, on_round), round, 1e-12) << curved << per_circle;
      EXPECT_NEAR(sizes.asked_by(cone, on_round), straight, 1e-12) << curved << per_circle;
      EXPECT_NEAR(sizes.asked_by(ring, on_ring), straight, 1e-12) << curved << per_circle;
    }
  BodyModel other = model;
  other.per_circle = 6;
  EXPECT_NE(mesh::hash_of(other), mesh::hash_of(model));
}

// Elements are as long as a body is thick, unless more than 50 by 50 of them would fill it: then they are flat. A body
// beyond the domain is as large as that, a thin rod stays one of short elements.
TEST(BodySizes, OfThinBodiesAreFlat) {
  BodyModel model = three_bodies();
  model.finer = {}, model.element = 1;
  model.low = {-1, -1, -1}, model.high = {1, 1, 1};
  const auto asked = [&](const Vec3& size) {
    model.bodies = {body("b", "wax", Body::Form::box, {}, size)};
    EXPECT_EQ(mesh::thinness_of(model.bodies[0], model).thickness, 0.001);
    return mesh::BodySizes(model).at({});
  };
  EXPECT_NEAR(asked({0.04, 0.04, 0.001}), 0.001, 1e-15);
  EXPECT_NEAR(asked({0.4, 0.1, 0.001}), 0.2 / 50, 1e-15);
  EXPECT_NEAR(asked({1000, 0.001, 1000}), 2.0 / 50, 1e-15);
  EXPECT_NEAR(asked({1, 0.001, 0.001}), 0.001, 1e-15);
  EXPECT_NEAR(mesh::thinness_of(model.bodies[0], model).aspect(), 1, 1e-12);
  Body polygon = body("p", "wax", Body::Form::prism, {});
  polygon.height = 0.001;
  polygon.points = {{0, 0}, {0.4, 0}, {0.4, 0.1}, {0, 0.1}};
  Body disc = body("d", "wax", Body::Form::cylinder, {});
  disc.radius = 0.2, disc.height = 0.001;
  EXPECT_NEAR(mesh::thinness_of(polygon, model).element, 0.2 / 50, 1e-15);
  EXPECT_NEAR(mesh::thinness_of(disc, model).element, 0.2 * std::sqrt(pi) / 50, 1e-15);
  // A combination is as thin as its thinnest part. A larger finest element counts.
  Body both = body("u", "wax", Body::Form::combined, {});
  both.operands = {model.bodies[0], disc};
  EXPECT_EQ(mesh::thinness_of(both, model).element, mesh::thinness_of(disc, model).element);
  const double flat = asked({0.4, 0.1, 0.001});
  model.finest = 2 * flat;
  EXPECT_EQ(mesh::BodySizes(model).at({}), 2 * flat);
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
  Body box = body("b", "g", Body::Form::box, {1, 0, 0}, {4, 2, 2});
  box.turn = geometry::Turn{{0, 0, 1}, pi / 2};
  EXPECT_NEAR(mesh::distance(box, {1, 5, 0}), 3, 1e-15);
  EXPECT_NEAR(mesh::distance(box, {3, 0, 0}), 1, 1e-15);
  Body ring = body("t", "g", Body::Form::torus, {1, 0, 0});
  ring.axis = {1, 0, 0};
  ring.radius = 5, ring.tube_radius = 1;
  EXPECT_NEAR(mesh::distance(ring, {4, 9, 0}), 4, 1e-15);
}

}  // namespace
}  // namespace dgtd::mesher
