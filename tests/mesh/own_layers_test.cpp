// Layers that are volume groups of a file: those of the program's strata, and what is refused.
#include <algorithm>
#include <cmath>

#include "ball_as_global_mesh.hpp"
#include "distributed_mesh.hpp"
#include "dgtd/mesh/load.hpp"
#include "global_view.hpp"
#include "mesh/generate/add_layers.hpp"
#include "small_meshes.hpp"

namespace dgtd::mesh {
namespace {

using testing::distributed, testing::world;

/// A file with the layers that the program adds, as volume group "pml".
GlobalMesh with_layers(const GlobalMesh& mesh, const std::vector<AddedLayers>& added) {
  GlobalMesh file = add_layers(mesh, added);
  file.volume_names.at(1) = "pml";
  return file;
}

std::vector<AddedLayers> from_group(const std::vector<AddedLayers>& added, const std::string& group = "pml") {
  std::vector<AddedLayers> layers;
  for (const AddedLayers& one : added) layers.push_back({one.surface, 1, 0, 0, {group}});
  return layers;
}

// Every element has the same places to the bit, so that it absorbs the same.
void expect_those_that_are_added(const GlobalMesh& inside, const std::vector<AddedLayers>& added) {
  const Subdomain by_program = distributed(add_layers(inside, added)),
                  by_file = distributed(add_layers(with_layers(inside, added), from_group(added)));
  EXPECT_EQ(by_file.volume_names[1], "pml (layer)");
  const LayerGeometry wanted(by_program, added, world()), found(by_file, from_group(added), world());
  ASSERT_EQ(by_file.elements(), by_program.elements());
  for (const AddedLayers& one : added) {
    EXPECT_EQ(found.strata(one.surface), one.strata);
    EXPECT_EQ(found.thickness(one.surface), wanted.thickness(one.surface));
  }
  std::int64_t places = 0;
  for (std::size_t e = 0; e < by_file.elements(); ++e) {
    const auto a = wanted.places(e), b = found.places(e);
    ASSERT_EQ(by_file.element_id[e], by_program.element_id[e]);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i, ++places) {
      EXPECT_EQ(a[i].normal, b[i].normal);
      EXPECT_EQ(a[i].depth, b[i].depth);
      EXPECT_EQ(a[i].thickness, b[i].thickness);
      EXPECT_EQ(a[i].layers, b[i].layers);
      EXPECT_EQ(a[i].stratum, b[i].stratum);
    }
  }
  EXPECT_GT(world().sum(places), 0);
}

const std::vector<AddedLayers> sides{{"xmin", 4, 0.3}, {"xmax", 2, 0.4}, {"ymax", 3, 0.2}, {"zmin", 1, 0.1}};
GlobalMesh box() { return testing::box_as_global_mesh({4, 3, 5}, {1, 0.8, 1.5}); }

TEST(OwnLayers, OfABoxAreThoseThatAreAdded) { expect_those_that_are_added(box(), sides); }

TEST(OwnLayers, OfASphereAreThoseThatAreAdded) {
  expect_those_that_are_added(testing::ball_as_global_mesh(2, 1, {0.3, -0.2, 0.1}), {{"absorbing", 5, 0.4}});
  expect_those_that_are_added(testing::ball_as_global_mesh(2, 1, {}, true), {{"absorbing", 3, 0.4}});
}

// The suffix is kept; one group per medium.
TEST(OwnLayers, HaveSeveralGroups) {
  GlobalMesh file = add_layers(box(), sides);
  file.volume_names.push_back("ground");
  for (std::size_t e = 0; e < file.tetrahedra.size(); ++e)
    if (file.tetrahedron_group[e] == 1 && e % 2) file.tetrahedron_group[e] = 2;
  auto layers = from_group(sides, "box (layer)");
  for (auto& one : layers) one.groups.push_back("ground");
  EXPECT_EQ(add_layers(file, layers).volume_names, (std::vector<std::string>{"box", "box (layer)", "ground (layer)"}));
}

// Vertices inside of the layer are moved: no strata any more. The number of strata is that of the elements' extents,
// and each element is deeper the farther its middle is from the box.
TEST(OwnLayers, NeedNoStrata) {
  const std::vector<AddedLayers> all{{"outer", 4, 0.4}};
  GlobalMesh inside = box();
  inside.surface_names = {"outer"};
  std::fill(inside.triangle_group.begin(), inside.triangle_group.end(), std::uint16_t{0});
  GlobalMesh file = with_layers(inside, all);
  const auto within = [](double x, double low, double high) { return x > low + 1e-6 && x < high - 1e-6; };
  for (Vec3& p : file.vertices)
    if ((p.x < -1e-6 || p.x > 1 + 1e-6) && within(p.x, -0.4, 1.4) && within(p.y, -0.4, 1.2) && within(p.z, -0.4, 1.9))
      p.x += 0.02 * std::sin(40 * p.x + 30 * p.y + 20 * p.z);
  const Subdomain mesh = distributed(add_layers(file, from_group(all)));
  const LayerGeometry geometry(mesh, from_group(all), world());
  EXPECT_GE(geometry.strata("outer"), 3);
  EXPECT_LE(geometry.strata("outer"), 5);
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    const auto places = geometry.places(e);
    EXPECT_EQ(places.empty(), !is_layer_name(mesh.volume_names[mesh.element_group[e]]));
    for (const LayerPlace& at : places) {
      int axis = 0;
      while (at.normal[axis] == 0) ++axis;
      const double end = at.normal[axis] > 0 ? Vec3{1, 0.8, 1.5}[axis] : 0.0;
      double low = 9, high = -9;
      for (int c = 0; c < 4; ++c) {
        const double distance = at.normal[axis] * (mesh.vertex(e, c)[axis] - end);
        low = std::min(low, distance), high = std::max(high, distance);
      }
      const double stratum = at.thickness / geometry.strata("outer");
      if (axis == 0) continue;  // elements there have moved
      EXPECT_NEAR(at.depth, 0.5 * (low + high), 0.5 * stratum + 1e-12);
    }
  }
}

