#include <algorithm>
#include <cmath>

#include "box_as_global_mesh.hpp"
#include "dgtd/mesh/load.hpp"
#include "mesh/partition/partition.hpp"
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

/// A mesh along the curve, and work in three stages: of all elements, of those near a point, of those nearest to it.
struct Staged {
  CompactArrays arrays;
  ElementWork work{3, {}};

  explicit Staged(int cells) {
    const GlobalMesh mesh = testing::box_as_global_mesh({cells, cells, cells}, {1, 1, 1});
    arrays = make_compact(mesh, pair_faces(mesh));
    for (const auto& corners : arrays.element_vertices) {
      Vec3 centre{-0.4, -0.3, -0.6};
      for (const std::uint32_t v : corners) centre += 0.25 * arrays.vertices[v];
      const int level = (norm(centre) < 0.3) + (norm(centre) < 0.15);
      work.of_element.insert(work.of_element.end(), {2, level > 0 ? 2 : 0, level > 1 ? 4 : 0});
    }
  }
  /// [parts][stages]
  std::vector<std::array<double, 3>> shares(const Partition& partition) const {
    std::vector<std::array<double, 3>> shares(static_cast<std::size_t>(partition.parts()));
    for (std::size_t i = 0; i < work.of_element.size(); ++i)
      shares[partition.owner(static_cast<std::int64_t>(i / 3))][i % 3] += work.of_element[i];
    return shares;
  }
};

/// Largest over mean of each stage.
std::array<double, 3> imbalance(const std::vector<std::array<double, 3>>& shares) {
  std::array<double, 3> result{};
  for (std::size_t s = 0; s < 3; ++s) {
    double largest = 0, sum = 0;
    for (const auto& share : shares) largest = std::max(largest, share[s]), sum += share[s];
    result[s] = largest * static_cast<double>(shares.size()) / sum;
  }
  return result;
}

// METIS is asked for 1 % and keeps that nearly, but for one element.
TEST(Partition, WithMetisBalancesTheWorkOfEachStage) {
  const Staged mesh(14);
  for (const int parts : {2, 3, 4, 8}) {
    const auto shares = mesh.shares(metis_partition(mesh.arrays.view(), parts, "box", mesh.work));
    const auto without = imbalance(mesh.shares(metis_partition(mesh.arrays.view(), parts, "box")));
    const auto with = imbalance(shares);
    double elements = 0;
    for (std::size_t s = 0; s < 3; ++s) {
      double all = 0;
      for (const auto& share : shares) all += share[s];
      elements = all / (s == 2 ? 4 : 2);
      EXPECT_LE(with[s], 1.03 + parts / elements) << "stage " << s << " of " << parts << " parts";
    }
    EXPECT_GT(without[2], 1.3) << parts;
  }
}

// With few elements of a stage for each part METIS alone is far from even: 2.7 times the mean in all stages.
TEST(Partition, WithMetisBalancesManyPartsToFivePercentOrOneElement) {
  const Staged mesh(14);
  for (const int parts : {16, 32, 64, 128}) {
    const auto shares = mesh.shares(metis_partition(mesh.arrays.view(), parts, "box", mesh.work));
    for (std::size_t s = 0; s < 3; ++s) {
      const double element = s == 2 ? 4 : 2;
      double all = 0, largest = 0;
      for (const auto& share : shares) all += share[s], largest = std::max(largest, share[s]);
      EXPECT_LE(largest, std::max(1.05 * all / parts, std::ceil(all / parts / element) * element))
          << "stage " << s << " of " << parts << " parts";
    }
  }
}

// Stages of a few elements do not cost the faces of the others.
TEST(Partition, WithMetisCutsLittleMoreForManyParts) {
  const Staged mesh(14);
  const auto faces = [&](const Partition& partition) {
    int cut = 0;
    for (std::size_t e = 0; e < mesh.arrays.element_id.size(); ++e)
      for (const std::uint32_t code : mesh.arrays.view().behind[e])
        if (code < FaceAdjacency::first_surface)
          cut += partition.owner(static_cast<std::int64_t>(e)) != partition.owner(code / 4);
    return cut / 2;
  };
  const auto view = mesh.arrays.view();
  EXPECT_LE(faces(metis_partition(view, 64, "box", mesh.work)), 1.35 * faces(metis_partition(view, 64, "box")));
}

