// Every complaint about a mesh names its place; a sound mesh passes.
#include <limits>

#include "dgtd/mesh/load.hpp"
#include "small_meshes.hpp"

namespace dgtd::mesh {
namespace {

using testing::message_of;
using testing::two_tetrahedra;

std::string complaint(const GlobalMesh& mesh) {
  return message_of([&] { check(mesh); });
}

TEST(Check, AcceptsASoundMesh) { EXPECT_NO_THROW(check(two_tetrahedra())); }

TEST(Check, FlatElement) {
  GlobalMesh mesh = two_tetrahedra();
  mesh.vertices[4] = {0.25, 0.5, 0.25};  // in the plane of vertices 1, 2, 3
  EXPECT_EQ(complaint(mesh),
            "two.msh: element 1 (centre 0.3125 0.375 0.3125) is flat: volume 0 m3, longest edge 1.41 m");
}

TEST(Check, NearlyFlatElementIsAccepted) {
  GlobalMesh mesh = two_tetrahedra();
  mesh.vertices[4] = {0.25, 0.5, 0.25 + 1e-12};
  EXPECT_NO_THROW(check(mesh));
}

TEST(Check, ElementWithAVertexTwice) {
  GlobalMesh mesh = two_tetrahedra();
  mesh.tetrahedra[0] = {0, 1, 1, 3};
  EXPECT_NE(complaint(mesh).find("element 0 (centre 0.5 0 0.25) is flat"), std::string::npos);
}

TEST(Check, CoordinateThatIsNotANumber) {
  GlobalMesh mesh = two_tetrahedra();
  mesh.vertices[0].x = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(complaint(mesh).find("element 0"), std::string::npos);
}

TEST(Check, ElementWithoutAVolumeGroup) {
  GlobalMesh mesh = two_tetrahedra();
  mesh.tetrahedron_group[1] = no_group;
  EXPECT_EQ(complaint(mesh),
            "two.msh: element 1 (centre 0.5 0.5 0.5) is in no volume group; name it in Gmsh (Physical Volume)");
}

TEST(Check, FaceOfThreeElements) {
  GlobalMesh mesh = two_tetrahedra();
  mesh.vertices.push_back({2, 2, 2});
  mesh.tetrahedra.push_back({1, 2, 3, 5});
  mesh.tetrahedron_group.push_back(0);
  const std::string text = complaint(mesh);
  EXPECT_EQ(
      text.substr(0, text.find(':', 9)),
      "two.msh: face (vertices 1 2 3, centre 0.333333 0.333333 0.333333) is shared by 3 tetrahedra, at most 2 can "
      "meet at a face");
  EXPECT_NE(
      text.find("element 0 (centre 0.25 0.25 0.25), element 1 (centre 0.5 0.5 0.5), element 2 (centre 0.75 0.75 0.75)"),
      std::string::npos);
}

TEST(Check, BoundaryFaceWithoutASurfaceGroup) {
  GlobalMesh mesh = two_tetrahedra();
  mesh.triangles.erase(mesh.triangles.begin() + 3);
  mesh.triangle_group.pop_back();
  const std::string text = complaint(mesh);
  EXPECT_EQ(
      text.substr(0, text.find(", or")),
      "two.msh: boundary face (vertices 1 2 4, centre 0.666667 0.666667 0.333333) is in no surface group; name it in "
      "Gmsh (Physical Surface)");
}

TEST(Check, HangingNodeShowsAsBoundaryFaceWithoutAGroup) {
  // Element 1 split at the middle of its edge 1-2: two faces there, one on the side of element 0.
  GlobalMesh mesh = two_tetrahedra();
  mesh.vertices.push_back({0.5, 0.5, 0});
  mesh.tetrahedra = {{3, 1, 0, 2}, {1, 5, 3, 4}, {5, 2, 3, 4}};
  mesh.tetrahedron_group = {0, 1, 1};
  mesh.triangles = {{0, 1, 2}, {0, 1, 3}, {3, 2, 0}, {1, 5, 4}, {5, 2, 4}, {1, 3, 4}, {2, 3, 4}};
  mesh.triangle_group.assign(7, 0);
  EXPECT_NE(complaint(mesh).find("boundary face (vertices 1 2 3, "), std::string::npos);
  EXPECT_NE(complaint(mesh).find("make the elements on both sides share their nodes"), std::string::npos);
}

TEST(Check, BoundaryFaceInTwoSurfaceGroups) {
  GlobalMesh mesh = two_tetrahedra();
  mesh.triangles.push_back({2, 1, 0});
  mesh.triangle_group.push_back(1);
  EXPECT_EQ(complaint(mesh),
            "two.msh: boundary face (vertices 0 1 2, centre 0.333333 0.333333 0) is in the surface groups "
            "\"wall\" and \"lid\"; it must be in exactly one");
}

TEST(Check, TriangleTwiceInOneGroupIsAccepted) {
  GlobalMesh mesh = two_tetrahedra();
  mesh.triangles.push_back({2, 1, 0});
  mesh.triangle_group.push_back(0);
  EXPECT_NO_THROW(check(mesh));
}

TEST(Check, NamedTriangleInside) {
  GlobalMesh mesh = two_tetrahedra();
  mesh.triangles.push_back({3, 2, 1});
  mesh.triangle_group.push_back(1);
  EXPECT_EQ(
      complaint(mesh),
      "two.msh: surface group \"lid\": face (vertices 1 2 3, centre 0.333333 0.333333 0.333333) lies inside the "
      "domain, between element 0 (centre 0.25 0.25 0.25) and element 1 (centre 0.5 0.5 0.5); only boundary faces may "
      "be in a surface group, and those of ports (port.NAME.faces)");
}

TEST(Check, NamedTriangleThatIsNoFace) {
  GlobalMesh mesh = two_tetrahedra();
  mesh.triangles.push_back({0, 1, 4});
  mesh.triangle_group.push_back(1);
  EXPECT_EQ(complaint(mesh),
            "two.msh: surface group \"lid\": face (vertices 0 1 4, centre 0.666667 0.333333 0.333333) is "
            "not a face of any tetrahedron");
}

TEST(Check, NamedTriangleAfterAllFaces) {
  GlobalMesh mesh = two_tetrahedra();
  mesh.vertices.insert(mesh.vertices.end(), {{5, 0, 0}, {6, 0, 0}, {5, 1, 0}});
  mesh.triangles.push_back({5, 6, 7});
  mesh.triangle_group.push_back(0);
  EXPECT_NE(complaint(mesh).find("face (vertices 5 6 7, centre 5.33333 0.333333 0) is not a face"), std::string::npos);
}

TEST(Check, OverlappingElements) {
  GlobalMesh mesh = two_tetrahedra();
  mesh.vertices[4] = {0.1, 0.1, 0.1};
  EXPECT_EQ(
      complaint(mesh),
      "two.msh: element 0 (centre 0.25 0.25 0.25) and element 1 (centre 0.275 0.275 0.275) overlap: they lie on the "
      "same side of their face (vertices 1 2 3, centre 0.333333 0.333333 0.333333)");
}

TEST(Check, ElementListedTwice) {
  GlobalMesh mesh = two_tetrahedra();
  mesh.tetrahedra = {{0, 1, 2, 3}, {3, 2, 1, 0}};
  mesh.triangles.clear();
  mesh.triangle_group.clear();
  EXPECT_NE(complaint(mesh).find("overlap"), std::string::npos);
}

TEST(Check, PiecesThatAreNotConnected) {
  GlobalMesh mesh = two_tetrahedra();
  // A third tetrahedron that only touches vertex 4.
  mesh.vertices.insert(mesh.vertices.end(), {{2, 1, 1}, {1, 2, 1}, {1, 1, 2}});
  mesh.tetrahedra.push_back({4, 5, 6, 7});
  mesh.tetrahedron_group.push_back(0);
  for (const auto& t : {std::array<std::int64_t, 3>{4, 5, 6}, {4, 5, 7}, {4, 6, 7}, {5, 6, 7}}) {
    mesh.triangles.push_back(t);
    mesh.triangle_group.push_back(0);
  }
  EXPECT_EQ(complaint(mesh),
            "two.msh: the mesh has 2 pieces that are not connected by faces; the smallest one has 1 "
            "elements, the first of them element 2 (centre 1.25 1.25 1.25)");
}

}  // namespace
}  // namespace dgtd::mesh
