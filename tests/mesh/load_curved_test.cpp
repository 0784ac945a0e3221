// load() of files with tetrahedra of second order: the order of nodes within elements does not count, and elements that
// are turned are refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "box_as_global_mesh.hpp"
#include "dgtd/mesh/curved_element.hpp"
#include "dgtd/mesh/write_msh.hpp"
#include "scratch_folder.hpp"
#include "small_meshes.hpp"

namespace dgtd::mesh {
namespace {

using Edge = std::array<std::int64_t, 2>;

std::set<Edge> edges_of(const GlobalMesh& mesh) {
  std::set<Edge> edges;
  for (auto t : mesh.tetrahedra) {
    std::sort(t.begin(), t.end());
    for (const auto& [i, j] : edge_corners)
      edges.insert({t[static_cast<std::size_t>(i)], t[static_cast<std::size_t>(j)]});
  }
  return edges;
}

/// A box with every third edge bent by 3 % of its length.
GlobalMesh bent_box() {
  GlobalMesh mesh = testing::box_as_global_mesh({4, 3, 3}, {1, 0.8, 0.7});
  for (const Edge& e : edges_of(mesh)) {
    const Vec3 along = mesh.vertices[static_cast<std::size_t>(e[1])] - mesh.vertices[static_cast<std::size_t>(e[0])];
    if ((e[0] + e[1]) % 3 == 0) mesh.curved_edges.push_back({e, 0.03 * Vec3{along.y, along.z, along.x}});
  }
  return mesh;
}

class LoadCurved : public ::testing::Test {
 protected:
  LoadCurved() {
    if (comm_.is_root()) folder_.emplace("curved");
  }
  ~LoadCurved() override { comm_.barrier(); }

  /// mesh: of root.
  Subdomain loaded(const std::string& name, const GlobalMesh& mesh) {
    MeshSource source;
    if (comm_.is_root()) write_msh(mesh, *folder_ / name);
    source.file = comm_.broadcast(comm_.is_root() ? (*folder_ / name).string() : "");
    source.cache = MeshSource::Cache::off;
    return load(source, comm_);
  }

  parallel::Communicator comm_;
  std::optional<testing::ScratchFolder> folder_;  // root
};

// Elements have their vertices in ascending order whatever the file's, so that fields have the same bits.
TEST_F(LoadCurved, IsTheSameForAnyOrderOfNodes) {
  GlobalMesh mesh = bent_box();
  const Subdomain first = loaded("a.msh", mesh);
  ASSERT_GT(comm_.sum(static_cast<std::int64_t>(first.curved.size())), 50);
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    auto& corners = mesh.tetrahedra[e];
    for (std::size_t turns = 0; turns < e % 24; ++turns) std::next_permutation(corners.begin(), corners.end());
  }
  const Subdomain again = loaded("b.msh", mesh);
  EXPECT_EQ(again.element_id, first.element_id);
  EXPECT_EQ(again.element_vertices, first.element_vertices);
  EXPECT_EQ(again.element_group, first.element_group);
  EXPECT_EQ(again.vertex_id, first.vertex_id);
  EXPECT_EQ(again.vertices, first.vertices);
  EXPECT_EQ(again.curved, first.curved);
  EXPECT_EQ(again.curvature, first.curvature);
}

// The edge is bent by its length, into its elements or out of them.
TEST_F(LoadCurved, NamesAnElementThatIsTurnedInsideOut) {
  GlobalMesh mesh = testing::box_as_global_mesh({4, 3, 3}, {1, 0.8, 0.7});
  const Edge edge = *edges_of(mesh).begin();
  const Vec3 along =
      mesh.vertices[static_cast<std::size_t>(edge[1])] - mesh.vertices[static_cast<std::size_t>(edge[0])];
  mesh.curved_edges = {{edge, along}};
  const std::string message = testing::message_of([&] { loaded("turned.msh", mesh); });
  const std::string start = "turned.msh: element ";
  ASSERT_EQ(message.substr(0, start.size()), start) << message;
  std::size_t digits = 0;
  const auto element = static_cast<std::size_t>(std::stol(message.substr(start.size()), &digits));
  EXPECT_EQ(message.substr(start.size() + digits),
            ": its curved edges turn it inside out (J changes its sign): a finer or an optimised mesh is needed (Gmsh: "
            "Mesh.HighOrderOptimize = 1), or mesh.curved = off");
  if (!comm_.is_root()) return;
  const GlobalMesh written = read_gmsh(*folder_ / "turned.msh", 1);  // which has elements of second order after others
  const auto& corners = written.tetrahedra.at(element);
  for (const std::int64_t v : edge) EXPECT_NE(std::find(corners.begin(), corners.end(), v), corners.end());
}

}  // namespace
}  // namespace dgtd::mesh