// The elements of a last stage are cut into equal numbers, but for half an element on both sides.
TEST(Partition, AlongTheCurveBalancesTheWorkOfEachStage) {
  const Staged mesh(14);
  const auto elements = static_cast<std::int64_t>(mesh.arrays.element_id.size());
  for (const int parts : {2, 3, 4, 8, 50}) {
    const auto shares = mesh.shares(curve_partition(elements, parts, "box", mesh.work));
    for (std::size_t s = 0; s < 3; ++s)
      for (const auto& share : shares) {
        double all = 0;
        for (const auto& other : shares) all += other[s];
        EXPECT_NEAR(share[s], all / parts, 3 * (s == 2 ? 4 : 2)) << "stage " << s << " of " << parts << " parts";
      }
  }
}

TEST(Partition, AlongTheCurveIsOneRangePerPartWithoutWork) {
  for (const int parts : {1, 2, 7}) {
    const Partition partition = curve_partition(100, parts, "box");
    for (int p = 0; p < parts; ++p) {
      ASSERT_EQ(partition.ranges(p).size(), 1u);
      EXPECT_EQ(partition.ranges(p)[0].first, 100 * p / parts);
      EXPECT_EQ(partition.ranges(p)[0].last, 100 * (p + 1) / parts);
    }
  }
  EXPECT_EQ(testing::message_of([] { curve_partition(2, 3, "two.msh"); }),
            "two.msh: 3 ranks for 2 elements; allowed are 1 to 2");
}

TEST(Partition, HasTheRangesOfAllRanksAsOfEachOne) {
  const auto expect_the_same = [](const Partition& partition) {
    const auto all = partition.ranges();
    ASSERT_EQ(all.size(), static_cast<std::size_t>(partition.parts()));
    std::int64_t elements = 0;
    for (int p = 0; p < partition.parts(); ++p) {
      const auto one = partition.ranges(p);
      const auto& same = all[static_cast<std::size_t>(p)];
      ASSERT_EQ(same.size(), one.size()) << p;
      for (std::size_t r = 0; r < one.size(); ++r) {
        EXPECT_EQ(same[r].first, one[r].first);
        EXPECT_EQ(same[r].last, one[r].last);
        elements += same[r].last - same[r].first;
      }
    }
    EXPECT_EQ(elements, partition.elements());
  };
  expect_the_same(Partition::along_curve(100, 7));
  const Partition small({2, 2, 0, 1, 1, 1, 2, 0}, 4);  // rank 3 has none
  expect_the_same(small);
  const auto of_two = small.ranges()[2];
  ASSERT_EQ(of_two.size(), 2u);
  EXPECT_EQ(of_two[0].last, 2);
  EXPECT_EQ(of_two[1].first, 6);
  const Staged mesh(6);
  expect_the_same(metis_partition(mesh.arrays.view(), 5, "box", mesh.work));
}

// One element has nearly all work: the parts beside it are filled.
TEST(Partition, AlongTheCurveHasNoEmptyParts) {
  const Partition partition = curve_partition(6, 4, "box", {1, {1, 1, 1, 1000, 1, 1}});
  for (int p = 0; p < 4; ++p) EXPECT_FALSE(partition.ranges(p).empty()) << p;
}

// METIS adds up work in 32 bits: 3e9 is given to it in larger units, with the same balance.
TEST(Partition, WithMetisBalancesWorkThatItCannotAddUp) {
  Staged mesh(14);
  double all = 0;
  for (int& work : mesh.work.of_element) all += work *= 60'000;
  ASSERT_GT(all, 1.5e9);
  const auto with = imbalance(mesh.shares(metis_partition(mesh.arrays.view(), 4, "box", mesh.work)));
  for (const double stage : with) EXPECT_LE(stage, 1.05);
  const GlobalMesh two = testing::two_tetrahedra();
  const CompactArrays arrays = make_compact(two, pair_faces(two));
  const Partition partition = metis_partition(arrays.view(), 2, "two.msh", {1, {1 << 30, 1}});
  EXPECT_NE(partition.owner(0), partition.owner(1));
}

}  // namespace
}  // namespace dgtd::mesh
