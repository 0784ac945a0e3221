#pragma once
// Halo of a block in each half step: two tangential components of a layer of cells per axis.
#include "dgtd/fdtd/engine.hpp"
#include "dgtd/parallel/halo_exchange.hpp"

namespace dgtd::fdtd {

struct BlockHalo {
  parallel::HaloPlan plan;                   // reals_per_face 1
  std::vector<std::uint64_t> send, receive;  // [values] indices in [component][reals]
};

/// E from H reads H below the block: blocks send their last layer upwards. H from E the other way round.
template <class Real>
BlockHalo block_halo(const Discretisation<Real>& d, HalfStep half);

/// The ghosts that E from H (H from E) reads across an axis: below (above) the block.
template <class Real>
std::vector<std::uint64_t> ghosts_of_axis(const Discretisation<Real>& d, HalfStep half, int axis);

}  // namespace dgtd::fdtd
