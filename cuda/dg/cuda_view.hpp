#pragma once
// The view of element_update on a GPU: one thread per element, 32 neighbouring threads per block of 32 lanes, so that
// they read neighbouring reals.
#include "dgtd/dg/kernels/level_view.hpp"

namespace dgtd::dg {

/// Volume nodes of face node n of a layer (lift_layers) on the faces 0 to 3, one byte each: selecting one costs one
/// instruction.
template <int p, int layer>
inline constexpr auto packed_layer_nodes = [] {
  std::array<std::uint32_t, triangle_nodes(p - layer)> packed{};
  for (int n = 0; n < triangle_nodes(p - layer); ++n)
    for (int face = 0; face < 4; ++face) {
      const auto exponents = on_layer(face, layer, Bernstein<p - layer>::face_exponents[n]);
      packed[n] |= static_cast<std::uint32_t>(tetrahedron_index(exponents)) << (8 * face);
    }
  return packed;
}();
/// The nodes on the faces themselves.
template <int p>
inline constexpr auto packed_face_nodes = packed_layer_nodes<p, 0>;

/// Byte 0 to 3 of a constant, by one instruction.
__device__ __forceinline__ std::uint32_t byte_of(std::uint32_t packed, std::uint32_t place) {
  return __byte_perm(packed, 0u, place | 0x4440u);
}

/// The covariant component along an edge, 0 (e_a) or 1 (e_b), of a face; of face 0 the one from which component 0 is
/// subtracted (own_trace).
__device__ __forceinline__ std::uint32_t component_along(int edge, std::uint32_t face) {
  return (edge == 0 ? 0x0011u : 0x1222u) >> (4 * face) & 3u;
}

template <int p, class Real>
struct CudaView : BlockView<p, Real> {
  static constexpr int nodes = Bernstein<p>::nodes, face_nodes = Bernstein<p>::face_nodes;

  struct Source {
    const Real* at;  // block's start plus lane
    __device__ __forceinline__ Real operator()(int component, int node) const {
      return __ldg(at + BlockLayout<p>::offset(component, node));
    }
  };
  /// All coefficients of the source, loaded at once.
  struct LoadedSource {
    Real value[3 * nodes];
    __device__ __forceinline__ explicit LoadedSource(const Real* at) {
      static_for<3 * nodes>([&](auto i) { value[i] = at[i * block_lanes]; });
    }
    __device__ __forceinline__ Real operator()(int component, int node) const {
      return value[component * nodes + node];
    }
  };
  struct Target {
    const Real* at;
    __device__ __forceinline__ Real operator()(int component, int node) const {
      return at[BlockLayout<p>::offset(component, node)];
    }
  };
  /// Components 1 and 2 of a neighbour's face 0 are taken relative to component 0; see own_trace.
  struct Neighbour {
    const Real* field;
    const std::uint32_t* code;  // [face 4][lane 32], at the lane
    template <class Face>
    __device__ __forceinline__ void load(Face face, Real (&a)[face_nodes], Real (&b)[face_nodes]) const {
      load_trace(field, code[face * block_lanes], a, b);
    }
    /// The trace along one edge, 0 (e_a) or 1 (e_b).
    __device__ __forceinline__ void load_edge(int face, int edge, Real (&values)[face_nodes]) const {
      const std::uint32_t c = code[face * block_lanes], slot = NeighbourCode::slot(c);
      const std::uint32_t other = static_cast<std::uint32_t>(NeighbourCode::face(c));
      const Real* const from =
          field + std::size_t(slot / block_lanes) * BlockLayout<p>::block_reals + slot % block_lanes;
      const Real* const along = from + component_along(edge, other) * BlockLayout<p>::offset(1, 0);
      static_for<face_nodes>([&](auto i) {
        constexpr std::uint32_t packed = packed_face_nodes<p>[decltype(i)::v];
        values[i] = along[byte_of(packed, other) * block_lanes];
      });
      if (other == 0)
        static_for<face_nodes>([&](auto i) {
          constexpr int node = face_node_table<p>[0][decltype(i)::v];
          values[i] -= from[BlockLayout<p>::offset(0, node)];
        });
    }
    template <int edge, class Face>
    __device__ __forceinline__ void load_edge(Face face, Real (&values)[face_nodes]) const {
      load_edge(face, edge, values);
    }
    static __device__ __forceinline__ void load_trace(const Real* field, std::uint32_t c, Real (&a)[face_nodes],
                                                      Real (&b)[face_nodes]) {
      const std::uint32_t slot = NeighbourCode::slot(c);
      const std::uint32_t other = static_cast<std::uint32_t>(NeighbourCode::face(c));
      const Real* const from =
          field + std::size_t(slot / block_lanes) * BlockLayout<p>::block_reals + slot % block_lanes;
      const Real* const from_a = from + (other < 2 ? BlockLayout<p>::offset(1, 0) : 0);
      const Real* const from_b = from + (other == 3 ? BlockLayout<p>::offset(1, 0) : BlockLayout<p>::offset(2, 0));
      const std::uint32_t selector = other | 0x4440u;
      static_for<face_nodes>([&](auto i) {
        constexpr std::uint32_t packed = packed_face_nodes<p>[decltype(i)::v];
        const std::uint32_t node = __byte_perm(packed, 0u, selector);
        a[i] = from_a[node * block_lanes];
        b[i] = from_b[node * block_lanes];
      });
      if (other == 0) {
        static_for<face_nodes>([&](auto i) {
          constexpr int node = face_node_table<p>[0][decltype(i)::v];
          const Real minus = from[BlockLayout<p>::offset(0, node)];
          a[i] -= minus;
          b[i] -= minus;
        });
      }
    }
  };

