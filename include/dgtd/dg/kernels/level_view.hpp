#pragma once
// Additions of a half step of listed blocks to the view of an executor: old values from one array and new ones
// in another, a factor of Cb, and mirrors where a block has boundary faces.
#include "dgtd/dg/kernels/block_view.hpp"
#include "dgtd/dg/level_blocks.hpp"
#include "dgtd/dg/split_field.hpp"

namespace dgtd::dg {

/// Source, old and new values of a half step of blocks of any level: new = [Ca] old + factor Cb (curl of the
/// source). All arrays begin at block 0 of a field.
template <class Real>
struct LevelFields {
  const Real* base = nullptr;  // old values of blocks below base_blocks
  std::int64_t base_blocks = 0;
  Real* target = nullptr;  // old values of the other blocks, unless they are zero
  bool from_zero = false;  // those old values are zero
  Real* saved = nullptr;   // new values of blocks below saved_blocks; those of the other blocks are written to target
  std::int64_t saved_blocks = 0;
  const Real* other_source = nullptr;  // the source in the blocks [other_first, other_end)
  std::int64_t other_first = 0, other_end = 0;
  Real factor = 1;
  bool has_Ca = false;  // old values are multiplied by Ca, which is 1 in lossless elements

  DGTD_HOST_DEVICE SplitField<Real> source(const Real* field) const {
    return {field, other_source, std::uint32_t(other_first * block_lanes),
            std::uint32_t((other_end - other_first) * block_lanes)};
  }
};

/// Traces of neighbours in blocks none of whose faces absorbs: a boundary is a factor of the element's own trace.
/// Trace: how the executor's view loads the traces of neighbours.
template <class V, class Trace>
struct MirroredTrace {
  using Real = typename RealOf<V>::type;
  Trace trace;
  const Real* mirror;  // [face 4][lane 32] at the lane; null: no boundary face
  template <class Face, int face_nodes>
  DGTD_HOST_DEVICE void load(Face face, V (&a)[face_nodes], V (&b)[face_nodes]) const {
    trace.load(face, a, b);
    if (mirror == nullptr) return;
    const V factor = LoadLanes<V>::from(mirror + face * block_lanes);
    static_for<face_nodes>([&](auto i) DGTD_INLINE {
      a[i] = factor * a[i];
      b[i] = factor * b[i];
    });
  }
};

/// The mirrors of a block's faces, at a lane; null without boundary faces.
template <class Real>
DGTD_HOST_DEVICE const Real* mirrors_of(const ElementArrays<Real>& arrays, const LevelBlock& at, int lane) {
  return at.boundary < 0 ? nullptr : arrays.mirror + std::size_t(at.boundary) * 4 * block_lanes + lane;
}

}  // namespace dgtd::dg
