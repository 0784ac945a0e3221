#pragma once
// The view of element_update on the CPU: as many consecutive slots as a register holds. Their elements follow each
// other in memory, so coefficients are transposed when they are read and when they are written.
#include <cstring>

#include "cpu_traces.hpp"
#include "dgtd/dg/kernels/level_view.hpp"

namespace dgtd::dg {

template <int p, class Real>
struct CpuView : BlockView<p, parallel::Pack<Real>> {
  using V = parallel::Pack<Real>;
  static constexpr int nodes = Bernstein<p>::nodes, face_nodes = Bernstein<p>::face_nodes;
  static constexpr int stride = ElementLayout<p>::element_reals;

  struct Coefficients {
    V value[3 * nodes];
    explicit DGTD_HOST_DEVICE Coefficients(const Real* elements) { parallel::load_elements<stride>(elements, value); }
    DGTD_HOST_DEVICE V operator()(int component, int node) const { return value[component * nodes + node]; }
  };
  template <class Field>
  struct TracesOf {
    Field field;
    const std::uint32_t* code;  // [face 4][lane 32], at the first lane
    template <class Face>
    DGTD_HOST_DEVICE void load(Face face, V (&a)[face_nodes], V (&b)[face_nodes]) const {
      gather_traces<p>(field, code + face * block_lanes, a, b);
    }
  };
  using Traces = TracesOf<const Real*>;
  const Real* source_field;
  Real* target_field;

  DGTD_HOST_DEVICE std::size_t field_offset() const {
    return std::size_t(this->block * block_lanes + this->lane) * stride;
  }

  DGTD_HOST_DEVICE Coefficients source() const { return Coefficients(source_field + field_offset()); }
  DGTD_HOST_DEVICE Coefficients target() const { return Coefficients(target_field + field_offset()); }
  DGTD_HOST_DEVICE Traces neighbour() const { return {source_field, this->arrays.neighbour + this->element_offset(4)}; }
  DGTD_HOST_DEVICE Traces external() const { return {target_field, this->arrays.external + this->boundary_offset(4)}; }
  /// The increments are transposed into the order of the memory and added in one pass over the old values.
  template <MediumKind medium, class Increment>
  DGTD_HOST_DEVICE void advance(const Increment& increment) const {
    constexpr bool conductive = medium == MediumKind::conductive;
    const V Ca = conductive ? this->Ca() : V(Real(1));
    parallel::update_elements<stride, 3 * nodes>(
        target_field + field_offset(),
        [&](auto i) DGTD_INLINE {
          constexpr int k = decltype(i)::v;
          return increment(Index<k / nodes>{}, Index<k % nodes>{});
        },
        [&](V old, V change, auto row) DGTD_INLINE {
          if constexpr (conductive) return fma(parallel::spread<decltype(row)::v>(Ca), old, change);
          else return old + change;
        });
  }
  template <class Value>
  DGTD_HOST_DEVICE void assign(const Value& value) const {
    parallel::update_elements<stride, 3 * nodes>(
        target_field + field_offset(),
        [&](auto i) DGTD_INLINE {
          constexpr int k = decltype(i)::v;
          return value(Index<k / nodes>{}, Index<k % nodes>{});
        },
        [](V, V after, auto) DGTD_INLINE { return after; });
  }
};

/// The view of element_update for listed blocks.
template <int p, class Real>
struct CpuLevelView : CpuView<p, Real> {
  using Base = CpuView<p, Real>;
  using typename Base::V;
  const LevelFields<Real>& fields;
  const Real* mirror;

  DGTD_HOST_DEVICE V Cb() const { return V(fields.factor) * Base::Cb(); }
  DGTD_HOST_DEVICE SplitField<Real> split_source() const { return fields.source(this->source_field); }
  DGTD_HOST_DEVICE typename Base::Coefficients source() const {
    const Real* const field = split_source().of(static_cast<std::uint32_t>(this->block) * block_lanes);
    return typename Base::Coefficients(field + this->field_offset());
  }
  using Traces = typename Base::template TracesOf<SplitField<Real>>;
  DGTD_HOST_DEVICE MirroredTrace<V, Traces> neighbour() const {
    return {{split_source(), this->arrays.neighbour + this->element_offset(4)}, mirror};
  }
  template <MediumKind, class Increment>
  DGTD_HOST_DEVICE void advance(const Increment& increment) const {
    const std::size_t at = this->field_offset();
    const Real* const old = (this->block < fields.base_blocks ? fields.base : fields.target) + at;
    const bool from_zero = fields.from_zero && this->block >= fields.base_blocks;
    Real* const target = (this->block < fields.saved_blocks ? fields.saved : fields.target) + at;
    const V Ca = fields.has_Ca ? this->Ca() : V(Real(1));
    parallel::update_elements<Base::stride, 3 * Base::nodes>(
        old,
        [&](auto i) DGTD_INLINE {
          constexpr int k = decltype(i)::v;
          return increment(Index<k / Base::nodes>{}, Index<k % Base::nodes>{});
        },
        [&](V before, V change, auto row) DGTD_INLINE {
          if (from_zero) return change;
          return fma(parallel::spread<decltype(row)::v>(Ca), before, change);  // rounds once, as the sum does
        },
        [&](int offset, const parallel::Group<Real>& group)
            DGTD_INLINE { std::memcpy(target + offset, &group, sizeof group); });
  }
};

}  // namespace dgtd::dg
