// Cells over the faces of a mesh in a port's plane, and fields of their modes between edges.
#include <gtest/gtest.h>

#include <cmath>

#include "dg/section_cells.hpp"
#include "dgtd/base/constants.hpp"
#include "support/error_message.hpp"

namespace dgtd::dg {
namespace {

physics::Port port_across_z() {
  physics::Port port;
  port.name = "p", port.type = physics::Port::Type::mode;
  port.centre = {1, 0.5, 0}, port.size = {2, 1, 0}, port.direction = {0, 0, 1};
  port.origin = "guide.cfg:9";
  return port;
}

// Squares of 1 m in a row, each of two triangles, with faces of both sides; permittivity: of each, 0: no faces.
SectionFaces row_of(const std::vector<double>& permittivities) {
  SectionFaces all;
  const auto vertex = [](int i, int j) { return std::int64_t{10 * j + i}; };
  for (int i = 0; i < static_cast<int>(permittivities.size()); ++i) {
    if (permittivities[std::size_t(i)] == 0) continue;
    const auto triangle = [&](const std::array<std::array<int, 2>, 3>& corners) {
      SectionFace face;
      for (std::size_t c = 0; c < 3; ++c) {
        face.triangle.corners[c] = vertex(corners[c][0], corners[c][1]);
        face.triangle.at[c] = {double(corners[c][0]), double(corners[c][1])};
      }
      face.permittivity = permittivities[std::size_t(i)];
      for (const bool ahead : {false, true}) face.ahead = ahead, all.faces.push_back(face);
    };
    triangle({{{i, 0}, {i + 1, 0}, {i, 1}}});
    triangle({{{i + 1, 0}, {i, 1}, {i + 1, 1}}});
  }
  return all;
}

// Materials meet at x = 1, where a line of the cells is: E along x sees one of them, E along y there the mean.
TEST(SectionCells, HaveLinesWhereMaterialsMeet) {
  const physics::Port port = port_across_z();
  const auto s = cells_over(GuidePlane(port), row_of({2, 6}), 0.3);
  ASSERT_EQ(s.nodes(0), 9);  // four cells on each side
  ASSERT_EQ(s.nodes(1), 5);
  EXPECT_DOUBLE_EQ(s.at[0][4], 1);
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 8; ++i) EXPECT_DOUBLE_EQ(s.permittivities[0][std::size_t(s.number(i, j))], i < 4 ? 2 : 6);
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 9; ++i)
      EXPECT_DOUBLE_EQ(s.permittivities[1][std::size_t(s.number(i, j))], i < 4 ? 2 : i == 4 ? 4 : 6);
  EXPECT_DOUBLE_EQ(s.permittivities[2][std::size_t(s.number(4, 2))], 4);
}

// 64 to the wavelength of 1.499 m / 10 in eps_r = 4, and 40000 on 2 m2 at most.
TEST(SectionCells, AreLargerThanWantedWhereTheyWouldBeTooMany) {
  physics::Port port = port_across_z();
  const auto length_at = [&](double frequency) {
    port.frequencies = {frequency};
    return cell_length(GuidePlane(port), row_of({2, 4}));
  };
  const auto printed = [&](const CellLength& length) {
    testing::internal::CaptureStdout();
    report_larger_cells(port, length);
    return testing::internal::GetCapturedStdout();
  };
  const CellLength few = length_at(1e8), many = length_at(1e9);
  EXPECT_DOUBLE_EQ(few.wanted, speed_of_light / 2e8 / 64);
  EXPECT_EQ(few.taken, few.wanted);
  EXPECT_EQ(printed(few), "");
  EXPECT_DOUBLE_EQ(many.wanted, speed_of_light / 2e9 / 64);
  EXPECT_DOUBLE_EQ(many.taken, std::sqrt(2.0 / 40000));
  EXPECT_EQ(printed(many), "guide.cfg:9: port.p: its modes are those of cells of 7.071 mm in its plane, 40000 of them; a "
                           "smaller port.p.size has cells down to 2.342 mm\n");
}