  const Real* source_field;
  Real* target_field;

  __device__ __forceinline__ std::size_t field_offset() const {
    return std::size_t(this->block) * BlockLayout<p>::block_reals + this->lane;
  }
  __device__ __forceinline__ Source source() const { return {source_field + field_offset()}; }
  __device__ __forceinline__ Target target() const { return {target_field + field_offset()}; }
  __device__ __forceinline__ Neighbour neighbour() const {
    return {source_field, this->arrays.neighbour + this->element_offset(4)};
  }
  __device__ __forceinline__ Neighbour external() const {
    return {target_field, this->arrays.external + this->boundary_offset(4)};
  }
  template <MediumKind medium, class Increment>
  __device__ __forceinline__ void advance(const Increment& increment) const {
    constexpr bool conductive = medium == MediumKind::conductive;
    Real* const at = target_field + field_offset();
    const Real Ca = conductive ? this->Ca() : Real(1);
    static_for<nodes>([&](auto node) {
      static_for<3>([&](auto component) {
        Real& u = at[BlockLayout<p>::offset(component, node)];
        const Real change = increment(component, node);
        u = conductive ? fma(Ca, u, change) : u + change;
      });
    });
  }
  template <class Value>
  __device__ __forceinline__ void assign(const Value& value) const {
    Real* const at = target_field + field_offset();
    static_for<nodes>([&](auto node) {
      static_for<3>([&](auto component) { at[BlockLayout<p>::offset(component, node)] = value(component, node); });
    });
  }
};

/// The view of element_update for listed blocks. at_once: its own source is loaded at once.
template <int p, class Real, bool at_once>
struct CudaLevelView : CudaView<p, Real> {
  using Base = CudaView<p, Real>;
  const LevelFields<Real>& fields;
  const Real* mirror;

