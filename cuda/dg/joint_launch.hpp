#pragma once
// Batches of few elements in one launch: each of their own would leave most of a GPU idle at its end, and the next one
// begins only then. A warp, which is a block of elements, finds its batch by its number.
#include <cstdint>

#include "dgtd/dg/batch.hpp"

namespace dgtd::dg {

template <class Real>
struct JointBatches {
  static constexpr int most = 12;
  struct Part {
    std::int64_t first_block;
    std::int64_t first_boundary_block;
    std::uint32_t end;  // blocks of this part and those before it
    int kernel;         // KernelTraits::number()
    bool halo;          // its warps wait for the traces of other ranks (HaloTraces)
  };
  ElementArrays<Real> arrays;  // of all parts, but for first_boundary_block
  Part parts[most];
  int count = 0;
};

}  // namespace dgtd::dg
