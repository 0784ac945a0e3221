// load() as the driver calls it, with a mesh of a real head where that is present.
#include "dgtd/mesh/load.hpp"
#include "dgtd/mesh/quality.hpp"
#include "global_view.hpp"
#include "small_meshes.hpp"

namespace dgtd::mesh {
namespace {

/// In a folder that nobody may write into.
const std::filesystem::path head = DGTD_SHARED_MESHES "/ny_head_phone_coarse.msh";

TEST(Load, Box) {
  const parallel::Communicator comm;
  mesh::MeshSource wanted;
  wanted.generator = mesh::MeshSource::Generator::box;
  wanted.cells = {2, 3, 4};
  wanted.size = {1, 2, 3};
  const Subdomain mine = load(wanted, comm);
  EXPECT_EQ(mine.global_elements, 144);
  EXPECT_EQ(mine.element_id, make_box({2, 3, 4}, {1, 2, 3}, comm).element_id);
}

TEST(Load, MissingFileFailsOnAllRanks) {
  const parallel::Communicator comm;
  mesh::MeshSource wanted;
  wanted.file = "nowhere/head.msh";
  EXPECT_EQ(testing::message_of([&] { load(wanted, comm); }), "mesh file nowhere/head.msh does not exist");
}

TEST(Load, HeadWithPhone) {
  if (!std::filesystem::exists(head)) GTEST_SKIP() << "the shared mesh ny_head_phone_coarse.msh is not there";
  const parallel::Communicator comm;
  mesh::MeshSource wanted;
  wanted.file = head;
  const Subdomain mine = load(wanted, comm);
  testing::expect_sound(mine);
  EXPECT_EQ(mine.global_elements, 350963);
  const auto largest = comm.max(static_cast<std::int64_t>(mine.elements()));
  EXPECT_LE(largest, 1.02 * 350963 / comm.size());
  const auto view = testing::global_view(mine, comm);
  if (comm.is_root()) {
    EXPECT_EQ(view.size(), 350963u);
    testing::expect_conforming(view);
  }

  const Quality q = measure_quality(mine, comm);
  EXPECT_EQ(q.vertices, 60850);
  // Its README: tetrahedra and cm3 of the groups, boundary triangles, edges and inradius in mm.
  struct Expected {
    const char* name;
    std::int64_t elements;
    double cm3;
  };
  const Expected volumes[] = {{"skin", 61550, 3421},
                              {"skull", 51050, 604},
                              {"csf", 58435, 355},
                              {"brain", 51609, 1647},
                              {"air", 128319, 141408}};
  ASSERT_EQ(q.volumes.size(), std::size(volumes));
  for (std::size_t g = 0; g < std::size(volumes); ++g) {
    EXPECT_EQ(q.volumes[g].name, volumes[g].name);
    EXPECT_EQ(q.volumes[g].elements, volumes[g].elements);
    EXPECT_NEAR(q.volumes[g].volume * 1e6, volumes[g].cm3, 0.5);
  }
  ASSERT_EQ(q.surfaces.size(), 2u);
  EXPECT_EQ(q.surfaces[0].name, "absorbing");
  EXPECT_EQ(q.surfaces[0].faces, 6002);
  EXPECT_EQ(q.surfaces[1].name, "metal");
  EXPECT_EQ(q.surfaces[1].faces, 2274);
  EXPECT_NEAR(q.edge_min * 1e3, 0.55, 0.005);
  EXPECT_NEAR(q.edge_mean * 1e3, 10.1, 0.05);
  EXPECT_NEAR(q.edge_max * 1e3, 46.5, 0.05);
  EXPECT_NEAR(q.inradius_min * 1e3, 0.159, 0.0005);
  EXPECT_NEAR(q.shape_min, 0.29, 0.005);
}

}  // namespace
}  // namespace dgtd::mesh