// Between lines, E along x has the harmonic mean of what it crosses, E along y the mean.
TEST(SectionCells, MixMaterialsInsideOfCells) {
  const physics::Port port = port_across_z();
  SectionFaces faces = row_of({2, 6});
  for (SectionFace& f : faces.faces)  // the surface leans, so that no line is on it
    for (std::size_t c = 0; c < 3; ++c)
      if (f.triangle.corners[c] == 1) f.triangle.at[c][0] = 0.9;
      else if (f.triangle.corners[c] == 11) f.triangle.at[c][0] = 1.1;
  const auto s = cells_over(GuidePlane(port), faces, 0.4);
  ASSERT_EQ(s.nodes(0), 6);  // 0.8 to 1.2 has the surface
  const auto n = static_cast<std::size_t>(s.number(2, 1));
  EXPECT_NEAR(s.permittivities[0][n], 3, 0.4);  // 2 / (1/2 + 1/6) where halves of the cell are of both
  EXPECT_NEAR(s.permittivities[1][n], 2, 0.5);
}

TEST(SectionCells, EndInConductors) {
  const physics::Port port = port_across_z();
  SectionFaces faces = row_of({2, 0});
  EXPECT_NE(message([&] { cells_over(GuidePlane(port), faces, 0.25); })
                .find("port.p: faces of the mesh in its plane end at 1 0.5 0 m, which is neither at the ends of its size "
                      "nor in a perfect conductor; they must fill its size"),
            std::string::npos);
  faces.conductors = {{1, 11}, {0, 1}};
  const auto s = cells_over(GuidePlane(port), faces, 0.25);
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 9; ++i) {
      const auto n = static_cast<std::size_t>(s.number(i, j));
      EXPECT_EQ(bool(s.is_free[1][n]), i < 4 && j < 4) << i << j;          // in metal at x = 1 and beyond
      EXPECT_EQ(bool(s.is_free[0][n]), i < 4 && j > 0) << i << j;          // and at y = 0
      EXPECT_EQ(bool(s.node_is_free[n]), i < 4 && j > 0) << i << j;
    }
  EXPECT_FALSE(s.on_magnetic_wall[0][0]);
  faces.magnetic_walls = {{0, 10}};
  EXPECT_TRUE(cells_over(GuidePlane(port), faces, 0.25).on_magnetic_wall[0][0]);
}

TEST(SectionCells, RefuseGuidesThatEnd) {
  const physics::Port port = port_across_z();
  SectionFaces faces = row_of({2, 6});
  faces.faces[0].permittivity = 3;
  EXPECT_NE(message([&] { cells_over(GuidePlane(port), faces, 0.25); })
                .find("port.p: its guide must be the same behind the plane and ahead of it; relative permittivity near "
                      "0.333333 0.333333 0 m: 3 behind, 2 ahead"),
            std::string::npos);
  faces = row_of({2, 6});
  for (auto& f : faces.faces) f.permeability = f.permittivity;
  EXPECT_NE(message([&] { cells_over(GuidePlane(port), faces, 0.25); })
                .find("port.p: ports of type mode need materials of one mu_r in their plane"),
            std::string::npos);
}

// eps E along its axis and E across it are linear between edges, so fields that are so are exact everywhere.
TEST(SectionCells, InterpolateWhatIsContinuous) {
  const physics::Port port = port_across_z();
  const auto s = cells_over(GuidePlane(port), row_of({2, 6}), 0.25);
  grid::SectionMode mode;
  for (const std::size_t w : {0, 1}) mode.electric[w].assign(s.numbers(), 0), mode.magnetic[w].assign(s.numbers(), 0);
  const auto displacement = [](double x, double y) { return 1 + x + 3 * y; };
  for (int j = 0; j < s.nodes(1); ++j)
    for (int i = 0; i + 1 < s.nodes(0); ++i) {
      const auto n = static_cast<std::size_t>(s.number(i, j));
      const double x = s.at[0][std::size_t(i)] + 0.5 * s.length(0, i), y = s.at[1][std::size_t(j)];
      mode.electric[0][n] = displacement(x, y) / s.permittivities[0][n];
      mode.magnetic[0][n] = displacement(x, y);
    }
  for (const auto& [x, y] : {std::pair{0.4, 0.1}, std::pair{0.97, 0.63}, std::pair{1.02, 0.63}, std::pair{1.6, 0.9}}) {
    const auto fields = fields_at(s, mode, x, y, 0);
    EXPECT_NEAR(fields.electric, displacement(x, y) / (x < 1 ? 2 : 6), 1e-12) << x;
    EXPECT_NEAR(fields.magnetic, displacement(x, y), 1e-12) << x;
  }
}

}  // namespace
}  // namespace dgtd::dg
