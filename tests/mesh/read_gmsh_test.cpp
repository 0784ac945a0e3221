// Gmsh files by hand and by Gmsh itself, in the two versions and their two encodings.
#include <gmsh.h>

#include <fmt/format.h>

#include "dgtd/mesh/load.hpp"
#include "dgtd/mesh/write_msh.hpp"
#include "mesh/generate/gmsh_session.hpp"
#include "scratch_folder.hpp"
#include "small_meshes.hpp"

namespace dgtd::mesh {
namespace {

using testing::message_of;
using testing::ScratchFolder;

/// MSH 2.2 with the given lines of $PhysicalNames and $Elements on six nodes (number 30 has no element).
std::string msh2(const std::string& names, const std::string& elements) {
  const auto section = [](const std::string& name, const std::string& lines) {
    return fmt::format("${0}\n{1}\n{2}$End{0}\n", name, std::count(lines.begin(), lines.end(), '\n'), lines);
  };
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" + section("PhysicalNames", names) +
         section("Nodes", "10 0 0 0\n20 1 0 0\n30 9 9 9\n40 0 1 0\n50 0 0 1\n60 1 1 1\n") +
         section("Elements", elements);
}

const std::string two_names = "2 7 \"wall\"\n3 1 \"left\"\n";
const std::string wall =
    "1 2 2 7 1 10 20 40\n2 2 2 7 1 10 20 50\n3 2 2 7 1 10 40 50\n"
    "4 2 2 7 1 20 40 60\n5 2 2 7 1 20 50 60\n6 2 2 7 1 40 50 60\n";

TEST(ReadGmsh, Msh2ByHand) {
  const ScratchFolder folder("msh2");
  // Elements of volume 2 stand between those of volume 1; group 4 has no name; the last one is inverted.
  const auto file =
      folder.write("hand.msh", msh2(two_names, wall + "7 4 2 4 2 20 40 50 60\n8 4 2 1 1 10 40 20 50\n"
                                                      "9 15 2 9 1 10\n10 1 2 9 1 10 20\n11 2 2 0 5 20 40 50\n"));
  const GlobalMesh mesh = read_gmsh(file, 1e-3);
  EXPECT_NO_THROW(check(mesh));
  EXPECT_EQ(mesh.source, "hand.msh");
  EXPECT_EQ(mesh.vertices,
            (std::vector<Vec3>{{0, 0, 0}, {1e-3, 0, 0}, {0, 1e-3, 0}, {0, 0, 1e-3}, {1e-3, 1e-3, 1e-3}}));
  EXPECT_EQ(mesh.volume_names, (std::vector<std::string>{"left", "4"}));
  EXPECT_EQ(mesh.surface_names, std::vector<std::string>{"wall"});
  EXPECT_EQ(mesh.tetrahedra, (std::vector<std::array<std::int64_t, 4>>{{0, 2, 1, 3}, {1, 2, 3, 4}}));
  EXPECT_EQ(mesh.tetrahedron_group, (std::vector<std::uint16_t>{0, 1}));
  EXPECT_EQ(mesh.triangles.size(), 6u);
  EXPECT_EQ(mesh.triangle_group, std::vector<std::uint16_t>(6, 0));
}

// Nodes of edges in Gmsh's order 01 12 02 03 23 13; the vertices of the element do not ascend.
TEST(ReadGmsh, SecondOrderTetrahedra) {
  const ScratchFolder folder("second_order");
  std::string text = msh2(two_names, wall + "7 4 2 1 1 20 40 50 60\n8 11 2 1 2 40 10 20 50 1 2 3 4 5 6\n");
  const std::string nodes = "$Nodes\n6\n";
  // Edges 40-10 straight, 10-20 bent by 0.1 along z, 40-20, 40-50, 20-50 straight, 10-50 bent by 0.2 along x.
  text.replace(text.find(nodes), nodes.size(),
               "$Nodes\n12\n1 0 0.5 0\n2 0.5 0 0.1\n3 0.5 0.5 0\n4 0 0.5 0.5\n5 0.5 0 0.5\n6 0.2 0 0.5\n");
  const GlobalMesh mesh = read_gmsh(folder.write("second.msh", text), 2);
  EXPECT_NO_THROW(check(mesh));
  EXPECT_EQ(mesh.vertices.size(), 5u);
  ASSERT_EQ(mesh.curved_edges.size(), 2u);
  EXPECT_EQ(mesh.curved_edges[0], (CurvedEdge{{0, 1}, {0, 0, 0.2}}));
  EXPECT_EQ(mesh.curved_edges[1], (CurvedEdge{{0, 3}, {0.4, 0, 0}}));
  for (const MshForm form : {MshForm::binary_4_1, MshForm::text_2_2}) {
    write_msh(mesh, folder / "again.msh", form);
    const GlobalMesh again = read_gmsh(folder / "again.msh", 1);
    EXPECT_EQ(again.vertices, mesh.vertices);
    ASSERT_EQ(again.curved_edges.size(), 2u);
    for (std::size_t e = 0; e < 2; ++e) {
      EXPECT_EQ(again.curved_edges[e].vertices, mesh.curved_edges[e].vertices);
      EXPECT_LT(norm(again.curved_edges[e].bend - mesh.curved_edges[e].bend), 1e-15);
    }
    EXPECT_EQ(again.triangles.size(), 6u);
    EXPECT_EQ(again.volume_names, std::vector<std::string>{"left"});
  }
}

// Two nodes per edge, in the order of the edges above, then four on faces. On a parabola that is bent by d in its middle
// they are off the chord by 8/9 d, and cubic interpolation finds d again.
TEST(ReadGmsh, ThirdOrderTetrahedra) {
  const ScratchFolder folder("third_order");
  std::string text = msh2(two_names, wall + "7 4 2 1 1 20 40 50 60\n"
                                            "8 29 2 1 2 40 10 20 50 1 2 3 4 5 6 7 8 9 11 12 13 14 14 14 14\n");
  const std::string third = "0.333333333333333", thirds = "0.666666666666667";
  const std::vector<std::array<std::string, 3>> at = {
      {"0", thirds, "0"}, {"0", third, "0"},                                            // 40-10
      {third, "0", "0.0888888888888889"}, {thirds, "0", "0.0888888888888889"},          // 10-20, bent by 0.1 along z
      {thirds, third, "0"}, {third, thirds, "0"},                                       // 20-40
      {"0", third, thirds}, {"0", thirds, third},                                       // 50-40
      {thirds, "0", third}, {third, "0", thirds},                                       // 20-50
      {"0.177777777777778", "0", third}, {"0.177777777777778", "0", thirds},            // 10-50, bent by 0.2 along x
      {third, third, third}};
  std::string nodes = "$Nodes\n19\n";
  for (std::size_t n = 0; n < at.size(); ++n)
    nodes += std::to_string(n < 9 ? n + 1 : n + 2) + " " + at[n][0] + " " + at[n][1] + " " + at[n][2] + "\n";
  const std::string old = "$Nodes\n6\n";
  text.replace(text.find(old), old.size(), nodes);
  const GlobalMesh mesh = read_gmsh(folder.write("third.msh", text), 2);
  EXPECT_NO_THROW(check(mesh));
  EXPECT_EQ(mesh.vertices.size(), 5u);
  ASSERT_EQ(mesh.curved_edges.size(), 2u);
  EXPECT_EQ(mesh.curved_edges[0].vertices, (std::array<std::int64_t, 2>{0, 1}));
  EXPECT_LT(norm(mesh.curved_edges[0].bend - Vec3{0, 0, 0.2}), 1e-14);
  EXPECT_EQ(mesh.curved_edges[1].vertices, (std::array<std::int64_t, 2>{0, 3}));
  EXPECT_LT(norm(mesh.curved_edges[1].bend - Vec3{0.4, 0, 0}), 1e-14);
}

TEST(ReadGmsh, AllTetrahedraOfSecondOrder) {
  const ScratchFolder folder("all_second_order");
  GlobalMesh mesh = read_gmsh(
      folder.write("one.msh", msh2(two_names, wall + "7 4 2 1 1 20 40 50 60\n8 4 2 1 1 10 20 40 50\n")), 1);
  mesh.curved_edges = {{{1, 2}, {0, 0, 0.1}}};  // of both elements
  for (const MshForm form : {MshForm::binary_4_1, MshForm::text_4_1, MshForm::binary_2_2}) {
    write_msh(mesh, folder / "again.msh", form);
    const GlobalMesh again = read_gmsh(folder / "again.msh", 1);
    EXPECT_EQ(again.tetrahedra.size(), 2u);
    ASSERT_EQ(again.curved_edges.size(), 1u);
    EXPECT_LT(norm(again.curved_edges[0].bend - Vec3{0, 0, 0.1}), 1e-15);
  }
}

TEST(ReadGmsh, TetrahedraOfBothOrdersInAVolume) {
  const ScratchFolder folder("both_orders");
  // The edges of the one of second order, which comes first in the file, are straight but for 10-20.
  std::string text = msh2(two_names, wall + "7 11 2 1 1 10 20 40 50 1 2 3 4 5 6\n8 4 2 1 1 20 40 50 60\n");
  const std::string nodes = "$Nodes\n6\n";
  text.replace(text.find(nodes), nodes.size(),
               "$Nodes\n12\n1 0.5 0 0.1\n2 0.5 0.5 0\n3 0 0.5 0\n4 0 0 0.5\n5 0 0.5 0.5\n6 0.5 0 0.5\n");
  const GlobalMesh mesh = read_gmsh(folder.write("both.msh", text), 1);
  EXPECT_NO_THROW(check(mesh));
  EXPECT_EQ(mesh.tetrahedra, (std::vector<std::array<std::int64_t, 4>>{{1, 2, 3, 4}, {0, 1, 2, 3}}));
  ASSERT_EQ(mesh.curved_edges.size(), 1u);
  EXPECT_EQ(mesh.curved_edges[0], (CurvedEdge{{0, 1}, {0, 0, 0.1}}));
}

TEST(ReadGmsh, FarApartNodeNumbers) {
  const ScratchFolder folder("sparse");
  std::string text = msh2(two_names, wall + "7 4 2 1 1 20 40 50 60\n8 4 2 1 1 10 20 40 50\n");
  for (std::size_t at = 0; (at = text.find("60", at)) != std::string::npos; at += 10) text.replace(at, 2, "6000000000");
  const GlobalMesh mesh = read_gmsh(folder.write("sparse.msh", text), 1);
  EXPECT_NO_THROW(check(mesh));
  EXPECT_EQ(mesh.vertices.size(), 5u);
}

TEST(ReadGmsh, ElementsWithoutAGroupAreMarked) {
  const ScratchFolder folder("no_group");
  const auto file = folder.write("m.msh", msh2(two_names, wall + "7 4 2 0 2 20 40 50 60\n8 4 2 1 1 10 20 40 50\n"));
  const GlobalMesh mesh = read_gmsh(file, 1);
  EXPECT_EQ(message_of([&] { check(mesh); }),
            "m.msh: element 1 (centre 0.5 0.5 0.5) is in no volume group; name it in Gmsh (Physical Volume)");
}

/// A cube of eight elements or so in two volumes, as Gmsh writes it.
void write_with_gmsh(const std::filesystem::path& file, double version, bool binary) {
  const GmshSession session;
  gmsh::model::occ::addBox(0, 0, 0, 1, 1, 1);
  gmsh::model::occ::addBox(1, 0, 0, 1, 1, 1);
  gmsh::vectorpair out;
  std::vector<gmsh::vectorpair> map;
  gmsh::model::occ::fragment({{3, 1}, {3, 2}}, {}, out, map);
  gmsh::model::occ::synchronize();
  gmsh::vectorpair outer;
  gmsh::model::getBoundary(out, outer, true, false);
  std::vector<int> surfaces;
  for (const auto& [dim, tag] : outer) surfaces.push_back(tag);
  gmsh::model::setPhysicalName(3, gmsh::model::addPhysicalGroup(3, {out[0].second}), "first half");
  gmsh::model::setPhysicalName(3, gmsh::model::addPhysicalGroup(3, {out[1].second}), "second half");
  gmsh::model::setPhysicalName(2, gmsh::model::addPhysicalGroup(2, surfaces), "hull");
  gmsh::option::setNumber("Mesh.MeshSizeMax", 0.4);
  gmsh::option::setNumber("Mesh.MshFileVersion", version);
  gmsh::option::setNumber("Mesh.Binary", binary);
  gmsh::model::mesh::generate(3);
  gmsh::write(file.string());
}

TEST(ReadGmsh, BothVersionsAndEncodingsGiveTheSameMesh) {
  const ScratchFolder folder("formats");
  GlobalMesh first;
  for (const double version : {4.1, 2.2})
    for (const bool binary : {false, true}) {
      const auto file = folder / fmt::format("v{}_{}.msh", version, binary);
      write_with_gmsh(file, version, binary);
      const GlobalMesh mesh = read_gmsh(file, 1);
      EXPECT_NO_THROW(check(mesh)) << file;
      EXPECT_EQ(mesh.volume_names, (std::vector<std::string>{"first half", "second half"}));
      EXPECT_EQ(mesh.surface_names, std::vector<std::string>{"hull"});
      if (first.vertices.empty()) first = mesh;
      EXPECT_GT(mesh.tetrahedra.size(), 50u);
      EXPECT_EQ(mesh.tetrahedra, first.tetrahedra) << file;
      EXPECT_EQ(mesh.tetrahedron_group, first.tetrahedron_group) << file;
      EXPECT_EQ(mesh.triangles, first.triangles) << file;
      ASSERT_EQ(mesh.vertices.size(), first.vertices.size());
      for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        EXPECT_LT(norm(mesh.vertices[v] - first.vertices[v]), 1e-15);
    }
}

TEST(ReadGmsh, MissingFile) {
  EXPECT_EQ(message_of([] { read_gmsh("nowhere/head.msh", 1); }), "mesh file nowhere/head.msh does not exist");
}

TEST(ReadGmsh, UnitMustBePositive) {
  EXPECT_EQ(message_of([] { read_gmsh("head.msh", 0); }), "head.msh: unit 0 must be positive");
}

class BadFile : public ::testing::Test {
 protected:
  std::string complaint(const std::string& text) {
    const auto file = folder_.write("bad.msh", text);
    std::string message = message_of([&] { read_gmsh(file, 1); });
    const auto at = message.find(file.string());
    if (at != std::string::npos) message.replace(at, file.string().size(), "bad.msh");
    return message;
  }
  ScratchFolder folder_{"bad"};
};

TEST_F(BadFile, Empty) { EXPECT_EQ(complaint(""), "mesh file bad.msh cannot be read or is empty"); }

TEST_F(BadFile, NotAMesh) {
  EXPECT_EQ(complaint("Point(1) = {0, 0, 0};\n"),
            "bad.msh is not a Gmsh mesh; allowed are MSH 2.2 and 4.1, ASCII or binary");
}

TEST_F(BadFile, BrokenOff) {
  write_with_gmsh(folder_ / "whole.msh", 4.1, true);
  std::ifstream stream(folder_ / "whole.msh", std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(stream)), {});
  const std::string text = complaint(whole.substr(0, whole.size() / 2));
  EXPECT_EQ(text.substr(0, 44), "bad.msh: the mesh file is damaged: $Elements");
}

TEST_F(BadFile, ReadableAfterABrokenOne) {
  complaint("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n");
  write_with_gmsh(folder_ / "whole.msh", 4.1, true);
  EXPECT_NO_THROW(check(read_gmsh(folder_ / "whole.msh", 1)));
}

TEST_F(BadFile, NoTetrahedra) { EXPECT_EQ(complaint(msh2(two_names, wall)), "bad.msh: the mesh has no tetrahedra"); }

TEST_F(BadFile, NoVolumeGroups) {
  EXPECT_EQ(complaint(msh2(two_names, wall + "7 4 2 0 1 20 40 50 60\n")),
            "bad.msh: the mesh has no volume groups; name its volumes in Gmsh (Physical Volume)");
}

TEST_F(BadFile, ElementInTwoVolumeGroups) {
  EXPECT_EQ(complaint(msh2(two_names + "3 2 \"right\"\n", wall + "7 4 2 1 5 20 40 50 60\n8 4 2 2 5 10 20 40 50\n")),
            "bad.msh: element 0 (volume 5 in Gmsh) is in the volume groups \"left\" and \"right\"; it must be in "
            "exactly one");
}

// Group 2 has no name and is therefore called by its number.
TEST_F(BadFile, TwoGroupsOfOneName) {
  EXPECT_EQ(complaint(msh2("3 1 \"2\"\n", wall + "7 4 2 1 5 20 40 50 60\n8 4 2 2 6 10 20 40 50\n")),
            "bad.msh: two physical groups of dimension 3 have the name \"2\"; names must differ");
}

TEST_F(BadFile, GroupWithoutAPositiveNumber) {
  EXPECT_EQ(complaint(msh2(two_names, wall + "7 4 2 -9223372036854775808 1 20 40 50 60\n")),
            "bad.msh: the mesh file is damaged: $Elements: element 7: tag -9223372036854775808");
}

TEST_F(BadFile, Pyramid) {
  EXPECT_EQ(complaint(msh2(two_names, "7 7 2 1 1 10 20 40 50 60\n")),
            "bad.msh: volume 1 has elements of type 7 (Pyramid 5); allowed are tetrahedra of first to third order (types 4, "
            "11, 29: gmsh -order 2)");
}

TEST_F(BadFile, OtherNodesOnASharedEdge) {
  EXPECT_EQ(complaint(msh2(two_names, "7 11 2 1 1 20 40 50 60 30 30 30 30 30 30\n"
                                      "8 11 2 1 1 10 20 40 50 30 10 30 30 30 30\n")),
            "bad.msh: elements 0 and 1 share an edge and have different nodes 30 and 10 on it");
}

TEST_F(BadFile, FourthOrderTetrahedron) {
  std::string element = "7 30 2 1 1";
  for (int n = 0; n < 35; ++n) element += n % 2 == 0 ? " 10" : " 20";
  EXPECT_EQ(complaint(msh2(two_names, element + "\n")),
            "bad.msh: volume 1 has elements of type 30 (Tetrahedron 35); allowed are tetrahedra of first to third order "
            "(types 4, 11, 29: gmsh -order 2)");
}

TEST_F(BadFile, Quadrangle) {
  EXPECT_EQ(complaint(msh2(two_names, "7 4 2 1 1 20 40 50 60\n8 3 2 7 3 10 20 40 60\n")),
            "bad.msh: surface 3 has elements of type 3 (Quadrilateral 4); allowed are triangles of first to third order (types 2, "
            "9, 21: gmsh -order 2)");
}

TEST_F(BadFile, SectionsInTheWrongPlace) {
  const std::string damaged = "bad.msh: the mesh file is damaged: ", format = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n",
                    nodes = "$Nodes\n1\n1 0 0 0\n$EndNodes\n", elements = "$Elements\n0\n$EndElements\n";
  EXPECT_EQ(complaint("$Comments\n$EndComments\n" + nodes), damaged + "$Nodes: it comes before $MeshFormat");
  EXPECT_EQ(complaint(format + elements + nodes), damaged + "$Elements: it comes before $Nodes");
  EXPECT_EQ(complaint(format + nodes + elements + nodes), damaged + "$Nodes: it is given twice");
  EXPECT_EQ(complaint(format + nodes + "$Periodic\n0\n"), damaged + "$Periodic: it has no end");
}

// The numbers of the next line are taken in their place.
TEST_F(BadFile, MissingNumbers) {
  const std::string damaged = "bad.msh: the mesh file is damaged: $Elements: ";
  EXPECT_EQ(complaint(msh2(two_names, wall + "7 4 2 1 1 20 40 50\n8 4 2 1 1 10 20 40 50\n")),
            damaged + "element 7 has the node 8, which is not given");
  EXPECT_EQ(complaint(msh2(two_names, "7 4 2 1 1 20 40 50 60\n8 4 2 1 1 10 20 40\n")),
            damaged + "a node expected, but it has \"$EndElements\" at byte 218");
}

TEST_F(BadFile, Nodes) {
  const auto of = [&](const std::string& first) {
    std::string text = msh2(two_names, wall);
    return complaint(text.replace(text.find("10 0 0 0"), 8, first));
  };
  const std::string damaged = "bad.msh: the mesh file is damaged: $Nodes: ";
  EXPECT_EQ(of("20 0 0 0"), damaged + "node 20 is given twice");
  EXPECT_EQ(of("0 0 0 0"), damaged + "node 0: tags must be positive");
  EXPECT_EQ(of("10 0 nan 0"), damaged + "a coordinate of node 10 is not finite");
}

TEST_F(BadFile, TrianglesInAVolume) {
  EXPECT_EQ(
      complaint("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 3 1 3\n3 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n"
                "$EndNodes\n$Elements\n1 1 1 1\n3 1 2 1\n1 1 2 3\n$EndElements\n"),
      "bad.msh: the mesh file is damaged: $Elements: elements of type 2 (Triangle 3) in an entity of dimension 3");
}

}  // namespace
}  // namespace dgtd::mesh
