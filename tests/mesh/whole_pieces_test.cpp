// Pieces of a mesh that a partition leaves whole.
#include "mesh/partition/whole_pieces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "box_as_global_mesh.hpp"
#include "dgtd/mesh/beyond_halo.hpp"
#include "dgtd/mesh/load.hpp"
#include "mesh/partition/partition.hpp"
#include "msh2.hpp"
#include "scratch_folder.hpp"

namespace dgtd::mesh {
namespace {

/// Levels of elements around points: a large ball of level 1, in it and far from it small balls up to level 3, each
/// inside of one of the level below. The work is that of levels (dg/time_levels.hpp), but for the neighbours of a level.
ElementWork levels_around_points(const Subdomain& s) {
  struct Ball {
    Vec3 centre;
    double radius;
    int level;
  };
  const Ball balls[] = {{{0.3, 0.3, 0.3}, 0.28, 1}, {{0.3, 0.3, 0.35}, 0.12, 2}, {{0.8, 0.6, 0.5}, 0.12, 1},
                        {{0.8, 0.6, 0.5}, 0.1, 2},  {{0.8, 0.6, 0.5}, 0.07, 3},  {{0.2, 0.65, 0.6}, 0.06, 1}};
  ElementWork work{4, {}, {}, true};
  for (std::size_t e = 0; e < s.elements(); ++e) {
    const Vec3 centre = 0.25 * (s.vertex(e, 0) + s.vertex(e, 1) + s.vertex(e, 2) + s.vertex(e, 3));
    int level = 0;
    for (const Ball& ball : balls)
      if (norm(centre - ball.centre) < ball.radius) level = std::max(level, ball.level);
    work.labels.push_back(static_cast<std::uint8_t>(level));
    for (int stage = 0; stage < 4; ++stage)
      work.of_element.push_back(stage == 0 ? 2 : level >= stage ? 2 << (stage - 1) : 0);
  }
  return work;
}

class WholePieces : public ::testing::Test {
 protected:
  WholePieces() {
    if (comm_.is_root()) {
      folder_.emplace("pieces");
      folder_->write("box.msh", testing::msh2(testing::box_as_global_mesh({12, 11, 10}, {1, 0.9, 0.8})));
    }
    source_.file = comm_.broadcast(comm_.is_root() ? (*folder_ / "box.msh").string() : "");
    source_.cache = MeshSource::Cache::beside;
  }
  ~WholePieces() override { comm_.barrier(); }

  Subdomain ranges() {
    Timers timers;
    return load(source_, Partitioner::curve, comm_, timers);
  }
  Subdomain whole() {
    Timers timers;
    return load(source_, Partitioner::curve, alone_, timers);
  }
  std::int64_t first(const Subdomain& range) const {
    return Partition::along_curve(range.global_elements, comm_.size()).ranges(comm_.rank()).front().first;
  }

