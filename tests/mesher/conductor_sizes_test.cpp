// Element sizes at edges of perfect conductors and in gaps between them.
#include "dgtd/mesh/conductor_sizes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/mesh/body_sizes.hpp"

namespace dgtd::mesh {
namespace {

/// A domain of 2 m with elements of 0.4 m, four times smaller ones at edges.
BodyModel domain() {
  BodyModel model;
  model.low = {-1, -1, -1}, model.high = {1, 1, 1};
  model.around = "air", model.element = 0.4, model.edge_refinement = 4;
  return model;
}

Body metal(Body::Form form, const Vec3& centre, const Vec3& size = {}) {
  Body b;
  b.name = b.group = "metal";
  b.hole = true;
  b.form = form, b.centre = centre, b.size = size;
  return b;
}

Body rod(const Vec3& centre, double radius, double height) {
  Body b = metal(Body::Form::cylinder, centre);
  b.radius = radius, b.height = height;
  return b;
}

Body prism(const std::vector<std::array<double, 2>>& points) {
  Body b = metal(Body::Form::prism, {});
  b.points = points, b.height = 0.5;
  return b;
}

Plate plate(const Vec3& centre, double half) {
  Plate p;
  p.name = p.group = "plate";
  p.centre = centre;
  p.points = {{-half, -half}, {half, -half}, {half, half}, {-half, half}};
  p.element = half;
  return p;
}

std::size_t straight(const BodyModel& model) { return conductor_edges(model).straight.size(); }

TEST(ConductorEdges, AreThoseOfBodies) {
  BodyModel model = domain();
  model.bodies = {metal(Body::Form::box, {}, {0.4, 0.6, 0.8})};
  EXPECT_EQ(straight(model), 12u);
  for (const ConductorEdge& e : conductor_edges(model).straight) {
    EXPECT_NEAR(distance(model.bodies[0], e.from), 0, 1e-15);
    EXPECT_NEAR(distance(model.bodies[0], 0.5 * (e.from + e.to)), 0, 1e-15);
    EXPECT_EQ(e.element, 0.1);
  }
  model.bodies[0].turn = geometry::Turn{{0, 0.6, 0.8}, 0.3};
  for (const ConductorEdge& e : conductor_edges(model).straight)
    EXPECT_NEAR(distance(model.bodies[0], 0.3 * e.from + 0.7 * e.to), 0, 1e-15);
  model.bodies = {rod({0, 0, 0.2}, 0.1, 0.6)};
  const ConductorEdges of_rod = conductor_edges(model);
  ASSERT_EQ(of_rod.round.size(), 2u);
  EXPECT_NEAR(norm(of_rod.round[0].centre - Vec3{0, 0, -0.1}), 0, 1e-15);
  model.bodies = {metal(Body::Form::ellipsoid, {}, {0.1, 0.1, 0.2})};
  EXPECT_EQ(straight(model) + conductor_edges(model).round.size(), 0u);
  model.bodies = {metal(Body::Form::box, {}, {0.4, 0.6, 0.8})};
  model.bodies[0].hole = false;
  EXPECT_EQ(straight(model), 0u);
  model.bodies[0].hole = true, model.edge_refinement = 1;
  EXPECT_EQ(straight(model), 0u);
}

// An L has six corners, of which one is concave; a circle of 24 corners has no upright edge.
TEST(ConductorEdges, AreConvex) {
  BodyModel model = domain();
  std::vector<std::array<double, 2>> corners{{0, 0}, {0.4, 0}, {0.4, 0.2}, {0.2, 0.2}, {0.2, 0.4}, {0, 0.4}};
  model.bodies = {prism(corners)};
  EXPECT_EQ(straight(model), 2 * 6 + 5u);
  std::reverse(corners.begin(), corners.end());
  model.bodies = {prism(corners)};
  EXPECT_EQ(straight(model), 2 * 6 + 5u);
  corners.clear();
  for (int i = 0; i < 24; ++i) corners.push_back({0.3 * std::cos(i * pi / 12), 0.3 * std::sin(i * pi / 12)});
  model.bodies = {prism(corners)};
  EXPECT_EQ(straight(model), 2 * 24u);
  Body frame = metal(Body::Form::layout, {});
  frame.layout = geometry::extrude(
      {{{{-0.4, -0.4}, {0.4, -0.4}, {0.4, 0.4}, {-0.4, 0.4}}, {{{-0.1, -0.1}, {-0.1, 0.1}, {0.1, 0.1}, {0.1, -0.1}}}}},
      0, 0.1, pi / 2);
  model.bodies = {frame};
  EXPECT_EQ(straight(model), 4 * 4 + 4u);  // those inside of the opening are concave
}

TEST(ConductorEdges, LeaveOutWhatIsCovered) {
  BodyModel model = domain();
  model.bodies = {metal(Body::Form::box, {0, 0, -0.8}, {0.4, 0.6, 0.4})};  // on the lower side
  EXPECT_EQ(straight(model), 8u);
  model.bodies = {metal(Body::Form::box, {-0.2, 0, 0}, {0.4, 0.4, 0.4}),
                  metal(Body::Form::box, {0.2, 0, 0}, {0.4, 0.4, 0.4})};
  EXPECT_EQ(straight(model), 16u);  // of one long box, in halves
  model.bodies.pop_back();
  model.plates = {plate({-0.2, 0, 0.2}, 0.1)};  // on its upper side
  EXPECT_EQ(straight(model), 12u);
  model.plates = {plate({-0.2, 0, 0.4}, 0.1)};
  ASSERT_EQ(straight(model), 16u);
  EXPECT_EQ(conductor_edges(model).straight.back().element, 0.1 / 4);
}

TEST(ConductorGaps, AreBetweenNeighbours) {
  BodyModel model = domain();
  const auto only_width = [&] {
    const auto gaps = conductor_gaps(model);
    return gaps.size() == 1 ? gaps[0].width : -1.0;
  };
  model.bodies = {rod({0, 0, 0.3}, 0.05, 0.5), rod({0, 0, -0.3}, 0.05, 0.5)};
  EXPECT_NEAR(only_width(), 0.1, 1e-9);
  model.bodies = {metal(Body::Form::ellipsoid, {0.3, 0, 0}, {0.2, 0.2, 0.2}),
                  metal(Body::Form::ellipsoid, {-0.2, 0.1, 0}, {0.2, 0.2, 0.2})};
  EXPECT_NEAR(only_width(), std::hypot(0.5, 0.1) - 0.4, 1e-9);
  model.bodies = {metal(Body::Form::box, {0.3, 0.1, 0}, {0.4, 0.4, 0.4})};
  model.plates = {plate({0.3, 0, 0.27}, 0.1)};
  EXPECT_NEAR(only_width(), 0.07, 1e-9);
  model.plates = {plate({0.3, 0, 0.2}, 0.1)};  // on its surface
  EXPECT_EQ(only_width(), -1);
  model.plates = {plate({0.3, 0, 0.2 + 1e-4}, 0.1)};  // flat elements between
  ASSERT_NEAR(only_width(), 1e-4, 1e-9);
  EXPECT_NEAR(conductor_gaps(model)[0].element, 2 * std::sqrt(0.02) / 50, 1e-9);
  model.plates.clear();
  model.bodies.push_back(metal(Body::Form::box, {-0.8, 0, 0}, {0.1, 0.1, 0.1}));  // more than two elements away
  EXPECT_EQ(only_width(), -1);
  model.bodies = {metal(Body::Form::box, {-0.3, 0, 0}, {0.4, 0.4, 0.4}),
                  metal(Body::Form::box, {0.3, 0, 0}, {0.4, 0.4, 0.4}),
                  metal(Body::Form::box, {0, 0, 0}, {0.2, 0.2, 0.2})};  // filled, and the third one touches both
  EXPECT_EQ(only_width(), -1);
}

// Bodies and plates that meet at an edge, at an angle, in a point, or cross.
TEST(ConductorGaps, AreNoneWhereConductorsTouch) {
  BodyModel model = domain();
  const auto gaps = [&] { return conductor_gaps(model).size(); };
  model.bodies = {metal(Body::Form::box, {-0.2, 0, 0}, {0.4, 0.4, 0.4}),
                  metal(Body::Form::box, {0.2, 0.4, 0}, {0.4, 0.4, 0.4})};
  EXPECT_EQ(gaps(), 0u);
  model.bodies[1] = metal(Body::Form::ellipsoid, {0.2, 0, 0}, {0.2, 0.2, 0.2});
  EXPECT_EQ(gaps(), 0u);
  model.bodies.clear();
  Plate other = plate({0.1, 0, 0.1}, 0.1);
  other.axis = 0;
  model.plates = {plate({}, 0.1), other};
  EXPECT_EQ(gaps(), 0u);
  other.centre = {};
  model.plates = {plate({}, 0.1), other};
  EXPECT_EQ(gaps(), 0u);
  other = plate({0.1, 0, 0}, 0.1);
  other.turn = geometry::Turn{{0, 1, 0}, 0.2};
  model.plates = {plate({-0.1 * std::cos(0.2), 0, 0.1 * std::sin(0.2)}, 0.1), other};
  EXPECT_EQ(gaps(), 0u);
}

// Fields around a rod that is thin beside an element of the medium vary over its width, not over that element.
TEST(ConductorSizes, AtEdgesOfRodsAreSharesOfTheirWidth) {
  BodyModel model = domain();
  const auto element = [&](const Body& body) {
    model.bodies = {body};
    const ConductorEdges edges = conductor_edges(model);
    return edges.straight.empty() ? edges.round.at(0).element : edges.straight[0].element;
  };
  EXPECT_NEAR(element(metal(Body::Form::box, {}, {0.08, 0.8, 0.08})), 0.02, 1e-15);
  EXPECT_NEAR(element(metal(Body::Form::box, {}, {0.06, 0.8, 0.2})), 0.05, 1e-15);
  EXPECT_NEAR(element(metal(Body::Form::box, {}, {0.01, 0.8, 0.2})), 0.1, 1e-15);  // a strip, by its thickness
  EXPECT_NEAR(element(metal(Body::Form::box, {}, {0.01, 0.8, 0.6})), 0.1, 1e-15);  // wider than an element of 0.4 m
  EXPECT_NEAR(element(rod({}, 0.04, 0.8)), 0.02, 1e-15);
  EXPECT_NEAR(element(prism({{-0.02, -0.03}, {0.02, -0.03}, {0.02, 0.03}, {-0.02, 0.03}})), 0.015, 1e-15);
  EXPECT_NEAR(element(metal(Body::Form::box, {}, {0.06, 0.2, 2})), 0.05, 1e-15);
  model.low.x = -0.03, model.high.x = 0.03;  // a slice, in which the body goes on: a strip of 0.2 m by 0.8 m
  EXPECT_NEAR(element(metal(Body::Form::box, {}, {0.06, 0.2, 0.8})), 0.1, 1e-15);
  model = domain();
  model.finest = 0.03;
  EXPECT_NEAR(element(rod({}, 0.04, 0.8)), 0.03, 1e-15);
}

TEST(ConductorSizes, GrowFromEdgesAndGaps) {
  BodyModel model = domain();
  model.bodies = {metal(Body::Form::box, {0, 0, -0.75}, {2, 2, 0.5}), rod({0, 0, 0.05}, 0.4, 0.5)};
  const BodySizes sizes(model);
  EXPECT_NEAR(sizes.at({0.1, 0.1, -0.3}), 0.15, 1e-9);  // two across the gap of 0.3 m
  EXPECT_NEAR(sizes.at({0.4, 0, 0.3}), 0.1, 1e-9);      // on the rim
  EXPECT_NEAR(sizes.at({0.4, 0, 0.5}), 0.1 + 0.3 * 0.2, 1e-9);
  model.finest = 0.2;
  EXPECT_NEAR(BodySizes(model).at({0.1, 0.1, -0.3}), 0.2, 1e-9);
  BodyModel other = model;
  other.edge_refinement = 2;
  EXPECT_NE(hash_of(other), hash_of(model));
}

}  // namespace
}  // namespace dgtd::mesh
