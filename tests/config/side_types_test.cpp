// Boundary types of the six sides of a structured grid.
#include "config/case_fixture.hpp"

namespace dgtd::config {
namespace {

using enum Boundary::Type;
using Types = std::array<Boundary::Type, 6>;

class SideTypes : public CaseFile {
 protected:
  static std::string section(const std::string& name, const std::string& type) {
    return "[boundary." + name + "]\ntype = " + type + "\n";
  }
};

TEST_F(SideTypes, UnnamedSidesAbsorb) {
  EXPECT_EQ(side_types(read(structured)), (Types{cpml, cpml, cpml, cpml, cpml, cpml}));
  EXPECT_EQ(side_types(read(structured + section("ymax", "pmc") + section("zmin", "pec"))),
            (Types{cpml, cpml, cpml, pmc, pec, cpml}));
}

TEST_F(SideTypes, StarStandsForTheSidesNotNamedElsewhere) {
  EXPECT_EQ(side_types(read(structured + section("*", "pec") + section("xmax", "cpml"))),
            (Types{pec, cpml, pec, pec, pec, pec}));
  EXPECT_EQ(side_types(read(structured + section("*", "periodic"))),
            (Types{periodic, periodic, periodic, periodic, periodic, periodic}));
}

TEST_F(SideTypes, PeriodicPairs) {
  EXPECT_EQ(side_types(read(structured + section("ymin", "periodic") + section("ymax", "periodic"))),
            (Types{cpml, cpml, periodic, periodic, cpml, cpml}));
  const std::string rule = "; both sides of an axis must be periodic, or none";
  EXPECT_EQ(message(structured + section("xmin", "periodic")),
            "head.cfg:8: [boundary.xmin]: xmin is periodic and xmax is cpml" + rule);
  EXPECT_EQ(message(structured + section("zmin", "pec") + section("zmax", "periodic")),
            "head.cfg:10: [boundary.zmax]: zmax is periodic and zmin is pec" + rule);
  EXPECT_EQ(message(structured + section("ymin", "pmc") + section("*", "periodic")),
            "head.cfg:10: [boundary.*]: ymax is periodic and ymin is pmc" + rule);
}

TEST_F(SideTypes, BlochPhases) {
  const std::string x = section("xmin", "bloch") + "k = 3e8\n" + section("xmax", "bloch") + "k = 3e8\n";
  const Case c = read(structured + x + section("*", "bloch") + "phase = -0.5\n");
  EXPECT_EQ(side_types(c), (Types{bloch, bloch, bloch, bloch, bloch, bloch}));
  EXPECT_NEAR(bloch_phases(c)[0], 3e8 * 4 * 2e-9, 1e-12);
  EXPECT_EQ(bloch_phases(c)[1], -0.5);
  EXPECT_EQ(
      message(structured + section("xmin", "bloch") + "phase = 1\n"),
      "head.cfg:8: [boundary.xmin]: xmin is bloch and xmax is cpml; both sides of an axis must be bloch, or none");
  EXPECT_EQ(message(structured + section("xmin", "bloch") + "phase = 1\n" + section("xmax", "bloch") + "phase = -1\n"),
            "head.cfg:11: [boundary.xmax]: phase and k must be those of [boundary.xmin] at head.cfg:8");
  EXPECT_EQ(message(structured + section("*", "bloch")),
            "head.cfg:8: [boundary.*]: boundary.*.phase is required (rad across the grid; or boundary.*.k, rad/m)");
  EXPECT_EQ(
      message(structured + section("*", "bloch") + "k = 1\nphase = 1\n"),
      "head.cfg:10: boundary.*.k = 1: only one of phase and k may be given, and boundary.*.phase is at head.cfg:11");
  EXPECT_EQ(message(structured + section("*", "pec") + "k = 1\n"),
            "head.cfg:10: boundary.*.k = 1: belongs to type = bloch");
}

TEST_F(SideTypes, NamesAndTypes) {
  EXPECT_EQ(message(structured + section("top", "pec")),
            "head.cfg:8: [boundary.top]: fdtd3d has no side 'top'; it has xmin, xmax, ymin, ymax, zmin, zmax");
  EXPECT_EQ(message(structured + "[boundary.xmin]\n"),
            "head.cfg:8: [boundary.xmin]: boundary.xmin.type is required (cpml | adiabatic | mur | pec | pmc | "
            "periodic | bloch)");
}

}  // namespace
}  // namespace dgtd::config
