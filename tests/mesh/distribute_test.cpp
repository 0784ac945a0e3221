// distribute: whatever the partition, the ranks together hold the mesh of the file.
#include <algorithm>
#include <set>

#include "box_as_global_mesh.hpp"
#include "dgtd/parallel/root_or_throw.hpp"
#include "global_view.hpp"
#include "small_meshes.hpp"

namespace dgtd::mesh {
namespace {

const std::array<std::int64_t, 3> cells{6, 5, 4};
const Vec3 size{1, 0.8, 0.7};

void expect_the_box(const std::vector<int>& part, const parallel::Communicator& comm) {
  GlobalMesh mesh;
  if (comm.is_root()) mesh = testing::box_as_global_mesh(cells, size);
  const Subdomain mine = distribute(std::move(mesh), part, comm);
  testing::expect_sound(mine);
  EXPECT_EQ(mine.surface_names, (std::vector<std::string>{"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"}));
  EXPECT_EQ(mine.volume_names, std::vector<std::string>{"box"});
  EXPECT_EQ(mine.global_elements, 720);
  EXPECT_EQ(mine.global_vertices, 7 * 6 * 5);
  const auto view = testing::global_view(mine, comm);
  const parallel::Communicator self(MPI_COMM_SELF);
  if (!comm.is_root()) return;
  EXPECT_EQ(view, testing::global_view(make_box(cells, size, self), self));
}

TEST(Distribute, OverMetisParts) {
  const parallel::Communicator comm;
  std::vector<int> part;
  if (comm.is_root()) part = partition(testing::box_as_global_mesh(cells, size), comm.size());
  expect_the_box(part, comm);
}

// Bends that their vertices determine: each element has those of its edges, on any rank. Edges on xmin alone are known
// as such.
TEST(Distribute, CurvedElements) {
  const parallel::Communicator comm;
  const auto bend_of = [](std::int64_t a, std::int64_t b) { return Vec3{1e-3 * double(a), 1e-3 * double(b), 1e-3}; };
  const auto is_curved = [](std::int64_t a, std::int64_t b) { return (a + b) % 5 == 0; };
  GlobalMesh mesh;
  std::vector<int> part(comm.is_root() ? 720 : 0);
  if (comm.is_root()) {
    mesh = testing::box_as_global_mesh(cells, size);
    std::set<std::array<std::int64_t, 2>> edges;
    for (auto t : mesh.tetrahedra) {
      std::sort(t.begin(), t.end());
      for (const auto& [i, j] : edge_corners)
        if (is_curved(t[static_cast<std::size_t>(i)], t[static_cast<std::size_t>(j)]))
          edges.insert({t[static_cast<std::size_t>(i)], t[static_cast<std::size_t>(j)]});
    }
    for (const auto& e : edges) mesh.curved_edges.push_back({e, bend_of(e[0], e[1])});
    for (std::size_t e = 0; e < part.size(); ++e) part[e] = static_cast<int>(e * 7919 % 101) % comm.size();
  }
  const Subdomain mine = distribute(std::move(mesh), part, comm);
  ASSERT_EQ(mine.curved.size(), mine.curvature.size());
  std::int64_t on_xmin = 0;
  for (std::size_t e = 0; e < mine.elements(); ++e) {
    const CurvedElement* const found = mine.curved_element(e);
    bool any = false;
    for (std::size_t i = 0; i < 6; ++i) {
      const auto [a, b] = edge_corners[i];
      const std::uint32_t va = mine.element_vertices[e][static_cast<std::size_t>(a)],
                          vb = mine.element_vertices[e][static_cast<std::size_t>(b)];
      const std::int64_t low = mine.vertex_id[va], high = mine.vertex_id[vb];
      any = any || is_curved(low, high);
      if (found == nullptr) continue;
      EXPECT_EQ(found->bend[i], is_curved(low, high) ? bend_of(low, high) : Vec3{});
      if (!is_curved(low, high) || mine.vertices[va].x != 0 || mine.vertices[vb].x != 0) continue;
      const auto inside = [](const Vec3& x) { return x.y > 0 && x.y < size.y && x.z > 0 && x.z < size.z; };
      if (!inside(0.5 * (mine.vertices[va] + mine.vertices[vb]))) continue;
      EXPECT_EQ(found->surface[i], 0) << "xmin";
      ++on_xmin;
    }
    EXPECT_EQ(found != nullptr, any);
  }
  EXPECT_GT(comm.sum(on_xmin), 0);
}

// Nearly every face is a halo face and every rank is everybody's neighbour.
TEST(Distribute, OverScatteredParts) {
  const parallel::Communicator comm;
  std::vector<int> part(comm.is_root() ? 720 : 0);
  for (std::size_t e = 0; e < part.size(); ++e) part[e] = static_cast<int>(e * 7919 % 101) % comm.size();
  expect_the_box(part, comm);
}

TEST(Distribute, ElementsFollowTheHilbertCurveOfTheWholeMesh) {
  const parallel::Communicator comm;
  GlobalMesh mesh;
  std::vector<int> part;
  if (comm.is_root()) {
    mesh = testing::box_as_global_mesh(cells, size);
    part = partition(mesh, comm.size());
  }
  const Subdomain mine = distribute(std::move(mesh), part, comm);
  testing::expect_along_hilbert_curve(mine, size);
}

TEST(Distribute, FailsOnAllRanksAlike) {
  const parallel::Communicator comm;
  using testing::message_of;
  GlobalMesh holed;
  if (comm.is_root()) {
    holed = testing::two_tetrahedra();
    holed.triangles.pop_back();
    holed.triangle_group.pop_back();
  }
  EXPECT_NE(message_of([&] {
              distribute(std::move(holed), {0, 0}, comm);
            }).find("two.msh: boundary face (vertices 2 3 4"),
            std::string::npos);

  const auto sound = [&] { return comm.is_root() ? testing::two_tetrahedra() : GlobalMesh{}; };
  EXPECT_EQ(message_of(
                [&] {
                  distribute(sound(), {0, 99}, comm);
                },
                ExitCode::other),
            "two.msh: partition names rank 99, there are " + std::to_string(comm.size()));
  EXPECT_EQ(message_of([&] { distribute(sound(), {0}, comm); }, ExitCode::other),
            "two.msh: partition of 1 elements for a mesh of 2");
  if (comm.size() == 1) return;
  EXPECT_EQ(message_of([&] {
              distribute(sound(), {0, 0}, comm);
            }),
            "two.msh: rank 1 of " + std::to_string(comm.size()) + " has no elements (2 in all); use fewer ranks");
}

TEST(OnRoot, RunsOnceAndCarriesFailuresToAll) {
  const parallel::Communicator comm;
  int runs = 0;
  parallel::root_or_throw(comm, [&] { ++runs; });
  EXPECT_EQ(runs, comm.is_root() ? 1 : 0);
  using testing::message_of;
  EXPECT_EQ(message_of([&] { parallel::root_or_throw(comm, [] { throw Error(ExitCode::unstable, "a"); }); },
                       ExitCode::unstable),
            "a");
  EXPECT_EQ(message_of([&] { parallel::root_or_throw(comm, [] { throw std::bad_alloc(); }); }, ExitCode::out_of_memory),
            "out of memory on rank 0");
  EXPECT_EQ(message_of([&] { parallel::root_or_throw(comm, [] { throw std::runtime_error("b"); }); }, ExitCode::other),
            "b");
}

}  // namespace
}  // namespace dgtd::mesh
