#pragma once
// Blocks of the levels of local time steps in the arrays of a rank. Blocks are ordered from the finest level to the
// coarsest, and inside a level the elements beside the next finer one come first:
//   level L | level L-1 beside L | rest of L-1 | level L-2 beside L-1 | ... | rest of level 0
// so the elements of level l and finer, P_l, are the first blocks, and so are they with all their face neighbours,
// N(P_l).
#include <cstdint>
#include <vector>

namespace dgtd::dg {

struct LevelBlocks {
  std::int64_t own = 0;    // blocks [0, own): P_l
  std::int64_t reach = 0;  // blocks [0, reach): N(P_l)
  // A field that is zero outside P_l has the blocks of N(P_l), a ghost slot per halo face of the level, a zero slot.
  std::vector<std::uint32_t> halo_faces;  // [halo faces of the level] index into mesh.halo_faces: an element of P_l on
                                          // one of the sides
  std::uint32_t first_halo_slot = 0;      // of halo_faces[0]
  std::uint32_t zero_slot = 0;
  std::int64_t blocks = 0;               // of that field
  std::vector<std::uint32_t> neighbour;  // [reach][face 4][lane] NeighbourCode in that field
};

/// A block of a level, as the level kernels read it.
struct LevelBlock {
  std::uint32_t block = 0;
  std::int32_t boundary = -1;  // boundary block with the mirrors of its faces; -1: no element has a boundary face
};

}  // namespace dgtd::dg
