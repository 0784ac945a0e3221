// load() with an estimate of the work of the elements: each rank has the same work in each stage.
#include <gtest/gtest.h>

#include <optional>

#include "box_as_global_mesh.hpp"
#include "global_view.hpp"
#include "mesh/partition/partition.hpp"
#include "msh2.hpp"
#include "scratch_folder.hpp"
#include "small_meshes.hpp"

namespace dgtd::mesh {
namespace {

/// All elements have work in stage 0, those near a point also in stage 1. Depends on neighbours as levels do: those of
/// near elements have half of it.
ElementWork near_a_point(const Subdomain& s) {
  const auto near = [&](std::size_t e) {
    return norm(0.25 * (s.vertex(e, 0) + s.vertex(e, 1) + s.vertex(e, 2) + s.vertex(e, 3)) - Vec3{0.3, 0.4, 0.2}) < 0.2;
  };
  ElementWork work{2, {}};
  for (std::size_t e = 0; e < s.elements(); ++e) {
    bool beside = false;
    for (const FaceLink& link : s.element_faces[e]) beside |= link.kind == FaceLink::Kind::element && near(link.index);
    work.of_element.insert(work.of_element.end(), {2, near(e) ? 2 : beside});
  }
  return work;
}

class LoadWithWork : public ::testing::Test {
 protected:
  LoadWithWork() {
    if (comm_.is_root()) {
      folder_.emplace("work");
      folder_->write("box.msh", testing::msh2(testing::box_as_global_mesh({10, 9, 8}, {1, 0.8, 0.7})));
    }
    source_.file = comm_.broadcast(comm_.is_root() ? (*folder_ / "box.msh").string() : "");
    source_.cache = MeshSource::Cache::beside;
  }
  ~LoadWithWork() override { comm_.barrier(); }

  Subdomain loaded(Partitioner partitioner, const WorkEstimate& work) {
    comm_.barrier();
    Timers timers;
    Subdomain mine = load(source_, partitioner, comm_, timers, work);
    testing::expect_sound(mine);
    return mine;
  }

