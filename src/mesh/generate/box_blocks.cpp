#include "mesh/generate/box_blocks.hpp"

#include <algorithm>

namespace dgtd::mesh {

std::int64_t CellBlock::count() const { return (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]); }

namespace {

/// A block with the ranks [first, first + ranks) that share it.
struct Share {
  CellBlock block;
  int first, ranks;
};

struct Halves {
  Share lower, upper;
  int axis;
};

Halves bisect(const Share& whole) {
  int axis = 2;
  for (const int a : {1, 0})
    if (whole.block.high[a] - whole.block.low[a] > whole.block.high[axis] - whole.block.low[axis]) axis = a;
  const std::int64_t layers = whole.block.high[axis] - whole.block.low[axis];
  const std::int64_t cells_a_layer = whole.block.count() / layers;

  const std::int64_t ranks = whole.ranks;
  std::int64_t lower_ranks = ranks / 2;
  const std::int64_t lower_layers =
      std::clamp<std::int64_t>((2 * layers * lower_ranks + ranks) / (2 * ranks), 1, layers - 1);
  // Each side keeps at least a cell per rank, which only binds when there are few cells.
  lower_ranks = std::clamp(lower_ranks, std::max<std::int64_t>(1, ranks - (layers - lower_layers) * cells_a_layer),
                           std::min(ranks - 1, lower_layers * cells_a_layer));

  Halves halves{whole, whole, axis};
  halves.lower.block.high[axis] = halves.upper.block.low[axis] = whole.block.low[axis] + lower_layers;
  halves.lower.ranks = static_cast<int>(lower_ranks);
  halves.upper.first = whole.first + halves.lower.ranks;
  halves.upper.ranks = whole.ranks - halves.lower.ranks;
  return halves;
}

/// Descends to the share of a single rank; lower(halves) tells on which side to go on.
template <class Choice>
Share descend(const Cell& cells, int ranks, const Choice& lower) {
  Share share{{{0, 0, 0}, cells}, 0, ranks};
  while (share.ranks > 1) {
    const Halves halves = bisect(share);
    share = lower(halves) ? halves.lower : halves.upper;
  }
  return share;
}

}  // namespace

CellBlock block_of_rank(const Cell& cells, int ranks, int rank) {
  return descend(cells, ranks, [&](const Halves& h) { return rank < h.upper.first; }).block;
}

int rank_of_cell(const Cell& cells, int ranks, const Cell& cell) {
  return descend(cells, ranks, [&](const Halves& h) { return cell[h.axis] < h.upper.block.low[h.axis]; }).first;
}

}  // namespace dgtd::mesh
