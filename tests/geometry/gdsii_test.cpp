// GDSII streams: each kind of record, and what is refused.
#include <gtest/gtest.h>

#include <fstream>

#include "dgtd/geometry/layout.hpp"
#include "gdsii_writer.hpp"
#include "geometry/gdsii_records.hpp"
#include "mesh/scratch_folder.hpp"
#include "support/error_message.hpp"

namespace dgtd::geometry {
namespace {

using mesh::testing::ScratchFolder;
using gdsii_testing::GdsiiWriter;

Layout read(const std::string& bytes) {
  const ScratchFolder folder("gdsii");
  return read_gdsii(folder.write("a.gds", bytes));
}

std::string refusal(const std::string& bytes) {
  const ScratchFolder folder("gdsii");
  const std::string text = message([&] { read_gdsii(folder.write("a.gds", bytes)); });
  const std::string before = "a.gds: cannot be read as a GDSII file: ";
  const auto at = text.find(before);
  return at == std::string::npos ? text : text.substr(at + before.size());
}

TEST(Gdsii, RealsAreOfExcess64) {
  // The manual's own examples, and numbers of headers.
  EXPECT_EQ(excess_64_real(0x4110'0000'0000'0000u), 1);
  EXPECT_EQ(excess_64_real(0xC120'0000'0000'0000u), -2);
  EXPECT_EQ(excess_64_real(0x4210'0000'0000'0000u), 16);
  EXPECT_EQ(excess_64_real(0x4080'0000'0000'0000u), 0.5);
  EXPECT_EQ(excess_64_real(0), 0);
  EXPECT_DOUBLE_EQ(excess_64_real(0x3944'B82F'A09B'5A54u), 1e-9);
  EXPECT_DOUBLE_EQ(excess_64_real(0x3E41'8937'4BC6'A7F0u), 1e-3);
  for (const double value : {1e-9, -3.7e5, 90.0, 1e-15}) EXPECT_DOUBLE_EQ(excess_64_real(GdsiiWriter::real_bits(value)), value);
}

TEST(Gdsii, AllKindsOfElementsAreRead) {
  GdsiiWriter w(2e-9);
  w.cell("ROW").polygon(3, 7, {{0, 0}, {10, 0}, {0, 20}}).box(4, -5, -6, 3, 2).text(9);
  w.record(0x15, 0, "").integers(0x0D, {1}).integers(0x2A, {0}).places({{0, 0}}).end_element();  // a node
  w.path(5, 4, -40, {{0, 0}, {100, 0}}, 7, -8).end_cell();
  w.cell("TOP").reference("ROW", {11, -12}, true, 0.5, 270).array("ROW", 4, 2, {{0, 0}, {400, 0}, {0, -60}}).end_cell();
  const Layout layout = read(w.bytes());
  EXPECT_DOUBLE_EQ(layout.unit, 2e-9);
  ASSERT_EQ(layout.cells.size(), 2u);
  const LayoutCell& row = layout.cells.at("ROW");
  ASSERT_EQ(row.boundaries.size(), 2u);
  EXPECT_EQ(row.boundaries[0].layer, (Layer{3, 7}));
  EXPECT_EQ(row.boundaries[0].corners, (std::vector<GridPoint>{{0, 0}, {10, 0}, {0, 20}}));
  EXPECT_EQ(row.boundaries[1].layer, (Layer{4, 0}));
  EXPECT_EQ(row.boundaries[1].corners.size(), 4u);
  ASSERT_EQ(row.paths.size(), 1u);
  EXPECT_EQ(row.paths[0].width, 40);
  EXPECT_TRUE(row.paths[0].same_width);
  EXPECT_EQ(row.paths[0].end, LayoutPath::End::lengths);
  EXPECT_EQ(row.paths[0].before, 7);
  EXPECT_EQ(row.paths[0].beyond, -8);
  const auto& references = layout.cells.at("TOP").references;
  ASSERT_EQ(references.size(), 2u);
  EXPECT_TRUE(references[0].mirrored);
  EXPECT_EQ(references[0].magnification, 0.5);
  EXPECT_DOUBLE_EQ(references[0].angle, 4.71238898038469);
  EXPECT_EQ(references[0].origin, (GridPoint{11, -12}));
  EXPECT_EQ(references[1].columns, 4);
  EXPECT_EQ(references[1].rows, 2);
  EXPECT_EQ(references[1].column_step, (std::array<double, 2>{100, 0}));
  EXPECT_EQ(references[1].row_step, (std::array<double, 2>{0, -30}));
}

// Bytes after the end are not read: tapes were filled up with zeros.
TEST(Gdsii, LongPolygonsAndFillingAreRead) {
  GdsiiWriter w;
  w.cell("A").record(0x08, 0, "").integers(0x0D, {1}).integers(0x0E, {0});
  w.places({{0, 0}, {10, 0}}).places({{10, 10}, {0, 0}}).integers(0x2B, {1}).name(0x2C, "property").end_element().end_cell();
  EXPECT_EQ(read(w.bytes() + std::string(100, '\0')).cells.at("A").boundaries.at(0).corners.size(), 3u);
}

TEST(Gdsii, WhatIsDamagedIsRefusedWithItsPlace) {
  const auto in_cell = [] {
    GdsiiWriter w;
    w.cell("A");
    return w;
  };
  EXPECT_EQ(refusal("solid"), "byte 0: a record of 29551 bytes: an even number, 4 or more, is needed");
  EXPECT_EQ(refusal(std::string("\0\4\7\0", 4)), "byte 0: the file does not begin as a GDSII stream");
  EXPECT_EQ(refusal(std::string("\0\6\0\2\0\7\0\3", 8)),
            "byte 6: the file ends before its end of library");
  EXPECT_EQ(refusal(in_cell().without_end()), "byte 96: the file ends before its end of library");
  EXPECT_EQ(refusal(in_cell().bytes()), "byte 96: cell A does not end");
  EXPECT_EQ(refusal(in_cell().record(0x08, 0, "").bytes()), "byte 100: an element does not end");
  EXPECT_EQ(refusal(in_cell().polygon(1, 0, {{0, 0}, {1, 1}}).end_cell().bytes()),
            "byte 96: a polygon of 2 corners, 3 are needed");
  EXPECT_EQ(refusal(in_cell().record(0x08, 0, "").places({{0, 0}, {1, 0}, {0, 1}}).end_element().bytes()),
            "byte 96: an element has no layer");
  EXPECT_EQ(refusal(in_cell().path(1, 3, 4, {{0, 0}, {1, 0}}).bytes()),
            "byte 96: a path of type 3, allowed are 0, 1, 2 and 4");
  EXPECT_EQ(refusal(in_cell().record(0x08, 0, "").record(0x10, 3, "1234567").bytes()).substr(0, 20),
            "byte 100: a record o");
  EXPECT_EQ(refusal(in_cell().record(0x08, 0, "").record(0x10, 3, "123456").bytes()),
            "byte 100: coordinates have 6 bytes, and 8 are a point");
  EXPECT_EQ(refusal(in_cell().record(0x08, 0, "").integers(0x0D, {1, 2}).bytes()),
            "byte 100: a record of kind 0x0d has 4 bytes of data, 2 are needed");
  EXPECT_EQ(refusal(in_cell().reference("B", {0, 0}, false, 1e9).bytes()),
            "byte 96: a reference to cell B is magnified by 1000000000, allowed is 1e-6 to 1e6");
  EXPECT_EQ(refusal(in_cell().array("B", 0, 1, {{0, 0}, {1, 0}, {0, 1}}).bytes()),
            "byte 96: an array of cell B has 0 columns and 1 rows, allowed are 1 to 32767");
  EXPECT_EQ(refusal(in_cell().array("B", 1, 1, {{0, 0}}).bytes()),
            "byte 96: a reference to cell B has 1 points, 3 are needed");
  EXPECT_EQ(refusal(in_cell().end_cell().cell("A").end_cell().bytes()), "byte 100: cell A is there twice");
  EXPECT_EQ(refusal(GdsiiWriter(7).bytes()), "byte 42: the unit of the database is 7 m, allowed are 1e-15 to 1 m");
  EXPECT_EQ(refusal(std::string("\0\6\0\2\0\7\0\4\4\0", 10)), "byte 6: the file gives no units");
  EXPECT_NE(refusal("").find("a.gds: is empty"), std::string::npos);
  EXPECT_EQ(message([] { read_gdsii("nowhere.gds"); }), "nowhere.gds: cannot be opened");
}

}  // namespace
}  // namespace dgtd::geometry
