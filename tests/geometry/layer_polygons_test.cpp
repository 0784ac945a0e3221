// Layers of layouts: areas of paths, references and unions against exact ones.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dgtd/geometry/layout.hpp"
#include "gdsii_writer.hpp"
#include "mesh/scratch_folder.hpp"
#include "support/error_message.hpp"

namespace dgtd::geometry {
namespace {

using gdsii_testing::GdsiiWriter;

std::vector<Polygon> polygons(const GdsiiWriter& w, const std::string& cell = "", const Layer& layer = {1, 0}) {
  const mesh::testing::ScratchFolder folder("layers");
  return layer_polygons(read_gdsii(folder.write("a.gds", w.bytes())), cell, layer);
}

// Square units of the database, which is 1 nm.
double square_units(const std::vector<Polygon>& list) { return area(list) * 1e18; }
double square_units(GdsiiWriter w) { return square_units(polygons(w.end_cell())); }

GdsiiWriter one_cell() {
  GdsiiWriter w;
  w.cell("A");
  return w;
}

TEST(LayerPolygons, OverlapsAreUnited) {
  const auto list = polygons(one_cell().rectangle(1, 0, 0, 100, 10).rectangle(1, 40, -50, 10, 100).rectangle(2, 0, 0, 999, 999).end_cell());
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].outer.size(), 12u);
  EXPECT_NEAR(square_units(list), 1000 + 1000 - 100, 1e-6);
  // Neighbours become one, without corners on their straight sides.
  const auto joined = polygons(one_cell().rectangle(1, 0, 0, 10, 10).box(1, 10, 0, 10, 10).end_cell());
  ASSERT_EQ(joined.size(), 1u);
  EXPECT_EQ(joined[0].outer.size(), 4u);
}

// A ring as one line with a slit of width zero, as layout programs write it, and as four bars.
TEST(LayerPolygons, SlitsAndBarsMakeHoles) {
  const auto slit = one_cell().polygon(1, 0, {{0, 0}, {100, 0}, {100, 100}, {0, 100}, {0, 0}, {20, 20}, {20, 80}, {80, 80}, {80, 20}, {20, 20}});
  const auto bars = one_cell().rectangle(1, 0, 0, 100, 20).rectangle(1, 0, 80, 100, 20).rectangle(1, 0, 10, 20, 80).rectangle(1, 80, 10, 20, 80);
  for (GdsiiWriter w : {slit, bars}) {
    const auto list = polygons(w.end_cell());
    ASSERT_EQ(list.size(), 1u);
    ASSERT_EQ(list[0].holes.size(), 1u);
    EXPECT_EQ(list[0].outer.size(), 4u);
    EXPECT_NEAR(area({list[0].outer, {}}) * 1e18, 10000, 1e-6);  // counter-clockwise
    EXPECT_NEAR(square_units(list), 10000 - 3600, 1e-6);
  }
}

TEST(LayerPolygons, PathsHaveTheirEnds) {
  const gdsii_testing::Places line{{0, 0}, {1000, 0}};
  EXPECT_NEAR(square_units(one_cell().path(1, 0, 200, line)), 200e3, 1e-6);
  EXPECT_NEAR(square_units(one_cell().path(1, 2, 200, line)), 240e3, 1e-6);
  EXPECT_NEAR(square_units(one_cell().path(1, 4, 200, line, 50, -25)), 205e3, 1e-6);
  // 24 corners on a circle: 12 sin(pi / 12) of its square radius, each corner within half a unit.
  EXPECT_NEAR(square_units(one_cell().path(1, 1, 200, line)), 200e3 + 12 * std::sin(std::numbers::pi / 12) * 1e4,
              0.5 * 2 * std::numbers::pi * 100);
  EXPECT_NEAR(square_units(one_cell().path(1, 2, 200, {{5, 5}})), 200 * 200, 1e-6);
  // The corner of an L is a square, whose outer corner is sharp.
  EXPECT_NEAR(square_units(one_cell().path(1, 0, 200, {{0, 0}, {1000, 0}, {1000, 1000}})), 200e3 + 200e3, 1e-6);
  // Back by 135 degrees: two rectangles, and between them a wedge of the angle 135 deg that is cut off; they overlap in a
  // kite of two triangles with the sides w / 2 and w / 2 tan(135 deg / 2).
  const double half = 100, kite = half * half * std::tan(3 * std::numbers::pi / 8), wedge = 0.5 * half * half * std::sin(3 * std::numbers::pi / 4);
  EXPECT_NEAR(square_units(one_cell().path(1, 0, 200, {{0, 0}, {2000, 0}, {1000, 1000}})),
              2000 * 200 + std::sqrt(2) * 1000 * 200 - kite + wedge, 2000);
  // A bend of many short segments is a ring's quarter, to the chords and half a unit along its sides.
  gdsii_testing::Places bend;
  for (int i = 0; i <= 90; ++i)
    bend.emplace_back(std::lround(5000 * std::cos(i * std::numbers::pi / 180)), std::lround(5000 * std::sin(i * std::numbers::pi / 180)));
  const auto list = polygons(one_cell().path(1, 0, 500, bend).end_cell());
  EXPECT_EQ(list.size(), 1u);
  EXPECT_TRUE(list[0].holes.empty());
  EXPECT_NEAR(square_units(list), std::numbers::pi / 2 * 5000 * 500, 0.5 * std::numbers::pi / 2 * 10000);
}

