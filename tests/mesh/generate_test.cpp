// The meshes of dgtd-mesh, read back from their files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/mesh/generate.hpp"
#include "dgtd/mesh/load.hpp"
#include "generate_measures.hpp"
#include "scratch_folder.hpp"
#include "support/error_message.hpp"

namespace dgtd::mesh {
namespace {

using testing::facet_deficit;
using testing::ScratchFolder;

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return names;
}

double ellipsoid_volume(const HeadPhone::Tissue& tissue) {
  return 4 * pi / 3 * tissue.semi_axes.x * tissue.semi_axes.y * tissue.semi_axes.z;
}

double box_area(const HeadPhone::Box& box) {
  const Vec3 side = box.high - box.low;
  return 2 * (side.x * side.y + side.y * side.z + side.z * side.x);
}

double box_volume(const HeadPhone::Box& box) {
  const Vec3 side = box.high - box.low;
  return side.x * side.y * side.z;
}

class HeadPhoneM0 : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new ScratchFolder("head_phone");
    summary_ = generate_head_phone("m0", *folder_ / "m0.msh");
    mesh_ = new GlobalMesh(read_gmsh(*folder_ / "m0.msh", 1));
  }
  static void TearDownTestSuite() {
    delete mesh_;
    delete folder_;
  }
  static inline ScratchFolder* folder_ = nullptr;
  static inline GlobalMesh* mesh_ = nullptr;
  static inline MeshSummary summary_;
};

