#include <gtest/gtest.h>

#include <algorithm>

#include "mesh/generate/box_blocks.hpp"

namespace dgtd::mesh {
namespace {

// Any number of ranks: blocks cover the box once, none is empty, and both functions agree.
TEST(BoxBlocks, EveryCellHasOneOwner) {
  for (const Cell& cells : {Cell{2, 2, 2}, Cell{4, 3, 5}, Cell{1, 1, 7}, Cell{7, 2, 1}})
    for (int ranks = 1; ranks <= cells[0] * cells[1] * cells[2]; ++ranks) {
      std::int64_t covered = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const CellBlock block = block_of_rank(cells, ranks, rank);
        EXPECT_GT(block.count(), 0) << ranks << " ranks, rank " << rank;
        covered += block.count();
        for (std::int64_t k = block.low[2]; k < block.high[2]; ++k)
          for (std::int64_t j = block.low[1]; j < block.high[1]; ++j)
            for (std::int64_t i = block.low[0]; i < block.high[0]; ++i)
              ASSERT_EQ(rank_of_cell(cells, ranks, {i, j, k}), rank);
      }
      EXPECT_EQ(covered, cells[0] * cells[1] * cells[2]);
    }
}

TEST(BoxBlocks, EightRanksCutACubeIntoEight) {
  for (int rank = 0; rank < 8; ++rank) {
    const CellBlock block = block_of_rank({16, 16, 16}, 8, rank);
    for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(block.high[axis] - block.low[axis], 8);
  }
}

TEST(BoxBlocks, BlocksDifferLittleInSize) {
  for (int ranks = 2; ranks <= 16; ++ranks) {
    const Cell cells{32, 32, 32};
    std::int64_t largest = 0;
    for (int rank = 0; rank < ranks; ++rank) largest = std::max(largest, block_of_rank(cells, ranks, rank).count());
    // Three cuts a path at most here, each rounded by half a layer of at least 8.
    EXPECT_LT(static_cast<double>(largest), 1.2 * 32 * 32 * 32 / ranks) << ranks << " ranks";
  }
}

}  // namespace
}  // namespace dgtd::mesh
