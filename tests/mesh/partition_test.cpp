#include <algorithm>

#include "box_as_global_mesh.hpp"
#include "dgtd/mesh/load.hpp"
#include "small_meshes.hpp"

namespace dgtd::mesh {
namespace {

TEST(Partition, OnePartIsAllZero) { EXPECT_EQ(partition(testing::two_tetrahedra(), 1), (std::vector<int>{0, 0})); }

TEST(Partition, IsDeterministicBalancedAndCutsLittle) {
  const GlobalMesh mesh = testing::box_as_global_mesh({10, 10, 10}, {1, 1, 1});
  for (const int parts : {2, 3, 4, 8}) {
    const std::vector<int> part = partition(mesh, parts);
    EXPECT_EQ(part, partition(mesh, parts));
    for (int p = 0; p < parts; ++p) {
      const auto size = static_cast<double>(std::count(part.begin(), part.end(), p));
      EXPECT_NEAR(size / (6000.0 / parts), 1, 0.03) << "part " << p << " of " << parts;
    }
  }
}

// METIS alone leaves some of these parts empty.
TEST(Partition, HasNoEmptyParts) {
  const auto expect_none_empty = [](const GlobalMesh& mesh, int parts) {
    const std::vector<int> part = partition(mesh, parts);
    for (int p = 0; p < parts; ++p) EXPECT_GT(std::count(part.begin(), part.end(), p), 0) << p << " of " << parts;
  };
  const GlobalMesh small = testing::box_as_global_mesh({2, 2, 2}, {1, 1, 1});
  for (int parts = 2; parts <= 48; ++parts) expect_none_empty(small, parts);
  expect_none_empty(testing::box_as_global_mesh({3, 3, 3}, {1, 1, 1}), 64);
}

TEST(Partition, RefusesMorePartsThanElements) {
  EXPECT_EQ(testing::message_of([] { partition(testing::two_tetrahedra(), 3); }),
            "two.msh: 3 ranks for 2 elements; allowed are 1 to 2");
  EXPECT_EQ(testing::message_of([] { partition(testing::two_tetrahedra(), 0); }),
            "two.msh: 0 ranks for 2 elements; allowed are 1 to 2");
}

}  // namespace
}  // namespace dgtd::mesh