TEST_F(HeadPhoneM0, HasTheCountAndTheGroupsOfTheContract) {
  EXPECT_GT(mesh_->tetrahedra.size(), 50'000u);
  EXPECT_LT(mesh_->tetrahedra.size(), 70'000u);
  EXPECT_EQ(std::int64_t(mesh_->tetrahedra.size()), summary_.tetrahedra);
  EXPECT_EQ(std::int64_t(mesh_->vertices.size()), summary_.nodes);
  EXPECT_EQ(sorted(mesh_->volume_names), (std::vector<std::string>{"air", "brain", "csf", "skin", "skull"}));
  EXPECT_EQ(sorted(mesh_->surface_names), (std::vector<std::string>{"absorbing", "metal"}));
}

TEST_F(HeadPhoneM0, IsConformingWithGoodElements) {
  EXPECT_NO_THROW(check(*mesh_));
  EXPECT_GT(testing::smallest_volume(*mesh_), 0);
  EXPECT_GT(summary_.shape_min, 0.2);
  EXPECT_GT(summary_.inradius_min, 0.15e-3);
  EXPECT_LT(summary_.edge_max, 0.1);
}

TEST_F(HeadPhoneM0, TissuesHaveTheVolumesOfTheirEllipsoids) {
  auto found = testing::volumes(*mesh_);
  const double edge = 0.014;  // a little over the mean one in the skin, the coarsest tissue
  double inside = 0;
  for (const HeadPhone::Tissue& tissue : {HeadPhone::brain, HeadPhone::csf, HeadPhone::skull, HeadPhone::skin}) {
    inside += found.at(tissue.name);
    const double exact = ellipsoid_volume(tissue);
    EXPECT_LT(inside, exact) << tissue.name;
    EXPECT_GT(inside, exact * (1 - facet_deficit(edge, tissue.semi_axes.x))) << tissue.name;
  }
  const double ball = 4 * pi / 3 * std::pow(HeadPhone::absorbing_radius, 3);
  const double all = inside + found.at("air") + box_volume(HeadPhone::phone) + box_volume(HeadPhone::antenna);
  EXPECT_LT(all, ball);
  EXPECT_GT(all, ball * (1 - facet_deficit(0.034, HeadPhone::absorbing_radius)));
}

TEST_F(HeadPhoneM0, MetalIsThePhoneAndTheAntenna) {
  const double exact = box_area(HeadPhone::phone) + box_area(HeadPhone::antenna);
  EXPECT_NEAR(testing::areas(*mesh_).at("metal"), exact, 1e-9 * exact);
}

TEST_F(HeadPhoneM0, FeedLiesInsideOneAirElement) {
  int elements = 0;
  for (std::size_t e = 0; e < mesh_->tetrahedra.size(); ++e) {
    std::array<Vec3, 4> corner;
    for (int i = 0; i < 4; ++i) corner[i] = mesh_->vertices[mesh_->tetrahedra[e][i]];
    const double whole = testing::volume(corner[0], corner[1], corner[2], corner[3]);
    double smallest = 1;
    for (int i = 0; i < 4; ++i) {
      std::array<Vec3, 4> part = corner;
      part[i] = HeadPhone::feed_position;
      smallest = std::min(smallest, testing::volume(part[0], part[1], part[2], part[3]) / whole);
    }
    if (smallest < 0) continue;
    ++elements;
    EXPECT_GT(smallest, 1e-3);
    EXPECT_EQ(mesh_->volume_names[mesh_->tetrahedron_group[e]], "air");
  }
  EXPECT_EQ(elements, 1);
}

TEST(GenerateSpheres, ShellsHaveTheirVolumes) {
  const ScratchFolder folder("spheres");
  const Spheres spheres{{0.05, 0.08, 0.2}, {0.01, 0.012, 0.03}, {"core", "coat", "outside"}};
  const MeshSummary summary = generate_spheres(spheres, folder / "spheres.msh");
  const GlobalMesh mesh = read_gmsh(folder / "spheres.msh", 1);
  EXPECT_NO_THROW(check(mesh));
  EXPECT_GT(testing::smallest_volume(mesh), 0);
  EXPECT_GT(summary.shape_min, 0.2);
  EXPECT_EQ(sorted(mesh.volume_names), sorted(spheres.names));
  EXPECT_EQ(mesh.surface_names, std::vector<std::string>{"absorbing"});
  const auto found = testing::volumes(mesh);
  double inside = 0;
  for (int i = 0; i < 3; ++i) {
    inside += found.at(spheres.names[i]);
    const double exact = 4 * pi / 3 * std::pow(spheres.radii[i], 3);
    EXPECT_LT(inside, exact);
    EXPECT_GT(inside, exact * (1 - facet_deficit(1.3 * spheres.sizes[i], spheres.radii[i])));
  }
  const double outer = 4 * pi * std::pow(spheres.radii[2], 2);
  EXPECT_NEAR(testing::areas(mesh).at("absorbing"), outer, 0.02 * outer);
}

// The corners move outwards by a third of the share of the volume that an inscribed polyhedron lacks.
TEST(GenerateSpheres, HaveExactVolumesWhereAsked) {
  const ScratchFolder folder("exact_volumes");
  const Spheres spheres{{0.05, 0.08, 0.2}, {0.02, 0.02, 0.05}, {"core", "coat", "outside"}, {}, true};
  const MeshSummary summary = generate_spheres(spheres, folder / "spheres.msh");
  const GlobalMesh mesh = read_gmsh(folder / "spheres.msh", 1);
  EXPECT_NO_THROW(check(mesh));
  EXPECT_GT(testing::smallest_volume(mesh), 0);
  EXPECT_GT(summary.shape_min, 0.2);
  const auto found = testing::volumes(mesh);
  double inside = 0;
  for (int i = 0; i < 3; ++i) {
    inside += found.at(spheres.names[i]);
    const double exact = 4 * pi / 3 * std::pow(spheres.radii[i], 3);
    EXPECT_NEAR(inside, exact, 1e-12 * exact) << spheres.names[i];
  }
  double farthest = 0;
  for (const Vec3& x : mesh.vertices) farthest = std::max(farthest, norm(x));
  EXPECT_GT(farthest, 0.2);
  EXPECT_LT(farthest, 0.2 * (1 + facet_deficit(1.3 * 0.05, 0.2) / 3));
}

TEST(GenerateSpheres, ElementsAreSmallAroundAPoint) {
  const ScratchFolder folder("refined");
  Spheres spheres{{0.05, 0.2}, {0.02, 0.04}, {"core", "outside"}, {}};
  const MeshSummary plain = generate_spheres(spheres, folder / "plain.msh");
  const Vec3 place{0, 0.08, 0};
  spheres.refinements = {{place, 0.004}};
  const MeshSummary refined = generate_spheres(spheres, folder / "refined.msh");
  EXPECT_GT(plain.edge_min, 0.008);
  EXPECT_LT(refined.edge_min, 0.006);
  const GlobalMesh mesh = read_gmsh(folder / "refined.msh", 1);
  EXPECT_NO_THROW(check(mesh));
  double nearest = 1;
  for (const Vec3& x : mesh.vertices) nearest = std::min(nearest, norm(x - place));
  EXPECT_LT(nearest, 0.006);
  spheres.refinements = {{{0, 0, 0.3}, 0.004}};
  EXPECT_THROW(generate_spheres(spheres, folder / "outside.msh"), Error);
}

TEST(GenerateSpheres, OneBallOfAnySize) {
  const ScratchFolder folder("ball");
  for (const double radius : {1e-6, 1.0, 1e3}) {
    const MeshSummary summary = generate_spheres({{radius}, {radius / 4}, {"ball"}}, folder / "ball.msh");
    const GlobalMesh mesh = read_gmsh(folder / "ball.msh", 1);
    EXPECT_GT(summary.shape_min, 0.2);
    EXPECT_EQ(mesh.volume_names, std::vector<std::string>{"ball"});
    const double exact = 4 * pi / 3 * std::pow(radius, 3), found = testing::volumes(mesh).at("ball");
    EXPECT_LT(found, exact);
    EXPECT_GT(found, exact * (1 - facet_deficit(1.3 * radius / 4, radius)));
  }
}

TEST(GenerateErrors, NameWhatIsAllowed) {
  const ScratchFolder folder("errors");
  const auto file = folder / "x.msh";
  EXPECT_EQ(message([&] { generate_head_phone("m4", file); }),
            "head-phone: unknown level 'm4' (allowed: m0, m1, m2, m3)");
  EXPECT_EQ(message([&] { generate_head_phone("m0", "x.vtk"); }), "x.vtk: a mesh file's name must end in .msh");
  EXPECT_EQ(message([&] { generate_head_phone("m0", "/no/such/folder/x.msh"); }),
            "/no/such/folder/x.msh: cannot be written");
  EXPECT_TRUE(std::filesystem::is_empty(file.parent_path()));  // no trial is left
  EXPECT_EQ(message([&] { generate_spheres({}, file); }), "spheres: no radius given (at least one is needed)");
  EXPECT_EQ(message([&] {
              generate_spheres({{1, 2}, {0.1}, {"a", "b"}}, file);
            }),
            "spheres: 2 radii, 1 sizes and 2 names (one size and one name a radius)");
  EXPECT_EQ(message([&] {
              generate_spheres({{2, 1}, {0.1, 0.1}, {"a", "b"}}, file);
            }),
            "spheres: radius 1 after 2 (radii are positive and ascend)");
  EXPECT_EQ(message([&] {
              generate_spheres({{1}, {3}, {"a"}}, file);
            }),
            "spheres: element size 3 in the sphere of radius 1 (positive, at most the radius)");
  EXPECT_EQ(message([&] {
              generate_spheres({{1, 2}, {0.1, 0.1}, {"a", "a"}}, file);
            }),
            "spheres: names a a (each at most once)");
  EXPECT_EQ(message([&] {
              generate_spheres({{1}, {1e-4}, {"a"}}, file);
            }),
            "spheres: these sizes make about 4e+13 tetrahedra (at most 1e+08)");
}

}  // namespace
}  // namespace dgtd::mesh