TEST(LayerPolygons, ReferencesMirrorMagnifyAndTurn) {
  GdsiiWriter w = one_cell();
  w.rectangle(1, 10, 0, 20, 5).end_cell();
  // (x, y) -> mirrored (x, -y) -> 2 (x, -y) -> turned by 90 degrees 2 (y, x) -> moved: 100 to 110, 220 to 260.
  w.cell("TOP").reference("A", {100, 200}, true, 2, 90).end_cell();
  const auto list = polygons(w);
  ASSERT_EQ(list.size(), 1u);
  double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
  for (const Point& p : list[0].outer)
    for (int c : {0, 1}) low[c] = std::min(low[c], p[c] * 1e9), high[c] = std::max(high[c], p[c] * 1e9);
  EXPECT_NEAR(low[0], 100, 1e-6);
  EXPECT_NEAR(low[1], 220, 1e-6);
  EXPECT_NEAR(high[0], 110, 1e-6);
  EXPECT_NEAR(high[1], 260, 1e-6);
  EXPECT_NEAR(square_units(list), 4 * 100, 1e-6);
}

TEST(LayerPolygons, ArraysRepeatTheirCell) {
  GdsiiWriter w = one_cell();
  w.rectangle(1, 0, 0, 10, 10).path(1, 0, -4, {{0, 20}, {10, 20}}).end_cell();
  w.cell("ROW").array("A", 5, 3, {{0, 0}, {500, 0}, {0, 300}}).end_cell();
  w.cell("TOP").reference("ROW", {0, 0}).reference("ROW", {0, 5000}, false, 2).end_cell();
  const auto list = polygons(w);
  EXPECT_EQ(list.size(), 60u);
  // A width below zero is not magnified.
  EXPECT_NEAR(square_units(list), 15 * (100 + 40) + 15 * (400 + 20 * 4), 1e-6);
}

TEST(LayerPolygons, WhatIsMissingIsNamed) {
  GdsiiWriter w = one_cell();
  w.rectangle(1, 0, 0, 10, 10).polygon(5, 2, {{0, 0}, {1, 0}, {1, 1}}).end_cell();
  w.cell("B").reference("A", {0, 0}).rectangle(7, 0, 0, 1, 1).end_cell().cell("C").end_cell();
  EXPECT_EQ(message([&] { polygons(w); }), "there are 2 top cells, of which cell must name one: B, C");
  EXPECT_EQ(message([&] { polygons(w, "D"); }), "there is no cell D; top cells are B, C");
  EXPECT_EQ(message([&] { polygons(w, "B", {2, 0}); }), "cell B has nothing in layer 2/0; its layers are 1/0, 5/2, 7/0");
  EXPECT_EQ(message([&] { polygons(w, "C"); }), "cell C has nothing in layer 1/0; its layers are none");
  EXPECT_NEAR(square_units(polygons(w, "A")), 100, 1e-6);
  GdsiiWriter lost = one_cell();
  EXPECT_EQ(message([&] { polygons(lost.reference("Z", {0, 0}).end_cell()); }),
            "cell A refers to cell Z, which the file does not have");
  GdsiiWriter flat = one_cell();
  EXPECT_EQ(message([&] { polygons(flat.polygon(1, 0, {{0, 0}, {5, 5}, {9, 9}}).end_cell()); }),
            "what cell A has in layer 1/0 has no area");
  EXPECT_EQ(message([&] { polygons(GdsiiWriter()); }), "the file has no cells");
}

TEST(LayerPolygons, CyclesAndFloodsAreRefused) {
  GdsiiWriter cycle = one_cell();
  cycle.reference("B", {0, 0}).end_cell().cell("B").reference("A", {0, 0}).end_cell();
  EXPECT_EQ(message([&] { polygons(cycle); }), "each cell is a part of another one, so that cells contain themselves");
  EXPECT_EQ(message([&] { polygons(cycle, "A"); }), "cell A contains itself");
  // Four arrays of arrays: 1e9 rectangles in some hundred bytes.
  GdsiiWriter flood = one_cell();
  flood.rectangle(1, 0, 0, 1, 1).end_cell();
  flood.cell("B").array("A", 1000, 1000, {{0, 0}, {2000, 0}, {0, 2000}}).end_cell();
  flood.cell("C").array("B", 1000, 1, {{0, 0}, {2000, 0}, {0, 2000}}).end_cell();
  EXPECT_EQ(message([&] { polygons(flood); }), "cell C has about 4e+09 corners in layer 1/0, allowed are 1e+06");
  // As many of nothing take no time.
  GdsiiWriter nothing = one_cell();
  nothing.rectangle(2, 0, 0, 1, 1).end_cell();
  nothing.cell("B").array("A", 32767, 32767, {{0, 0}, {2000, 0}, {0, 2000}}).rectangle(1, 0, 0, 3, 3).end_cell();
  EXPECT_NEAR(square_units(polygons(nothing)), 9, 1e-9);
  GdsiiWriter deep = one_cell();
  deep.rectangle(1, 0, 0, 1, 1).end_cell();
  std::string below = "A";
  for (int i = 0; i < 300; ++i) {
    const std::string cell = "N" + std::to_string(i);
    deep.cell(cell).reference(below, {0, 0}).end_cell();
    below = cell;
  }
  EXPECT_EQ(message([&] { polygons(deep); }), "cells are nested more than 256 deep");
  EXPECT_EQ(message([&] {
              GdsiiWriter far = one_cell();
              polygons(far.rectangle(1, 2000000000, 0, 10, 10).end_cell());
            }),
            "a corner is at 2e+09 0 units of the database, allowed is +-1e+09");
}

}  // namespace
}  // namespace dgtd::geometry
