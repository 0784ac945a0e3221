#include <gtest/gtest.h>

#include "config/complete.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/config/case.hpp"
#include "support/error_message.hpp"

namespace dgtd::config {
namespace {

const std::vector<std::string> tissues = {"skin", "skull", "csf", "brain", "air"};
const std::vector<std::string> sides = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};

Case with_materials(const std::vector<std::string>& names) {
  Case c;
  int line = 10;
  for (const std::string& name : names) {
    c.materials.emplace_back().name = name;
    c.materials.back().origin = "head.cfg:" + std::to_string(line += 10);
  }
  return c;
}

Case with_boundaries(const std::vector<std::string>& names) {
  Case c;
  int line = 10;
  for (const std::string& name : names) {
    c.boundaries.emplace_back().name = name;
    c.boundaries.back().type = Boundary::Type::pmc;
    c.boundaries.back().origin = "head.cfg:" + std::to_string(line += 10);
  }
  return c;
}

TEST(Match, ByNameElseByStar) {
  Case c = with_materials({"brain", "*", "skin"});
  EXPECT_EQ(match_materials(c, tissues), (std::vector<int>{2, 1, 1, 0, 1}));
  EXPECT_EQ(c.materials.size(), 3u);
  Case b = with_boundaries({"metal", "absorbing"});
  EXPECT_EQ(match_boundaries(b, {"absorbing", "metal"}), (std::vector<int>{1, 0}));
}

TEST(Match, StarMayBeLeftOver) {
  Case c = with_materials({"brain", "*"});
  EXPECT_EQ(match_materials(c, {"brain"}), std::vector<int>{0});
}

TEST(Match, SectionWithoutGroup) {
  Case c = with_materials({"brian", "*"});
  EXPECT_EQ(message([&] { match_materials(c, tissues); }),
            "head.cfg:20: [material.brian]: the mesh has no volume group 'brian'; it has skin, skull, csf, brain, air");
  Case b = with_boundaries({"metal"});
  EXPECT_EQ(message([&] { match_boundaries(b, {"absorbing"}); }),
            "head.cfg:20: [boundary.metal]: the mesh has no surface group 'metal'; it has absorbing");
  EXPECT_EQ(message([&] { match_boundaries(b, {}); }),
            "head.cfg:20: [boundary.metal]: the mesh has no surface group 'metal'; it has none");
}

TEST(Match, GroupWithoutSection) {
  Case c = with_materials({"skin", "skull", "csf", "air"});
  EXPECT_EQ(message([&] { match_materials(c, tissues); }),
            "mesh volume group 'brain' has no [material.brain] section (and there is no [material.*])");
  Case b = with_boundaries({});
  EXPECT_EQ(message([&] { match_boundaries(b, {"absorbing"}); }),
            "mesh surface group 'absorbing' has no [boundary.absorbing] section (and there is no [boundary.*])");
}

TEST(Match, BoxWithoutSectionsIsVacuumInMetal) {
  Case c;
  c.mesh.generator = Mesh::Generator::box;
  complete_box(c);
  EXPECT_EQ(match_materials(c, {"box"}), std::vector<int>{0});
  EXPECT_EQ(match_boundaries(c, sides), std::vector<int>(6, 0));
  ASSERT_EQ(c.materials.size(), 1u);
  EXPECT_EQ(c.materials[0].permittivity, 1);
  EXPECT_EQ(c.materials[0].conductivity, 0);
  ASSERT_EQ(c.boundaries.size(), 1u);
  EXPECT_EQ(c.boundaries[0].type, Boundary::Type::pec);
}

TEST(Match, OneSectionOfAnyNameIsTheWholeBox) {
  Case m = with_materials({"water"}), b = with_boundaries({"walls"});
  m.mesh.generator = b.mesh.generator = Mesh::Generator::box;
  complete_box(m);
  complete_box(b);
  EXPECT_EQ(match_materials(m, {"box"}), std::vector<int>{0});
  EXPECT_EQ(m.materials.at(0).name, "water");
  EXPECT_EQ(match_boundaries(b, sides), std::vector<int>(6, 0));
  EXPECT_EQ(b.boundaries.size(), 1u);
}

TEST(Match, SidesOfABoxMayBeNamedSingly) {
  Case one = with_boundaries({"ymax"});
  one.mesh.generator = Mesh::Generator::box;
  complete_box(one);
  EXPECT_EQ(match_boundaries(one, sides), (std::vector<int>{1, 1, 1, 0, 1, 1}));
  EXPECT_EQ(one.boundaries.at(1).type, Boundary::Type::pec);

  Case star = with_boundaries({"zmin", "*"});
  star.mesh.generator = Mesh::Generator::box;
  complete_box(star);
  EXPECT_EQ(match_boundaries(star, sides), (std::vector<int>{1, 1, 1, 1, 0, 1}));
  EXPECT_EQ(star.boundaries.size(), 2u);

  Case wrong = with_boundaries({"zmin", "top"});
  wrong.mesh.generator = Mesh::Generator::box;
  complete_box(wrong);
  EXPECT_EQ(
      message([&] { match_boundaries(wrong, sides); }),
      "head.cfg:30: [boundary.top]: the mesh has no surface group 'top'; it has xmin, xmax, ymin, ymax, zmin, zmax");
}

}  // namespace
}  // namespace dgtd::config