std::string complaint_of(const GlobalMesh& mesh, const std::vector<AddedLayers>& layers) {
  return testing::message_of([&] { add_layers(mesh, layers); });
}

TEST(OwnLayers, AreRefusedWhereTheyAreNone) {
  const GlobalMesh file = with_layers(box(), sides);
  EXPECT_EQ(complaint_of(file, from_group(sides)), "no error");
  EXPECT_EQ(complaint_of(file, from_group(sides, "pmm")),
            "box.msh: no element is in volume group \"pmm\", the layer at surface group \"xmin\"; groups are \"box\", "
            "\"pml\"");
  EXPECT_EQ(
      complaint_of(file, {{"left", 1, 0, 0, {"pml"}}}),
      "box.msh: no triangle is in surface group \"left\", whose layer is volume group \"pml\"; groups are \"xmin\", "
      "\"xmax\", \"ymin\", \"ymax\", \"zmin\", \"zmax\"");
  EXPECT_EQ(
      complaint_of(file, {{"xmin", 1, 0, 0, {"pml"}}, {"xmax", 2, 0.3}}),
      "box.msh: layers are added outside of surface group \"xmax\", and those at \"xmin\" are volume groups of the "
      "mesh; all layers of a mesh are of one kind");
  // zmax has no layer in this file: its thickness would be zero.
  EXPECT_NE(
      complaint_of(file, {{"zmax", 1, 0, 0, {"pml"}}})
          .find("box.msh: side zmax is in surface group \"zmax\", whose layer is volume group \"pml\", and element "),
      std::string::npos);
  EXPECT_NE(complaint_of(file, {{"zmax", 1, 0, 0, {"pml"}}})
                .find(" of \"box\" reaches it: the layer has no thickness there; it covers the whole side zmax"),
            std::string::npos);
  // The sides with a layer must all have the group.
  EXPECT_NE(complaint_of(file, {{"xmin", 1, 0, 0, {"pml"}}})
                .find("is not outside of the box around the elements that are in no layer"),
            std::string::npos);
  GlobalMesh hollow = file;
  hollow.tetrahedron_group[6 * 30] = 1;  // an element in the middle of the box
  EXPECT_NE(complaint_of(hollow, from_group(sides)).find("of \"pml\" is not outside of the box around"),
            std::string::npos);
  GlobalMesh suffix = file;
  suffix.volume_names[0] = "air (layer)";
  EXPECT_EQ(
      complaint_of(suffix, from_group(sides)),
      "box.msh: volume group \"air (layer)\": names that end in \" (layer)\" are those of layers, and no surface has "
      "it as its layer; name it otherwise");
  const std::vector<AddedLayers> shell{{"absorbing", 3, 0.4}};
  GlobalMesh ball = with_layers(testing::ball_as_global_mesh(2, 1, {}), shell);
  EXPECT_EQ(complaint_of(ball, from_group(shell)), "no error");
  ball.tetrahedron_group[0] = 1;
  EXPECT_NE(complaint_of(ball, from_group(shell)).find("is not outside of the sphere around"), std::string::npos);
  ball.tetrahedron_group.back() = 0;
  EXPECT_NE(complaint_of(ball, from_group(shell)).find("reaches it: the layer has no thickness there"),
            std::string::npos);
  if (world().size() > 1) return;
  EXPECT_EQ(testing::message_of([] {
              make_box({2, 2, 2}, {1, 1, 1}, world(), {{"xmin", 1, 0, 0, {"pml"}}});
            }),
            "box: volume group \"pml\" as the layer of surface xmin: a generated box has the layers that are added, "
            "without group");
}

}  // namespace
}  // namespace dgtd::mesh