  parallel::Communicator comm_, alone_{MPI_COMM_SELF};
  std::optional<testing::ScratchFolder> folder_;  // root
  MeshSource source_;
};

/// [elements] the lowest element that is reached over faces of which one side has the label or a higher one.
std::vector<std::uint32_t> reached(const Subdomain& s, const std::vector<std::uint8_t>& labels, int label) {
  std::vector<std::uint32_t> lowest(s.elements());
  std::iota(lowest.begin(), lowest.end(), 0u);
  for (bool changes = true; changes;) {
    changes = false;
    for (std::size_t e = 0; e < s.elements(); ++e)
      for (const FaceLink& link : s.element_faces[e])
        if (link.kind == FaceLink::Kind::element && std::max(labels[e], labels[link.index]) >= label &&
            lowest[link.index] < lowest[e])
          lowest[e] = lowest[link.index], changes = true;
  }
  return lowest;
}

std::map<std::uint32_t, std::size_t> elements_of_each(const std::vector<std::uint32_t>& group) {
  std::map<std::uint32_t, std::size_t> elements;
  for (const std::uint32_t g : group) ++elements[g];
  return elements;
}

// From the last stage back, as long as all that its faces join has at most a quarter of a part's elements.
TEST_F(WholePieces, AreWhatTheFacesOfAStageJoin) {
  const Subdomain all = whole();
  const ElementWork work = levels_around_points(all);
  for (const auto& [parts, first_whole] : {std::pair{2, 2}, {6, 2}, {20, 3}}) {
    const Pieces pieces = whole_pieces({all, 0}, work, parts, alone_);
    EXPECT_EQ(pieces.stages, first_whole) << parts;
    EXPECT_EQ(pieces.of_element, reached(all, work.labels, first_whole)) << parts;
    for (const int stage : {first_whole - 1, first_whole}) {
      std::size_t largest = 0;
      for (const auto& [group, elements] : elements_of_each(reached(all, work.labels, stage)))
        largest = std::max(largest, elements);
      EXPECT_EQ(4 * static_cast<std::size_t>(parts) * largest <= all.elements(), stage == first_whole) << parts;
    }
  }
}

TEST_F(WholePieces, AreTheSameForAnyNumberOfRanks) {
  const Subdomain mine = ranges(), all = whole();
  for (const int parts : {2, 6, 20}) {
    const Pieces pieces = whole_pieces({mine, first(mine)}, levels_around_points(mine), parts, comm_);
    const auto gathered = comm_.gather_vectors(pieces.of_element);
    if (!comm_.is_root()) continue;
    const Pieces expected = whole_pieces({all, 0}, levels_around_points(all), parts, alone_);
    EXPECT_EQ(gathered, expected.of_element) << parts;
    EXPECT_EQ(pieces.stages, expected.stages) << parts;
  }
}

TEST_F(WholePieces, AreNoneWithoutFinerStagesOrWhereNotWanted) {
  const Subdomain mine = ranges();
  EXPECT_TRUE(whole_pieces({mine, first(mine)}, {}, 2, comm_).of_element.empty());
  ElementWork work{2, std::vector<int>(2 * mine.elements(), 1), std::vector<std::uint8_t>(mine.elements(), 0), true};
  EXPECT_TRUE(whole_pieces({mine, first(mine)}, work, 2, comm_).of_element.empty());
  work = levels_around_points(mine);
  work.keeps_pieces = false;
  EXPECT_TRUE(whole_pieces({mine, first(mine)}, work, 2, comm_).of_element.empty());
  work.labels.clear();
  work.keeps_pieces = true;
  EXPECT_TRUE(whole_pieces({mine, first(mine)}, work, 2, comm_).of_element.empty());
}

// The stages without those that exchange nothing between pieces.
TEST_F(WholePieces, LeaveStagesToDivide) {
  const Subdomain all = whole();
  const ElementWork work = levels_around_points(all);
  const Pieces pieces = whole_pieces({all, 0}, work, 2, alone_);
  const auto stages = static_cast<std::size_t>(pieces.stages);
  int last = 0;  // stage that exchanges a face between pieces
  for (std::size_t e = 0; e < all.elements(); ++e)
    for (const FaceLink& link : all.element_faces[e])
      if (link.kind == FaceLink::Kind::element && pieces.of_element[link.index] != pieces.of_element[e])
        last = std::max<int>(last, work.labels[e]);
  EXPECT_EQ(pieces.stages, last + 1);
  EXPECT_LT(pieces.stages, work.stages);
  const ElementWork divided = divided_work(work, pieces);
  ASSERT_EQ(divided.of_element.size(), all.elements() * stages);
  for (std::size_t e = 0; e < all.elements(); ++e)
    for (std::size_t s = 0; s < stages; ++s)
      ASSERT_EQ(divided.of_element[e * stages + s], work.of_element[4 * e + s]);
}

TEST_F(WholePieces, AreInOnePartEach) {
  const Subdomain all = whole();
  const ElementWork work = levels_around_points(all);
  for (const auto partitioner : {Partitioner::metis, Partitioner::curve})
    for (const int parts : {2, 6}) {
      const std::vector<int> owner = owners(all, partitioner, parts, "box.msh", work);
      const std::vector<std::uint32_t> piece = whole_pieces({all, 0}, work, parts, alone_).of_element;
      std::vector<int> elements(static_cast<std::size_t>(parts), 0);
      int cut = 0;
      for (std::size_t e = 0; e < owner.size(); ++e) {
        cut += owner[e] != owner[piece[e]];
        ++elements[static_cast<std::size_t>(owner[e])];
      }
      EXPECT_EQ(cut, 0) << parts;
      // Along the curve half of a piece, which has at most a quarter of a part's elements, is too many on both sides.
      const double most = partitioner == Partitioner::metis ? 1.06 : 1.25;
      for (const int of_part : elements)
        EXPECT_LE(of_part, most * static_cast<double>(all.elements()) / parts) << parts << ' ' << int(partitioner);
    }
}

TEST_F(WholePieces, AreInOnePartOfALoadedMesh) {
  if (comm_.size() == 1) return;
  for (const auto partitioner : {Partitioner::metis, Partitioner::curve}) {
    Timers timers;
    std::optional<std::vector<std::uint8_t>> labels;
    const Subdomain mine = load(source_, partitioner, comm_, timers, levels_around_points, &labels);
    const Subdomain all = whole();
    const auto piece = whole_pieces({all, 0}, levels_around_points(all), comm_.size(), alone_).of_element;
    std::vector<std::uint32_t> piece_of_id(piece.size());
    for (std::size_t e = 0; e < piece.size(); ++e) piece_of_id[static_cast<std::size_t>(all.element_id[e])] = piece[e];
    std::vector<std::uint32_t> piece_of_mine;
    for (const std::int64_t id : mine.element_id) piece_of_mine.push_back(piece_of_id[static_cast<std::size_t>(id)]);
    const std::vector<std::uint32_t> beyond = beyond_halo(mine, piece_of_mine, comm_);
    int cut = 0;
    for (std::size_t i = 0; i < beyond.size(); ++i) cut += beyond[i] == piece_of_mine[mine.halo_faces[i].element];
    EXPECT_EQ(cut, 0);
  }
}

}  // namespace
}  // namespace dgtd::mesh
