// What bounds the six sides of a structured grid.
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

TEST_F(SideTypes, NamesAndTypes) {
  EXPECT_EQ(message(structured + section("top", "pec")),
            "head.cfg:8: [boundary.top]: fdtd3d has no side 'top'; it has xmin, xmax, ymin, ymax, zmin, zmax");
  EXPECT_EQ(message(structured + "[boundary.xmin]\n"),
            "head.cfg:8: [boundary.xmin]: boundary.xmin.type is required (cpml | pec | pmc | periodic)");
}

}  // namespace
}  // namespace dgtd::config
