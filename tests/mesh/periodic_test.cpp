// Periodic sides: elements are neighbours across them, faces have the same order of vertices from both sides, with any
// number of ranks; and meshes whose sides do not match are refused.
#include "mesh/read/periodic.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "box_as_global_mesh.hpp"
#include "dgtd/mesh/load.hpp"
#include "global_view.hpp"
#include "mesh/generate/add_layers.hpp"
#include "small_meshes.hpp"

namespace dgtd::mesh {
namespace {

using testing::box_as_global_mesh, testing::ElementView, testing::global_view, testing::message_of;

const std::array<std::int64_t, 3> cells{3, 2, 4};
const Vec3 size{1, 0.8, 1.5};

/// Corners of a face in the element's order.
std::array<Vec3, 3> corners_of(const ElementView& e, int face) {
  std::array<Vec3, 3> corners;
  for (int c = 0, n = 0; c < 4; ++c)
    if (c != face) corners[static_cast<std::size_t>(n++)] = e.position[static_cast<std::size_t>(c)];
  return corners;
}

/// Every face has a neighbour that has it as well, shifted by whole periods along the periodic axes; returns how many
/// faces are shifted. Others are boundaries on the sides of other axes. low: of the mesh; period: of the axes, m.
int expect_periodic(const std::vector<ElementView>& view, const std::array<bool, 3>& periodic, const Vec3& period) {
  int shifted = 0;
  for (const ElementView& e : view)
    for (int f = 0; f < 4; ++f) {
      const auto face = static_cast<std::size_t>(f);
      if (e.behind[face] < 0) {
        EXPECT_FALSE(periodic.at(static_cast<std::size_t>(-1 - e.behind[face]) / 2));
        continue;
      }
      const ElementView& other = view.at(static_cast<std::size_t>(e.behind[face]));
      const int other_face = static_cast<int>(e.behind_face[face]);
      EXPECT_EQ(other.behind.at(static_cast<std::size_t>(other_face)), e.id);
      const auto mine = corners_of(e, f), theirs = corners_of(other, other_face);
      const Vec3 shift = theirs[0] - mine[0];
      int axes = 0;
      for (int a = 0; a < 3; ++a) {
        if (std::abs(shift[a]) < 1e-12) continue;
        ++axes;
        EXPECT_TRUE(periodic.at(static_cast<std::size_t>(a)));
        EXPECT_NEAR(std::abs(shift[a]), period[a], 1e-12);
      }
      EXPECT_LE(axes, 1);
      shifted += axes;
      for (std::size_t c = 1; c < 3; ++c) EXPECT_LT(norm(theirs[c] - mine[c] - shift), 1e-12);
    }
  return shifted;
}

TEST(PeriodicBox, HasNeighboursAcrossItsSides) {
  const parallel::Communicator comm, self(MPI_COMM_SELF);
  for (const std::array<bool, 3> periodic : {std::array{true, true, true}, {true, false, false}, {false, false, true}}) {
    const Subdomain mine = make_box(cells, size, comm, {}, periodic);
    testing::expect_sound(mine);
    const auto view = global_view(mine, comm, true);
    if (!comm.is_root()) continue;
    EXPECT_EQ(view, global_view(make_box(cells, size, self, {}, periodic), self, true));
    int expected = 0;  // two triangles per square, seen from both sides
    for (std::size_t a = 0; a < 3; ++a)
      if (periodic[a]) expected += static_cast<int>(4 * cells[(a + 1) % 3] * cells[(a + 2) % 3]);
    EXPECT_EQ(expect_periodic(view, periodic, size), expected);
  }
}

TEST(PeriodicBox, MayHaveOneCell) {
  const parallel::Communicator self(MPI_COMM_SELF);
  const auto view = global_view(make_box({1, 1, 3}, size, self, {}, {true, true, false}), self, true);
  EXPECT_EQ(expect_periodic(view, {true, true, false}, size), 4 * (3 + 3));
}

TEST(PeriodicBox, HasNoLayersOnPeriodicSides) {
  const parallel::Communicator self(MPI_COMM_SELF);
  EXPECT_EQ(message_of([&] { make_box(cells, size, self, {{"xmax", 2, 0.1}}, {true, false, false}); }),
            "box: surface xmax has layers and is periodic; one of them is allowed");
}

/// The box with vertices in a random order.
GlobalMesh shuffled_box() {
  GlobalMesh mesh = box_as_global_mesh(cells, size);
  std::vector<std::int64_t> number(mesh.vertices.size());
  std::iota(number.begin(), number.end(), 0);
  std::shuffle(number.begin(), number.end(), std::mt19937(5));
  std::vector<Vec3> vertices(number.size());
  for (std::size_t v = 0; v < number.size(); ++v) vertices[static_cast<std::size_t>(number[v])] = mesh.vertices[v];
  mesh.vertices = vertices;
  for (auto& corners : mesh.tetrahedra)
    for (auto& v : corners) v = number[static_cast<std::size_t>(v)];
  for (auto& corners : mesh.triangles)
    for (auto& v : corners) v = number[static_cast<std::size_t>(v)];
  return mesh;
}

std::vector<ElementView> joined(GlobalMesh mesh, const std::array<bool, 3>& periodic,
                                const std::vector<AddedLayers>& layers = {}) {
  order_periodic_vertices(mesh, periodic);
  if (!layers.empty()) {
    mesh = add_layers(std::move(mesh), layers);
    order_periodic_vertices(mesh, periodic);
  }
  FaceAdjacency adjacency = pair_faces(mesh);
  join_periodic_faces(mesh, periodic, adjacency);
  std::vector<ElementView> view(mesh.tetrahedra.size());
  for (std::size_t e = 0; e < view.size(); ++e) {
    view[e].id = static_cast<std::int64_t>(e);
    view[e].vertices = ascending(mesh.tetrahedra[e]);
    for (std::size_t c = 0; c < 4; ++c) {
      const std::size_t code = 4 * e + c;
      view[e].position[c] = mesh.vertices[static_cast<std::size_t>(view[e].vertices[c])];
      if (adjacency.boundary(code)) view[e].behind[c] = -1 - adjacency.surface(code);
      else view[e].behind[c] = adjacency.behind[code] / 4, view[e].behind_face[c] = adjacency.behind[code] % 4;
    }
  }
  return view;
}

TEST(PeriodicMesh, OfAFileIsJoined) {
  const auto all = static_cast<int>(4 * (2 * 4 + 3 * 4 + 3 * 2));
  EXPECT_EQ(expect_periodic(joined(shuffled_box(), {true, true, true}), {true, true, true}, size), all);
  EXPECT_EQ(expect_periodic(joined(shuffled_box(), {false, true, false}), {false, true, false}, size), 4 * 3 * 4);
}

TEST(PeriodicMesh, MayHaveLayersOnOtherSides) {
  const auto view = joined(shuffled_box(), {true, true, false}, {{"zmin", 2, 0.3}, {"zmax", 3, 0.3}});
  EXPECT_EQ(expect_periodic(view, {true, true, false}, size), 4 * (2 * (4 + 5) + 3 * (4 + 5)));
}

TEST(PeriodicMesh, IsRefusedWhereItsSidesDoNotMatch) {
  GlobalMesh moved = box_as_global_mesh(cells, size);
  for (Vec3& v : moved.vertices)
    if (v.x == size.x && v.y == 0.4 && v.z == 0.75) v.z += 0.01;
  EXPECT_EQ(message_of([&] { joined(moved, {true, false, false}); }),
            "box.msh: periodic sides xmin and xmax do not match: the vertex of xmax at 1 0.4 0.76 m has no image on xmin, "
            "where the nearest vertex is 10 mm away; the same triangles are needed on both (in Gmsh: Periodic Surface)");
  GlobalMesh bulged = box_as_global_mesh(cells, size);
  for (Vec3& v : bulged.vertices)
    if (v.x == size.x && v.y == 0.4 && v.z == 0.75) v.x -= 0.1;
  EXPECT_EQ(message_of([&] { joined(bulged, {true, false, false}); }),
            "box.msh: surface group \"xmax\", which is to be periodic, has a vertex at 0.9 0.4 0.75 m, off the plane x = "
            "1 m that bounds the mesh");
  GlobalMesh named = box_as_global_mesh(cells, size);
  named.surface_names[0] = "left";
  EXPECT_EQ(message_of([&] { joined(named, {true, false, false}); }),
            "box.msh: the mesh has no surface group \"xmin\", which is to be periodic; groups are left, xmax, ymin, ymax, "
            "zmin, zmax");
}

/// A cube of five tetrahedra: diagonals of opposite sides cross.
TEST(PeriodicMesh, IsRefusedWhereOnlyItsVerticesMatch) {
  GlobalMesh cube;
  cube.source = "five.msh";
  for (int v = 0; v < 8; ++v) cube.vertices.push_back({double(v & 1), double(v >> 1 & 1), double(v >> 2)});
  cube.tetrahedra = {{0, 3, 5, 6}, {1, 0, 3, 5}, {2, 0, 3, 6}, {4, 0, 5, 6}, {7, 3, 5, 6}};
  cube.tetrahedron_group.assign(5, 0);
  cube.volume_names = {"box"};
  cube.surface_names = {"xmin", "xmax", "other"};
  const auto add = [&](std::array<std::int64_t, 3> corners, std::uint16_t group) {
    cube.triangles.push_back(corners);
    cube.triangle_group.push_back(group);
  };
  add({0, 2, 6}, 0), add({0, 4, 6}, 0), add({1, 3, 5}, 1), add({3, 5, 7}, 1);
  for (const auto& corners : {std::array<std::int64_t, 3>{0, 1, 5}, {0, 4, 5}, {2, 3, 6}, {3, 6, 7}, {0, 1, 3}, {0, 2, 3},
                              {4, 5, 6}, {5, 6, 7}})
    add(corners, 2);
  const std::string message = message_of([&] { joined(cube, {true, false, false}); });
  EXPECT_NE(message.find("five.msh: periodic sides xmin and xmax do not match: their vertices do, but face (vertices"),
            std::string::npos)
      << message;
}

}  // namespace
}  // namespace dgtd::mesh