  struct Neighbour {
    SplitField<Real> source;
    const std::uint32_t* code;  // [face 4][lane 32], at the lane
    template <class Face>
    __device__ __forceinline__ void load(Face face, Real (&a)[Base::face_nodes], Real (&b)[Base::face_nodes]) const {
      const std::uint32_t c = code[face * block_lanes];
      Base::Neighbour::load_trace(source.of(NeighbourCode::slot(c)), c, a, b);
    }
  };
  __device__ __forceinline__ SplitField<Real> split_source() const { return fields.source(this->source_field); }
  __device__ __forceinline__ auto source() const {
    const Real* const at = split_source().of(std::uint32_t(this->block) * block_lanes) + this->field_offset();
    if constexpr (at_once) return typename Base::LoadedSource(at);
    else return typename Base::Source{at};
  }
  __device__ __forceinline__ Real Cb() const { return fields.factor * Base::Cb(); }
  __device__ __forceinline__ MirroredTrace<Real, Neighbour> neighbour() const {
    return {{split_source(), this->arrays.neighbour + this->element_offset(4)}, mirror};
  }
  template <MediumKind, class Increment>
  __device__ __forceinline__ void advance(const Increment& increment) const {
    const std::size_t start = this->field_offset();
    const bool from_base = this->block < fields.base_blocks, save = this->block < fields.saved_blocks;
    const bool from_zero = fields.from_zero && !from_base;
    const Real* const old = (from_base ? fields.base : fields.target) + start;
    Real* const target = (save ? fields.saved : fields.target) + start;
    const Real Ca = fields.has_Ca ? this->Ca() : Real(1);
    // Old values of a group are loaded before new ones are stored: the compiler cannot tell the arrays apart, and would
    // wait for one load after the other.
    constexpr int group = 3 * Base::nodes <= 30 ? 3 * Base::nodes : Base::nodes;
    static_for<3 * Base::nodes / group>([&](auto g) {
      constexpr int first = decltype(g)::v * group;
      Real before[group];
      static_for<group>([&](auto i) {
        constexpr int k = first + decltype(i)::v;
        before[i] = from_zero ? Real(0) : old[k * block_lanes];
      });
      static_for<group>([&](auto i) {
        constexpr int k = first + decltype(i)::v;
        const Real change = increment(Index<k / Base::nodes>{}, Index<k % Base::nodes>{});
        target[k * block_lanes] = from_zero ? change : fma(Ca, before[i], change);
      });
    });
  }
};

/// Data of a block beside its fields, for a half step of a sequence.
template <int p, class Real>
struct SequenceData {
  std::uint32_t code[4];  // NeighbourCode of the faces
  Metric<Real> metric;
  Real Cb;
  __device__ __forceinline__ SequenceData(const ElementArrays<Real>& arrays, const LevelBlock& at, int lane) {
    const BlockView<p, Real> view{arrays, at.block, lane};
    static_for<4>([&](auto face) { code[face] = arrays.neighbour[view.element_offset(4) + face * block_lanes]; });
    metric = view.metric();
    Cb = view.Cb();
  }
};

/// The view of element_update in a sequence: other thread blocks have written the source while the kernel runs, so that
/// it must not be read past the cache of writes (__ldg), and all of it is loaded at once.
template <int p, class Real>
struct CudaSequenceView : CudaLevelView<p, Real, true> {
  using Base = CudaLevelView<p, Real, true>;
  static constexpr int nodes = Base::nodes, face_nodes = Base::face_nodes;
  const SequenceData<p, Real>& data;

  struct Neighbour {
    SplitField<Real> source;
    const std::uint32_t (&code)[4];
    template <class Face>
    __device__ __forceinline__ void load(Face face, Real (&a)[face_nodes], Real (&b)[face_nodes]) const {
      const std::uint32_t c = code[face];
      CudaView<p, Real>::Neighbour::load_trace(source.of(NeighbourCode::slot(c)), c, a, b);
    }
  };

  __device__ __forceinline__ MirroredTrace<Real, Neighbour> neighbour() const {
    return {{this->split_source(), data.code}, this->mirror};
  }
  __device__ __forceinline__ Metric<Real> metric() const { return data.metric; }
  __device__ __forceinline__ Real Cb() const { return this->fields.factor * data.Cb; }
};

}  // namespace dgtd::dg