  parallel::Communicator comm_;
  std::optional<testing::ScratchFolder> folder_;  // root
  MeshSource source_;
};

TEST_F(LoadWithWork, BalancesEachStage) {
  const auto whole = testing::global_view(loaded(Partitioner::curve, {}), comm_);
  for (const auto partitioner : {Partitioner::automatic, Partitioner::metis, Partitioner::curve}) {
    const Subdomain mine = loaded(partitioner, near_a_point);
    EXPECT_EQ(testing::global_view(mine, comm_), whole);
    const std::vector<double> imbalance = work_imbalance(near_a_point(mine), comm_);
    ASSERT_EQ(imbalance.size(), 2u);
    EXPECT_LE(imbalance[0], 1.03);
    EXPECT_LE(imbalance[1], 1.12);  // of 200 elements; those at a halo have other work than in the estimate
    if (comm_.size() == 1) continue;
    EXPECT_GT(work_imbalance(near_a_point(loaded(partitioner, {})), comm_)[1], 1.3);
  }
}

// A number of each element that the estimate finds in equal ranges of the curve is that of the same element of the
// part.
TEST_F(LoadWithWork, HandsLabelsOn) {
  const auto number = [](std::int64_t id) { return static_cast<std::uint8_t>(id * 37 % 251); };
  const auto labelled = [&](const Subdomain& s) {
    ElementWork work = near_a_point(s);
    for (const std::int64_t id : s.element_id) work.labels.push_back(number(id));
    return work;
  };
  const std::filesystem::path compact = source_.file.string() + ".compact";
  for (const bool with_file : {true, false}) {
    for (const auto partitioner : {Partitioner::metis, Partitioner::curve}) {
      Timers timers;
      std::optional<std::vector<std::uint8_t>> labels;
      const Subdomain mine = load(source_, partitioner, comm_, timers, labelled, &labels);
      ASSERT_EQ(labels.has_value(), comm_.size() > 1);
      if (!labels) continue;
      ASSERT_EQ(labels->size(), mine.elements());
      for (std::size_t e = 0; e < mine.elements(); ++e) ASSERT_EQ((*labels)[e], number(mine.element_id[e])) << e;
    }
    comm_.barrier();
    if (with_file && comm_.is_root()) {
      std::filesystem::remove(compact);
      std::filesystem::create_directory(compact);  // in its place
    }
    comm_.barrier();
  }
}

// The arrays in root's memory are divided as the compact file is.
TEST_F(LoadWithWork, IsTheSameWithoutACompactFile) {
  const std::filesystem::path compact = source_.file.string() + ".compact";
  const auto first = loaded(Partitioner::metis, near_a_point).element_id;
  comm_.barrier();
  if (comm_.is_root()) {
    std::filesystem::remove(compact);
    std::filesystem::create_directory(compact);  // in its place
  }
  EXPECT_EQ(loaded(Partitioner::metis, near_a_point).element_id, first);
}

TEST_F(LoadWithWork, IsAsWithoutForEqualWork) {
  int estimates = 0;
  const auto equal = [&](const Subdomain&) {
    ++estimates;
    return ElementWork{};
  };
  for (const auto partitioner : {Partitioner::metis, Partitioner::curve})
    EXPECT_EQ(loaded(partitioner, equal).element_id, loaded(partitioner, {}).element_id);
  EXPECT_EQ(estimates, comm_.size() > 1 ? 2 : 0);
}

/// Work of two stages; every seventh element has much in the second one.
ElementWork work_along_the_curve(std::int64_t first, std::int64_t last) {
  ElementWork work{2, {}};
  for (std::int64_t e = first; e < last; ++e)
    work.of_element.insert(work.of_element.end(), {2, e % 7 == 0 ? static_cast<int>(3 + e % 5) : 0});
  return work;
}

// No rank has the work of all elements, and the parts are those of one that has. 4: some parts are empty and are filled.
TEST(CurvePartition, IsTheSameFromWorkThatIsDistributed) {
  const parallel::Communicator comm;
  for (const std::int64_t elements : {4, 50, 1000}) {
    const Partition::Range mine = Partition::along_curve(elements, comm.size()).ranges(comm.rank()).front();
    const Partition distributed =
        curve_partition(elements, "box", work_along_the_curve(mine.first, mine.last), {}, comm);
    const Partition whole = curve_partition(elements, comm.size(), "box", work_along_the_curve(0, elements));
    ASSERT_EQ(distributed.elements(), elements);
    EXPECT_EQ(distributed.parts(), comm.size());
    EXPECT_EQ(distributed.is_along_curve(), comm.size() == 1);
    for (std::int64_t e = 0; e < elements; ++e) EXPECT_EQ(distributed.owner(e), whole.owner(e)) << e;
  }
}

// Without stages on any rank the parts are equal ranges.
TEST(CurvePartition, IsOneRangePerPartWithoutDistributedWork) {
  const parallel::Communicator comm;
  EXPECT_TRUE(curve_partition(100, "box", {}, {}, comm).is_along_curve());
  EXPECT_EQ(testing::message_of([&] { curve_partition(comm.size() - 1, "two.msh", {}, {}, comm); }),
            "two.msh: " + std::to_string(comm.size()) + " ranks for " + std::to_string(comm.size() - 1) +
                " elements; allowed are 1 to " + std::to_string(comm.size() - 1));
}

// owners() finds on one rank what load() does on several.
TEST_F(LoadWithWork, DividesAsOwnersSays) {
  Timers timers;
  const auto by_number = [](const Subdomain& s) {  // the same for an element in any partition
    ElementWork work{2, {}};
    for (const std::int64_t id : s.element_id) work.of_element.insert(work.of_element.end(), {2, id < 500 ? 2 : 0});
    return work;
  };
  for (const auto partitioner : {Partitioner::metis, Partitioner::curve}) {
    const Subdomain mine = loaded(partitioner, by_number);
    const std::vector<std::int64_t> ids = comm_.gather_vectors(mine.element_id);
    const std::vector<double> counts = comm_.gather(static_cast<double>(mine.elements()));
    if (!comm_.is_root()) continue;
    const Subdomain whole = load(source_, partitioner, parallel::Communicator(MPI_COMM_SELF), timers);
    const std::vector<int> owner = owners(whole, partitioner, comm_.size(), "box.msh", by_number(whole));
    std::vector<int> owner_of_id(owner.size());
    for (std::size_t e = 0; e < owner.size(); ++e)
      owner_of_id[static_cast<std::size_t>(whole.element_id[e])] = owner[e];
    std::size_t at = 0;
    int elsewhere = 0;
    for (int r = 0; r < comm_.size(); ++r)
      for (double i = 0; i < counts[static_cast<std::size_t>(r)]; ++i, ++at)
        elsewhere += owner_of_id[static_cast<std::size_t>(ids[at])] != r;
    EXPECT_EQ(elsewhere, 0);
  }
}

TEST(WorkImbalance, IsTheLargestOverTheMean) {
  const parallel::Communicator comm;
  const int mine = comm.rank() + 1;
  const std::vector<double> imbalance = work_imbalance({2, {mine, 3, mine, 4}}, comm);
  ASSERT_EQ(imbalance.size(), 2u);
  EXPECT_DOUBLE_EQ(imbalance[0], 2.0 * comm.size() / (comm.size() + 1));
  EXPECT_DOUBLE_EQ(imbalance[1], 1);
  EXPECT_TRUE(work_imbalance({}, comm).empty());
}

}  // namespace
}  // namespace dgtd::mesh
